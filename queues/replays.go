package queues

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"usher"
	"usher/queues/store"
)

// ReplayPlan is what replaying the letters of a filter would do. Its survey is
// of those that would be replayed.
type ReplayPlan struct {
	Survey
	LeftOut Skips `json:"leftOut"`
	// Over are those left out whose replay has been: carrying out the plan
	// removes them.
	Over int `json:"over"`
}

// Skips are letters that a replay leaves where they are.
type Skips struct {
	Count int `json:"count"`
	// Letters are the first of them, at most skipsKept.
	Letters []Skip `json:"letters"`
}

// Skip is one of them.
type Skip struct {
	ID  *string `json:"id"`
	Seq uint64  `json:"seq"`
	Why string  `json:"why"`
}

// skipsKept is how many are told one by one.
const skipsKept = 1000

func (s *Skips) add(l *letter, why string) {
	if s.Count++; len(s.Letters) < skipsKept {
		s.Letters = append(s.Letters, Skip{l.ID, l.Seq, why})
	}
}

// inWords is what speaks against a letter, in words; "" where it is to be
// replayed.
func (o *objections) inWords(ctx context.Context, l *letter, force bool) (says string, over bool, err error) {
	objection, err := o.to(ctx, l)
	switch {
	case err != nil || !objection.stops(force):
		return "", false, err
	case objection.forced:
		return objection.says + " (--force replays it all the same)", false, nil
	}
	return objection.says, objection.over, nil
}

// PlanReplay looks at the letters that match and says what replaying them would
// do: how many, of what causes, and which would be left out. Nothing is changed.
func (q *Queue) PlanReplay(ctx context.Context, f LetterFilter, force bool) (ReplayPlan, error) {
	plan := ReplayPlan{LeftOut: Skips{Letters: []Skip{}}}
	f, err := q.bounded(ctx, f)
	if err != nil {
		return plan, err
	}
	objections := objections{q: q}
	var s surveyor
	var mu sync.Mutex
	err = q.actOnLetters(ctx, f, func(ctx context.Context, l *letter) error {
		says, over, err := objections.inWords(ctx, l, force)
		if err == nil && says == "" {
			s.see(l)
		}
		if err != nil || says == "" {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		plan.LeftOut.add(l, says)
		if over {
			plan.Over++
		}
		return nil
	})
	plan.Survey = s.survey(f)
	return plan, err
}

// Replay is how a plan is carried out.
type Replay struct {
	Act
	Force bool // also what newer jobs have superseded
	// Pace is asked before each letter, and waits; nil: as fast as NATS takes them.
	Pace func(context.Context) error
	// Progress hears how far it is, now and then; nil: nobody listens.
	Progress func(ReplayReport)
}

// ReplayReport is what a replay did.
type ReplayReport struct {
	Name     string `json:"replay"` // of this replay, on what it published
	Planned  int    `json:"planned"`
	Replayed int    `json:"replayed"` // published as their next run, each once
	Skipped  []Skip `json:"skipped"`  // left, or found replayed already: the first thousand
	Left     int    `json:"left"`     // how many were skipped in all
	// FailedAgain are replayed jobs that are in the dead letters again.
	FailedAgain int `json:"failedAgain"`
	// Done and Cancelled are known where somebody waited for the jobs' end.
	Done      int `json:"done"`
	Cancelled int `json:"cancelled"`
}

// progressEvery is how many letters pass between two words on the progress,
// where nothing slows them down.
const progressEvery = 100

// CarryOut replays the letters of a plan: those that still are there, and
// against which nothing speaks now. Two who carry out the same plan replay each
// letter once between them. What was begun when ctx ended is brought to its end,
// and the rest stays where it is: carrying out a plan again goes on there.
func (q *Queue) CarryOut(ctx context.Context, plan *ReplayPlan, r Replay) (ReplayReport, error) {
	report := ReplayReport{Name: rand.Text()[:12], Planned: plan.Count, Skipped: []Skip{}}
	now, err := q.bounded(ctx, LetterFilter{})
	if err != nil {
		return report, err
	}
	var skips Skips
	var mu sync.Mutex
	err = q.actOnLetters(ctx, plan.Filter, func(ctx context.Context, l *letter) error {
		says, err := q.carryOut(ctx, l, r, report.Name)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if says != "" {
			skips.add(l, says)
		} else {
			report.Replayed++
		}
		if r.Progress != nil && (r.Pace != nil || (report.Replayed+skips.Count)%progressEvery == 0) {
			r.Progress(report)
		}
		return nil
	})
	report.Left = skips.Count
	report.Skipped = append(report.Skipped, skips.Letters...)
	again, uncounted := q.countReplays(context.WithoutCancel(ctx), report.Name, now.Through)
	report.FailedAgain = again
	return report, errors.Join(err, uncounted)
}

// carryOut replays one letter, or says why not.
func (q *Queue) carryOut(ctx context.Context, l *letter, r Replay, name string) (skipped string, err error) {
	objections := objections{q: q} // of this moment
	says, over, err := objections.inWords(ctx, l, r.Force)
	switch {
	case err != nil:
		return "", err
	case over: // by a replay that died before it could remove the letter
		ctx, cancel := begun(ctx)
		defer cancel()
		_, err = q.deleteLetter(ctx, l.Seq)
		return says, err
	case says != "":
		return says, nil
	}
	if r.Pace != nil {
		if err := r.Pace(ctx); err != nil {
			return "", err
		}
	}
	ctx, cancel := begun(ctx)
	defer cancel()
	return q.replayLetter(ctx, l, r.Act, name)
}

// countReplays is how many letters newer than after are of a replay's jobs.
func (q *Queue) countReplays(ctx context.Context, name string, after uint64) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*callTime)
	defer cancel()
	n := 0
	err := q.eachLetter(ctx, LetterFilter{After: after}, func(l letter) error {
		if l.replay == name {
			n++
		}
		return nil
	})
	return n, err
}

// AwaitReplayed waits until the jobs of a replay have ended and says in the
// report how. progress hears of it now and then.
func (q *Queue) AwaitReplayed(ctx context.Context, report *ReplayReport, progress func(ReplayReport)) error {
	for {
		began := time.Now()
		if err := q.countEnded(ctx, report); err != nil {
			return err
		}
		if report.Done+report.FailedAgain+report.Cancelled >= report.Replayed {
			return nil
		}
		if progress != nil {
			progress(*report)
		}
		// Counting reads all records: it may take a fifth of the time.
		if err := pause(ctx, max(500*time.Millisecond, 4*time.Since(began))); err != nil {
			return err
		}
	}
}

// countEnded counts how the runs of a replay have ended, by their records.
func (q *Queue) countEnded(ctx context.Context, report *ReplayReport) error {
	ended := map[usher.State]int{}
	err := q.state.Each(ctx, "jobs.>", func(entry *store.Entry) error {
		var e struct {
			State  usher.State `json:"state"`
			Replay string      `json:"replay"`
		}
		if err := entry.Decode(&e); err != nil {
			return err
		}
		if e.Replay == report.Name && e.State.Ended() {
			ended[e.State]++
		}
		return nil
	})
	report.Done, report.FailedAgain, report.Cancelled = ended[usher.Done], ended[usher.Failed], ended[usher.Cancelled]
	return err
}
