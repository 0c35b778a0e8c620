package presence

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"usher"
	"usher/queues/store"
)

const (
	// BeatEvery is how often a worker beats, and how long a beat may take.
	BeatEvery = 3 * time.Second
	// againAfter is how long after a failed beat the next one follows.
	againAfter = time.Second
	// goneAfter is the time without a beat after which a worker is not counted and leads nothing,
	// and without any beat after which NATS counts as taking no writes. Two beats are missed by
	// then.
	goneAfter = 10 * time.Second
	// clockError is by how much workers on two machines may differ about NATS's time.
	clockError = 3 * time.Second
)

// Options of a Presence.
type Options struct {
	Worker string                // the worker's name
	Host   string                // its machine
	Jobs   func() []string       // the jobs that it runs; nil: it says none
	Local  func() time.Time      // this machine's clock
	Now    func() time.Time      // NATS's time
	Tick   func(context.Context) // is called after each beat of Run
	Logger *slog.Logger
}

// Presence is one process's view of the workers. It is safe for concurrent use.
type Presence struct {
	store   *store.Store
	options Options

	mu     sync.Mutex // held during a beat
	self   string     // a random id, because two workers may have the same name; "": this process is no worker
	led    []*led     // the tasks that this worker can do
	seen   atomic.Pointer[seen]
	stored atomic.Pointer[time.Time] // when NATS last took a beat, by this machine's clock
	trying atomic.Bool               // since then, a beat has begun
}

// seen is what a beat has found.
type seen struct {
	workers int
	lost    int
	oldest  time.Duration
	leads   []string  // tasks of this worker
	until   time.Time // when it leads them no more without another beat
}

// New returns the Presence of a process, which counts as a worker once Run is called.
func New(s *store.Store, o Options) *Presence {
	p := &Presence{store: s, options: o}
	p.seen.Store(&seen{})
	p.stored.Store(new(o.Local()))
	return p
}

// membersKey is the key of the members in the state bucket.
const membersKey = "workers"

// members are the workers that live. All workers share them.
type members struct {
	At      time.Time         `json:"at"`                // of the last beat
	Workers map[string]member `json:"workers"`           // by id
	Leaders map[string]string `json:"leaders,omitempty"` // the worker that leads a task, by the task's name

	// Left has when workers have left, by their names, in the last day.
	Left map[string]time.Time `json:"left,omitempty"`
	// Lost are the workers that are gone and have not left, by id: they were killed, or cannot reach NATS.
	Lost map[string]member `json:"lost,omitempty"`

	// Padding makes the value longer than the blocks of file systems. On a full disk, short
	// values may still fit behind others, or where older ones were, when no job does.
	Padding string `json:"padding,omitempty"`
}

// member is a worker that lives, or is lost.
type member struct {
	Worker string    `json:"worker"`
	Host   string    `json:"host,omitempty"`
	Joined time.Time `json:"joined,omitzero"` // its first beat
	Heard  time.Time `json:"heard,omitzero"`  // its last beat
	At     time.Time `json:"at"`              // the same, later by the times in which NATS took none
	Jobs   []string  `json:"jobs,omitempty"`  // the first maxNamed of those that it ran then
	More   int       `json:"more,omitempty"`  // how many further ones it ran
	// Instead says that it has taken the place of a worker that was lost.
	Instead bool `json:"instead,omitempty"`
}

// Valid reports whether usher can have written the value.
func (m *members) Valid() bool { return !m.At.IsZero() }

// paddingLength is the length of members.Padding.
const paddingLength = 8 << 10

// padding returns random text, because a file system may compress it.
func padding() string {
	var text strings.Builder
	for text.Len() < paddingLength {
		text.WriteString(rand.Text())
	}
	return text.String()
}

// removeGone removes the workers that have not beaten for goneAfter, which are lost. While NATS took no
// writes, no worker could beat: that time counts for none.
func (m *members) removeGone(now time.Time) {
	pause := now.Sub(m.At)
	if pause <= goneAfter {
		pause = 0
	}
	for id, w := range m.Workers {
		if w.At = w.At.Add(pause); now.Sub(w.At) > goneAfter {
			delete(m.Workers, id)
			if m.Lost == nil {
				m.Lost = map[string]member{}
			}
			m.Lost[id] = w
			continue
		}
		m.Workers[id] = w
	}
	for task, id := range m.Leaders {
		if _, lives := m.Workers[id]; !lives {
			delete(m.Leaders, task)
		}
	}
}

// add adds a beat of a worker, which leads those of the tasks that have no leader.
func (m *members) add(id string, beat member, now time.Time, tasks []*led) {
	if m.Workers == nil {
		m.Workers = map[string]member{}
	}
	known, joined := m.Workers[id]
	if !joined {
		known, joined = m.Lost[id]
		delete(m.Lost, id)
	}
	beat.Joined, beat.Heard, beat.At, beat.Instead = now, now, now, known.Instead
	if joined {
		beat.Joined = known.Joined
	}
	m.Workers[id] = beat
	delete(m.Left, beat.Worker)
	for _, l := range tasks {
		if m.Leaders == nil {
			m.Leaders = map[string]string{}
		}
		if m.Leaders[l.task.Name] == "" {
			m.Leaders[l.task.Name] = id
		}
	}
}

// forgetLost removes the lost workers in whose places others have come since, and those that were lost a
// day ago. A worker takes one place: of a worker with its name, otherwise of one on its machine, otherwise
// of the one that was lost first.
func (m *members) forgetLost(now time.Time) {
	maps.DeleteFunc(m.Lost, func(_ string, w member) bool { return now.Sub(w.Heard) > SeenFor })
	for id, w := range m.Workers {
		place := ""
		for lost, l := range m.Lost {
			if !w.Instead && w.cameAfter(l) && (place == "" || w.compare(l, m.Lost[place]) < 0) {
				place = lost
			}
		}
		if place != "" {
			delete(m.Lost, place)
			w.Instead = true
			m.Workers[id] = w
		}
	}
}

// cameAfter reports whether the worker may have come after another one was last heard.
func (w member) cameAfter(lost member) bool {
	if w.Host != lost.Host {
		lost.Heard = lost.Heard.Add(-clockError)
	}
	return w.Joined.After(lost.Heard)
}

// compare returns a negative number if the worker takes the place of a rather than that of b.
func (w member) compare(a, b member) int {
	differs := func(x, y string) int {
		if x == y {
			return 0
		}
		return 1
	}
	return cmp.Or(differs(w.Worker, a.Worker)-differs(w.Worker, b.Worker), differs(w.Host, a.Host)-differs(w.Host, b.Host), a.Heard.Compare(b.Heard))
}

// leave notes that a worker has left.
func (m *members) leave(worker string, now time.Time) {
	if m.Left == nil {
		m.Left = map[string]time.Time{}
	}
	m.Left[worker] = now
	maps.DeleteFunc(m.Left, func(_ string, at time.Time) bool { return now.Sub(at) > SeenFor })
}

func (m *members) oldest(now time.Time) time.Duration {
	longest := time.Duration(0)
	for _, w := range m.Workers {
		longest = max(longest, now.Sub(w.At))
	}
	return longest
}

// Run makes this process a worker until ctx ends: it beats every BeatEvery, and runs those of the
// tasks that it leads. A NATS whose disk is full, or whose cluster has lost its quorum, is
// connected and may answer reads, but no job can be taken or ended.
func (p *Presence) Run(ctx context.Context, tasks ...Task) {
	p.join(tasks)
	defer p.leave(ctx)
	logger, failing := p.options.Logger, false
	for {
		err := p.beat(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !failing:
			logger.Error("NATS takes no writes: no job can be taken or ended; "+WritesAgain, "error", err)
		case err == nil && failing:
			logger.Info("NATS takes writes again")
		}
		failing = err != nil
		p.options.Tick(ctx)
		next := BeatEvery
		if failing {
			next = againAfter
		}
		if usher.Sleep(ctx, next) != nil {
			return
		}
	}
}

// join makes this process a worker that can do some tasks.
func (p *Presence) join(tasks []Task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.self = rand.Text()
	for _, task := range tasks {
		p.led = append(p.led, &led{task: task})
	}
}

// beat adds a beat of this worker to the members, and runs the tasks that it leads.
func (p *Presence) beat(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	began := time.Now()
	self := member{Worker: p.options.Worker, Host: p.options.Host}
	if p.options.Jobs != nil {
		jobs := p.options.Jobs()
		self.Jobs = jobs[:min(len(jobs), maxNamed)]
		self.More = len(jobs) - len(self.Jobs)
	}
	p.trying.Store(true)
	m, err := p.change(ctx, func(m *members, now time.Time) { m.add(p.self, self, now, p.led) })
	if err != nil {
		return err
	}
	p.stored.Store(new(p.options.Local()))
	p.trying.Store(false)
	now := seen{workers: len(m.Workers), lost: len(m.Lost), oldest: m.oldest(m.At), until: began.Add(leadFor)}
	for _, l := range p.led {
		if m.Leaders[l.task.Name] == p.self {
			l.lead(ctx, now.until)
			now.leads = append(now.leads, l.task.Name)
		} else {
			l.stop()
		}
	}
	p.seen.Store(&now)
	return nil
}

// Write writes the members as they are, and returns an error if NATS takes no writes. It is for
// processes that are no worker.
func (p *Presence) Write(ctx context.Context) error {
	_, err := p.change(ctx, func(*members, time.Time) {})
	return err
}

// change changes the members, and returns them as they were stored.
func (p *Presence) change(ctx context.Context, alter func(m *members, now time.Time)) (changed *members, err error) {
	ctx, cancel := context.WithTimeout(ctx, BeatEvery)
	defer cancel()
	padding := padding()
	err = store.Change(ctx, p.store.State, membersKey, func(m *members, _ bool) bool {
		now := p.options.Now().UTC()
		m.removeGone(now)
		alter(m, now)
		m.forgetLost(now)
		m.At, m.Padding = now, padding
		changed = m
		return true
	})
	return changed, err
}

// leave ends the tasks, and removes this worker from the members. If NATS takes no writes, the
// others remove it after goneAfter.
func (p *Presence) leave(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.led {
		l.stop()
		l.wait()
	}
	self := p.self
	p.self, p.led = "", nil
	if p.CheckWrites() != nil {
		return // the stop of a worker does not wait for NATS
	}
	_, err := p.change(context.WithoutCancel(ctx), func(m *members, now time.Time) {
		delete(m.Workers, self)
		delete(m.Lost, self)
		m.leave(p.options.Worker, now)
		maps.DeleteFunc(m.Leaders, func(_, id string) bool { return id == self })
	})
	if err != nil {
		p.options.Logger.Warn("this worker could not leave the list of workers; it is counted for 10 s", "error", err)
	}
}

// Count returns the number of workers at this process's last beat; 0 before the first one.
func (p *Presence) Count() int { return p.seen.Load().workers }

// CountLost returns how many workers were lost at this process's last beat.
func (p *Presence) CountLost() int { return p.seen.Load().lost }

// leads returns the names of the tasks that this worker leads.
func (p *Presence) leads() []string {
	last := p.seen.Load()
	if time.Now().After(last.until) {
		return nil
	}
	return last.leads
}

// Oldest returns how long ago the worker that was silent for longest had beaten, as far as this process
// knows from its last beat. It grows until the next one.
func (p *Presence) Oldest() time.Duration { return p.seen.Load().oldest + p.SinceWrite() }

// Lost is a worker that is gone and did not say that it stops: it was killed, or cannot reach NATS.
type Lost struct {
	Worker string
	Heard  time.Time // its last beat
	Since  time.Time // the same, later by the times in which NATS took none
	Jobs   []string  // the first maxNamed of those that it ran then
	More   int       // how many further ones it ran
}

// String says which worker is lost, and since when.
func (l *Lost) String() string {
	return fmt.Sprintf("Worker %s is lost: it was last heard at %s, and did not say that it stops", l.Worker, l.Heard.UTC().Format(time.RFC3339))
}

// maxNamed is how many jobs of a lost worker are named. All workers share the value that has the names.
const maxNamed = 3

// Delays says which jobs the worker had, and what becomes of them.
func (l *Lost) Delays() string {
	if len(l.Jobs) == 0 {
		return "It ran no job then."
	}
	named := strings.Join(l.Jobs, ", ")
	if l.More > 0 {
		named += fmt.Sprintf(" and %d more", l.More)
	}
	return "It ran " + named + " then. Other workers take over jobs that have not ended, once nats.ack_wait has passed."
}

// LostHint says what to do about a worker that is lost.
const LostHint = "Look why it ended, in its log and that of its machine, and start it again. It is named until it or another one is started, for a day at most."

// Gone returns when workers have left, by their names, in the last day, and those that are lost, which was
// heard last at the end.
func (p *Presence) Gone(ctx context.Context) (left map[string]time.Time, lost []Lost, err error) {
	var last members
	_, _, err = p.store.State.Get(ctx, membersKey, &last)
	for _, w := range last.Lost {
		lost = append(lost, Lost{w.Worker, w.Heard, w.At, w.Jobs, w.More})
	}
	slices.SortFunc(lost, func(a, b Lost) int { return cmp.Or(a.Heard.Compare(b.Heard), strings.Compare(a.Worker, b.Worker)) })
	return last.Left, lost, err
}

// SinceWrite returns how long ago NATS last took a beat of this process or, before the first one,
// how long ago New was called.
func (p *Presence) SinceWrite() time.Duration {
	return max(0, p.options.Local().Sub(*p.stored.Load()))
}

// CheckWrites returns an error if NATS takes no writes of this worker. A process that was suspended,
// as with its virtual machine, has tried none meanwhile, so NATS is not to blame.
func (p *Presence) CheckWrites() error {
	if since := p.SinceWrite(); since > goneAfter && p.trying.Load() {
		return errors.New(noWrites(since))
	}
	return nil
}

// NoWrites says that NATS takes no writes of any worker, so that no job starts; "" if it takes
// them. now is NATS's time.
func (p *Presence) NoWrites(ctx context.Context, now time.Time) (string, error) {
	var last members
	if _, found, err := p.store.State.Get(ctx, membersKey, &last); err != nil || !found {
		return "", err
	}
	if since := now.Sub(last.At); since > goneAfter {
		return noWrites(since), nil
	}
	return "", nil
}

// WritesAgain says what to do about a NATS that takes no writes. After its disk was full,
// a server refuses writes until it is started again.
const WritesAgain = "if a disk of NATS is full, free space and restart that server; otherwise check whether the cluster has lost its quorum"

func noWrites(since time.Duration) string {
	return fmt.Sprintf("NATS has taken no write for %s: %s", since.Round(time.Second), WritesAgain)
}
