package fleet

import (
	"math"
	"time"

	"golang.org/x/time/rate"

	"usher"
)

// flow is a rate and a burst, the parameters of both limit.lua and x/time/rate.
type flow struct {
	perSecond float64 // 0: no limit
	burst     int     // at least 1
}

// totalFlow returns the flow of all calls.
func totalFlow(r usher.Rate) flow {
	burst := r.Burst
	if burst <= 0 {
		burst = 1 + int(r.PerSecond/20)
	}
	return flow{max(0, r.PerSecond), burst}
}

// audienceFlow returns the flow of calls that may not use the reserve. The reserve
// reduces both the rate and the burst.
func audienceFlow(r usher.Rate) flow {
	total := totalFlow(r)
	if total.perSecond == 0 {
		return total
	}
	reserve := min(max(1, total.perSecond*r.Reserve()/100), total.perSecond/2)
	share := 1 - reserve/total.perSecond
	return flow{total.perSecond - reserve, max(1, int(float64(total.burst)*share))}
}

// dividedBy returns one worker's share of the flow.
func (f flow) dividedBy(workers int) flow {
	return flow{f.perSecond / float64(workers), max(1, f.burst/workers)}
}

// interval returns the time between two calls in microseconds; 0: no limit.
func (f flow) interval() float64 {
	if f.perSecond <= 0 {
		return 0
	}
	return float64(time.Second/time.Microsecond) / f.perSecond
}

func (f flow) limit() rate.Limit {
	if f.perSecond <= 0 {
		return rate.Inf
	}
	return rate.Limit(math.Max(f.perSecond, 1e-3))
}
