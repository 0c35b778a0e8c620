package workers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher"
	"usher/internal/ledger"
	"usher/internal/readable"
)

// refreshDays is the default of a segment.mirror's refreshDays.
const refreshDays = 2

// mirror is a segment.mirror or a target.mirror while its handler runs: it makes a target
// equal to an export, in phases. The record holds the phase. A phase with several parts is
// shared by all workers. A part writes its result to a file in the staging of the job, and
// phases exchange nothing else.
type mirror struct {
	*Job

	target  ledger.Target
	staging *ledger.Staging
	p       *usher.Progress
	stop    context.CancelCauseFunc // ends the work if the platform keeps only the last upload

	sameDropped bool // the last good export had as great a share of rows without an id to send
}

// mirror makes the job's target equal to an export. A worker that has no files for ledgers
// refuses the job. The first mirror of a target that has no ledger only adds, because it is not
// known what the target holds. If a campaign already targets ids, the job is refused, or with
// force clears them first.
func (j *Job) mirror(ctx context.Context) error {
	if j.worker.Ledger == nil || !j.worker.Ledger.HasFiles() {
		return usher.Refuse(usher.InvalidJob, "set ledger.url on all workers: a folder that they share, or a bucket",
			"mirror %s: this worker has no ledger", j.Work.Job.Target(j.Work.Kind))
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	m := &mirror{Job: j, target: j.ledgerTarget(), p: &j.Work.Progress, stop: stop}
	m.staging = j.worker.Ledger.Staging(m.target, j.Work.ID, j.Work.Run)
	if j.Work.Step != "" {
		return ledger.JobError(m.part(ctx))
	}
	if err := j.awaitTurn(ctx); err != nil {
		return err
	}
	if m.target.IsSegment() {
		return ledger.JobError(m.run(ctx))
	}
	j.readSize = j.finalNumberOfIDs
	return ledger.JobError(m.run(ctx))
}

// ledgerTarget returns the target of the job in the ledger.
func (j *Job) ledgerTarget() ledger.Target {
	return ledger.TargetOf(j.worker.Advertiser, j.Work.Kind, &j.Work.Job)
}

// run runs the phases from the one on record.
func (m *mirror) run(ctx context.Context) error {
	if m.p.Mirror == nil || m.p.Mirror.Run != m.Work.Run || m.p.Phase == "" {
		if superseded, err := m.superseded(ctx); superseded || err != nil {
			return err
		}
		if err := m.begin(ctx); err != nil {
			return err
		}
	}
	for {
		var err error
		switch m.p.Phase {
		case usher.PhaseRead:
			err = m.read(ctx)
		case usher.PhaseCompare:
			err = m.compare(ctx)
		case usher.PhaseClear:
			err = m.clear(ctx)
		case usher.PhaseAdd:
			err = m.add(ctx)
		case usher.PhaseRemove:
			err = m.remove(ctx)
		case usher.PhaseCommit:
			return m.commit(ctx)
		default:
			return fmt.Errorf("run phase %q of job %s: it is not one of a mirror", m.p.Phase, m.Work.ID)
		}
		if err != nil || m.snoozed || m.p.Phase == "" {
			return err
		}
	}
}

// enter begins a phase.
func (m *mirror) enter(phase usher.Phase) error {
	state := m.p.Mirror
	m.p.Phase, m.p.Counted = phase, 0
	state.Total, state.Done, state.Shared, state.Changed, state.Started = 0, 0, false, 0, m.Local().UTC()
	state.Runs, state.Sent = 0, usher.Checkpoint{}
	return m.Save()
}

// superseded reports whether a newer mirror of the target has been committed.
func (m *mirror) superseded(ctx context.Context) (bool, error) {
	head, _, err := m.worker.Ledger.Head(ctx, m.target)
	if errors.Is(err, ledger.ErrNone) {
		return false, nil
	}
	if err != nil || head.Order <= m.Work.Order {
		return false, err
	}
	m.p.New = new(int64(0))
	m.Warnf(usher.WarnSuperseded, "job %s, which is newer, has made %s equal to its export: nothing was done", head.Job, m.target)
	return true, nil
}

// begin checks the target and begins the first phase.
func (m *mirror) begin(ctx context.Context) error {
	*m.p = usher.Progress{}
	m.p.Mirror = &usher.Mirror{Run: m.Work.Run, Today: m.Now().UTC()}
	if !m.target.IsSegment() {
		if err := m.readTarget(ctx); err != nil {
			return err
		}
		if _, err := m.except(ctx); err != nil {
			return err
		}
		return m.enter(usher.PhaseRead)
	}
	segment, err := m.readSegment(ctx)
	if err != nil {
		return err
	}
	if _, err := m.except(ctx); err != nil { // before the export is read
		return err
	}
	m.p.Mirror.Duration = int(min(max(segment.DurationInDays, 0), 1<<15))
	return m.enter(usher.PhaseRead)
}

// generationScheme begins the URL of a source that is a generation of the target's ledger.
const generationScheme = "ledger:"

// currentMembers is the URL of a source that is what the ledger says of the target.
const currentMembers = generationScheme + "current"

// restores returns the generation that the job restores, or 0 if it mirrors an export.
func (m *mirror) restores() (int64, error) {
	number, found := strings.CutPrefix(m.Work.Job.Source.URL, generationScheme)
	if !found || number == "current" {
		return 0, nil
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 {
		return 0, usher.Refuse(usher.InvalidJob, "name a generation that `usher ledger show` lists: ledger:3", "read source: it is no generation of a ledger")
	}
	return n, nil
}

// compare is the phase compare. It decides what is to be added and removed, and ends the job
// if that is too much.
func (m *mirror) compare(ctx context.Context) error {
	comparison, err := m.comparison(ctx)
	if err != nil {
		return err
	}
	done, err := m.each(ctx, usher.PhaseCompare, comparison.Groups, func(ctx context.Context, group int) error {
		return m.compareGroup(ctx, comparison, group)
	})
	if err != nil || !done {
		return err
	}
	found, err := m.worker.Ledger.Differences(ctx, comparison)
	if err != nil {
		return err
	}
	state := m.p.Mirror
	state.Members, state.Wanted, state.Suppressed = found.Members, found.Wanted, found.Suppressed
	state.Add, state.Refresh, state.Unchanged, state.Remove = found.Added+found.Refreshed, found.Refreshed, found.Unchanged, found.Removed
	state.Withheld, state.Leaving = found.Withheld, found.Leaving
	ids := state.Wanted + state.Suppressed + state.Withheld.Sum()
	if restores, _ := m.restores(); restores == 0 && (ids == 0 || ids > state.Read.Tally.Accepted) {
		return fmt.Errorf("compare %s: the sorted files have %d ids, but %d rows with an id were read: this is a bug in usher", m.target, ids, state.Read.Tally.Accepted)
	}
	m.understand(comparison)
	m.warnOfMissing(ctx, comparison)
	err = m.check(ctx, comparison)
	if err == nil && m.Work.Job.DryRun || errors.As(ledger.JobError(err), new(*usher.Permanent)) {
		m.discard(ctx, comparison)
	}
	if err != nil {
		return err
	}
	if m.Work.Job.DryRun {
		m.p.Phase, m.p.Checkpoint, state.Removed = "", m.result(usher.Checkpoint{}), state.Remove
		m.p.New, err = m.worker.Ledger.New(ctx, comparison, found, nil)
		m.conclude(state.Wanted)
		return err
	}
	pending := &ledger.Pending{Lists: slices.Concat(found.Adds, found.Removes), Cleared: state.Clear}
	if state.Clear {
		pending.Lists = slices.Concat(found.Shards, found.Removes)
	}
	switch _, _, err = m.worker.Ledger.BeginMirror(ctx, comparison, pending); {
	case errors.Is(err, ledger.ErrConflict):
		state.Again = true
		return m.enter(usher.PhaseCompare) // with what the ledger says now
	case err != nil:
		return err
	case state.Clear:
		m.Warnf(usher.WarnNotAtomic, "the list was cleared before it was filled again; what the platform served in between is not documented")
		return m.enter(usher.PhaseClear)
	}
	return m.enter(usher.PhaseAdd)
}

// discard removes the files of a comparison that is not carried out. If the head says that this run is pending, as
// it does after a crash, the lists that it names stay: they are part of the ledger.
func (m *mirror) discard(ctx context.Context, c *ledger.Comparison) {
	head, _, err := m.worker.Ledger.Head(ctx, m.target)
	if p := head.Pending; p != nil && p.Job == m.Work.ID && p.Run == m.Work.Run {
		return
	}
	if err == nil || errors.Is(err, ledger.ErrNone) {
		err = m.worker.Ledger.Discard(ctx, c)
	}
	if err != nil {
		m.Log.Warn("removing the files of a comparison; the next mirror tries again", "error", err)
	}
}

// comparison returns what is compared.
func (m *mirror) comparison(ctx context.Context) (c *ledger.Comparison, err error) {
	if m.p.Mirror.Shared {
		return m.staging.ReadComparison(ctx)
	}
	state := m.p.Mirror
	c = &ledger.Comparison{
		Job: m.Work.ID, Run: m.Work.Run, Today: ledger.DayOf(state.Today), Duration: state.Duration, Refresh: refreshDays,
	}
	if days := m.Work.Job.RefreshDays; days != nil {
		c.Refresh = *days
	}
	c.Head, c.Revision, err = m.worker.Ledger.Head(ctx, m.target)
	if errors.Is(err, ledger.ErrNone) {
		c.Head, err = ledger.Head{V: 1, Target: m.target}, nil
	}
	if err != nil {
		return nil, err
	}
	if p := c.Head.Pending; p != nil && p.Job == m.Work.ID && p.Run == m.Work.Run {
		// A crash came before the next phase, so that nothing was sent: what the target holds is as certain
		// as before.
		if earlier, err := m.staging.ReadComparison(ctx); !errors.As(err, new(*ledger.DamagedError)) {
			return earlier, err
		}
	}
	if err := m.withhold(ctx, c); err != nil {
		return nil, err
	}
	digests := state.Read.Tally.Accepted
	if restores, err := m.restores(); err != nil {
		return nil, err
	} else if restores > 0 {
		if c.Wanted, err = m.worker.Ledger.Generation(ctx, m.target, restores); err != nil {
			return nil, err
		}
		digests = c.Wanted.Fingerprint.Count + ledger.Digests(c.WantedHeldOut())
	} else {
		for part := range state.Parts {
			var read partResult
			if err := m.staging.Read(ctx, resultName(usher.PhaseRead, part), &read); err != nil {
				return nil, err
			}
			c.Runs = append(c.Runs, read.Runs)
		}
	}
	c.Cut(digests)
	return c, m.staging.WriteComparison(ctx, c)
}

func (m *mirror) compareGroup(ctx context.Context, c *ledger.Comparison, group int) error {
	list, err := m.worker.Suppressed.Current(ctx)
	if err != nil {
		return err
	}
	if list != nil {
		return m.worker.Ledger.Compare(ctx, c, group, list.Has)
	}
	return m.worker.Ledger.Compare(ctx, c, group, nil)
}

// guard ends the job before its first change if it would remove too much.
func (m *mirror) guard(c *ledger.Comparison) error {
	state, job := m.p.Mirror, &m.Work.Job
	first := c.Head.Generation == 0 && c.Head.Pending == nil
	held := m.p.NumberOfIDs.Before
	switch {
	case first && m.target.IsSegment():
		m.warnOncef(usher.WarnNoLedger, 1,
			"%s had no ledger, so nothing was removed: if it held ids before, run usher ledger adopt %s EXPORT --profile %s with an export of exactly the ids that it holds now", m.target, m.target, m.Work.Job.Profile)
	case first && held > 0 && !job.Force:
		return usher.Refuse(usher.Shrink, fmt.Sprintf("run usher ledger adopt %s EXPORT --profile %s with an export of these ids; or submit again with force, which clears them", m.target, m.Work.Job.Profile),
			"%s has no ledger and targets %s ids, which would be removed; if that is right, submit again with force", m.target, readable.Number(held))
	case first:
		m.warnOncef(usher.WarnNoLedger, 1,
			"%s had no ledger, so it is not known which ids it targeted; usher ledger adopt %s EXPORT --profile %s records them, from an export", m.target, m.target, m.Work.Job.Profile)
	}
	if !m.target.IsSegment() {
		unknown := first && held > 0 || c.Head.MayBeCleared()
		state.Clear = state.Remove > 0 || unknown
	}
	if state.Wanted == 0 && state.Withheld.Sum() > 0 {
		return usher.Refuse(usher.SourceBroken, "check the exceptions and the holdout; a mirror never empties a target, also not with force",
			"mirror %s: all %s ids of the export are withheld (%s), so nothing would be left", m.target, readable.Number(state.Withheld.Sum()), reasons(state.Withheld))
	}
	if job.Force || float64(state.Remove)*100 <= m.maxRemovePercent()*float64(state.Members) {
		return nil
	}
	removal := m.removal()
	if job.AcceptChange {
		return usher.Refuse(usher.Shrink, `check the export; if it is right, submit the job again with "acceptChange": true and "force": true`,
			"would remove %s of %s members (%.1f %%), more than maxRemovePercent %v%s; if that is right, submit again with force%s", removal...)
	}
	return usher.Refuse(usher.Shrink, `check the export; if it is right, submit the job again with "force": true, or with a greater maxRemovePercent`,
		"would remove %s of %s members (%.1f %%), more than maxRemovePercent %v%s; if that is right, submit again with force%s", removal...)
}

// removal returns what a message says of the members that would be removed.
func (m *mirror) removal() []any {
	state := m.p.Mirror
	return []any{
		readable.Number(state.Remove), readable.Number(state.Members), 100 * float64(state.Remove) / float64(max(state.Members, 1)), m.maxRemovePercent(), m.dropping(), m.leaving(),
	}
}

// dropping says how many rows of the export have no id to send, which may be why members would be removed:
// unless the last good export had as many. Those that source.only leaves out have one.
func (m *mirror) dropping() string {
	t := &m.p.Mirror.Read.Tally
	dropped := t.Dropped()
	maps.DeleteFunc(dropped, func(reason string, _ int64) bool { return strings.HasPrefix(reason, "withheld.") })
	if len(dropped) == 0 || m.sameDropped {
		return ""
	}
	return fmt.Sprintf(", and %s of the %s rows of the export have no id to send (%s)", readable.Number(dropped.Sum()), readable.Number(t.Read), reasons(dropped))
}

// maxRemovePercent is the share of the members that the job may remove.
func (m *mirror) maxRemovePercent() float64 {
	if percent := m.Work.Job.MaxRemovePercent; percent != nil {
		return *percent
	}
	return usher.DefaultMaxRemovePercent
}

// conclude notes the consequence of the job, after which the target has so many members.
func (m *mirror) conclude(now int64) {
	state := m.p.Mirror
	added := max(state.Add-state.Refresh-m.p.Checkpoint.Tally.Refused.Sum(), 0)
	if m.p.New != nil {
		added = *m.p.New
	}
	state.Consequence = &usher.Consequence{
		Added: added, Removed: state.Removed, Now: now,
		Large: 2*100*float64(state.Removed) > m.maxRemovePercent()*float64(state.Members),
	}
}

// clear is the phase clear of a target that is filled again.
func (m *mirror) clear(ctx context.Context) error {
	if err := m.clearTarget(ctx); err != nil {
		return err
	}
	return m.enter(usher.PhaseAdd)
}

// commit makes the new generation the current one and counts what was done.
func (m *mirror) commit(ctx context.Context) error {
	comparison, err := m.staging.ReadComparison(ctx)
	if err != nil {
		if head, _, err := m.worker.Ledger.Head(ctx, m.target); err == nil && head.Job == m.Work.ID && head.Run == m.Work.Run && head.Pending == nil {
			m.conclude(head.Fingerprint.Count) // a crash came after the staging was removed, and m.p has the result
			return nil
		}
		return err
	}
	found, err := m.worker.Ledger.Differences(ctx, comparison)
	if err != nil {
		return err
	}
	refused, kept, err := m.count(ctx, comparison, found)
	if err != nil {
		return err
	}
	if err := m.Save(); err != nil { // the result, before what it is made of is removed
		return err
	}
	head, revision, err := m.worker.Ledger.BeginMirror(ctx, comparison, nil)
	switch {
	case errors.Is(err, ledger.ErrConflict) && head.Job == m.Work.ID && head.Run == m.Work.Run:
		m.conclude(head.Fingerprint.Count)
		return nil // it is committed
	case err != nil:
		return fmt.Errorf("commit the ledger of %s: %w", m.target, err)
	}
	shards, err := m.worker.Ledger.Correct(ctx, comparison, &ledger.Correction{
		Head: head, Shards: found.Shards, Refused: refused, Kept: kept, Cleared: m.p.Mirror.Clear,
	})
	if err != nil {
		return err
	}
	head, err = m.worker.Ledger.Commit(ctx, &ledger.Commit{
		Head: head, Revision: revision, Job: m.Work.ID, Run: m.Work.Run, Order: m.Work.Order,
		Profile: *m.Work.Job.Profile, Duration: m.p.Mirror.Duration, Shards: shards, Withheld: m.withheld(comparison, found), Memory: m.memory(comparison),
	})
	if err != nil {
		return fmt.Errorf("commit the ledger of %s: %w", m.target, err)
	}
	m.conclude(head.Fingerprint.Count)
	if err := m.worker.Ledger.Collect(ctx, &head); err != nil {
		m.Log.Warn("removing files of the ledger that are no longer needed; the next mirror tries again", "error", err)
	}
	return nil
}

// count counts what was done. It returns the digests that the platform has refused to add, and to
// remove.
func (m *mirror) count(ctx context.Context, comparison *ledger.Comparison, found *ledger.Differences) (refused, kept []ledger.File, err error) {
	sent, refused, err := m.sent(ctx, usher.PhaseAdd)
	if err != nil {
		return nil, nil, err
	}
	removed, kept, err := m.sent(ctx, usher.PhaseRemove)
	if err != nil {
		return nil, nil, err
	}
	state := m.p.Mirror
	state.Removed = removed.Tally.Accepted
	if state.Clear {
		state.Removed = state.Remove
	}
	if n := removed.Tally.Refused.Sum(); n > 0 {
		m.warnOncef(usher.WarnNotRemoved, n, "the platform refused to remove ids; they stay members")
	}
	m.p.Checkpoint = m.result(sent)
	if err := m.p.Checkpoint.Tally.Check(); err != nil {
		return nil, nil, err
	}
	added, err := m.worker.Ledger.New(ctx, comparison, found, refused)
	if errors.As(err, new(*ledger.DamagedError)) {
		return refused, kept, nil // a crash came after the commit, and m.p has the number
	}
	m.p.New = added
	return refused, kept, err
}

// result returns the tally of the job, from what was read, compared and sent.
func (m *mirror) result(sent usher.Checkpoint) usher.Checkpoint {
	state := m.p.Mirror
	c := sent
	c.Samples, c.Repeats = state.Read.Samples, false
	t := state.Read.Tally.Clone()
	read := t.Accepted
	if strings.HasPrefix(m.Work.Job.Source.URL, generationScheme) {
		read = state.Wanted + state.Suppressed + state.Withheld.Sum()
		t.Read = read
	}
	t.Accepted, t.Unchanged = state.Add, state.Unchanged
	if state.Clear {
		t.Accepted, t.Unchanged = state.Wanted, 0
	}
	t.Duplicate = read - t.Accepted - t.Unchanged - state.Suppressed - state.Withheld.Sum()
	t.AddWithheld(state.Withheld)
	t.Suppressed += state.Suppressed
	t.Refused = sent.Tally.Refused
	t.Suppressed += sent.Tally.Suppressed // since they were compared
	t.Accepted -= t.Refused.Sum() + sent.Tally.Suppressed
	c.Rows, c.Tally = t.Read, t
	return c
}

// The time after which a mirror whose parts run looks how far they are, so that people see it: an
// eighth of the time that the phase has taken so far, within these bounds. The last part releases it.
const (
	shortestSnooze = 500 * time.Millisecond
	longestSnooze  = 10 * time.Second
)

// each runs the parts of a phase: in this slot if there is one, otherwise in all slots. It
// reports whether all have ended; otherwise the job is snoozed. The parts of a phase can be
// published once, so that a phase that is repeated is done in this slot.
func (m *mirror) each(ctx context.Context, phase usher.Phase, n int, do func(context.Context, int) error) (done bool, err error) {
	state := m.p.Mirror
	if n <= 1 || phase == usher.PhaseCompare && state.Again {
		for part := 0; part < n && err == nil; part++ {
			err = do(ctx, part)
		}
		return err == nil, err
	}
	if !state.Shared {
		if err := m.Lease.PublishStep(ctx, phase, m.p.Plan, n); err != nil {
			return false, fmt.Errorf("publish the parts of a phase: %w", err)
		}
		state.Shared, state.Total = true, n
	}
	shared, err := m.Lease.StepProgress(ctx, phase)
	switch {
	case err != nil:
		return false, fmt.Errorf("read the parts of a phase: %w", err)
	case shared.Failed:
		return false, usher.ErrEnding
	case shared.Done == n:
		return true, nil
	}
	state.Done, state.Changed, state.Updated = shared.Done, shared.Changed, m.Local().UTC()
	m.p.Counted, m.p.Counting = max(m.p.Counted, shared.Done), shared.Rows
	m.snoozed = true
	return false, m.Lease.Snooze(*m.p, min(max(state.Updated.Sub(state.Started)/8, shortestSnooze), longestSnooze))
}
