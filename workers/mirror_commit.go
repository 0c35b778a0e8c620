package workers

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"usher"
	"usher/internal/ledger"
)

// commit makes the new generation the current one and counts what was done.
func (m *mirror) commit(ctx context.Context) error {
	comparison, err := m.staging.ReadComparison(ctx)
	if err != nil {
		if head, _, err := m.worker.Ledger.Head(ctx, m.target); err == nil && head.Job == m.Work.ID && head.Run == m.Work.Run && head.Pending == nil {
			return nil // a crash came after the staging was removed, and m.p has the result
		}
		return err
	}
	found, err := m.worker.Ledger.Differences(ctx, comparison)
	if err != nil {
		return err
	}
	sent, refused, err := m.sent(ctx, usher.PhaseAdd)
	if err != nil {
		return err
	}
	removed, kept, err := m.sent(ctx, usher.PhaseRemove)
	if err != nil {
		return err
	}
	state := m.p.Mirror
	state.Removed = removed.Tally.Accepted
	if state.Clear {
		state.Removed = state.Remove
	}
	if n := removed.Tally.Refused.Sum(); n > 0 {
		m.p.Warnings = addOnce(m.p.Warnings, []usher.Warning{{Code: "not_removed", Count: n, Description: "the platform refused to remove ids; they stay members"}})
	}
	m.p.Checkpoint = m.result(sent)
	if err := m.p.Checkpoint.Tally.Check(); err != nil {
		return err
	}
	if err := m.Save(); err != nil { // the result, before what it is made of is removed
		return err
	}
	head, revision, err := m.worker.Ledger.BeginMirror(ctx, comparison, nil)
	switch {
	case errors.Is(err, ledger.ErrConflict) && head.Job == m.Work.ID && head.Run == m.Work.Run:
		return nil // it is committed
	case err != nil:
		return fmt.Errorf("commit the ledger of %s: %w", m.target, err)
	}
	shards, err := m.worker.Ledger.Correct(ctx, comparison, found.Shards, refused, kept)
	if err != nil {
		return err
	}
	head, err = m.worker.Ledger.Commit(ctx, &ledger.Commit{
		Head: head, Revision: revision, Job: m.Work.ID, Run: m.Work.Run, Order: m.Work.Order,
		Profile: *m.Work.Job.Profile, Days: state.Duration > 0, Shards: shards,
	})
	if err != nil {
		return fmt.Errorf("commit the ledger of %s: %w", m.target, err)
	}
	if err := m.worker.Ledger.Collect(ctx, &head); err != nil {
		m.Log.Warn("removing files of the ledger that are no longer needed; the next mirror tries again", "error", err)
	}
	return nil
}

// result returns the tally of the job, from what was read, compared and sent.
func (m *mirror) result(sent usher.Checkpoint) usher.Checkpoint {
	state := m.p.Mirror
	c := sent
	c.Samples, c.Repeats = state.Read.Samples, false
	t := state.Read.Tally.Clone()
	read := t.Accepted
	if strings.HasPrefix(m.Work.Job.Source.URL, generationScheme) {
		read = state.Wanted + state.Suppressed
		t.Read = read
	}
	t.Accepted, t.Unchanged = state.Add, state.Unchanged
	if state.Clear {
		t.Accepted, t.Unchanged = state.Wanted, 0
	}
	t.Duplicate = read - t.Accepted - t.Unchanged - state.Suppressed
	t.Suppressed += state.Suppressed
	t.Refused = sent.Tally.Refused
	t.Suppressed += sent.Tally.Suppressed // since they were compared
	t.Accepted -= t.Refused.Sum() + sent.Tally.Suppressed
	c.Rows, c.Tally = t.Read, t
	return c
}
