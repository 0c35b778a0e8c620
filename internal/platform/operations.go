package platform

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"usher/internal/rtb"
)

// An operation fails after three failures in a row, or half of its last ten calls. It works again
// after three successes in a row, or one that no failure has followed for a minute. So what fails
// every other time stays failing, and one lost connection is no failure. A success of another worker
// counts as one that no failure has followed, because the jobs that need the operation may run there
// now. What was not called for ten minutes is not known any more.
//
// An operation also fails while a call has waited for its answer for half a minute, and none that was
// answered since it was sent has succeeded: calls of uploads may hang for platform.timeout until they fail.
const (
	callsKept     = 10
	failuresInRow = 3
	successes     = 3
	calmFor       = time.Minute
	forgetAfter   = 10 * time.Minute
	hangsAfter    = 30 * time.Second
)

// operations judge each operation of the platform by the outcomes of its own calls. Other
// operations, such as the probes of the breaker, say nothing of it.
type operations struct {
	now    func() time.Time
	logger *slog.Logger

	mu     sync.Mutex
	byName map[string]*operation
}

// operation is what is known of an operation.
type operation struct {
	recent  []bool // whether the last calls have failed, newest last
	failing bool
	since   time.Time // when the first of the failures in a row, or of the kept ones, was sent, but not before it has last worked, here or elsewhere
	failed  time.Time // the last failure
	worked  time.Time // the last success
	other   time.Time // the last success of another worker
	called  time.Time // the last call
	err     error     // the last failure

	waiting map[*time.Time]bool // when the calls were sent that have no answer yet
}

func newOperations(now func() time.Time, logger *slog.Logger) *operations {
	return &operations{now: now, logger: logger, byName: map[string]*operation{}}
}

// operation returns what is known of an operation at the time of a call. It is called with mu held.
func (s *operations) operation(name string, now time.Time) *operation {
	op := s.byName[name]
	if op == nil {
		op = &operation{waiting: map[*time.Time]bool{}}
		s.byName[name] = op
	} else if now.Sub(op.called) > forgetAfter {
		*op = operation{waiting: op.waiting}
	}
	op.called = now
	return op
}

// await notes that a call was sent, which waits for its answer until ended is called.
func (s *operations) await(name string) (ended func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sent := s.now()
	op := s.operation(name, sent)
	op.waiting[&sent] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(op.waiting, &sent)
	}
}

// observe counts the outcome of a call. A call that its caller cancelled counts neither way.
func (s *operations) observe(o rtb.Outcome) {
	if o.Err != nil && o.Status == 0 && !rtb.IsDown(o.Err) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	op := s.operation(o.Op, now)
	if rtb.IsDown(o.Err) {
		op.fail(now, o)
	} else {
		op.worked = now
	}
	op.recent = append(op.recent, rtb.IsDown(o.Err))
	op.recent = op.recent[max(0, len(op.recent)-callsKept):]
	switch inRow := op.lastInRow(); {
	case op.failing && inRow <= -successes:
		op.failing, op.recent = false, nil
		s.logger.Info("an operation of the platform works again", "operation", o.Op)
	case !op.failing && (inRow >= failuresInRow || 2*op.failures() >= callsKept || inRow > 0 && !op.hangs(now).IsZero()):
		op.failing = true
		s.logger.Warn("an operation of the platform fails; jobs that need it are tried again", "operation", o.Op, "failed", op.failures(), "calls", len(op.recent), "error", op.err)
	}
}

// fail notes a failure.
func (op *operation) fail(now time.Time, o rtb.Outcome) {
	if !op.failing && op.failures() == 0 || op.failing && !op.hasFailed(now) { // it has worked for another worker
		op.since = slices.MaxFunc([]time.Time{now.Add(-o.Duration), op.worked, op.other}, time.Time.Compare)
	}
	op.failed, op.err = now, o.Err
}

// failures returns how many of the kept calls have failed.
func (op *operation) failures() (n int) {
	for _, failed := range op.recent {
		if failed {
			n++
		}
	}
	return n
}

// lastInRow returns how many of the last calls in a row have failed, or how many were successes as a
// negative number.
func (op *operation) lastInRow() int {
	n := 0
	for _, failed := range slices.Backward(op.recent) {
		switch {
		case failed && n >= 0:
			n++
		case !failed && n <= 0:
			n--
		default:
			return n
		}
	}
	return n
}

// hangs returns since when the operation does not answer; zero: it does, as far as is known.
func (op *operation) hangs(now time.Time) (since time.Time) {
	for sent := range op.waiting {
		if now.Sub(*sent) >= hangsAfter && sent.After(op.worked) && sent.After(op.other) && (since.IsZero() || sent.Before(since)) {
			since = *sent
		}
	}
	return since
}

// isFailing reports whether the operation fails.
func (op *operation) isFailing(now time.Time) bool {
	return op.hasFailed(now) || !op.hangs(now).IsZero()
}

// hasFailed reports whether the operation fails by the calls that have ended.
func (op *operation) hasFailed(now time.Time) bool {
	works := op.lastInRow() < 0 || op.other.After(op.failed)
	calm := works && now.Sub(op.failed) >= calmFor
	return op.failing && !calm && now.Sub(op.called) <= forgetAfter
}

// worked returns when each operation has last worked, in the last ten minutes.
func (s *operations) worked() map[string]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := map[string]time.Time{}
	for name, op := range s.byName {
		if !op.worked.IsZero() && s.now().Sub(op.worked) <= forgetAfter {
			last[name] = op.worked.UTC()
		}
	}
	return last
}

// observeOther notes when operations have last worked for another worker.
func (s *operations) observeOther(worked map[string]time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, at := range worked {
		if op := s.byName[name]; op != nil && at.After(op.other) {
			op.other = at
		}
	}
}

// Failing is an operation of the platform that fails.
type Failing struct {
	Operation string    // campaigns.set-status
	Since     time.Time // the first of the failures
	Failed    int       // of Calls, which are the last ones
	Calls     int
	Waiting   int    // calls that have no answer yet, if some have waited for too long
	Error     string // the last failure; "": there was none
}

// failing returns the operations that fail, by name.
func (s *operations) failing() (failing []Failing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, op := range s.byName {
		if now := s.now(); op.isFailing(now) {
			failing = append(failing, op.failure(name, now))
		}
	}
	slices.SortFunc(failing, func(a, b Failing) int { return strings.Compare(a.Operation, b.Operation) })
	return failing
}

// failure describes an operation that fails.
func (op *operation) failure(name string, now time.Time) Failing {
	f := Failing{Operation: name, Since: op.since.UTC()}
	hangs := op.hangs(now)
	if !hangs.IsZero() {
		f.Waiting = len(op.waiting)
	}
	if !op.hasFailed(now) {
		f.Since = hangs.UTC()
		return f
	}
	f.Failed, f.Calls, f.Error = op.failures(), len(op.recent), op.err.Error()
	return f
}

// states returns whether each operation works that was called in the last ten minutes.
func (s *operations) states() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	states := map[string]bool{}
	for name, op := range s.byName {
		if s.now().Sub(op.called) <= forgetAfter {
			states[name] = !op.isFailing(s.now())
		}
	}
	return states
}
