package queues

import (
	"context"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/queues/lanes"
	"usher/queues/targets"
)

// A job is released by the one that was in its way, see released.go. That rests on reading the
// stream of jobs to its end. In a cluster a server that has lost the leadership of a stream
// without knowing it answers for some seconds, and leaves out what was stored since. So one worker
// looks regularly for jobs that nobody is in the way of. It finds none but after such a loss.
//
// It also finds the messages of jobs that have ended, while these still are to be deleted. If their worker
// was killed, no delivery carries them: that of a job that was taken along ended when the job began to
// wait. A slot that gets such a message publishes the event that may be missing, and deletes it.

// forgottenAgain is how often the same job is released again as a forgotten one, while all slots
// are busy for example.
const forgottenAgain = 2 * time.Minute

// ReleaseForgotten releases, every AckWait until ctx ends, the jobs that wait for no other job and
// that nobody runs. One worker at a time should call it.
func (q *Queue) ReleaseForgotten(ctx context.Context) {
	for usher.Sleep(ctx, q.options.AckWait) == nil {
		if err := q.releaseForgotten(ctx); err != nil && ctx.Err() == nil {
			q.logger.Warn("looking for jobs that wait for nothing, trying again", "error", err)
		}
	}
}

func (q *Queue) releaseForgotten(ctx context.Context) error {
	by := fmt.Sprintf("forgotten/%d", q.now().UnixNano()/int64(forgottenAgain))
	for _, kind := range targets.Families() {
		if err := q.targets.ReadToEnd(ctx, kind); err != nil {
			return err
		}
		lane := lanes.Of(kind)
		if pause, err := q.Lanes().Paused(ctx, lane); pause != nil || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		delivered, err := q.Lanes().Delivered(ctx, lane)
		if err != nil {
			return err
		}
		b := q.targets.Backlog(kind)
		for _, target := range b.Targets() {
			s := search{q: q, backlog: b, kind: kind, target: target, alone: true, settles: true}
			places, err := s.forgotten(ctx)
			if err != nil {
				return err
			}
			places = slices.DeleteFunc(append(places, s.needless...), func(p targets.Place) bool { return p.Seq > delivered })
			if err := q.publishReleased(ctx, lane, places, by); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxForgotten is how many adds on a target are looked at.
const maxForgotten = 100

// forgotten returns the places of the jobs that are to be released and that nobody has.
func (s *search) forgotten(ctx context.Context) (forgotten []targets.Place, err error) {
	places, err := s.released(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range places[:min(len(places), maxForgotten)] {
		t, err := s.read(ctx, p)
		if err != nil {
			return nil, err
		}
		if t != nil && t.isFree() {
			forgotten = append(forgotten, p)
		}
	}
	return forgotten, nil
}
