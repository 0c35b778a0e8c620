package workers_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/workers"
)

// tray yields one piece of work.
type tray struct {
	s      *slip
	coming func()
}

func (y *tray) Next(fetch, _ context.Context) (workers.Lease, error) {
	if s := y.s; s != nil {
		y.s = nil
		y.coming()
		return s, nil
	}
	<-fetch.Done()
	return nil, context.Cause(fetch)
}

// retried is how a piece of work was given back.
type retried struct {
	after  time.Duration
	why    string
	counts bool
}

// slip is a lease that writes down what is done with it.
type slip struct {
	work usher.Work

	turn  string                     // what it must wait for
	newer map[string]bool            // creatives on which a newer job has spoken …
	words map[string]usher.Word      // … and what was said on them
	save  func(usher.Progress) error // beside keeping it; nil: all is well
	audit func(usher.Audit) error    // the same

	onSettled func()
	ctx       context.Context
	cancel    context.CancelCauseFunc

	mu     sync.Mutex
	saved  []usher.Progress
	ended  *usher.Ending
	after  *int64 // what the platform was said to hold then
	again  *retried
	parts  []usher.Part // where it was cut
	audits []usher.Audit
	spoken map[string]string

	decided    []usher.Ruling // of the job's evaluation
	approved   bool
	remembered []usher.Audit
}

func (s *slip) begin(ctx context.Context) {
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.ended, s.again, s.parts, s.after = nil, nil, nil, nil
	if s.spoken == nil {
		s.spoken = map[string]string{}
	}
	if s.words == nil {
		s.words = map[string]usher.Word{}
	}
	if s.work.Attempts == 0 {
		s.work.Attempts = 1
	}
	if s.work.Run == 0 {
		s.work.Run = 1
	}
	if s.work.Published.IsZero() {
		s.work.Published = time.Now()
	}
}

func (s *slip) Work() usher.Work         { return s.work }
func (s *slip) Context() context.Context { return s.ctx }

// stored is a progress as a queue keeps it: what a worker does to its own
// afterwards is lost when it dies.
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

func (s *slip) Save(p usher.Progress) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.save != nil {
		if err := s.save(p); err != nil {
			return err
		}
	}
	s.work.Progress = stored(p)
	s.saved = append(s.saved, s.work.Progress)
	return nil
}

func (s *slip) End(e usher.Ending) error {
	s.ended, s.work.Progress = &e, stored(e.Progress)
	if e.After != nil {
		n, err := e.After()
		if err == nil {
			s.after = &n
		}
	}
	return s.settled()
}

func (s *slip) Retry(p usher.Progress, after time.Duration, why string, counts bool) error {
	s.again, s.work.Progress = &retried{after, why, counts}, stored(p)
	if counts {
		s.work.Attempts++
	}
	return s.settled()
}

func (s *slip) settled() error {
	if s.onSettled != nil {
		s.onSettled()
	}
	return nil
}

func (s *slip) Turn(context.Context) (string, error) { return s.turn, nil }

func (s *slip) Split(plan usher.Plan, p usher.Progress) error {
	s.parts = plan.Parts
	p.Plan = &plan
	s.work.Progress = p
	return s.settled()
}

func (s *slip) Superseded(_ context.Context, creatives []string) ([]string, error) {
	var newer []string
	for _, code := range creatives {
		if s.newer[code] {
			newer = append(newer, code)
		}
	}
	return newer, nil
}

// Spoken knows of no other job's words but those in words.
func (s *slip) Spoken(_ context.Context, creative, wanted string, now usher.Seen, asked bool) (usher.Word, error) {
	s.spoken[creative] = wanted
	word := s.words[creative]
	if word.Order <= s.work.Order {
		word.Order, word.Wanted, word.Job = s.work.Order, wanted, s.work.ID
	}
	if asked && word.Left != now {
		word.Changed, word.Left = s.work.Order, now
	}
	s.words[creative] = word
	return word, nil
}

func (s *slip) Audit(ctx context.Context, a usher.Audit) error {
	if s.audit != nil {
		if err := s.audit(a); err != nil {
			return err
		}
	}
	s.audits = append(s.audits, a)
	return context.Cause(ctx)
}

func (s *slip) Decided(context.Context, string, string) (usher.Evaluation, []usher.Ruling, error) {
	e := usher.Evaluation{ID: "tick", State: usher.EvaluationHeld}
	if s.approved {
		e.State = usher.EvaluationApproved
	}
	return e, s.decided, nil
}

func (s *slip) Remember(ctx context.Context, audits ...usher.Audit) error {
	s.remembered = append(s.remembered, audits...)
	return context.Cause(ctx)
}

// outcome is how the work was settled, in a word.
func (s *slip) outcome() string {
	switch {
	case s.ended != nil && s.ended.Error != nil:
		return string(s.ended.State) + " " + string(s.ended.Error.Class)
	case s.ended != nil:
		return string(s.ended.State)
	case s.again != nil && s.again.counts:
		return "retry, counted"
	case s.again != nil:
		return "retry"
	case s.parts != nil:
		return "cut"
	}
	return "nothing"
}

// want fails where the work was settled otherwise.
func (s *slip) want(t *testing.T, outcome string) {
	t.Helper()
	if s.outcome() == outcome {
		return
	}
	said := ""
	if s.again != nil {
		said = s.again.why
	}
	if s.ended != nil && s.ended.Error != nil {
		said = s.ended.Error.Message
	}
	t.Errorf("settled by %q, not %q: %s", s.outcome(), outcome, said)
}
