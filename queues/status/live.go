package status

import (
	"context"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/records"
	"usher/queues/store"
)

// Live keeps the newest jobs in memory, and the numbers of all, up to date from a watch of their
// records. It reads each record once, however often it is asked, and needs about 30 bytes for
// each job that it does not keep. It is safe for concurrent use.
type Live struct {
	reader *Reader
	most   int // the number of jobs to keep
	seed   maphash.Seed

	mu     sync.Mutex
	known  map[uint64]mark // all jobs, by the hash of their ids
	counts counter
	kept   map[string]*keptJob // the newest jobs, and older ones that have not ended, by id
	sorted []*usher.Record     // of kept, newest first; nil after a change
	left   *Cursor             // the newest job that was not kept; nil: all were

	round    uint8     // of reading everything
	complete bool      // the watch has delivered all records of this round
	swept    bool      // the jobs that this round has not found are forgotten
	ready    bool      // it was so in an earlier round
	revision uint64    // of the last record that the watch has delivered
	waiting  [2]uint64 // the sequences of the next messages on the streams of jobs
	current  time.Time // when nothing was missing in memory; zero: never
}

// keptJob is a job that Live keeps. Most are dropped while the records are read for the first
// time, so its record is decoded when it is needed.
type keptJob struct {
	summary records.Summary
	entry   *store.Entry // nil: decoded, or it has no record
	record  *usher.Record
	open    *job // nil if it has ended
}

func (k *keptJob) place() Cursor { return Cursor{k.summary.Record.Submitted, k.summary.Record.ID} }

// decode decodes the record. What is large, and not for lists, is left out.
func (k *keptJob) decode() {
	if k.entry == nil {
		return
	}
	var j records.Job
	if k.entry.Decode(&j) != nil { // its summary is readable, but not the whole
		j = records.Job{Record: usher.Record{ID: k.summary.Record.ID, Submitted: k.summary.Record.Submitted, State: k.summary.State}}
		j.State = k.summary.State
	}
	j.Record.Samples, j.Kept, j.Unsent = nil, nil, nil
	if open := stored(k.entry, &j); j.State.Ended() {
		k.record = new(j.Record)
	} else {
		k.open, k.record = &open, &open.Record
	}
	k.entry = nil
}

// mark is what Live remembers of each job.
type mark struct {
	state uint8  // its place in states
	round uint8  // that has found it last; those that a round has not found have expired
	hour  uint32 // in which it ended, since 1970; 0: it has not ended
}

// NewLive returns a Live that keeps the given number of the newest jobs and as many older ones
// that have not ended. It is empty until Follow runs.
func (r *Reader) NewLive(most int) *Live {
	return &Live{
		reader: r, most: most, seed: maphash.MakeSeed(), waiting: [2]uint64{1, 1},
		known: map[uint64]mark{}, counts: counter{ended: map[uint32]*byState{}}, kept: map[string]*keptJob{},
	}
}

// rereadEvery is how often Follow reads all records again, because nothing announces that a
// record has expired.
const rereadEvery = 6 * time.Hour

// Follow keeps the records up to date until ctx ends, and calls changed with the id of each job
// whose record has changed, which must be quick. Jobs that no worker has taken have no record:
// Refresh adds them.
func (l *Live) Follow(ctx context.Context, changed func(id string)) error {
	for ctx.Err() == nil {
		if err := l.follow(ctx, changed); err != nil {
			return err
		}
	}
	return nil
}

// follow reads all records, and follows their changes until they are to be read again.
func (l *Live) follow(ctx context.Context, changed func(id string)) error {
	ctx, cancel := context.WithTimeout(ctx, rereadEvery)
	defer cancel()
	l.mu.Lock()
	l.round++
	l.complete, l.swept, l.waiting = false, false, [2]uint64{1, 1}
	l.mu.Unlock()
	return l.reader.store.State.Watch(ctx, "jobs.>", func(e *store.Entry) error {
		if id := l.take(e); id != "" {
			changed(id)
		}
		return nil
	})
}

// take takes what the watch delivers, and returns the id of the job. A damaged record counts as
// missing.
func (l *Live) take(e *store.Entry) (id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e == nil {
		l.complete = true
		return ""
	}
	l.revision = e.Revision
	id = strings.TrimPrefix(e.Key, "jobs.")
	var o records.Summary
	if len(e.Value) == 0 || e.Decode(&o) != nil {
		l.forget(l.hash(id))
		l.drop(id)
		return id
	}
	l.put(&keptJob{summary: o, entry: e})
	return id
}

func (l *Live) hash(id string) uint64 { return maphash.String(l.seed, id) }

// put counts a job, and keeps it if it is among the newest or has not ended.
func (l *Live) put(k *keptJob) {
	o := &k.summary
	m := mark{state: placeOf(o.State), round: l.round}
	if o.State.Ended() && o.Record.Finished != nil {
		m.hour = hourOf(*o.Record.Finished)
	}
	key := l.hash(o.Record.ID)
	l.forget(key)
	l.known[key] = m
	l.counts.add(m, 1)
	if o.State.Ended() && l.left != nil && l.left.Compare(k.place()) < 0 {
		l.drop(o.Record.ID)
		return
	}
	l.kept[o.Record.ID] = k
	l.sorted = nil
	if len(l.kept) > 5*l.most/2 {
		l.prune()
	}
}

// forget uncounts a job.
func (l *Live) forget(key uint64) {
	if m, found := l.known[key]; found {
		l.counts.add(m, -1)
		delete(l.known, key)
	}
}

// drop no longer keeps a job.
func (l *Live) drop(id string) {
	if l.kept[id] != nil {
		delete(l.kept, id)
		l.sorted = nil
	}
}

// prune drops jobs that are not among the newest, first of all those that have ended.
func (l *Live) prune() {
	open := 0
	for _, k := range l.newestFirst()[l.most:] {
		if !k.summary.State.Ended() && open < l.most {
			open++
			continue
		}
		if place := k.place(); l.left == nil || place.Compare(*l.left) < 0 {
			l.left = &place
		}
		l.drop(k.summary.Record.ID)
	}
}

func (l *Live) newestFirst() []*keptJob {
	return slices.SortedFunc(maps.Values(l.kept), func(a, b *keptJob) int { return a.place().Compare(b.place()) })
}

// Refresh adds the jobs that were published since the last call. Then, if the watch has
// delivered all records that NATS has, what is in memory was current at the given time. If the
// time of ctx is too short to read all jobs, the next call continues.
func (l *Live) Refresh(ctx context.Context, now time.Time) error {
	newest, err := l.reader.store.State.Revision(ctx, "jobs.>")
	if err != nil {
		return err
	}
	for i, name := range l.reader.store.JobStreams() {
		if complete, err := l.readWaiting(ctx, i, name); !complete || err != nil {
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.complete && !l.swept {
		l.sweep()
	}
	if l.swept && newest <= l.revision {
		l.current = now
	}
	return nil
}

// readWaiting adds the jobs on a stream of jobs that were published since the last call. It reports
// whether these are all.
func (l *Live) readWaiting(ctx context.Context, i int, name string) (complete bool, err error) {
	stream, err := l.reader.store.Stream(ctx, name)
	if err != nil {
		return false, fmt.Errorf("read stream %s: %w", name, err)
	}
	l.mu.Lock()
	round, next := l.round, l.waiting[i]
	l.mu.Unlock()
	first, last := next, stream.CachedInfo().State.LastSeq
	if last >= next {
		err = l.reader.store.EachToEnd(ctx, name, func() uint64 { return next }, last, func(m *jetstream.RawStreamMsg) {
			next = max(next, m.Sequence+1)
			l.addWaiting(m)
		})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.round != round {
		return false, nil // the next call reads the stream from its beginning
	}
	l.waiting[i] = next
	if err != nil && next > first && ctx.Err() != nil {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	l.waiting[i] = max(next, last+1)
	return true, nil
}

// addWaiting adds a job that has no record.
func (l *Live) addWaiting(raw *jetstream.RawStreamMsg) {
	m := l.reader.records.Messages.Read(raw.Subject, raw.Header, raw.Data, raw.Sequence, raw.Time)
	if m.Invalid != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key := l.hash(m.ID)
	if of, found := l.known[key]; found { // it has a record, or was added before
		of.round = l.round
		l.known[key] = of
		return
	}
	j := job{Job: l.reader.records.Queued(m)}
	l.put(&keptJob{summary: j.Summary(), record: &j.Record, open: &j})
}

// sweep forgets the jobs that this round has not found.
func (l *Live) sweep() {
	for key, m := range l.known {
		if m.round != l.round {
			l.forget(key)
		}
	}
	for id := range l.kept {
		if _, found := l.known[l.hash(id)]; !found {
			l.drop(id)
		}
	}
	l.swept, l.ready = true, true
}

// Kept are the jobs that a Live keeps.
type Kept struct {
	Jobs  []*usher.Record // newest first; not to be changed
	Whole int             // the first Whole of Jobs are all jobs down to that place; those behind have not ended, and may not be all
	Older bool            // there are older jobs
}

// Kept returns the jobs that are kept.
func (l *Live) Kept() Kept {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sorted == nil {
		l.sorted = make([]*usher.Record, 0, len(l.kept))
		for _, k := range l.newestFirst() {
			k.decode()
			l.sorted = append(l.sorted, k.record)
		}
	}
	if l.left == nil {
		return Kept{Jobs: l.sorted, Whole: len(l.sorted)}
	}
	whole, _ := slices.BinarySearchFunc(l.sorted, *l.left, func(r *usher.Record, left Cursor) int { return CursorOf(r).Compare(left) })
	return Kept{Jobs: l.sorted, Whole: whole, Older: true}
}

// Explain returns records of Kept as Reader.Records returns them: with why they
// wait, and with the sums of their parts.
func (l *Live) Explain(ctx context.Context, shown []*usher.Record) ([]usher.Record, error) {
	jobs := make([]job, len(shown))
	l.mu.Lock()
	for i, r := range shown {
		if k := l.kept[r.ID]; k != nil {
			if k.decode(); k.open != nil {
				jobs[i] = *k.open
				continue
			}
			r = k.record
		}
		jobs[i].Record, jobs[i].State = *r, r.State
	}
	l.mu.Unlock()
	return l.reader.visible(ctx, jobs, nil)
}

// Counts are numbers of jobs.
type Counts struct {
	States map[usher.State]int
	Ended  map[int64]map[usher.State]int // by the hour in which they ended, in Unix seconds of its start

	Ready bool      // all jobs are counted; otherwise the numbers still grow
	At    time.Time // when the numbers were current; zero: never
}

// Counts returns the number of jobs in each state, and of those that ended in each hour from the
// given one on.
func (l *Live) Counts(since time.Time) Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := Counts{States: l.counts.states.numbers(), Ended: map[int64]map[usher.State]int{}, Ready: l.ready, At: l.current}
	for hour, n := range l.counts.ended {
		if hour >= hourOf(since) {
			c.Ended[int64(hour)*3600] = n.numbers()
		}
	}
	return c
}

// counter counts jobs.
type counter struct {
	states byState
	ended  map[uint32]*byState // by hours since 1970
}

func (c *counter) add(m mark, n int) {
	c.states[m.state] += n
	if m.hour == 0 {
		return
	}
	of := c.ended[m.hour]
	if of == nil {
		of = new(byState)
		c.ended[m.hour] = of
	}
	if of[m.state] += n; *of == (byState{}) {
		delete(c.ended, m.hour)
	}
}

// byState has a number for each of states.
type byState [7]int

func states() [7]usher.State {
	return [...]usher.State{usher.Queued, usher.Running, usher.Retrying, usher.Done, usher.Failed, usher.Cancelled, "unknown"}
}

// placeOf returns the place of a state in states.
func placeOf(s usher.State) uint8 {
	for i, known := range states() {
		if s == known {
			return uint8(i)
		}
	}
	return uint8(len(byState{}) - 1)
}

// numbers returns the numbers that are not zero.
func (b *byState) numbers() map[usher.State]int {
	n := map[usher.State]int{}
	for i, s := range states() {
		if b[i] != 0 {
			n[s] = b[i]
		}
	}
	return n
}

func hourOf(t time.Time) uint32 { return uint32(max(0, t.Unix()/3600)) }

// Changed is a kind of change.
type Changed string

// The kinds of changes that Changes announces.
const (
	JobChanged    Changed = "job" // its record, or that of a part of it
	LetterWritten Changed = "letter"
	AuditWritten  Changed = "audit"
	RulesChanged  Changed = "rules" // a run, a memory, the stop switch
)

// Changes calls changed with each change, and the job's id for a change of a job, until
// ctx ends. It is a hint to reload data: changes are missed while NATS is unavailable,
// and a replay that removes a letter is announced only as a change of the job. changed
// must be quick and safe for concurrent calls.
func (r *Reader) Changes(ctx context.Context, changed func(c Changed, id string)) error {
	jobs := "$KV." + r.store.StateBucket() + "."
	for subject, handle := range map[string]func(subject string){
		jobs + "jobs.>": func(s string) { changed(JobChanged, strings.TrimPrefix(s, jobs+"jobs.")) },
		jobs + "parts.>": func(s string) {
			id := strings.TrimPrefix(s, jobs+"parts.")
			changed(JobChanged, id[:max(strings.LastIndexByte(id, '.'), 0)])
		},
		r.store.Subject("usher.dead.>"):       func(string) { changed(LetterWritten, "") },
		r.store.Subject("usher.audit.>"):      func(string) { changed(AuditWritten, "") },
		"$KV." + r.store.RulesBucket() + ".>": func(string) { changed(RulesChanged, "") },
	} {
		subscription, err := r.store.Conn.Subscribe(subject, func(m *nats.Msg) { handle(m.Subject) })
		if err != nil {
			return fmt.Errorf("listen to changes on %s: %w", subject, err)
		}
		defer func() { _ = subscription.Unsubscribe() }()
	}
	<-ctx.Done()
	return nil
}
