package queues

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"usher/queues/presence"
)

// register makes the lease visible to WatchEndings. It must be called before the record names
// the lease, so that WatchEndings sees an ending that is written after startUnlessEnding has
// looked for one.
func (q *Queue) register(l *Lease) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.live[l.token] = l
}

// lease returns the lease of this process with a token; nil if there is none.
func (q *Queue) lease(token string) *Lease {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.live[token]
}

// leases returns the tokens of this process's leases.
func (q *Queue) leases() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Collect(maps.Keys(q.live))
}

// maxRunning is how many running jobs a worker names in its answer.
const maxRunning = 20

// running returns the ids of jobs that this process runs, in order.
func (q *Queue) running() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	var ids []string
	for _, l := range q.live {
		ids = append(ids, l.id())
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids
}

// SlowSources returns the jobs of this process whose sources have delivered too slowly for a while, each
// once, in order, maxRunning at most.
func (q *Queue) SlowSources() []presence.SlowJob {
	q.mu.Lock()
	defer q.mu.Unlock()
	var slow []presence.SlowJob
	for _, l := range q.live {
		if s := l.slow.Load(); s.Lasts(q.now()) {
			slow = append(slow, presence.SlowJob{Job: l.id(), SlowSource: *s})
		}
	}
	slices.SortFunc(slow, func(a, b presence.SlowJob) int {
		return cmp.Or(strings.Compare(a.Job, b.Job), a.Since.Compare(b.Since))
	})
	slow = slices.CompactFunc(slow, func(a, b presence.SlowJob) bool { return a.Job == b.Job }) // several parts may be slow
	return slow[:min(len(slow), maxRunning)]
}

// maxAbandoned bounds Queue.abandoned.
const maxAbandoned = 1000

// markAbandoned remembers the token of a lease that has ended although its record
// may still name it.
func (q *Queue) markAbandoned(token string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.abandoned) < maxAbandoned {
		q.abandoned[token] = true
	}
}

// wasAbandoned reports whether this process abandoned the lease with the token, so
// that it has not crashed, and forgets the token.
func (q *Queue) wasAbandoned(token string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	known := q.abandoned[token]
	delete(q.abandoned, token)
	return known
}
