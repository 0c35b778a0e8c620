package queues

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"usher"
	"usher/queues/lanes"
	"usher/queues/records"
	"usher/queues/store"
	"usher/queues/targets"
)

// Removals of a few ids that follow one another on a segment are carried out together, so
// that a long queue of them takes little more than their calls of the platform. The removal
// at the front takes those along that directly follow it: its delivery keeps their leases alive,
// and its place in the register keeps all other jobs waiting. Each has its own record, tally, event and letter. They run
// concurrently, which changes nothing, because all of them only remove.
//
// They are not in the register, so after a crash an older job that is replayed may run before
// one of them. So their records have no checkpoint: the next attempt removes all ids again.

// maxAlongIDs is how many ids a removal may have that is taken along. They make one batch.
const maxAlongIDs = 100

// TakeAlong takes up to n removals that directly follow the lease's one on its segment. They
// must be settled before it is. TakeAlong returns none if the lease's job may not run yet.
//
// A job that was running when its worker crashed runs alone from then on, so that a job that
// kills workers does not count as a crash of the others again and again.
func (l *Lease) TakeAlong(ctx context.Context, n int) ([]*Lease, error) {
	if !l.runsAlone || l.message.Kind != usher.SegmentRemove || l.job.IsCut() || l.job.CrashesInRow > 0 || ctx.Err() != nil {
		return nil, nil
	}
	// Jobs that are taken must be returned, even if ctx ends now.
	ctx, cancel := context.WithTimeout(l.held, l.q.options.AckWait/2)
	defer cancel()
	if pause, err := l.q.Lanes().Paused(ctx, lanes.Of(l.message.Kind)); pause != nil || err != nil {
		return nil, err
	}
	target := l.message.Job.Target(l.message.Kind)
	if err := l.q.targets.Update(ctx, l.message); err != nil {
		return nil, err
	}
	following, err := l.following(ctx, target, n)
	if err != nil {
		return nil, fmt.Errorf("read what follows job %s on %s: %w", l.message.ID, target, err)
	}
	if err := l.q.noteTakenAlong(ctx, following); err != nil {
		return nil, err
	}
	return l.takeAllAlong(ctx, following), nil
}

// following returns up to n removals that the lease may take along, in their order.
func (l *Lease) following(ctx context.Context, target string, n int) ([]*taking, error) {
	b := l.q.targets.Backlog(l.message.Kind)
	var places []targets.Place
	own := targets.Place{Seq: l.message.Seq, Order: l.job.Order}
	for p, found := b.After(target, own); found && len(places) < n; p, found = b.After(target, p) {
		places = append(places, p)
	}
	read, errs := make([]*taking, len(places)), make([]error, len(places))
	var reading sync.WaitGroup
	for i, p := range places {
		reading.Go(func() { read[i], errs[i] = l.q.waiting(ctx, b, p) })
	}
	reading.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var following []*taking
	for i, t := range read {
		if t == nil {
			b.Remove(target, places[i])
			continue
		}
		if t.claim == records.Superfluous { // a second message, or that of a job that has ended
			continue
		}
		if !t.mayFollow(l) {
			break
		}
		following = append(following, t)
	}
	return following, nil
}

// mayFollow reports whether l may take t along.
func (t *taking) mayFollow(l *Lease) bool {
	m, j := t.message, &t.job
	small := m.Kind == usher.SegmentRemove && len(m.Job.Source.IDs) > 0 && len(m.Job.Source.IDs) <= maxAlongIDs
	fresh := t.claim == records.NewJob || t.claim == records.Unfinished
	waits := j.Record.Retry != nil && t.q.now().Before(j.Record.Retry.At)
	return small && m.Job.Advertiser == l.message.Job.Advertiser &&
		fresh && !waits && j.Holder == "" && j.Ending == nil && j.CrashesInRow == 0 && !j.IsCut() && !j.HasBegun()
}

// noteTakenAlong writes into the register that the jobs change their target, before the first
// of them begins: after a crash nobody else would.
func (q *Queue) noteTakenAlong(ctx context.Context, following []*taking) error {
	for _, t := range slices.Backward(following) {
		if !t.message.Job.DryRun {
			return q.targets.NoteChange(ctx, t.message.Job.Target(t.message.Kind), targets.Exclusive{Job: t.message.ID, Order: t.message.Order}, t.message.Run)
		}
	}
	return nil
}

// takeAllAlong takes jobs, concurrently. It leaves out those that it cannot take, because
// they were cancelled for example.
func (l *Lease) takeAllAlong(ctx context.Context, following []*taking) []*Lease {
	taken := make([]*Lease, len(following))
	var taking sync.WaitGroup
	for i, t := range following {
		taking.Go(func() {
			lease, err := t.takeAlong(ctx, l)
			if err != nil && !errors.Is(err, store.ErrConflict) {
				l.q.logger.Warn("taking a removal that follows another one; NATS redelivers its message", "job", t.message.ID, "error", err)
			}
			taken[i] = lease
		})
	}
	taking.Wait()
	leases := taken[:0]
	for _, lease := range taken {
		if lease != nil {
			leases = append(leases, lease)
		}
	}
	return leases
}

// takeAlong takes a job along with l.
func (t *taking) takeAlong(ctx context.Context, l *Lease) (*Lease, error) {
	t.along, t.delivery = l, l.d
	if t.claim == records.NewJob {
		t.job = records.New(t.message)
		t.job.Begin(t.message)
	}
	lease, err := t.record(ctx, l.work)
	if err != nil {
		return nil, err
	}
	if t.claim == records.NewJob {
		return t.q.start(ctx, lease)
	}
	return t.q.startUnlessEnding(ctx, lease)
}

// endAlong completes the end of a job that was taken along.
func (l *Lease) endAlong(ctx context.Context) error {
	if err := l.events.Flush(ctx, l.q.store, l.job); err != nil {
		return err // the message keeps its place, and forgotten.go finds it
	}
	if err := l.q.deleteMessage(ctx, l.message.Seq); err != nil {
		return err
	}
	l.q.targets.Backlog(l.message.Kind).Remove(l.message.Job.Target(l.message.Kind), targets.Place{Seq: l.message.Seq, Order: l.job.Order})
	return nil
}

// deleteMessage removes the message of a job that has ended from its stream.
func (q *Queue) deleteMessage(ctx context.Context, seq uint64) error {
	return q.store.Leader(q.names.StreamAt(seq)).Delete(ctx, seq)
}
