package workers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"usher"
	"usher/internal/exports/memory"
	"usher/internal/ledger"
	"usher/internal/readable"
)

// check ends the job before its first change if its export differs from the last good one, or if it would
// remove too much. If both are so, one error says it: an answer to the first alone would only lead to the
// second. No new memory begins with a job that ends here.
func (m *mirror) check(ctx context.Context, c *ledger.Comparison) error {
	err := m.checkBoth(ctx, c)
	if err != nil {
		m.p.Warnings = slices.DeleteFunc(m.p.Warnings, func(w usher.Warning) bool { return w.Code == usher.WarnNewMemory })
	}
	return err
}

func (m *mirror) checkBoth(ctx context.Context, c *ledger.Comparison) error {
	err := m.compareWithLast(ctx, c)
	var changed, guarded *usher.Permanent
	if err != nil && !errors.As(err, &changed) {
		return err
	}
	switch err := m.guard(c); {
	case changed == nil:
		return err
	case err == nil:
		return changed
	case !errors.As(err, &guarded):
		return err
	}
	if guarded.Class != usher.Shrink { // no field of the job answers it
		return usher.Refuse(guarded.Class, guarded.Hint, "%w; besides, the export differs from the last good one: %w", guarded.Err, changed.Err)
	}
	return usher.Refuse(usher.Changed,
		fmt.Sprintf(`have the export written as before; if it is right, submit the job again with "acceptChange": true and "force": true, which removes %s of the members`, readable.Number(m.p.Mirror.Remove)),
		"%w; besides, it would remove %s of %s members (%.1f %%), more than maxRemovePercent %v%s%s", append([]any{changed.Err}, m.removal()...)...)
}

// compareWithLast returns the error for an export that was read in another way than the last good one of
// the target, which the ledger remembers.
func (m *mirror) compareWithLast(ctx context.Context, c *ledger.Comparison) error {
	now := m.reading()
	if now == nil {
		return nil
	}
	last, err := m.worker.Ledger.Memory(ctx, &c.Head)
	if err != nil {
		return err
	}
	if begins := memory.Begins(last, now); begins != "" {
		m.warnOncef(usher.WarnNewMemory, 1, "%s", begins)
		return nil
	}
	job, shift := &m.Work.Job, float64(usher.DefaultMaxShift)
	if job.MaxShift != nil {
		shift = *job.MaxShift
	}
	m.sameDropped = last != nil && !memory.DropsMore(last, now)
	found := memory.Differences(last, now, shift)
	if len(found) == 0 {
		return nil
	}
	text := strings.Join(found, "; ")
	if job.AcceptChange {
		m.warnOncef(usher.WarnChanged, int64(len(found)), "the export differs from the last good one, which acceptChange allows: %s", text)
		return nil
	}
	return usher.Refuse(usher.Changed, `have the export written as before; if it is right, submit the job again with "acceptChange": true`,
		"mirror %s: the export differs from the last good one, that of job %s: %s", m.target, last.Job, text)
}

// reading returns how the job's export was read, or nil if it has none.
func (m *mirror) reading() *usher.Memory {
	if m.p.Understood == nil {
		return nil
	}
	return memory.Of(memory.Read{Job: &m.Work.Job, Understood: m.p.Understood, Tally: &m.p.Mirror.Read.Tally, Warnings: m.p.Warnings})
}

// memory returns what the ledger is to remember of the job's export, or nil if the memory stays. A
// generation that is restored brings its own.
func (m *mirror) memory(c *ledger.Comparison) *usher.Memory {
	if restores, err := m.restores(); restores > 0 && err == nil {
		if c.Wanted != nil && c.Wanted.Memory != nil {
			return c.Wanted.Memory
		}
		return &usher.Memory{}
	}
	now := m.reading()
	if now == nil {
		return nil
	}
	now.Job, now.At = m.Work.ID, m.Now().UTC()
	if at := slices.IndexFunc(m.p.Warnings, func(w usher.Warning) bool { return w.Code == usher.WarnNewMemory }); at >= 0 {
		now.Began = m.p.Warnings[at].Description
	}
	return now
}
