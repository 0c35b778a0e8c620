package workers_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
)

const (
	posts = "set-status" // of a campaign or a creative
	locks = "campaigns.lock"
)

// pause is a campaign.pause of a campaign with two creatives.
func pause(creatives ...string) *slip {
	return &slip{work: usher.Work{ID: "j", Kind: usher.CampaignPause, Job: usher.Job{
		Campaign: "SANDBOX1-spring", Creatives: creatives, Reason: "budget spent", Actor: "engine",
	}}}
}

// intended is a pause that has been interrupted after its intent.
func intended(before string, changing ...string) *slip {
	s := pause()
	s.work.Progress.Intent = &usher.Intent{Before: map[string]string{}, Wanted: rtb.Inactive, Changing: changing}
	for _, code := range changing {
		s.work.Progress.Intent.Before[code] = before
	}
	return s
}

func (s *slip) warned(code string) bool {
	return slices.ContainsFunc(s.work.Progress.Warnings, func(w usher.Warning) bool { return w.Code == code })
}

func (b *bench) wantCalls(t *testing.T, suffix string, want int) {
	t.Helper()
	if got := b.calls(suffix); len(got) != want {
		t.Errorf("%d calls of %s, not %d: %v", len(got), suffix, want, got)
	}
}

func TestPauseOfAll(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.run(pause())
	s.want(t, "done")
	if got := b.calls("campaigns.lock", "unlock", posts); !slices.Equal(got, []string{locks, "campaigns.set-status", "campaigns.unlock"}) {
		t.Errorf("calls are %v", got)
	}
	if len(s.audits) != 2 || s.spoken["spring-1"] != rtb.Inactive || s.saved[0].Intent == nil {
		t.Errorf("audits %+v, spoken %v", s.audits, s.spoken)
	}
	for _, a := range s.audits {
		if a.Before != rtb.Active || a.After != rtb.Inactive || a.Wanted != rtb.Inactive || a.Actor != "engine" || a.Reason == "" {
			t.Errorf("audit %+v", a)
		}
	}
	// Once more: nothing to change, nothing to audit.
	again := b.run(pause("spring-1"))
	again.want(t, "done")
	b.wantCalls(t, posts, 1)
	if len(again.audits) != 0 || again.spoken["spring-1"] != rtb.Inactive {
		t.Errorf("audits %+v, spoken %v", again.audits, again.spoken)
	}
}

// human is a client of a login of its own.
func (b *bench) human() *rtb.Client {
	b.t.Helper()
	b.control(http.MethodPost, "users", map[string]string{"username": "human", "password": "secret", "advertiser": "SANDBOX1"}, nil)
	open := rtb.New(rtb.Options{BaseURL: b.box, Advertiser: "SANDBOX1"})
	return rtb.New(rtb.Options{BaseURL: b.box, Advertiser: "SANDBOX1", Tokens: rtb.NewTokens(func(ctx context.Context) (string, error) {
		return open.Auth.Token(ctx, "human", "secret")
	})})
}

// A campaign that another login has locked is waited for.
func TestCampaignLockedByAnother(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	human := b.human()
	if err := human.Campaigns.Lock(t.Context(), "SANDBOX1-spring"); err != nil {
		t.Fatal(err)
	}
	s := b.run(pause())
	s.want(t, "retry")
	if s.again == nil || !strings.Contains(s.again.why, "held by somebody else") {
		t.Errorf("it says %+v", s.again)
	}
	b.wantCalls(t, posts, 0)
	b.wantCalls(t, "unlock", 0)
	if err := human.Campaigns.Unlock(t.Context(), "SANDBOX1-spring"); err != nil {
		t.Fatal(err)
	}
	b.run(s).want(t, "done")
}

// A lock that nobody gives back holds a pause up for the platform's five
// minutes, and not longer.
func TestCampaignLockedForFiveMinutes(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	b := newBench(t, sandbox.Options{Now: now})
	b.worker.Now = now
	if err := b.human().Campaigns.Lock(t.Context(), "SANDBOX1-spring"); err != nil {
		t.Fatal(err)
	}
	s := pause()
	for range 4 {
		b.run(s).want(t, "retry")
		passed.Add(int64(70 * time.Second))
	}
	b.wantCalls(t, posts, 0)
	passed.Add(int64(30 * time.Second))
	b.run(s).want(t, "done")
	if got := b.statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || len(s.audits) != 2 || s.work.Attempts != 1 {
		t.Errorf("statuses are %v, audits %+v, %d attempts", got, s.audits, s.work.Attempts)
	}
}

// Between our reading and our post the platform's lock keeps another login out:
// what it wanted is not there, and the change that is audited is ours.
func TestSomebodyElseBetweenReadAndWrite(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	human := b.human()
	s := pause("spring-1")
	tried := 0
	s.save = func(usher.Progress) error { // the intent: all is read
		tried++
		if err := human.Campaigns.Lock(t.Context(), "SANDBOX1-spring"); err == nil {
			t.Error("another login got the lock")
		}
		if _, err := human.Creatives.SetStatus(t.Context(), "spring-2", rtb.Inactive); err == nil {
			t.Error("another login changed a creative under our lock")
		}
		return nil
	}
	b.run(s).want(t, "done")
	if got := b.statuses("SANDBOX1-spring"); tried == 0 || got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Active || len(s.audits) != 1 {
		t.Errorf("tried %d times, statuses are %v, audits %+v", tried, got, s.audits)
	}
}

// The platform changes what it can and warns of the rest: each creative is
// judged by itself.
func TestPartialSuccess(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{ApprovalDelay: time.Hour})
	b.addPending("spring-new")
	for _, code := range []string{"spring-1", "spring-2", "spring-new"} {
		b.set("SANDBOX1-spring", code, rtb.Inactive)
	}
	s := pause()
	s.work.Kind = usher.CampaignResume
	b.run(s).want(t, "done")
	b.wantCalls(t, "campaigns.set-status", 1)
	if got := b.statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active || got["spring-2"] != rtb.Active || got["spring-new"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
	for _, a := range s.audits {
		if changed := a.Before != a.After; changed == (a.Creative == "spring-new") {
			t.Errorf("audit %+v", a)
		}
	}
	if len(s.audits) != 3 || !s.warned("E10059") || s.spoken["spring-new"] != "" {
		t.Errorf("audits %+v, warnings %+v, spoken %v", s.audits, s.work.Progress.Warnings, s.spoken)
	}
}

func TestStopSwitch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		err  error
	}{{"on", nil}, {"unreadable", errors.New("NATS is away")}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.worker.Stopped = func(context.Context) (string, bool, error) { return "audit", true, c.err }
			b.run(pause()).want(t, "retry")
			b.wantCalls(t, locks, 0)
			b.wantCalls(t, posts, 0)
		})
	}
}

// The switch is read again before every post; what was changed before it was
// thrown is accounted for at once.
func TestStopBetweenTwoPosts(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	reads := 0
	b.worker.Stopped = func(context.Context) (string, bool, error) { reads++; return "audit", reads == 3, nil }
	s := pause("winter-1", "winter-2")
	s.work.Job.Campaign = "SANDBOX1-winter"
	b.run(s).want(t, "retry")
	b.wantCalls(t, posts, 1)
	if len(s.audits) != 1 || s.spoken["winter-1"] == "" || s.spoken["winter-2"] != "" {
		t.Errorf("audits %+v, spoken %v", s.audits, s.spoken)
	}
	b.run(s).want(t, "done")
	b.wantCalls(t, posts, 2)
	if got := b.statuses("SANDBOX1-winter"); got["winter-1"] != rtb.Inactive || got["winter-2"] != rtb.Inactive || got["winter-3"] != rtb.Active {
		t.Errorf("statuses are %v", got)
	}
}

// A redelivery that finds its change made reads back and accounts for it: it
// needs no lock, and no switch stops it.
func TestIntentThatIsDone(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.set("SANDBOX1-spring", "spring-1", rtb.Inactive)
	before := len(b.calls(locks))
	b.worker.Stopped = func(context.Context) (string, bool, error) { return "audit", true, nil }
	b.worker.Lock = func(context.Context, string) (context.Context, func(), error) {
		return nil, nil, &usher.RetryAfter{After: time.Second, Why: "Redis does not answer"}
	}
	s := b.run(intended(rtb.Active, "spring-1"))
	s.want(t, "done")
	b.wantCalls(t, locks, before)
	if len(s.audits) != 1 || s.audits[0].Before != rtb.Active || s.audits[0].After != rtb.Inactive {
		t.Errorf("audits %+v", s.audits)
	}
}

// What an intent leaves open is done by the redelivery, and only that.
func TestIntentThatIsOpen(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.run(intended(rtb.Active, "spring-2"))
	s.want(t, "done")
	if got := b.statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active || got["spring-2"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
}

// A newer job has spoken on the creative between the crash and the redelivery:
// it shows its old status again, but the newest word is not ours.
func TestIntentThatIsSuperseded(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := intended(rtb.Active, "spring-1", "spring-2")
	s.newer = map[string]bool{"spring-1": true}
	b.run(s).want(t, "done")
	if got := b.statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active || got["spring-2"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
	if !s.warned("superseded") || len(s.audits) != 1 {
		t.Errorf("warnings %+v, audits %+v", s.work.Progress.Warnings, s.audits)
	}
}

// Somebody else has changed the creative to something that is neither.
func TestIntentThatSomebodyElseChanged(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.run(intended(rtb.Pending, "spring-1"))
	s.want(t, "done")
	b.wantCalls(t, posts, 0)
	if !s.warned("changed_meanwhile") {
		t.Errorf("warnings %+v", s.work.Progress.Warnings)
	}
}

func TestSupersededBeforeItBegan(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := pause()
	s.newer = map[string]bool{"spring-1": true, "spring-2": true}
	b.run(s).want(t, "done")
	b.wantCalls(t, posts, 0)
	if !s.warned("superseded") || len(s.audits) != 0 {
		t.Errorf("warnings %+v, audits %+v", s.work.Progress.Warnings, s.audits)
	}
}

// addPending adds a creative that waits for approval to the campaign spring.
func (b *bench) addPending(code string) {
	b.t.Helper()
	client := b.worker.Platform("", true)
	campaign, err := client.Campaigns.Get(b.t.Context(), "SANDBOX1-spring")
	if err != nil {
		b.t.Fatal(err)
	}
	campaign.Creatives = append(campaign.Creatives, rtb.Creative{
		Code: code, CreativeID: "asset-new", Dimensions: campaign.Creatives[0].Dimensions,
		ClickthroughURL: "https://shop.example.com/new", Type: "IMAGE",
	})
	if err := client.Campaigns.Lock(b.t.Context(), campaign.Code); err != nil {
		b.t.Fatal(err)
	}
	if _, err := client.Campaigns.Put(b.t.Context(), campaign.Code, campaign); err != nil {
		b.t.Fatal(err)
	}
	if got := b.statuses(campaign.Code); got[code] != rtb.Pending {
		b.t.Fatalf("statuses are %v", got)
	}
}

// A creative that waits for approval is left out, and said; the others are
// changed one by one, since a post of the whole campaign would mean it too.
func TestPendingIsLeftOut(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{ApprovalDelay: time.Hour})
	b.addPending("spring-new")
	s := b.run(pause())
	s.want(t, "done")
	b.wantCalls(t, "campaigns.set-status", 0)
	b.wantCalls(t, "creatives.set-status", 2)
	if got := b.statuses("SANDBOX1-spring"); got["spring-new"] != rtb.Pending || got["spring-1"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
	if !s.warned("pending") || len(s.audits) != 2 {
		t.Errorf("warnings %+v, audits %+v", s.work.Progress.Warnings, s.audits)
	}
}

// A refusal of one creative is its answer; the others are changed.
func TestRefusalOfSome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, outcome string
		refused       int
	}{{"one of two", "done", 1}, {"all", "failed refused", 2}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.fault("creatives.set-status", "status", map[string]any{"status": 400, "times": c.refused, "body": map[string]any{
				"status": "fail", "data": map[string]any{"errors": []map[string]string{{"code": "E10059", "description": "from ACTIVE to INACTIVE is not possible"}}},
			}})
			s := pause("winter-1", "winter-2")
			s.work.Job.Campaign = "SANDBOX1-winter"
			b.run(s).want(t, c.outcome)
			if !s.warned("E10059") || len(s.audits) != 2 {
				t.Errorf("warnings %+v, audits %+v", s.work.Progress.Warnings, s.audits)
			}
			b.wantCalls(t, "unlock", 1)
		})
	}
}

// A post whose answer is lost is read back, and asked for again only where it
// had no effect.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, outcome string
		audits        int
	}{{"reset_after", "done", 2}, {"reset_before", "retry, counted", 0}, {"broken_json", "done", 2}} {
		t.Run(c.kind, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.fault("campaigns.set-status", c.kind, nil)
			s := b.run(pause())
			s.want(t, c.outcome)
			if len(s.audits) != c.audits {
				t.Errorf("audits %+v", s.audits)
			}
			b.wantCalls(t, "unlock", 1)
			if s.again != nil {
				b.run(s).want(t, "retry") // the first post may still come
				b.worker.Now = func() time.Time { return time.Now().Add(10 * time.Second) }
				b.run(s).want(t, "done")
			}
			if got := b.statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || len(s.audits) != 2 {
				t.Errorf("statuses are %v, audits %+v", got, s.audits)
			}
		})
	}
}

// A lock that is lost before the post: nothing is posted, it comes again.
func TestLockLostBeforeThePost(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	var lose context.CancelCauseFunc
	b.worker.Lock = func(ctx context.Context, _ string) (context.Context, func(), error) {
		ctx, lose = context.WithCancelCause(ctx)
		return ctx, func() {}, nil
	}
	s := pause()
	s.save = func(usher.Progress) error { lose(usher.ErrLockLost); return nil } // the intent is being kept
	b.run(s).want(t, "retry")
	b.wantCalls(t, posts, 0)
	b.wantCalls(t, "unlock", 1)
}

// A job that is cancelled between two posts ends, and what it changed is on
// record: nobody comes after it to read it back.
func TestCancelBetweenTwoPosts(t *testing.T) {
	t.Parallel()
	for _, cause := range []struct {
		err     error
		outcome string
		audits  int
	}{{usher.ErrCancelled, "cancelled", 1}, {usher.ErrShutdown, "retry", 0}} {
		t.Run(cause.outcome, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := pause("winter-1", "winter-2")
			s.work.Job.Campaign = "SANDBOX1-winter"
			reads := 0
			b.worker.Stopped = func(context.Context) (string, bool, error) {
				if reads++; reads == 3 {
					s.cancel(cause.err)
				}
				return "", false, nil
			}
			b.run(s).want(t, cause.outcome)
			b.wantCalls(t, posts, 1)
			if len(s.audits) != cause.audits {
				t.Errorf("audits %+v", s.audits)
			}
		})
	}
}

// Nothing is posted that could leave later than four minutes after the lock; a
// further lock is taken in the same job.
func TestFurtherLock(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	var passed atomic.Int64
	b.worker.Now = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	b.worker.Stopped = func(context.Context) (string, bool, error) { passed.Add(int64(2 * time.Minute)); return "", false, nil }
	s := pause("winter-1", "winter-2", "winter-3")
	s.work.Job.Campaign = "SANDBOX1-winter"
	b.run(s).want(t, "done")
	if got, want := b.calls(locks, posts), []string{locks, "creatives.set-status", "creatives.set-status", locks, "creatives.set-status"}; !slices.Equal(got, want) {
		t.Errorf("calls are %v, not %v", got, want)
	}
}

// A lock of ours that is older than four and a half minutes may be another's by
// now: it is left to lapse.
func TestLateLockIsLeftToLapse(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	var passed atomic.Int64
	b.worker.Now = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	reads := 0
	b.worker.Stopped = func(context.Context) (string, bool, error) {
		if reads++; reads == 2 {
			passed.Store(int64(5 * time.Minute))
		}
		return "", false, nil
	}
	b.run(pause()).want(t, "done")
	b.wantCalls(t, "unlock", 0)
}

func TestUnknownCampaignAndCreative(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := pause()
	s.work.Job.Campaign = "SANDBOX1-nobody"
	b.run(s).want(t, "failed not_found")
	b.run(pause("spring-1", "nobody")).want(t, "failed not_found")
	b.wantCalls(t, posts, 0)
}
