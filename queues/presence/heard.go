package presence

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"usher/queues/store"
)

// Throughput is what all workers did, in steps of time. Consoles keep it, so that it survives their restarts.
type Throughput struct {
	Quarter []Step `json:"quarter"` // of 5 s, the last 15 minutes, oldest first
	Day     []Step `json:"day"`     // of 5 min, the last 24 hours, oldest first
	Workers []Seen `json:"workers"` // that were heard in the last 24 hours, newest first
}

// Seen is a worker that consoles have heard.
type Seen struct {
	Worker  string    `json:"worker"`
	Version string    `json:"version,omitempty"`
	Since   time.Time `json:"since,omitzero"` // when it was started
	Heard   time.Time `json:"heard"`          // when it last answered
}

// Step is what was observed within a step of time.
type Step struct {
	At       int64   `json:"at"`      // its beginning, in Unix seconds
	Seconds  float64 `json:"seconds"` // how much of it was observed
	Read     float64 `json:"read"`
	Accepted float64 `json:"accepted"`
	Bytes    float64 `json:"bytes"`
}

// throughputKey is the key of the Throughput in the state bucket.
const throughputKey = "throughput"

// Values returns the types of the values that this package keeps in the state bucket, by key.
func Values() map[string]func() any {
	return map[string]func() any{
		membersKey:    func() any { return new(members) },
		throughputKey: func() any { return new(Throughput) },
	}
}

// Valid reports whether usher can have written the value.
func (t *Throughput) Valid() bool { return t.Quarter != nil || t.Day != nil }

// Throughput returns what consoles have kept.
func (p *Presence) Throughput(ctx context.Context) (t Throughput, err error) {
	_, _, err = p.store.State.Get(ctx, throughputKey, &t)
	return t, err
}

// KeepThroughput keeps what this process has observed, instead of the same steps of other
// processes. Older steps than its first ones are forgotten.
func (p *Presence) KeepThroughput(ctx context.Context, observed Throughput) error {
	return store.Change(ctx, p.store.State, throughputKey, func(v *Throughput, _ bool) bool {
		v.Quarter, v.Day = merge(v.Quarter, observed.Quarter, maxQuarter), merge(v.Day, observed.Day, maxDay)
		v.Workers = mergeSeen(v.Workers, observed.Workers)
		return true
	})
}

// What is kept: the numbers of steps, and workers.
const (
	maxQuarter = 180
	maxDay     = 288
	maxSeen    = 200
)

// SeenFor is how long a worker is listed after it was last heard.
const SeenFor = 24 * time.Hour

// mergeSeen returns the workers of both that were heard last, each as it was heard last.
func mergeSeen(older, newer []Seen) []Seen {
	byName := map[string]Seen{}
	for _, w := range slices.Concat(older, newer) {
		if w.Heard.After(byName[w.Worker].Heard) {
			byName[w.Worker] = w
		}
	}
	all := slices.SortedFunc(maps.Values(byName), func(a, b Seen) int {
		return cmp.Or(b.Heard.Compare(a.Heard), strings.Compare(a.Worker, b.Worker))
	})
	all = slices.DeleteFunc(all, func(w Seen) bool { return all[0].Heard.Sub(w.Heard) > SeenFor })
	return append([]Seen{}, all[:min(len(all), maxSeen)]...)
}

// merge returns the newest steps of both, by time. Those of newer replace those of older.
func merge(older, newer []Step, most int) []Step {
	steps := map[int64]Step{}
	for _, s := range slices.Concat(older, newer) {
		steps[s.At] = s
	}
	all := slices.SortedFunc(maps.Values(steps), func(a, b Step) int { return cmp.Compare(a.At, b.At) })
	return append([]Step{}, all[max(0, len(all)-most):]...)
}
