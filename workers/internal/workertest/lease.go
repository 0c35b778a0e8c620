package workertest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/workers"
)

// Retried has the arguments with which a piece of work was returned to the queue.
type Retried struct {
	After  time.Duration
	Why    string
	Counts bool
}

// Lease is a workers.Lease, and a campaign.RuleStore, that records what is done
// with it. It may be run again.
type Lease struct {
	Piece usher.Work // with the progress that was saved last

	Before    string                         // what WaitsFor returns
	Newest    map[string]usher.CreativeEntry // the entries of creatives
	OnSave    func(usher.Progress) error     // called before a progress is saved; nil: Save succeeds
	OnAudit   func(usher.Audit) error        // called before an audit is stored; nil: Audit succeeds
	Decisions []usher.StoredDecision         // decisions of the job's evaluation
	Missed    error                          // nil, or reads miss the decisions, and this is why that cannot be proven
	UndoOf    string                         // the evaluation that the job's evaluation undoes, by ada
	Approved  bool                           // a person has approved the evaluation
	Version   string                         // version of the rule file that decided
	DecidedAt time.Time
	JudgedAt  *time.Time

	ctx       context.Context
	cancel    context.CancelCauseFunc
	onSettled func()

	mu         sync.Mutex
	Saved      []usher.Progress
	Ended      *usher.Ending
	SizeAfter  *int64 // what Ended.ReadSize returned
	Retried    *Retried
	Parts      []usher.Part             // the parts into which the job was cut
	Steps      map[usher.Phase][]*Lease // the parts of steps that the job shares
	Audits     []usher.Audit
	Claimed    map[string]string // the calls of ClaimChange: creative → wanted
	Campaigns  []string          // of the calls of ClaimCampaign
	Remembered []usher.Audit
	// RunWarnings are the warnings that the job has added to its run.
	RunWarnings []usher.Warning
	ByCreative  map[string][]usher.Change // what rules remember of creatives
	Changes     []usher.Change            // of the number that the job changes, oldest first, with its claim
}

// Begin makes the lease ready for a delivery; Bench.Run calls it.
func (l *Lease) Begin(ctx context.Context) {
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	l.Ended, l.Retried, l.Parts, l.SizeAfter = nil, nil, nil, nil
	if l.Claimed == nil {
		l.Claimed = map[string]string{}
	}
	if l.Newest == nil {
		l.Newest = map[string]usher.CreativeEntry{}
	}
	if l.Piece.Attempts == 0 {
		l.Piece.Attempts = 1
	}
	if l.Piece.Run == 0 {
		l.Piece.Run = 1
	}
	if l.Piece.Published.IsZero() {
		l.Piece.Published = time.Now()
	}
}

// Cancel ends the context of the work.
func (l *Lease) Cancel(cause error) { l.cancel(cause) }

// Work implements workers.Lease.
func (l *Lease) Work() usher.Work {
	work := l.Piece
	work.Progress = stored(work.Progress)
	if plan := l.Piece.Progress.Plan; plan != nil { // a queue keeps the parts elsewhere
		work.Progress.Plan.Parts = plan.Parts
	}
	return work
}

// Context implements workers.Lease.
func (l *Lease) Context() context.Context { return l.ctx }

// Held implements workers.Lease.
func (l *Lease) Held() bool { return !errors.Is(context.Cause(l.ctx), usher.ErrLeaseLost) }

// stored returns a copy of the progress, as if it had been stored and read again: it
// shares no memory with the worker's progress.
func stored(p usher.Progress) (kept usher.Progress) {
	data, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil {
		panic(err)
	}
	return kept
}

// Save implements workers.Lease.
func (l *Lease) Save(p usher.Progress) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.OnSave != nil {
		if err := l.OnSave(p); err != nil {
			return err
		}
	}
	l.Piece.Progress = stored(p)
	l.Saved = append(l.Saved, l.Piece.Progress)
	return nil
}

// End implements workers.Lease.
func (l *Lease) End(e usher.Ending) error {
	l.Ended, l.Piece.Progress = &e, stored(e.Progress)
	if e.ReadSize != nil {
		n, err := e.ReadSize()
		if err == nil {
			l.SizeAfter = &n
		}
	}
	if e.CountNew != nil {
		n, err := e.CountNew()
		if err != nil {
			return err
		}
		l.Piece.Progress.New = n
	}
	return l.settled()
}

// Retry implements workers.Lease.
func (l *Lease) Retry(p usher.Progress, after time.Duration, why string, counts bool) error {
	l.Retried, l.Piece.Progress = &Retried{after, why, counts}, stored(p)
	if counts {
		l.Piece.Attempts++
	}
	return l.settled()
}

func (l *Lease) settled() error {
	if l.onSettled != nil {
		l.onSettled()
	}
	return nil
}

// WaitsFor implements workers.Lease.
func (l *Lease) WaitsFor(context.Context) (string, error) { return l.Before, nil }

// TakeAlong implements workers.Lease. No job follows.
func (l *Lease) TakeAlong(context.Context, int) ([]workers.Lease, error) { return nil, nil }

// Split implements workers.Lease.
func (l *Lease) Split(plan usher.Plan, p usher.Progress) error {
	l.Parts = plan.Parts
	p.Plan = &plan
	l.Piece.Progress = p
	return l.settled()
}

// PublishStep implements workers.Lease. The test runs the parts, see Bench.RunShared.
func (l *Lease) PublishStep(_ context.Context, step usher.Phase, plan *usher.Plan, n int) error {
	if l.Steps == nil {
		l.Steps = map[usher.Phase][]*Lease{}
	}
	if l.Steps[step] != nil {
		return nil
	}
	for i := range n {
		piece := l.Piece
		piece.Step, piece.Part, piece.Parts, piece.Attempts, piece.Crashes = step, i, n, 1, 0
		piece.Progress = usher.Progress{Plan: plan}
		if step == usher.PhaseRead {
			piece.Range = piece.Progress.Plan.Parts[i]
		}
		l.Steps[step] = append(l.Steps[step], &Lease{Piece: piece})
	}
	return nil
}

// StepProgress implements workers.Lease.
func (l *Lease) StepProgress(_ context.Context, step usher.Phase) (s usher.StepProgress, _ error) {
	for _, part := range l.Steps[step] {
		switch {
		case part.Ended == nil:
		case part.Ended.State == usher.Done:
			s.Done++
		default:
			s.Failed = true
		}
	}
	return s, nil
}

// Snooze implements workers.Lease.
func (l *Lease) Snooze(p usher.Progress, _ time.Duration) error {
	l.Piece.Progress = stored(p)
	return l.settled()
}

// Entries implements workers.Lease.
func (l *Lease) Entries(_ context.Context, creatives []string) (map[string]usher.CreativeEntry, error) {
	entries := map[string]usher.CreativeEntry{}
	for _, code := range creatives {
		entries[code] = l.Newest[code]
	}
	return entries, nil
}

// ClaimChange implements workers.Lease. The entries of other jobs are those in Newest.
func (l *Lease) ClaimChange(_ context.Context, creative, wanted string, known usher.CreativeEntry, now usher.CreativeState, asked bool) (usher.CreativeEntry, error) {
	entry := l.Newest[creative]
	if entry != known {
		return entry, usher.ErrEntryChanged
	}
	l.Claimed[creative] = wanted
	if entry.Order <= l.Piece.Order {
		entry.Order, entry.Wanted, entry.Job = l.Piece.Order, wanted, l.Piece.ID
	}
	if asked && entry.Left != now {
		entry.ChangedOrder, entry.Left = l.Piece.Order, now
	}
	l.Newest[creative] = entry
	return entry, nil
}

// ClaimCampaign implements workers.Lease.
func (l *Lease) ClaimCampaign(context.Context) error {
	l.Campaigns = append(l.Campaigns, l.Piece.Job.Campaign)
	return nil
}

// Audit implements workers.Lease.
func (l *Lease) Audit(ctx context.Context, a usher.Audit) error {
	if l.OnAudit != nil {
		if err := l.OnAudit(a); err != nil {
			return err
		}
	}
	l.Audits = append(l.Audits, a)
	return context.Cause(ctx)
}

// Memory implements campaign.RuleStore.
func (l *Lease) Memory(_ context.Context, campaigns []string) (map[string]map[string][]usher.Change, error) {
	return map[string]map[string][]usher.Change{campaigns[0]: l.ByCreative}, nil
}

// DecisionsOf implements campaign.RuleStore.
func (l *Lease) DecisionsOf(_ context.Context, _ *usher.Work, proven bool) (usher.Evaluation, []usher.StoredDecision, error) {
	if l.Missed != nil && !proven {
		return usher.Evaluation{}, nil, nil
	}
	if l.Missed != nil {
		return usher.Evaluation{}, nil, l.Missed
	}
	e := usher.Evaluation{ID: "tick", File: "budgets", Version: l.Version, At: l.DecidedAt, Judged: l.JudgedAt, State: usher.EvaluationHeld}
	if l.UndoOf != "" {
		e.UndoOf, e.By = l.UndoOf, "ada"
	}
	if l.Approved {
		e.State = usher.EvaluationApproved
	}
	return e, l.Decisions, nil
}

// Warn implements campaign.RuleStore.
func (l *Lease) Warn(_ context.Context, _ string, w usher.Warning) error {
	l.RunWarnings = append(l.RunWarnings, w)
	return nil
}

// Remember implements campaign.RuleStore.
func (l *Lease) Remember(ctx context.Context, audits ...usher.Audit) error {
	l.Remembered = append(l.Remembered, audits...)
	return context.Cause(ctx)
}

// Claim implements campaign.RuleStore.
func (l *Lease) Claim(ctx context.Context, _ string, c usher.Change, last string) (bool, error) {
	before := ""
	if n := len(l.Changes); n > 0 {
		before = l.Changes[n-1].Job
	}
	if before != last && before != c.Job {
		return false, context.Cause(ctx)
	}
	if before != c.Job {
		l.Changes = append(l.Changes, c)
	}
	return true, context.Cause(ctx)
}

// Unclaim implements campaign.RuleStore.
func (l *Lease) Unclaim(ctx context.Context, _ string, c usher.Change) error {
	l.Changes = slices.DeleteFunc(l.Changes, func(known usher.Change) bool { return known.Job == c.Job })
	return context.Cause(ctx)
}

// Outcome returns how the work was settled: its state and class of error,
// "retry", "retry, counted", "cut" or "nothing".
func (l *Lease) Outcome() string {
	switch {
	case l.Ended != nil && l.Ended.Error != nil:
		return string(l.Ended.State) + " " + string(l.Ended.Error.Class)
	case l.Ended != nil:
		return string(l.Ended.State)
	case l.Retried != nil && l.Retried.Counts:
		return "retry, counted"
	case l.Retried != nil:
		return "retry"
	case l.Parts != nil:
		return "cut"
	}
	return "nothing"
}

// Want fails the test unless the work was settled with the given Outcome.
func (l *Lease) Want(t *testing.T, outcome string) {
	t.Helper()
	if l.Outcome() == outcome {
		return
	}
	reason := ""
	if l.Retried != nil {
		reason = l.Retried.Why
	}
	if l.Ended != nil && l.Ended.Error != nil {
		reason = l.Ended.Error.Message
	}
	t.Errorf("settled by %q, not %q: %s", l.Outcome(), outcome, reason)
}

// Tally returns the tally of the checkpoint that was saved last.
func (l *Lease) Tally() usher.Tally { return l.Piece.Progress.Checkpoint.Tally }

// HasWarning reports whether the record has a warning with a code.
func (l *Lease) HasWarning(code usher.WarningCode) bool {
	for _, w := range l.Piece.Progress.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}
