package queues

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/store"
	"usher/queues/targets"
)

// A job that must wait for others on its target is not delivered again by a timer, unless it has a
// deadline, at which it ends. Its delivery ends, and its message stays where it is on the stream of
// jobs. When the job in its way ends, its worker releases it: it publishes the sequence of its message
// to the stream of released jobs. A slot that is delivered the sequence reads the message and takes the job
// as any other.
//
// No job waits forever. A job waits only after it has found another one in its way whose record
// said that it had not ended, or a hundred on the stream, of which some have not ended. One of these
// ends, leaves the register or stops running later, and then reads the stream to its end, where it
// finds the message of the job. It reads the stream and releases the job before its own delivery is
// settled, so that a redelivery repeats both after a crash. What a server of NATS that lags hides from
// it, forgotten.go finds.
//
// A job may be released although it was not delivered yet, twice, or too early. So a
// release is only a hint: the slot asks again whether the job may run.

// release releases the jobs on the target of a job that no longer is in their way. by is part
// of the message ids, such as the run of the job that ended: within its window of duplicates, NATS drops
// the second release of a job with the same one.
func (q *Queue) release(ctx context.Context, kind usher.Kind, target, by string) error {
	if target == "" || !targets.Indexed(kind) {
		return nil
	}
	if err := q.targets.ReadToEnd(ctx, kind); err != nil {
		return err
	}
	if targets.Ordered(kind) && !kind.Exclusive() && !q.targets.HasAlone(kind, target) {
		return nil // only jobs that run alone wait for adds
	}
	s := search{q: q, backlog: q.targets.Backlog(kind), kind: kind, target: target, alone: kind.Exclusive()}
	places, err := s.released(ctx)
	if err == nil {
		err = q.publishReleased(ctx, lanes.Of(kind), append(places, s.needless...), by)
	}
	if err != nil {
		return fmt.Errorf("release the next job on %s: %w", target, err)
	}
	return nil
}

// releaseNext is release by a job that has not ended and is not in the way of others for now. It may
// call it again, so that each call has its own message ids.
func (q *Queue) releaseNext(ctx context.Context, kind usher.Kind, target string) error {
	return q.release(ctx, kind, target, rand.Text())
}

// search looks on a target for jobs to release.
type search struct {
	q       *Queue
	backlog *targets.Backlog
	kind    usher.Kind // of the target's family
	target  string
	alone   bool // the job that no longer is in their way ran alone
	settles bool // messages of jobs that have ended are needless, too

	needless []targets.Place // of second messages of jobs and the like, which a slot is to settle
}

// released returns the places of jobs that may run now.
func (s *search) released(ctx context.Context) ([]targets.Place, error) {
	if targets.NewestFirst(s.kind) {
		return s.newest(ctx)
	}
	return s.front(ctx)
}

// front returns the place of the first job that has not ended, if that one runs alone. Otherwise,
// if the job of the search ran alone, it returns those of the adds up to the first job that runs
// alone.
func (s *search) front(ctx context.Context) ([]targets.Place, error) {
	first, p, err := s.first(ctx)
	switch {
	case first == nil || err != nil:
		return nil, err
	case first.message.Kind.Exclusive() && first.isFree():
		return []targets.Place{p}, nil
	case first.message.Kind.Exclusive() || !s.alone:
		return nil, nil
	}
	adds := s.q.targets.AddsFrom(s.kind, s.target, p)
	places, err := s.delivered(ctx, adds)
	if len(places) < len(adds) {
		s.q.targets.Index(s.kind).LookAgain(s.kind.Family(), s.target)
	}
	return places, err
}

// delivered returns those of some places whose messages the lane has delivered. Others need no
// release: their slots find that they need not wait.
func (s *search) delivered(ctx context.Context, places []targets.Place) ([]targets.Place, error) {
	if len(places) == 0 {
		return nil, nil
	}
	last, err := s.q.Lanes().Delivered(ctx, lanes.Of(s.kind))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(places), func(p targets.Place) bool { return p.Seq > last }), nil
}

// first returns the first job that has not ended.
func (s *search) first(ctx context.Context) (*taking, targets.Place, error) {
	for p, found := s.backlog.After(s.target, targets.Place{}); found; p, found = s.backlog.After(s.target, p) {
		if t, err := s.read(ctx, p); t != nil || err != nil {
			return t, p, err
		}
	}
	return nil, targets.Place{}, nil
}

// newest returns the place of the newest job on a campaign, if nobody runs it, and that of the
// newest one that was superseded: its end releases the next of those.
func (s *search) newest(ctx context.Context) (places []targets.Place, err error) {
	newest, p, err := s.newestBefore(ctx, last())
	if newest == nil || err != nil {
		return nil, err
	}
	if newest.isFree() {
		places = append(places, p)
	}
	claimed, err := s.q.campaignClaim(ctx, newest.message.Job.Campaign)
	if err != nil {
		return nil, err
	}
	if claimed.Order > 0 && claimed.Order <= p.Order { // otherwise the newest one is superseded, too
		superseded, p, err := s.newestBefore(ctx, targets.Place{Order: claimed.Order})
		if err != nil {
			return nil, err
		}
		if superseded != nil && superseded.isFree() && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	return s.delivered(ctx, places)
}

// last returns a place behind all others.
func last() targets.Place { return targets.Place{Order: math.MaxUint64} }

// newestBefore returns the newest job on a campaign before a place. It leaves out those that wait
// for their next attempt.
func (s *search) newestBefore(ctx context.Context, before targets.Place) (*taking, targets.Place, error) {
	for p, found := s.backlog.Previous(s.target, before); found; p, found = s.backlog.Previous(s.target, p) {
		if t, err := s.read(ctx, p); err != nil || t != nil && !t.isReturned() {
			return t, p, err
		}
	}
	return nil, targets.Place{}, nil
}

// next returns the job that is to run first.
func (s *search) next(ctx context.Context) (*taking, targets.Place, error) {
	if targets.NewestFirst(s.kind) {
		return s.newestBefore(ctx, last())
	}
	return s.first(ctx)
}

// read reads the job at a place and its record. It returns nil if the job has ended or left the
// stream, or the message is of no use. The message of a job that has ended keeps its place until it is
// deleted: if its worker was killed before that, only forgotten.go finds it.
func (s *search) read(ctx context.Context, p targets.Place) (*taking, error) {
	t, err := s.q.waiting(ctx, s.backlog, p)
	switch {
	case err != nil:
	case t == nil:
		s.backlog.Remove(s.target, p)
	case t.hasEnded() && !s.settles:
		return nil, nil
	case t.claim == records.Superfluous || t.claim == records.OtherJob:
		s.needless = append(s.needless, p)
		return nil, nil
	}
	return t, err
}

// hasEnded reports whether the message is that of a job which has ended.
func (t *taking) hasEnded() bool {
	return t.claim == records.Superfluous && t.message.Seq == t.job.Seq
}

// isFree reports whether no delivery brings the job by itself: it neither runs under a delivery of its
// own nor was returned for a later attempt.
func (t *taking) isFree() bool {
	runs := t.job.Holder != "" && t.job.TakenAlongBy == ""
	return !runs && !t.isReturned()
}

// isReturned reports whether NATS will deliver the job at its next attempt.
func (t *taking) isReturned() bool {
	return t.job.Holder == "" && t.job.NotBefore != nil && t.q.now().Before(*t.job.NotBefore)
}

// maxLooks is the number of targets at which a slot looks between two jobs.
const maxLooks = 8

// releaseArrived releases a job on one of the targets of the newest messages while many messages
// of the lane are not delivered yet, and before all that were released by others. So a job starts
// soon on a target where nothing is before it, however many wait on others.
func (d *Deliveries) releaseArrived(ctx context.Context) error {
	for _, kind := range targets.Families() {
		if lanes.Of(kind) != d.lane {
			continue
		}
		x := d.q.targets.Index(kind)
		if err := x.CatchUp(ctx); err != nil {
			return err
		}
		for range maxLooks {
			target, found := x.NextArrived(kind.Family())
			if !found {
				break
			}
			s := search{q: d.q, backlog: d.q.targets.Backlog(kind), kind: kind, target: target}
			first, p, err := s.next(ctx)
			if err != nil {
				return err
			}
			if first != nil && first.isFree() {
				return d.q.releaseFirst(ctx, d.lane, p)
			}
		}
	}
	return nil
}

// releaseFirst releases a job that waits for nobody, before the other released jobs of its lane. Within
// its window of duplicates, NATS drops all such releases of a job but the first.
func (q *Queue) releaseFirst(ctx context.Context, lane lanes.Lane, p targets.Place) error {
	return q.publishPlaces(ctx, q.names.ReleasedFirst(string(lane)), []targets.Place{p}, "first")
}

// publishReleased publishes that the jobs with messages at some places are released.
func (q *Queue) publishReleased(ctx context.Context, lane lanes.Lane, places []targets.Place, by string) error {
	return q.publishPlaces(ctx, q.names.Released(string(lane)), places, by)
}

func (q *Queue) publishPlaces(ctx context.Context, subject string, places []targets.Place, by string) error {
	published := make([]jetstream.PubAckFuture, len(places))
	for i, p := range places {
		seq := strconv.FormatUint(p.Seq, 10)
		future, err := q.js.PublishAsync(subject, []byte(seq),
			jetstream.WithMsgID(by+"/"+seq), jetstream.WithStallWait(store.CallTime))
		if err != nil {
			return err
		}
		published[i] = future
	}
	for _, future := range published {
		if _, err := q.store.Await(ctx, future); err != nil {
			return err
		}
	}
	return nil
}

// isReleased reports whether the message released of the stream of released jobs has the sequence seq.
// A released of 0 stands for the job's own message.
func (q *Queue) isReleased(ctx context.Context, released, seq uint64) (bool, error) {
	if released == 0 {
		return true, nil
	}
	m, err := q.store.Leader(q.names.ReleasedStream()).Message(ctx, released)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return err == nil && string(m.Data) == strconv.FormatUint(seq, 10), err
}

// waiting reads the job at a place and its record. It returns nil if the job has left the stream.
func (q *Queue) waiting(ctx context.Context, b *targets.Backlog, p targets.Place) (*taking, error) {
	m, err := b.Message(ctx, p)
	if err != nil || m == nil {
		return nil, err
	}
	t := &taking{q: q, message: m, claim: records.OtherJob}
	if m.Invalid != nil {
		return t, nil
	}
	var found bool
	if t.job, t.revision, found, err = q.records.Job(ctx, m.ID); err != nil {
		return nil, err
	}
	t.claim = t.job.ClaimOf(m, found)
	return t, nil
}

// message reads the message of the job of a delivery. It returns nil if the job has ended.
func (d *delivery) message(ctx context.Context) (*message.Message, error) {
	if d.released == 0 {
		return d.q.messages.Read(d.msg.Subject, d.msg.Header, d.msg.Data, d.seq, d.meta.Timestamp), nil
	}
	raw, err := d.q.store.Leader(d.q.names.StreamAt(d.seq)).Message(ctx, d.seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) || d.seq == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return d.q.messages.Read(raw.Subject, raw.Header, raw.Data, raw.Sequence, raw.Time), nil
}
