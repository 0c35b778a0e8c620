package workers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher"
	"usher/internal/ledger"
	"usher/internal/readable"
)

// except returns the targets whose members the job leaves out: those of its field except or, for a
// rollback, those that the newest mirror has left out. The mirror that a device.forget publishes to
// fill a campaign again uploads its present members (currentMembers), which have been left out before:
// it has no such targets.
func (m *mirror) except(ctx context.Context) ([]ledger.Exception, error) {
	names := m.Work.Job.Except
	if m.ofLedger() {
		before, err := m.before(ctx)
		if err != nil {
			return nil, err
		}
		if names = before.Names(); m.Work.Job.Source.URL == currentMembers {
			names = nil
		}
	}
	return m.worker.Ledger.Except(ctx, m.target, *m.Work.Job.Profile, names)
}

// holdout returns what the job keeps out: its own holdout, or that of the newest mirror.
func (m *mirror) holdout(ctx context.Context) (*usher.Holdout, error) {
	if !m.ofLedger() {
		return m.Work.Job.Holdout, nil
	}
	before, err := m.before(ctx)
	if err != nil || before == nil {
		return nil, err
	}
	return before.Holdout, nil
}

// withhold sets what a comparison leaves out.
func (m *mirror) withhold(ctx context.Context, c *ledger.Comparison) (err error) {
	if c.Except, err = m.except(ctx); err != nil {
		return err
	}
	m.p.Mirror.Except = nil
	for i := range c.Except {
		m.p.Mirror.Except = append(m.p.Mirror.Except, fmt.Sprintf("%s as of its generation %d", c.Except[i].Head.Name, c.Except[i].Head.Generation))
	}
	if c.Holdout, err = m.holdout(ctx); err != nil || m.Work.Job.Source.URL != currentMembers {
		return err
	}
	before, err := m.before(ctx)
	if before != nil {
		c.Kept = before.Except
	}
	return err
}

// ofLedger reports whether the job makes the target equal to what its own ledger says.
func (m *mirror) ofLedger() bool {
	return m.Work.Job.Source != nil && strings.HasPrefix(m.Work.Job.Source.URL, generationScheme)
}

// before returns what the newest mirror of the target has left out, or nil.
func (m *mirror) before(ctx context.Context) (*ledger.Withheld, error) {
	head, _, err := m.worker.Ledger.Head(ctx, m.target)
	if errors.Is(err, ledger.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return m.worker.Ledger.Withheld(ctx, &head)
}

// understand says in the record how many ids were left out, and as of which generations.
func (m *mirror) understand(c *ledger.Comparison) {
	if m.p.Understood == nil {
		return
	}
	m.p.Understood.Withheld = nil
	for i := range c.Except {
		e := &c.Except[i]
		m.p.Understood.Withheld = append(m.p.Understood.Withheld, usher.UnderstoodWithheld{
			Reason: e.Reason(), Count: m.p.Mirror.Withheld[e.Reason()], Generation: e.Head.Generation, At: &e.Head.At,
		})
	}
	if c.Holdout != nil {
		reason := usher.HoldoutReason(c.Holdout)
		m.p.Understood.Withheld = append(m.p.Understood.Withheld, usher.UnderstoodWithheld{Reason: reason, Count: m.p.Mirror.Withheld[reason]})
	}
}

// warnOfMissing warns if the newest mirror of the target has left out people whom this one does not leave
// out: somebody may have forgotten a flag.
func (m *mirror) warnOfMissing(ctx context.Context, c *ledger.Comparison) {
	if m.ofLedger() {
		return
	}
	before, err := m.before(ctx)
	if err != nil || before == nil {
		return // the comparison has read the ledger, and says what is wrong with it
	}
	var missing []string
	for _, name := range before.Names() {
		if !slices.Contains(m.Work.Job.Except, name) {
			missing = append(missing, usher.ExceptReason(name))
		}
	}
	if h := before.Holdout; h != nil && (c.Holdout == nil || *c.Holdout != *h) {
		missing = append(missing, usher.HoldoutReason(h))
	}
	if len(missing) > 0 {
		m.warnOncef(usher.WarnNotWithheld, int64(len(missing)),
			"the mirror of %s before has left out %s, and this one does not: if that is not meant, submit it again with the same except and holdout", m.target, strings.Join(missing, ", "))
	}
}

// withheld returns what the ledger is to keep of what was left out.
func (m *mirror) withheld(c *ledger.Comparison, found *ledger.Differences) *ledger.Withheld {
	w := &ledger.Withheld{Holdout: c.Holdout, HeldOut: found.HeldOut}
	for i := range c.Except {
		e := &c.Except[i]
		w.Except = append(w.Except, ledger.Excepted{Target: e.Head.Name, Generation: e.Head.Generation, At: e.Head.At, Count: found.Withheld[e.Reason()]})
	}
	if c.Kept != nil {
		w.Except = c.Kept
	}
	return w
}

// leaving says how many members would be removed because they are withheld.
func (m *mirror) leaving() (text string) {
	state := m.p.Mirror
	if state.Leaving > 0 {
		text = fmt.Sprintf("; %s of them are in the export, but withheld (%s)", readable.Number(state.Leaving), reasons(state.Withheld))
	}
	if out := state.Read.Tally.Withheld; out.Sum() > 0 { // by rows: the members among them are not counted
		text += fmt.Sprintf("; source.only leaves out %s rows (%s), which may be %s of these members", readable.Number(out.Sum()), reasons(out), readable.Number(min(out.Sum(), state.Remove)))
	}
	return text
}

// reasons lists reasons with their numbers.
func reasons(counts usher.Counts) string {
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, reason+" "+readable.Number(counts[reason]))
	}
	return strings.Join(list, ", ")
}
