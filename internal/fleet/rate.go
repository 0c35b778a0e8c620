package fleet

import (
	"math"
	"time"

	"golang.org/x/time/rate"

	"usher"
)

// flow is a rate and a burst, as both Redis and x/time/rate take them.
type flow struct {
	perSecond float64 // 0: no limit
	burst     int     // at least 1
}

// allCalls is the flow of all calls.
func allCalls(r usher.Rate) flow {
	burst := r.Burst
	if burst <= 0 {
		burst = 1 + int(r.PerSecond/20)
	}
	return flow{max(0, r.PerSecond), burst}
}

// audienceCalls is the flow of the calls that may not use the reserve. Its
// burst leaves the share of the reserve, too.
func audienceCalls(r usher.Rate) flow {
	all := allCalls(r)
	percent := r.ReservePercent
	if percent <= 0 {
		percent = 20
	}
	reserve := min(max(1, all.perSecond*percent/100), all.perSecond/2)
	if all.perSecond == 0 {
		return all
	}
	share := 1 - reserve/all.perSecond
	return flow{all.perSecond - reserve, max(1, int(float64(all.burst)*share))}
}

// divided is one worker's share of the flow.
func (f flow) divided(workers int) flow {
	return flow{f.perSecond / float64(workers), max(1, f.burst/workers)}
}

// interval is the time between two calls in microseconds; 0 for no limit.
func (f flow) interval() float64 {
	if f.perSecond <= 0 {
		return 0
	}
	return float64(time.Second/time.Microsecond) / f.perSecond
}

// limit is the flow's rate as x/time/rate takes it.
func (f flow) limit() rate.Limit {
	if f.perSecond <= 0 {
		return rate.Inf
	}
	return rate.Limit(math.Max(f.perSecond, 1e-3))
}
