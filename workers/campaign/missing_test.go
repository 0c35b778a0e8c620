package campaign_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/queues/audit"
	"usher/workers/internal/workertest"
)

// omitSpring2 returns a rule's pause of spring-2. From the reading after its POST on, the platform's answer
// has only spring-1, until the faults are removed.
func (b *bench) omitSpring2() *workertest.Lease {
	b.T.Helper()
	b.SetStatus(spring, "spring-1", rtb.Inactive)
	s := b.byRule(usher.Pause)
	partial, err := json.Marshal(map[string]any{"status": "success", "data": rtb.StatusesAnswer{Status: b.Creatives(spring)[:1]}})
	if err != nil {
		b.T.Fatal(err)
	}
	b.Fault("campaigns.status", "status", map[string]any{"status": 200, "body": json.RawMessage(partial), "after": 1, "times": 100})
	return s
}

// wantPauseOfSpring2 fails unless the audit and the memory of rules have the pause of spring-2 by the first run, once,
// and the audit says before that what became of it was not known.
func (b *bench) wantPauseOfSpring2(s *workertest.Lease) {
	b.T.Helper()
	for what, all := range map[string][]usher.Audit{"the audit": s.Audits, "memory": s.Remembered} {
		paused := 0
		for n, a := range all {
			switch {
			case a.Creative != "spring-2" || a.Run != 1 || a.Rule != "stop" || a.Evaluation != "tick" || a.Before != rtb.Active || a.Wanted != rtb.Inactive:
				b.T.Errorf("%s has %+v", what, a)
			case a.After == rtb.Inactive && a.LatestUpdate == b.seen("spring-2").LatestUpdate && n == len(all)-1:
				paused++
			case a.After != "unknown" || a.LatestUpdate != "":
				b.T.Errorf("%s has %+v", what, a)
			}
		}
		if paused != 1 || len(all) < 2 {
			b.T.Errorf("%s has %+v", what, all)
		}
	}
}

// A creative that was paused, and that the platform's next answer lacks, is read back until it is shown again:
// then the change is on record, and the rule owns it.
func TestChangedCreativeThatIsNotShown(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s, before := b.omitSpring2(), len(b.Calls(posts))
	b.Run(s).Want(t, "retry, counted")
	if s.Retried == nil || !strings.Contains(s.Retried.Why, "spring-2") || len(s.Campaigns) != 0 {
		t.Errorf("it is retried as %+v, claimed %v", s.Retried, s.Campaigns)
	}
	b.Run(s).Want(t, "retry, counted")
	b.Control("DELETE", "faults", nil, nil)
	b.Run(s).Want(t, "done")
	b.WantCalls(t, posts, before+1)
	b.wantPauseOfSpring2(s)
	if len(s.Piece.Progress.Warnings) != 0 || s.Piece.Progress.Intent.Unrecorded(1) != nil {
		t.Errorf("warnings %+v, intent %+v", s.Piece.Progress.Warnings, s.Piece.Progress.Intent)
	}
}

// If the creative is not shown for so long that the job fails, its error says so, and a replay records the change.
// If the replay does not see the creative either, it warns.
func TestReplayOfAChangeThatIsNotShown(t *testing.T) {
	t.Parallel()
	for _, shown := range []bool{true, false} {
		b := newBench(t, sandbox.Options{})
		now := time.Now()
		b.Worker.Now = func() time.Time { return now }
		s, before := b.omitSpring2(), len(b.Calls(posts))
		b.Run(s).Want(t, "retry, counted")
		now = now.Add(2 * time.Hour)
		b.Run(s).Want(t, "failed exhausted")
		if s.Ended.Error == nil || !strings.Contains(s.Ended.Error.Message, "spring-2") {
			t.Fatalf("the error is %+v", s.Ended.Error)
		}
		if shown {
			b.Control("DELETE", "faults", nil, nil)
		}
		s.Piece.Run, s.Piece.Published, s.Piece.Progress.Intent = 2, now, s.Piece.Progress.Intent.Unrecorded(1)
		b.Run(s).Want(t, "retry")
		b.Run(s).Want(t, "done")
		b.WantCalls(t, posts, before+1)
		if shown {
			b.wantPauseOfSpring2(s)
		}
		if s.HasWarning(usher.WarnChangedMeanwhile) == shown {
			t.Errorf("shown is %t, and the warnings are %+v", shown, s.Piece.Progress.Warnings)
		}
	}
}

// A job that is cancelled after its POST warns of a creative that its last look does not see.
func TestCancelledChangeThatIsNotShown(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Campaign.Late = time.Millisecond
	s, before := b.omitSpring2(), len(b.Calls(posts))
	b.Worker.Logger = workertest.ObserveStates(b.Worker.Logger, func(state string) {
		if state == "readingBack" {
			s.Cancel(usher.ErrCancelled)
		}
	})
	b.Run(s).Want(t, "cancelled")
	b.WantCalls(t, posts, before+1)
	if !s.HasWarning(usher.WarnChangedMeanwhile) || len(s.Audits) == 0 || s.Audits[0].After != "unknown" {
		t.Errorf("warnings %+v, audits %+v", s.Piece.Progress.Warnings, s.Audits)
	}
}

// A redelivery that does not see all creatives of its intent changes one by one those that are still open: the
// answer may lack others, which the job must not change.
func TestOpenIntentThatIsNotAllShown(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := intended(rtb.Active, "spring-1", "spring-2")
	partial, err := json.Marshal(map[string]any{"status": "success", "data": rtb.StatusesAnswer{Status: b.Creatives(spring)[:1]}})
	if err != nil {
		t.Fatal(err)
	}
	b.Fault("campaigns.status", "status", map[string]any{"status": 200, "body": json.RawMessage(partial), "times": 2})
	b.Run(s).Want(t, "retry, counted")
	if got := b.Statuses(spring); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Active {
		t.Errorf("statuses are %v", got)
	}
	b.Run(s).Want(t, "done")
	if got := b.Statuses(spring); got["spring-2"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
}

// A job whose first reading lacks a creative that a rule has decided on leaves it as it is.
func TestDecidedCreativeThatIsNotShown(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.byRule(usher.Pause)
	partial, err := json.Marshal(map[string]any{"status": "success", "data": rtb.StatusesAnswer{Status: b.Creatives(spring)[:1]}})
	if err != nil {
		t.Fatal(err)
	}
	b.Fault("campaigns.status", "status", map[string]any{"status": 200, "body": json.RawMessage(partial), "times": 1})
	b.Run(s).Want(t, "done")
	if got := b.Statuses(spring); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Active {
		t.Errorf("statuses are %v", got)
	}
	if !s.HasWarning(usher.WarnChangedMeanwhile) || len(s.Audits) != 1 {
		t.Errorf("warnings %+v, audits %+v", s.Piece.Progress.Warnings, s.Audits)
	}
}

// While a job waits for one creative to be shown, it neither posts another one again that the platform has refused,
// nor takes a person's later change of a third one for its own.
func TestOthersWhileOneIsNotShown(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s, before := b.omitSpring2(), len(b.Calls(posts))
	b.Run(s).Want(t, "retry, counted")
	s.Piece.Progress.Intent.Changing = append(s.Piece.Progress.Intent.Changing, "spring-1") // as if the job had paused it as well
	s.Piece.Progress.Intent.Before["spring-1"] = rtb.Active
	b.Run(s).Want(t, "retry, counted")
	if got := s.Piece.Progress.Intent.Changing; !slices.Equal(got, []string{"spring-2"}) {
		t.Errorf("it still wants to change %q", got)
	}
	known := len(s.Audits)
	b.SetStatus(spring, "spring-1", rtb.Active)
	b.SetStatus(spring, "spring-1", rtb.Inactive)
	b.Run(s).Want(t, "retry, counted")
	for _, a := range s.Audits[known:] {
		if a.Creative == "spring-1" {
			t.Errorf("it took the change of a person for its own: %+v", a)
		}
	}
	b.SetStatus(spring, "spring-1", rtb.Active)
	b.Run(s).Want(t, "retry, counted")
	b.WantCalls(t, posts, before+4) // the one of the job, and the three above
}

// The audit of a job whose first reading after the POST lacks a creative says that, and then has the change.
func TestAuditOfAChangeThatIsNotShown(t *testing.T) {
	t.Parallel()
	q := workertest.NewQueue(t)
	q.Worker.Limits.FirstRetry = time.Millisecond
	partial, err := json.Marshal(map[string]any{"status": "success", "data": rtb.StatusesAnswer{Status: []rtb.CreativeStatus{}}})
	if err != nil {
		t.Fatal(err)
	}
	q.Fault("campaigns.status", "status", map[string]any{"status": 200, "body": json.RawMessage(partial), "after": 1, "times": 2})
	q.Start()
	q.Publish(usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-spring","creatives":["spring-1"]}`)
	q.Done("pause")
	var entries []string
	err = q.Jobs.Audit().Each(t.Context(), audit.Filter{Creative: "spring-1"}, func(a usher.Audit) error {
		entries = append(entries, a.Before+" → "+a.After)
		return nil
	})
	if want := []string{"ACTIVE → unknown", "ACTIVE → INACTIVE"}; err != nil || !slices.Equal(entries, want) {
		t.Errorf("the audit is %q, %v", entries, err)
	}
}
