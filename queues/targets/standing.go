package targets

import (
	"context"
	"math"
	"time"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
)

// Somebody who looks at jobs sees in the index where each of them stands, also those that wait so
// far behind that nothing was written about it. A look reads no record and changes nothing.

// Look reads the messages that were not read, to the end that the streams have now, for a caller that
// has no message of them. Like Update, it notices that a stream was recreated.
func (t *Targets) Look(ctx context.Context) error {
	for _, x := range t.indexes {
		stream, err := x.store.Stream(ctx, x.stream)
		if err != nil {
			return err
		}
		end := stream.CachedInfo().State
		if err := x.update(ctx, &message.Message{Seq: end.LastSeq, Published: end.LastTime}); err != nil {
			return err
		}
	}
	return nil
}

// Standing is where a job stands among those on its target, by the messages that Look has read.
type Standing struct {
	Next  Place // of the message that the job waits for: the nearest one, or for a pause or resume the newest
	Ahead int   // the number of messages from Next on to the front; 0: the job waits for none

	target string
}

// StandingOf returns where a job stands.
func (t *Targets) StandingOf(j *records.Job) Standing {
	s := Standing{target: j.Target()}
	switch kind := j.Record.Kind; {
	case s.target == "" || !Indexed(kind):
		return s
	case NewestFirst(kind):
		return s.from(t, j, Place{Order: math.MaxUint64})
	default:
		return s.from(t, j, Place{Order: j.Order})
	}
}

// Behind returns the standing without the message at Next, which is not one to wait for.
func (s Standing) Behind(t *Targets, j *records.Job) Standing { return s.from(t, j, s.Next) }

// from returns the standing by the messages in front of a place only.
func (s Standing) from(t *Targets, j *records.Job, p Place) Standing {
	kind := j.Record.Kind
	all := t.Backlog(kind)
	s.Next, s.Ahead = Place{}, 0
	if NewestFirst(kind) {
		if next, found := all.Previous(s.target, p); found && next.Order > j.Order {
			s.Next, s.Ahead = next, all.before(s.target, next.Order+1)-all.before(s.target, j.Order+1)
		}
		return s
	}
	for _, b := range t.backlogsBefore(&message.Message{Kind: kind}) {
		if next, found := b.Previous(s.target, p); found && (s.Ahead == 0 || s.Next.Before(next)) {
			s.Next, s.Ahead = next, all.before(s.target, next.Order+1)
		}
	}
	return s
}

// Front returns the place of the message that is worked off first of those at and in front of Next.
func (s Standing) Front(t *Targets, k usher.Kind) Place {
	if NewestFirst(k) {
		return s.Next
	}
	front, _ := t.Backlog(k).After(s.target, Place{})
	return front
}

// Forget removes the message at Next, which has left the stream.
func (s Standing) Forget(t *Targets, k usher.Kind) {
	t.Backlog(k).Remove(s.target, s.Next)
}

// Registered is what the register of a target says.
type Registered struct{ register register }

// Registered reads the register of a target, and leaves jobs in it that have ended.
func (t *Targets) Registered(ctx context.Context, target string) (*Registered, error) {
	r := &Registered{}
	_, _, err := t.state.Get(ctx, targetKey(target), &r.register) // a damaged one counts as missing
	return r, err
}

// Before returns the jobs in the register that a job waits for although their messages are not
// before its own: they were cut, or are replays that run.
func (r *Registered) Before(t *Targets, j *records.Job) (ids []string) {
	kind, target := j.Record.Kind, j.Target()
	for _, other := range r.register.Live {
		if other.ID == j.Record.ID || !other.Exclusive && !kind.Exclusive() {
			continue
		}
		p, found := t.Backlog(kind).After(target, Place{Order: other.Order})
		if !found || p.Order != other.Order || other.Order > j.Order {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

// Mean returns how long the jobs at and in front of Next take on average, by those of their kinds that
// the target had lately. known is false if it is not known for all of them.
func (r *Registered) Mean(t *Targets, k usher.Kind, s Standing) (mean time.Duration, known bool) {
	seconds, jobs := 0.0, 0
	for _, alone := range exclusiveKinds[k.Family()] {
		n := t.backlog(alone).before(s.target, s.Next.Order+1)
		took, known := r.register.Took[alone]
		if n > 0 && !known {
			return 0, false
		}
		seconds, jobs = seconds+took*float64(n), jobs+n
	}
	if jobs == 0 || jobs < s.Ahead { // adds are among them
		return 0, false
	}
	return time.Duration(seconds / float64(jobs) * float64(time.Second)), true
}
