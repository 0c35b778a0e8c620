package usher

// Rate limits the calls of all workers for an advertiser.
type Rate struct {
	PerSecond float64 `json:"perSecond"` // 0: no limit; only a Retry-After delays calls

	// Burst is the number of calls that may be made at once after a pause; a window of
	// one second may hold PerSecond + Burst - 1 calls. 0: the largest burst with which
	// no window exceeds 105 % of PerSecond.
	Burst int `json:"burst"`

	// ReservePercent of PerSecond, but at least one call a second and never more
	// than half, is reserved for the campaign lane. 0: 20.
	ReservePercent float64 `json:"reservePercent"`
}

// defaultReserve is the percentage of a Rate that sets none.
const defaultReserve = 20

// Reserve returns ReservePercent, or the default if it is 0.
func (r Rate) Reserve() float64 {
	if r.ReservePercent <= 0 {
		return defaultReserve
	}
	return r.ReservePercent
}

// Shared returns the number of calls a second that calls outside of the campaign lane may use, which is
// what the reserve leaves; 0: no limit.
func (r Rate) Shared() float64 {
	total := max(0, r.PerSecond)
	return total - min(max(1, total*r.Reserve()/100), total/2)
}
