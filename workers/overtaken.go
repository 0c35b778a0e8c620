package workers

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"slices"

	"usher"
	"usher/internal/rtb"
)

// Locks lapse, and a request that was given up may still arrive: then an older
// job's change comes after a newer word. The platform has no fence against it,
// so whoever made the change, or finds it, puts the creative back to what the
// newest word wants. All look at the creative's word after their last change,
// and it is written by compare-and-set: of two, the later one sees the other.

// overtake notes a creative that a change has left otherwise than the newest
// word on it wants, where to put it back is ours: the change is, or the word is
// and an older job made the change. What no job has claimed is somebody else's
// doing, or of a job that will look yet.
func (c *change) overtake(o *outcome, code string, word usher.Word, now usher.Seen) {
	if now.Status == word.Wanted || word.Left != now || c.said[code].Code != "" {
		return
	}
	if word.Changed == c.Order || word.Order == c.Order && word.Changed < c.Order {
		o.overtaken[code] = word
	}
}

// putBack sets what was overtaken to the newest word on it, under the locks.
func (c *change) putBack() error {
	intent, codes := c.Progress.Intent, slices.Sorted(maps.Keys(c.overtaken))
	if intent.Restoring == nil {
		intent.Restoring = map[string]usher.Word{}
	}
	for _, code := range codes {
		word := c.overtaken[code]
		intent.Restoring[code] = word
		if word.Order == c.Order {
			c.warnf("overtaken", "an older job set creative %s to %s after us: put back", code, word.Left.Status)
			continue
		}
		c.warnf("superseded", "creative %s was set to %s after the newer job %s had wanted %s: put back", code, word.Left.Status, word.Job, word.Wanted)
	}
	if err := c.saved(); err != nil && !errors.Is(err, usher.ErrLeaseLost) {
		return err
	}
	if err := c.postEach(codes, func(code string) string { return intent.Restoring[code].Wanted }); err != nil {
		return err
	}
	return c.account(c.ctx)
}

// restored says what became of a creative that was to be put back to word.
func (c *change) restored(ctx context.Context, s rtb.CreativeStatus, word usher.Word, o *outcome) error {
	code, now := s.CreativeCode, seen(s)
	asked := now.Status == word.Wanted
	newest, err := c.Spoken(ctx, code, c.wanted, now, asked)
	if err != nil {
		return err
	}
	c.overtake(o, code, newest, now)
	if !asked || !newest.By(c.Order, now) {
		return nil
	}
	o.changed = append(o.changed, code)
	a := usher.Audit{
		At: c.Now().UTC(), Job: c.ID, Run: c.Work.Run, Actor: c.Job.Actor, Campaign: c.Job.Campaign, Creative: code,
		Reason: "put back: an older job's change came after job " + word.Job,
		Before: word.Left.Status, Wanted: word.Wanted, After: now.Status, Restores: word.Job,
	}
	if _, is := c.decided[code]; is { // so that the rule learns that it is not its own any more
		a.Evaluation, a.AsOf, a.LatestUpdate = c.Job.Evaluation, c.asOf, now.LatestUpdate
	}
	return c.tellOf(ctx, a, o)
}

// lastLook reports whether a job that ended for this cause may have nobody come
// after it who looks at what it did: it is over, or another worker has it, and
// may have looked already.
func lastLook(cause error) bool {
	return errors.Is(cause, usher.ErrCancelled) || errors.Is(cause, usher.ErrDeadline) || errors.Is(cause, usher.ErrLeaseLost)
}

// aftermath accounts for what such a job has posted.
func (c *change) aftermath() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), accountTime)
	defer cancel()
	c.ctx, c.lost = ctx, nil
	err := c.account(ctx)
	if len(c.overtaken) == 0 {
		return err
	}
	return c.underLocks(c.putBack)
}

// mayStillCome reports whether a post whose answer was lost may take effect
// later: not where nobody took it, nor where the platform itself has failed.
func mayStillCome(err error) bool {
	var fault *rtb.Fault
	if errors.As(err, &fault) {
		return fault.Status == http.StatusBadGateway || fault.Status == http.StatusGatewayTimeout
	}
	var dial *net.OpError
	return !errors.As(err, &dial) || dial.Op != "dial"
}
