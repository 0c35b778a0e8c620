package sandbox

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"usher/internal/rtb"
)

// The kinds of fault. Applied means: the request had its effect all the same.
const (
	kindStatus      = "status"       // answers status and body; not applied
	kindResetBefore = "reset_before" // resets the connection without reading the body; not applied
	kindResetBody   = "reset_body"   // resets it in the middle of the body; not applied
	kindResetAfter  = "reset_after"  // applied, then the connection is reset: a lost answer
	kindEarly413    = "early_413"    // answers 413 before the body is read and closes; not applied
	kindHang        = "hang"         // reads all and never answers; not applied
	kindSlow        = "slow"         // applied, the answer comes delayMs later
	kindLate        = "late"         // applied delayMs later, even where the caller has gone by then
	kindBrokenJSON  = "broken_json"  // applied, the answer is 200 with half its JSON
	kindWarnings    = "warnings"     // applied, a success has the warnings of body
)

var kinds = []string{kindStatus, kindResetBefore, kindResetBody, kindResetAfter, kindEarly413, kindHang, kindSlow, kindLate, kindBrokenJSON, kindWarnings}

// fault is an order for trouble. Patterns are those of path.Match.
type fault struct {
	ID     int64  `json:"id"`
	Op     string `json:"op,omitempty"`     // a pattern of operation names: segments.upload, campaigns.*
	Method string `json:"method,omitempty"` // else a method …
	Path   string `json:"path,omitempty"`   // … and a pattern of paths: /v3/segments/*/users

	Kind       string          `json:"kind"`
	Status     int             `json:"status,omitempty"`     // of kind status
	Body       json.RawMessage `json:"body,omitempty"`       // a string is sent as it is, else JSON; of warnings: a list of {code, description}
	RetryAfter int             `json:"retryAfter,omitempty"` // seconds
	DelayMS    int64           `json:"delayMs,omitempty"`    // of kinds slow and late

	After int    `json:"after,omitempty"` // so many matching requests go well first
	Times int    `json:"times,omitempty"` // then so many fail; default 1, without end where for is given
	For   string `json:"for,omitempty"`   // for so long, from now: 60s

	Seen  int        `json:"seen"` // matching requests so far
	Made  int        `json:"made"` // of them hit
	Until *time.Time `json:"until,omitempty"`
}

// check completes an order and says what is wrong with it.
func (f *fault) check(now time.Time) error {
	if f.Kind == "" && f.Status != 0 {
		f.Kind = kindStatus
	}
	f.Seen, f.Made = 0, 0
	switch {
	case !slices.Contains(kinds, f.Kind):
		return invalid("kind", fmt.Sprintf("is %q, must be one of %s", f.Kind, strings.Join(kinds, ", ")))
	case f.Op == "" && f.Method == "" && f.Path == "":
		return invalid("op", "or method and path are required")
	case f.Kind == kindStatus && (f.Status < 200 || f.Status > 599):
		return invalid("status", "must be 200 to 599")
	case f.Times < 0 || f.After < 0 || f.DelayMS < 0 || f.RetryAfter < 0:
		return invalid("times, after, delayMs, retryAfter", "must not be negative")
	}
	if _, err := path.Match(f.Path, ""); err != nil {
		return invalid("path", "is no pattern")
	}
	if err := f.checkOp(); err != nil {
		return err
	}
	if f.For == "" {
		f.Times, f.Until = max(f.Times, 1), nil
		return nil
	}
	span, err := time.ParseDuration(f.For)
	if err != nil || span <= 0 {
		return invalid("for", fmt.Sprintf("is %q, must be a duration such as 60s", f.For))
	}
	until := now.Add(span)
	f.Until = &until
	return nil
}

// checkOp finds the typo in an operation's name.
func (f *fault) checkOp() error {
	if f.Op == "" {
		return nil
	}
	var names []string
	for _, op := range rtb.Operations() {
		if matched, err := path.Match(f.Op, op.Name); err == nil && matched {
			return nil
		}
		names = append(names, op.Name)
	}
	return invalid("op", fmt.Sprintf("is %q, must be or match one of %s", f.Op, strings.Join(names, ", ")))
}

func (f *fault) matches(op, method, requestPath string) bool {
	if f.Op != "" {
		matched, _ := path.Match(f.Op, op)
		return matched
	}
	matched := f.Path == ""
	if !matched {
		matched, _ = path.Match(f.Path, requestPath)
	}
	return matched && (f.Method == "" || strings.EqualFold(f.Method, method))
}

// spent reports whether the fault will not happen any more.
func (f *fault) spent(now time.Time) bool {
	return f.Times > 0 && f.Made >= f.Times || f.Until != nil && !now.Before(*f.Until)
}

// trouble is everything that was ordered: faults, latency and a rate limit.
type trouble struct {
	mu      sync.Mutex
	faults  []*fault
	lastID  int64
	latency time.Duration

	perSecond float64 // 0: no limit
	allowance float64
	refilled  time.Time
}

func newTrouble(o Options) *trouble { return &trouble{latency: o.Latency} }

// order takes a fault in.
func (t *trouble) order(f fault, now time.Time) (fault, error) {
	if err := f.check(now); err != nil {
		return fault{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lastID++
	f.ID = t.lastID
	t.faults = append(t.faults, &f)
	return f, nil
}

// pick returns the fault that hits a request: the first ordered one that has
// not had its share. nil: none.
func (t *trouble) pick(op, method, requestPath string, now time.Time) *fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.faults {
		if f.spent(now) || !f.matches(op, method, requestPath) {
			continue
		}
		if f.Seen++; f.Seen <= f.After {
			continue
		}
		f.Made++
		hit := *f
		return &hit
	}
	return nil
}

// list returns the faults, spent ones too: a test sees whether its fault hit.
func (t *trouble) list() []fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]fault, len(t.faults))
	for i, f := range t.faults {
		list[i] = *f
	}
	return list
}

func (t *trouble) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = nil
}

func (t *trouble) setLatency(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.latency = d
}

func (t *trouble) currentLatency() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.latency
}

// setLimit allows so many requests a second, and as many at once; 0: any.
func (t *trouble) setLimit(perSecond float64, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.perSecond, t.allowance, t.refilled = perSecond, max(perSecond, 1), now
}

func (t *trouble) limit() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.perSecond
}

// allow takes a request off the allowance, a bucket that holds one second's.
func (t *trouble) allow(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.perSecond == 0 {
		return true
	}
	t.allowance = min(t.allowance+now.Sub(t.refilled).Seconds()*t.perSecond, max(t.perSecond, 1))
	t.refilled = now
	if t.allowance < 1 {
		return false
	}
	t.allowance--
	return true
}
