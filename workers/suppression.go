package workers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"usher/hashing"
	"usher/internal/ledger"
	"usher/internal/rtb"
	"usher/pipeline"
)

// Suppressions are the digests that no job may upload: the configured list, and the managed
// one in the ledger's store, which grows while jobs run. All slots of a worker share them.
//
// Every request of an upload is allowed by Screen, which reads the generation of the managed
// list first. Oldest says which requests may still be on their way, so that a job that
// forgets ids knows when no request without its ids can arrive any more.
type Suppressions struct {
	fixed   *pipeline.Suppression // nil: none is configured
	managed ledger.Suppression
	now     func() time.Time // this machine's clock

	// Arrived is called when the requests have arrived that Oldest has named. It may be nil,
	// and is set before the first use.
	Arrived func()

	reading sync.Mutex                  // held while the list is read
	lists   map[string][]hashing.Digest // by the names of their files; guarded by reading

	mu         sync.Mutex
	known      bool
	generation uint64
	list       *pipeline.Suppression
	allowed    map[*allowed]struct{}
	named      *uint64 // the generation that Oldest returned, until its requests have arrived
}

// allowed are requests that Screen has allowed and that may be on their way.
type allowed struct {
	generation uint64    // of the list that they were compared with
	until      time.Time // when they have certainly arrived or never will; zero: they run
}

// NewSuppressions returns the digests of a configured list, which may be nil, and of the
// managed list in a store. A store of nil has none.
func NewSuppressions(fixed *pipeline.Suppression, store *ledger.Store) *Suppressions {
	s := &Suppressions{fixed: fixed, list: fixed, now: time.Now, allowed: map[*allowed]struct{}{}}
	if store != nil {
		s.managed = store.Suppression()
	}
	return s
}

// Current returns the digests that may not be uploaded now, or nil if there are none.
func (s *Suppressions) Current(ctx context.Context) (*pipeline.Suppression, error) {
	list, _, err := s.current(ctx)
	return list, err
}

func (s *Suppressions) current(ctx context.Context) (*pipeline.Suppression, uint64, error) {
	if s == nil {
		return nil, 0, nil
	}
	if s.managed == (ledger.Suppression{}) {
		return s.fixed, 0, nil
	}
	head, err := s.managed.Head(ctx)
	if err != nil {
		return nil, 0, ledger.JobError(fmt.Errorf("read the suppression list: %w", err))
	}
	s.mu.Lock()
	if s.known && s.generation == head.Generation {
		defer s.mu.Unlock()
		return s.list, s.generation, nil
	}
	s.mu.Unlock()
	if err := s.read(ctx, &head); err != nil {
		return nil, 0, ledger.JobError(fmt.Errorf("read the suppression list: %w", err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list, s.generation, nil
}

// read reads the files of the list.
func (s *Suppressions) read(ctx context.Context, head *ledger.SuppressionHead) error {
	s.reading.Lock()
	defer s.reading.Unlock()
	s.mu.Lock()
	known, generation := s.known, s.generation
	s.mu.Unlock()
	if known && generation == head.Generation {
		return nil // another slot has read it
	}
	if head.V == 0 {
		if known && generation > 0 {
			return &ledger.DamagedError{Name: ledger.SuppressionListHead, Why: "is missing"}
		}
		if err := s.managed.CheckLost(ctx); err != nil {
			return err
		}
	}
	lists, err := s.managed.Load(ctx, head, s.lists)
	for errors.As(err, new(*ledger.DamagedError)) {
		// A change of the list removes the files that it has merged.
		newer, failed := s.managed.Head(ctx)
		if failed != nil || newer.Generation == head.Generation {
			break
		}
		head = &newer
		lists, err = s.managed.Load(ctx, head, s.lists)
	}
	if err != nil {
		return err
	}
	s.lists = lists
	var all [][]hashing.Digest
	for _, f := range head.Files {
		all = append(all, lists[f.Name])
	}
	list := s.fixed.With(all...)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known, s.generation, s.list = true, head.Generation, list
	return nil
}

// Screen allows a request of an upload, see pipeline.Options.
func (s *Suppressions) Screen(ctx context.Context) (list *pipeline.Suppression, done func(certain bool), err error) {
	a := &allowed{}
	s.mu.Lock()
	a.generation = s.generation
	s.allowed[a] = struct{}{} // before the list is read, so that a change is seen here or there
	s.mu.Unlock()
	list, generation, err := s.current(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		delete(s.allowed, a)
		return nil, nil, err
	}
	a.generation = generation
	return list, func(certain bool) {
		if s.ended(a, certain) && s.Arrived != nil {
			s.Arrived()
		}
	}, nil
}

// ended notes that allowed requests have ended, and reports whether they were the last ones
// that Oldest has named. certain says that none of them can arrive any more.
func (s *Suppressions) ended(a *allowed, certain bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !certain {
		a.until = s.now().Add(LateTime)
		return false
	}
	delete(s.allowed, a)
	if s.named == nil {
		return false
	}
	if oldest, some := s.oldest(); some && oldest <= *s.named {
		return false
	}
	s.named = nil
	return true
}

// LateTime is how long a request whose response was lost may still arrive at the platform.
const LateTime = 30 * time.Second

// Oldest returns the generation of the managed list with which all requests that may still
// be on their way have been compared, at least. ok is false if there are no such requests.
func (s *Suppressions) Oldest() (generation uint64, ok bool) {
	if s == nil {
		return 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if generation, ok = s.oldest(); ok {
		s.named = &generation
	}
	return generation, ok
}

// oldest is Oldest. s.mu is held.
func (s *Suppressions) oldest() (generation uint64, ok bool) {
	now := s.now()
	for a := range s.allowed {
		if !a.until.IsZero() && !now.Before(a.until) {
			delete(s.allowed, a)
			continue
		}
		if !ok || a.generation < generation {
			generation, ok = a.generation, true
		}
	}
	return generation, ok
}

// suppress makes an upload leave out what is on the suppression list, also if it came there
// after the upload began. With the context that it returns, no request is sent after another
// worker may have the work: a job that forgets ids does not wait for such a request.
func (j *Job) suppress(ctx context.Context, o *pipeline.Options) (_ context.Context, err error) {
	if o.Suppressed, err = j.worker.Suppressed.Current(ctx); err == nil && j.worker.Suppressed != nil {
		o.Screen = j.worker.Suppressed.Screen
	}
	return rtb.WhileHeld(ctx, j.Lease.Held), err
}
