package intake

import (
	"crypto/sha256"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// rates limits the requests of each token.
type rates struct {
	perSecond float64
	now       func() time.Time

	mu     sync.Mutex
	limits map[[sha256.Size]byte]*rate.Limiter // by the token's hash
}

func newRates(perSecond float64, now func() time.Time) *rates {
	return &rates{perSecond: perSecond, now: now, limits: map[[sha256.Size]byte]*rate.Limiter{}}
}

// wait counts a request and returns 0, or how long the token must wait.
func (r *rates) wait(g *grant) time.Duration {
	if r.perSecond <= 0 {
		return 0
	}
	r.mu.Lock()
	limit := r.limits[g.hash]
	if limit == nil {
		limit = rate.NewLimiter(rate.Limit(r.perSecond), int(math.Ceil(r.perSecond)))
		r.limits[g.hash] = limit
	}
	r.mu.Unlock()
	now := r.now()
	reserved := limit.ReserveN(now, 1)
	delay := reserved.DelayFrom(now)
	if delay > 0 {
		reserved.CancelAt(now)
	}
	return delay
}
