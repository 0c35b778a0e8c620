package console

import (
	"context"
	"encoding/json"

	"golang.org/x/time/rate"

	"usher"
	"usher/cmd/usher/internal/dead"
	"usher/internal/console"
	"usher/queues"
	"usher/queues/letters"
	"usher/queues/schema"
)

// consoleLetters are the dead letters as the console sees them.
type consoleLetters struct {
	letters *letters.Letters
	calls   float64 // the platform's limit a second
}

func lettersOf(f console.LetterFilter) letters.Filter {
	return letters.Filter{
		ID: f.ID, Kind: f.Kind, Class: f.Class, Group: f.Group, Match: f.Match, Since: f.Since, Until: f.Until, Seqs: f.Seqs, Through: f.Through,
	}
}

func (l consoleLetters) Groups(ctx context.Context, f console.LetterFilter) ([]usher.LetterGroup, error) {
	return l.letters.Groups(ctx, lettersOf(f))
}

func (l consoleLetters) Page(ctx context.Context, f console.LetterFilter, after uint64, limit int) ([]usher.DeadLetter, error) {
	filter := lettersOf(f)
	filter.After, filter.Limit = after, limit
	return l.letters.List(ctx, filter)
}

func (l consoleLetters) Plan(ctx context.Context, f console.LetterFilter, force bool) (console.ReplayPlan, error) {
	plan, err := l.letters.PlanReplay(ctx, lettersOf(f), force)
	return console.ReplayPlan{
		Count: plan.Count, Groups: plan.Groups, Sample: plan.Sample,
		Skipped: plan.LeftOut.Count, Left: leftOut(plan.LeftOut.Letters),
		Seconds: dead.CallsPerJob * float64(plan.Count) / l.calls, Through: plan.Filter.Through,
	}, err
}

// leftOut are the first letters of those that were left out.
func leftOut(skips []letters.Skip) []console.LeftOut {
	shown := []console.LeftOut{}
	for _, s := range skips[:min(len(skips), dead.PlanGroups)] {
		shown = append(shown, console.LeftOut{Seq: s.Seq, ID: s.ID, Why: s.Why})
	}
	return shown
}

func (l consoleLetters) Replay(ctx context.Context, f console.LetterFilter, o console.ReplayOptions, done func(console.ReplayReport)) (console.ReplayReport, error) {
	plan, err := l.letters.PlanReplay(ctx, lettersOf(f), o.Force)
	if err != nil {
		return console.ReplayReport{}, err
	}
	how := letters.ReplayOptions{Act: queues.Act{Actor: o.By.Name, Reason: o.Reason}, Force: o.Force}
	how.Progress = func(so letters.ReplayReport) { done(reported(so)) }
	if o.Rate > 0 {
		how.Pace = rate.NewLimiter(rate.Limit(o.Rate), 1).Wait
	}
	done(console.ReplayReport{Planned: plan.Count, Left: []console.LeftOut{}})
	report, err := l.letters.Replay(ctx, &plan, how)
	return reported(report), err
}

func reported(r letters.ReplayReport) console.ReplayReport {
	return console.ReplayReport{Planned: r.Planned, Replayed: r.Replayed, Skipped: r.Left, FailedAgain: r.FailedAgain, Left: leftOut(r.Skipped)}
}

func (l consoleLetters) Edit(ctx context.Context, f console.LetterFilter, e console.Edit, by console.User) (console.EditReport, error) {
	change := l.letters.Assign(e.Set)
	if len(e.Set) == 0 {
		change = func(usher.Kind, json.RawMessage) (json.RawMessage, error) { return e.Job, nil }
	}
	var report console.EditReport
	note := func(one letters.Edited) {
		switch {
		case len(one.Issues) > 0:
			if report.Refused++; report.Says == "" {
				report.Says = schema.Describe(one.Issues)
			}
		case len(one.Fields) == 0:
			report.Same++
		default:
			if report.Edited++; report.Example == nil {
				report.Example = &console.EditExample{Seq: one.Seq, Before: one.Before, After: one.After, Fields: one.Fields}
			}
		}
	}
	if e.DryRun {
		err := l.letters.PlanEdit(ctx, lettersOf(f), change, func(one letters.Edited) error { note(one); return nil })
		return report, err
	}
	err := l.letters.Edit(ctx, lettersOf(f), change, queues.Act{Actor: by.Name, Reason: e.Reason}, note)
	return report, err
}

func (l consoleLetters) Discard(ctx context.Context, f console.LetterFilter, reason string, by console.User) (int, error) {
	return l.letters.Discard(ctx, lettersOf(f), queues.Act{Actor: by.Name, Reason: reason})
}
