package workers

import (
	"context"
	"strings"

	"usher"
	"usher/internal/exports/memory"
	"usher/internal/ledger"
)

// remember ends the job before its first change if its export was read in another way than the
// last good one of the target, which the ledger remembers.
func (m *mirror) remember(ctx context.Context, c *ledger.Comparison) error {
	now := m.reading()
	if now == nil {
		return nil
	}
	last, err := m.worker.Ledger.Memory(ctx, &c.Head)
	if err != nil {
		return err
	}
	job, shift := &m.Work.Job, float64(usher.DefaultMaxShift)
	if job.MaxShift != nil {
		shift = *job.MaxShift
	}
	found := memory.Differences(last, now, shift)
	if len(found) == 0 {
		return nil
	}
	text := strings.Join(found, "; ")
	if job.AcceptChange {
		m.p.Warnings = addOnce(m.p.Warnings, []usher.Warning{{Code: string(usher.Changed), Count: int64(len(found)), Description: "the export differs from the last good one, which acceptChange allows: " + text}})
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
	if now != nil {
		now.Job, now.At = m.Work.ID, m.Now().UTC()
	}
	return now
}
