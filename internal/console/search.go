package console

import (
	"context"
	"slices"
	"sync"
	"time"

	"usher"
	"usher/queues/status"
)

const (
	maxSearches = 4       // searches whose results are kept
	maxHits     = 200_000 // of a search, the newest ones
	maxWhole    = 200     // hits whose records are kept, the newest ones
	searchAge   = 10 * time.Minute
	// lonelyAfter is the time after which a search that nobody asks for makes way for another one.
	lonelyAfter = 5 * time.Second
	toldEvery   = time.Second // between two announcements of how far a search is
)

// search is a reading of the records of all jobs, for what is not in memory. It begins when it is
// asked for, and goes on while pages ask for what it has found so far.
type search struct {
	// begin returns a function that is called with each record, and reports whether it is a hit, and
	// what the search makes of all.
	begin func() (visit func(*usher.Record) bool, value any)

	asked time.Time
	found searchResult
}

// searchResult is what a search has found so far.
type searchResult struct {
	began, ended time.Time // zero: not yet
	hits         []hit     // newest first once it has ended
	more         bool      // there are more than maxHits
	value        any       // nil until it has ended
	looked, of   int       // records
	err          error
}

// hit is a job that a search has found.
type hit struct {
	status.Cursor

	state  usher.State
	record *usher.Record // nil: it is read when it is shown
}

// looking says how far a search has looked.
type looking struct {
	Looked int    `json:"looked"`
	Of     int    `json:"of"`
	Error  string `json:"error,omitempty"` // why it has stopped; it is tried again
}

// looking returns how far the search is, or nil if it has looked at all.
func (r *searchResult) looking() *looking {
	if !r.ended.IsZero() {
		return nil
	}
	l := &looking{Looked: min(r.looked, r.of), Of: r.of}
	if r.err != nil {
		l.Error = r.err.Error()
	}
	return l
}

// searches runs one search at a time.
type searches struct {
	jobs   Jobs
	count  func() int // of all jobs
	now    func() time.Time
	notify func() // that a search has found more

	mu    sync.Mutex
	known map[string]*search
	awake chan struct{} // capacity 1; full if a search may have to run
}

func newSearches(c *Console) *searches {
	return &searches{
		jobs: c.options.Jobs, now: c.options.Now, known: map[string]*search{}, awake: make(chan struct{}, 1),
		count: func() (n int) {
			for _, of := range c.options.Live.Counts(c.options.Now()).States {
				n += of
			}
			return n
		},
		notify: func() {
			c.audiences.invalidate()
			c.live.notify(topicJobs)
			c.live.notify(topicAudiences)
		},
	}
}

// find returns what a search has found so far, and starts it if it must. edge is the oldest of the
// jobs that are in memory without gaps: a search that began before it was submitted lacks jobs.
func (s *searches) find(key string, edge time.Time, begin func() (visit func(*usher.Record) bool, value any)) searchResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.known[key]
	if one == nil || one.found.began.Before(edge) && !one.found.ended.IsZero() {
		if one = (&search{begin: begin, found: searchResult{of: s.count()}}); len(s.known) >= maxSearches {
			s.dropOldest()
		}
		s.known[key] = one
	}
	one.asked = s.now()
	signal(s.awake)
	return one.found
}

func (s *searches) dropOldest() {
	oldest := ""
	for key, one := range s.known {
		if oldest == "" || one.asked.Before(s.known[oldest].asked) {
			oldest = key
		}
	}
	delete(s.known, oldest)
}

// run runs searches until ctx ends.
func (s *searches) run(ctx context.Context) {
	for ctx.Err() == nil {
		if one := s.next(); one != nil {
			s.read(ctx, one)
			continue
		}
		select {
		case <-ctx.Done():
		case <-s.awake:
		}
	}
}

// next returns the search that was asked for last, of those that have to run.
func (s *searches) next() (one *search) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.known {
		due := other.found.ended.IsZero() || s.now().Sub(other.found.ended) > searchAge
		if due && s.now().Sub(other.asked) < lonelyAfter && (one == nil || other.asked.After(one.asked)) {
			one = other
		}
	}
	return one
}

// read reads all records. What an earlier reading has found stays until this one has ended.
func (s *searches) read(ctx context.Context, one *search) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := searchResult{began: s.now(), of: s.count()}
	visit, value := one.begin()
	told := time.Now()
	err := eachRecord(ctx, s.jobs, func(record *usher.Record) {
		r.looked++
		if visit(record) {
			r.add(record)
		}
		if time.Since(told) < toldEvery {
			return
		}
		if told = time.Now(); s.tell(one, r) {
			cancel()
		}
	})
	if ctx.Err() != nil {
		return
	}
	if r.err = err; err == nil {
		r.sort()
		r.ended, r.value = s.now(), value
	} else {
		_ = usher.Sleep(ctx, toldEvery)
	}
	s.mu.Lock()
	if err == nil || one.found.ended.IsZero() {
		one.found = r
	}
	s.mu.Unlock()
	s.notify()
}

// tell publishes what was found so far, and reports whether the search makes way for another one.
func (s *searches) tell(one *search, r searchResult) (lonely bool) {
	s.mu.Lock()
	if one.found.ended.IsZero() {
		r.hits = slices.Clone(r.hits)
		r.sort()
		one.found = r
	}
	lonely = s.now().Sub(one.asked) > lonelyAfter
	s.mu.Unlock()
	s.notify()
	return lonely
}

// eachRecord calls visit with the record of each job.
func eachRecord(ctx context.Context, jobs Jobs, visit func(*usher.Record)) error {
	_, err := jobs.Records(ctx, status.Filter{Match: func(r *usher.Record) bool { visit(r); return false }})
	return err
}

func (r *searchResult) add(record *usher.Record) {
	whole := *record
	whole.Samples = nil
	r.hits = append(r.hits, hit{Cursor: status.CursorOf(record), state: record.State, record: &whole})
	if kept := len(r.hits); kept >= maxHits+maxHits/4 || kept%(4*maxWhole) == 0 {
		r.sort()
	}
}

// sort sorts the hits and drops what is too much of them.
func (r *searchResult) sort() {
	slices.SortFunc(r.hits, func(a, b hit) int { return a.Compare(b.Cursor) })
	if len(r.hits) > maxHits {
		clear(r.hits[maxHits:]) // for the garbage collector
		r.hits, r.more = r.hits[:maxHits], true
	}
	for i := min(maxWhole, len(r.hits)); i < len(r.hits); i++ {
		r.hits[i].record = nil
	}
}
