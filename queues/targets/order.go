package targets

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/store"
)

// The jobs on a target are found in two places. The message of a job stays on the stream
// while the job waits or runs. Jobs whose message was deleted because they were cut, and
// jobs that run alone, are in a register for each target. An
// add writes its record and then reads the register; a job that runs alone writes the
// register and then reads the records. So of two concurrent jobs at least one sees the
// other. Both read the stream first, so a job that was cut in between is found in the
// register.

// Targets has the order of the jobs on each target.
type Targets struct {
	records *records.Records
	state   *store.Bucket
	logger  *slog.Logger
	indexes []*Index // of the streams of jobs
}

// New returns the order of the jobs that records describes.
func New(r *records.Records) *Targets {
	t := &Targets{records: r, state: r.Store.State, logger: r.Logger}
	for _, stream := range r.Store.JobStreams() {
		t.indexes = append(t.indexes, newIndex(r, stream))
	}
	return t
}

// Ordered reports whether jobs of a kind have an order on their target.
func Ordered(k usher.Kind) bool {
	family := k.Family()
	return family == "segment" || family == "target"
}

// NewestFirst reports whether the newest job of a kind on its target runs first.
func NewestFirst(k usher.Kind) bool { return k.Family() == "campaign" && k.Field() == "" }

// Indexed reports whether there is an index of the jobs of a kind.
func Indexed(k usher.Kind) bool { return Ordered(k) || NewestFirst(k) }

// Index returns the index of the stream of jobs of a kind.
func (t *Targets) Index(k usher.Kind) *Index {
	stream := t.records.Store.StreamOf(k)
	return t.indexes[slices.IndexFunc(t.indexes, func(x *Index) bool { return x.stream == stream })]
}

// Backlog returns the messages of all indexed kinds of the family of such a kind.
func (t *Targets) Backlog(k usher.Kind) *Backlog {
	return t.backlog(usher.Kind(k.Family() + ".*"))
}

func (t *Targets) backlog(pattern usher.Kind) *Backlog {
	for _, b := range t.Index(pattern).families[pattern.Family()].backlogs {
		if b.pattern == pattern {
			return b
		}
	}
	panic("no backlog of " + string(pattern))
}

// Before returns the id of a job that must run before m's on its target: the nearest one of its
// kind; "" if there is none. A job that runs alone must be in the register before this call.
func (t *Targets) Before(ctx context.Context, j *records.Job, m *message.Message) (id string, err error) {
	if err := t.Update(ctx, m); err != nil {
		return "", err
	}
	return t.knownBefore(ctx, j, m)
}

// Update reads the messages that were published since the stream was read last. m is a
// message that is on the stream.
func (t *Targets) Update(ctx context.Context, m *message.Message) error {
	if err := t.Index(m.Kind).update(ctx, m); err != nil {
		return fmt.Errorf("read what waits on %s: %w", m.Job.Target(m.Kind), err)
	}
	return nil
}

// ReadToEnd reads the messages that were not read, to the end that the stream of jobs of a kind has
// now.
func (t *Targets) ReadToEnd(ctx context.Context, k usher.Kind) error {
	if err := t.Index(k).readToEnd(ctx); err != nil {
		return fmt.Errorf("read the stream of jobs: %w", err)
	}
	return nil
}

// BeforeAdd is Before for an add whose record says that it is running. It does not read
// messages published after m: such a message may be a replay of an older job, but that
// job finds the add running, or is in the register by now.
func (t *Targets) BeforeAdd(ctx context.Context, j *records.Job, m *message.Message) (id string, err error) {
	if err := t.updateTo(ctx, m, m.Job.Target(m.Kind)); err != nil {
		return "", err
	}
	return t.knownBefore(ctx, j, m)
}

// SeemsBlocked reports whether something must run before m's job, by the messages published
// before m. For an add it leaves out the register, which BeforeAdd reads.
func (t *Targets) SeemsBlocked(ctx context.Context, j *records.Job, m *message.Message) (bool, error) {
	if err := t.updateTo(ctx, m, m.Job.Target(m.Kind)); err != nil {
		return false, err
	}
	find := t.onStreamBefore
	if m.Kind.Exclusive() {
		find = t.knownBefore
	}
	before, err := find(ctx, j, m)
	return before != "", err
}

// ReadTo reads the messages that were published before a message and not
// read.
func (t *Targets) ReadTo(ctx context.Context, m *message.Message) error {
	return t.updateTo(ctx, m, m.Job.Target(m.Kind))
}

func (t *Targets) updateTo(ctx context.Context, m *message.Message, target string) error {
	if err := t.Index(m.Kind).updateTo(ctx, m, target); err != nil {
		return fmt.Errorf("read what waits on %s: %w", target, err)
	}
	return nil
}

func (t *Targets) knownBefore(ctx context.Context, j *records.Job, m *message.Message) (id string, err error) {
	if id, err = t.onStreamBefore(ctx, j, m); id != "" || err != nil {
		return id, err
	}
	return t.registeredBefore(ctx, m)
}

func (t *Targets) onStreamBefore(ctx context.Context, j *records.Job, m *message.Message) (id string, err error) {
	for _, b := range t.backlogsBefore(m) {
		if id, err = t.waitingBefore(ctx, b, j, m); id != "" || err != nil {
			return id, err
		}
	}
	return "", nil
}

// registeredBefore returns a job in the register that m's must wait for, or "".
func (t *Targets) registeredBefore(ctx context.Context, m *message.Message) (id string, err error) {
	reg, err := t.liveRegister(ctx, m.Job.Target(m.Kind))
	if err != nil {
		return "", err
	}
	for _, r := range reg.Live {
		if r.ID != m.ID && (r.Exclusive || m.Kind.Exclusive()) {
			return r.ID, nil
		}
	}
	return "", nil
}

// KeepsTurn reports whether a job that runs alone has begun to change its target and is
// still in the register. All other jobs wait for it, even older ones, which would
// otherwise find a half changed target.
func (t *Targets) KeepsTurn(ctx context.Context, j *records.Job, m *message.Message) (bool, error) {
	if !m.Kind.Exclusive() || !j.KeepsTurn() {
		return false, nil
	}
	reg, err := t.liveRegister(ctx, m.Job.Target(m.Kind))
	return slices.ContainsFunc(reg.Live, func(r registered) bool { return r.ID == m.ID && r.Run == j.Run }), err
}

// backlogsBefore returns the backlogs of the kinds that a message's job may have to wait
// for.
func (t *Targets) backlogsBefore(m *message.Message) []*Backlog {
	if m.Kind.Exclusive() {
		return []*Backlog{t.Backlog(m.Kind)}
	}
	var all []*Backlog
	for _, kind := range exclusiveKinds[m.Kind.Family()] {
		all = append(all, t.backlog(kind))
	}
	return all
}

// HasAlone reports whether the stream has a job on a target that runs alone.
func (t *Targets) HasAlone(k usher.Kind, target string) bool {
	return slices.ContainsFunc(exclusiveKinds[k.Family()], func(alone usher.Kind) bool {
		_, found := t.backlog(alone).After(target, Place{})
		return found
	})
}

// AddsFrom returns the places of the adds on a target from a place on, up to the first job that
// runs alone.
func (t *Targets) AddsFrom(k usher.Kind, target string, from Place) []Place {
	end, some := Place{}, false
	for _, alone := range exclusiveKinds[k.Family()] {
		if p, found := t.backlog(alone).After(target, from); found && (!some || p.Before(end)) {
			end, some = p, true
		}
	}
	adds := []Place{from}
	all := t.Backlog(k)
	for p, found := all.After(target, from); found && (!some || p.Before(end)); p, found = all.After(target, p) {
		adds = append(adds, p)
	}
	return adds
}

// Cleaned are the targets whose jobs that have left the stream were forgotten.
type Cleaned map[string]bool

// Ahead returns about how many jobs on the stream must run before a message's job. If
// they are at least many, it first forgets the jobs on the target that have left the
// stream, once for all calls with the same cleaned.
func (t *Targets) Ahead(ctx context.Context, m *message.Message, target string, many int, cleaned Cleaned) (int, error) {
	if err := t.updateTo(ctx, m, target); err != nil {
		return 0, err
	}
	ahead := 0
	for _, b := range t.backlogsBefore(m) {
		front := string(b.pattern) + " " + target
		if b.before(target, m.Order) >= many && !cleaned[front] {
			if err := b.removeGone(ctx, target); err != nil {
				return 0, fmt.Errorf("read what waits on %s: %w", target, err)
			}
			cleaned[front] = true
		}
		ahead += b.before(target, m.Order)
	}
	return ahead, nil
}

// waitingBefore searches the stream for a job on the same target that must run before m's:
// an older one or, for a job that runs alone, a newer one that is running.
func (t *Targets) waitingBefore(ctx context.Context, b *Backlog, j *records.Job, m *message.Message) (id string, err error) {
	own := Place{Order: j.Order}
	if id, err = t.firstBefore(ctx, b, j, m, own, b.Previous); id != "" || err != nil {
		return id, err
	}
	return t.firstBefore(ctx, b, j, m, own, b.After)
}

// firstBefore returns the first job that must run before m's, of those that step goes
// through, or "". It removes from the backlog what it finds to be gone.
func (t *Targets) firstBefore(ctx context.Context, b *Backlog, j *records.Job, m *message.Message, from Place, step func(target string, p Place) (Place, bool)) (id string, err error) {
	target := m.Job.Target(m.Kind)
	for p, found := step(target, from); found; p, found = step(target, p) {
		older := p.Order < j.Order
		if !older && !mayRunBefore(m, j.Order) {
			break
		}
		id, gone, err := t.runsBefore(ctx, b, p, m, older)
		if id != "" || err != nil {
			return id, err
		}
		if gone {
			b.Remove(target, p)
		}
	}
	return "", nil
}

// mayRunBefore reports whether a newer job may run before m's, which runs alone. A newer
// job that was published after m's message has found it on the stream and waits, so that
// only a replay may find one.
func mayRunBefore(m *message.Message, order uint64) bool { return m.Kind.Exclusive() && m.Seq > order }

// runsBefore returns the job at a place if it must still run and is older than m's, or is
// running. gone reports that the message has left the stream. That of a job that has ended stays until the
// job has released the next one, and forgotten.go looks for those that stay for good, so that its place is kept here.
func (t *Targets) runsBefore(ctx context.Context, b *Backlog, p Place, m *message.Message, older bool) (id string, gone bool, err error) {
	if p.Seq == m.Seq || !older && p.Seq > m.Seq {
		return "", false, nil
	}
	other, err := b.Message(ctx, p)
	if err != nil || other == nil {
		return "", err == nil, err
	}
	if other.Invalid != nil || other.ID == m.ID {
		return "", false, nil
	}
	j, _, found, err := t.records.Job(ctx, other.ID)
	if err != nil {
		return "", false, err
	}
	switch j.ClaimOf(other, found) {
	case records.NewJob, records.NextRun, records.TooEarly:
		if older {
			return other.ID, false, nil
		}
	case records.Unfinished:
		if older || j.State == usher.Running {
			return other.ID, false, nil
		}
	}
	return "", false, nil
}
