package alerts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/internal/feeds"
	"usher/internal/ledger"
	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/heads"
	"usher/queues/lanes"
	"usher/queues/presence"
	"usher/queues/queuetest"
)

// TestBlindRules checks that a rule that cannot decide is reported once, and that it ends.
func TestBlindRules(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	r := decisions.New(b.q, nil)
	announce(t, b.q, "caps")
	change := func(spots []usher.BlindSpot, orphans map[string][]usher.BlindSpot) {
		t.Helper()
		b.clock.advance(time.Minute)
		err := r.ChangeBlindness(t.Context(), "caps", usher.BlindnessChange{
			At: b.clock.Now(), Rules: map[string][]usher.BlindSpot{"stop": spots}, Exist: func(rule string) bool { return rule == "stop" },
			Campaigns: []string{"A-x"}, Orphans: orphans,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	b.deliver()
	spot := usher.BlindSpot{Campaign: "A-x", Missing: "the report has 5 of 7 days", Spend: 120, Day: "2026-05-18"}
	change([]usher.BlindSpot{spot}, nil)
	b.deliver("Rule stop of caps cannot decide: data are missing or conflict")
	change([]usher.BlindSpot{spot, {Campaign: "A-y", Spend: 1, Day: "2026-05-18"}}, nil)
	b.deliver()
	change(nil, map[string][]usher.BlindSpot{"caps/old": {{Campaign: "A-x", Creative: "c"}}})
	if got := b.deliverAll(); len(got) != 2 {
		t.Errorf("sent %q", got)
	}
	all, err := r.Blindness(t.Context())
	if err != nil || len(all) != 1 || !all[0].Orphaned || all[0].On[0].Since.IsZero() {
		t.Errorf("left are %+v, %v", all, err)
	}
	change(nil, nil)
	if got := b.deliverAll(); len(got) != 1 {
		t.Errorf("sent %q", got)
	}
	change([]usher.BlindSpot{spot}, map[string][]usher.BlindSpot{"caps/old": {{Campaign: "A-x", Creative: "c"}}})
	if got := b.deliverAll(); len(got) != 2 {
		t.Errorf("sent %q", got)
	}
	announce(t, b.q, "budgets") // caps.yaml is renamed
	if err := decisions.NewFileRegistry(b.q).Withdraw(t.Context(), "caps"); err != nil {
		t.Fatal(err)
	}
	if got := b.deliverAll(); len(got) != 2 {
		t.Errorf("after the file is gone: %q", got)
	}
	if all, err := r.Blindness(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("after the file is gone there are %+v, %v", all, err)
	}
}

// announce announces a rule file as a worker does.
func announce(t *testing.T, q *queues.Queue, name string) {
	t.Helper()
	if err := decisions.NewFileRegistry(q).Announce(t.Context(), usher.RuleFile{Name: name}); err != nil {
		t.Fatal(err)
	}
}

// TestTookBack checks that what rules took back of what somebody had changed on the platform is reported
// once for each run, with all of it.
func TestTookBack(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	r := decisions.New(b.q, nil)
	b.deliver()
	remember := func(run string, creatives ...string) {
		t.Helper()
		var list []usher.Audit
		for _, code := range creatives {
			list = append(list, usher.Audit{At: b.clock.Now(), Actor: "rules/caps", Rule: "stop", Job: run + ".pause", Evaluation: run, Campaign: "A-x", Creative: code, Before: "ACTIVE", Wanted: "INACTIVE", After: "INACTIVE", TakesBack: "INACTIVE → ACTIVE"})
		}
		for range 2 { // a job is delivered again
			if err := r.Remember(t.Context(), list...); err != nil {
				t.Fatal(err)
			}
		}
	}
	remember("one", "a", "b")
	b.deliver() // other jobs of the run may still run
	b.clock.advance(time.Minute)
	b.deliver("Rule stop of caps took back what somebody had changed on the platform")
	remember("two", "a")
	b.clock.advance(time.Minute)
	b.deliver("Rule stop of caps took back what somebody had changed on the platform")
	b.deliver()
	all, err := r.Blindness(t.Context())
	if joined := usher.JoinTookBack(all); err != nil || len(all) != 2 || len(joined) != 1 || joined[0].Count != 3 || joined[0].TookBack != "two" {
		t.Errorf("there are %+v, %v", all, err)
	}
	b.clock.advance(usher.TookBackLife)
	b.deliver()
	if all, err := r.Blindness(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("a week later there are %+v, %v", all, err)
	}
}

// TestManyOrphans checks that all are counted that runs on some of the campaigns find, also above
// MaxBlindSpots.
func TestManyOrphans(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	r := decisions.New(b.q, nil)
	announce(t, b.q, "caps")
	for _, c := range []struct {
		campaign string
		n, want  int
	}{{"A-x", 50, 50}, {"A-y", 30, 80}, {"A-x", 50, 80}, {"A-x", 0, 30}, {"A-y", 25, 25}, {"A-y", 0, 0}} {
		var spots []usher.BlindSpot
		for i := range c.n {
			spots = append(spots, usher.BlindSpot{Campaign: c.campaign, Creative: fmt.Sprint("c-", i)})
		}
		found := usher.BlindnessChange{At: b.clock.Now(), Exist: func(string) bool { return true }, Campaigns: []string{c.campaign}, Orphans: map[string][]usher.BlindSpot{}}
		if c.n > 0 {
			found.Orphans["caps/old"] = spots
		}
		if err := r.ChangeBlindness(t.Context(), "caps", found); err != nil {
			t.Fatal(err)
		}
		all, err := r.Blindness(t.Context())
		count := 0
		for _, b := range all {
			count += b.Count
		}
		if err != nil || count != c.want || len(all) > 0 && (len(all[0].On) == 0 || len(all[0].On) > usher.MaxBlindSpots) {
			t.Errorf("after %d in %s: %+v, %v", c.n, c.campaign, all, err)
		}
	}
}

// TestMembersThatLapse checks that a segment whose members lapse soon is reported once, and that it ends.
func TestMembersThatLapse(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	set := func(list ...ledger.Lapsing) {
		t.Helper()
		if err := heads.In(b.q.Store()).SetLapsing(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	b.deliver()
	l := ledger.Lapsing{Target: ledger.Target{Advertiser: "A", Name: "segment/4"}, Count: 30, Members: 100, First: time.Date(2026, 5, 20, 0, 0, 0, 0, time.UTC), Since: b.clock.Now()}
	set(l)
	b.deliver("Members of segment/4 lapse: 30 of its 100 members leave it from 2026-05-20 on, because nothing uploads them again")
	l.Count = 60
	set(l)
	b.deliver()
	set()
	if got := b.deliverAll(); len(got) != 1 {
		t.Errorf("sent %q", got)
	}
}

func finding(rule, creative string, notice usher.Notice, action, wants usher.Action) usher.StoredDecision {
	return usher.StoredDecision{Decision: usher.Decision{Campaign: "A-x", Creative: creative, Rule: rule, Action: action, Wants: wants, Notice: notice, Reason: "pacing < 0.5 (0.25 < 0.5)"}}
}

// Each decision of a rule with notify is sent once: with notify: each immediately, with
// notify: digest together with others, at most once every Every.
func TestNoticesOfRules(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	r := decisions.New(b.q, nil)
	run := func(id string, notice usher.Notice) {
		t.Helper()
		b.clock.advance(time.Minute)
		e := usher.Evaluation{ID: id, File: "pace", Account: "SANDBOX1", At: b.clock.Now(), State: usher.EvaluationDone}
		decisions := []usher.StoredDecision{finding("slow", id, notice, usher.Notify, usher.Pause), finding("slow", "a-2", "", usher.Notify, usher.Pause)}
		if notice != "" {
			e.Notices = 1
		}
		if _, err := r.StoreAndEnact(t.Context(), e, decisions); err != nil {
			t.Fatal(err)
		}
	}
	line := func(id string) string { return "Rule slow of pace reports A-x " + id + ": pacing < 0.5 (0.25 < 0.5)" }
	run("before", usher.NoticeDigest)
	b.deliver()
	run("quiet", "")
	run("first", usher.NoticeDigest)
	b.deliver(line("first"))
	run("second", usher.NoticeDigest)
	run("prompt", usher.NoticeEach)
	b.to.fail(errors.New("webhook is down"))
	b.deliver()
	b.to.fail(nil)
	b.deliver() // not before Every
	b.clock.advance(5 * time.Minute)
	if got := b.deliverAll(); !slices.Equal(got, []string{line("prompt"), line("second")}) && !slices.Equal(got, []string{line("second"), line("prompt")}) {
		t.Fatalf("sent %q", got)
	}
	run("third", usher.NoticeDigest)
	b.deliver()
	b.clock.advance(5 * time.Minute)
	b.deliver(line("third"))
	run("old", usher.NoticeDigest)
	b.clock.advance(noticeLife + time.Minute)
	b.deliver()
	if left, err := decisions.NewNotices(b.q).List(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("stored notices: %v, %v, want none", left, err)
	}
}

// A run that waits for approval is reported, and who has decided it.
func TestHeldRuns(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.deliver()
	r := decisions.New(b.q, nil)
	b.clock.advance(time.Minute)
	e := usher.Evaluation{ID: "spent", File: "budgets", Account: "SANDBOX1", At: b.clock.Now(), State: usher.EvaluationHeld, Why: "it would pause 3 of 4", Counts: map[usher.Action]int{usher.Held: 3}}
	if _, err := r.StoreAndEnact(t.Context(), e, []usher.StoredDecision{finding("stop", "a-1", "", usher.Held, usher.Pause)}); err != nil {
		t.Fatal(err)
	}
	b.deliver("A run of rules budgets waits for approval")
	b.clock.advance(14 * time.Minute)
	if _, err := r.Interventions().Reject(t.Context(), "spent", "anna", "not now"); err != nil {
		t.Fatal(err)
	}
	if err := b.worker().deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := b.to.sent; len(got) != 1 || got[0].Headline() != "Solved after 14 min: A run of rules budgets waits for approval" || got[0].Details[0] != "Rejected by anna: not now" {
		t.Errorf("sent %+v", got)
	}
}

// A change of a campaign that does not take effect within a minute is reported, from its publish to
// its end: while no worker has it, while one carries it out, and while it waits for its next attempt.
func TestCampaignWaits(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.Options.Age = 24 * time.Hour
	b.deliver()
	b.Publish(t, usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-a"}`)
	published := b.clock.Now()
	b.deliver()
	b.clock.advance(campaignPatience + 10*time.Second)
	const title = "The pause of campaign SANDBOX1-a is not in effect: waits for a worker: none is running"
	b.deliver(title)
	slot := queuetest.NewSlot(t, b.q, lanes.Campaign)
	lease := slot.Take(t)
	b.clock.advance(5 * time.Minute)
	b.deliver()
	if err := lease.Retry(usher.Progress{}, time.Millisecond, "the platform answered 503", true); err != nil {
		t.Fatal(err)
	}
	b.clock.advance(5 * time.Minute)
	b.deliver()
	if err := slot.Take(t).End(queuetest.Done(0)); err != nil {
		t.Fatal(err)
	}
	b.clock.set(published.Add(13*time.Minute + 30*time.Second))
	b.deliver()
	b.clock.advance(goneTime)
	b.deliver("Solved after 13 min: " + title)
}

// A worker that is lost is reported once, when it was silent for a while, and that it is back or replaced.
func TestLostWorkers(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	heard := b.clock.Now().UTC().Truncate(time.Second)
	put := func(lost string) {
		t.Helper()
		if err := b.q.Store().State.Put(t.Context(), "workers", json.RawMessage(fmt.Sprintf(`{"at": %q, "workers": {}, "lost": {%s}}`, heard.Format(time.RFC3339), lost))); err != nil {
			t.Fatal(err)
		}
	}
	put(fmt.Sprintf(`"x": {"worker": "box-2", "heard": %[1]q, "at": %[1]q, "jobs": ["crm-1"]}`, heard.Format(time.RFC3339)))
	b.clock.set(heard.Add(outagePatience - time.Second))
	b.deliver()
	b.clock.set(heard.Add(outagePatience))
	if err := b.worker().deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	const title = "Worker box-2 is lost: it was last heard at "
	if m := b.to.sent[0]; !strings.HasPrefix(m.Title, title) || !m.Since.Equal(heard) || !strings.HasPrefix(m.Details[0], "It ran crm-1 then. Other workers take over jobs") || m.Action == "" {
		t.Errorf("sent %+v", m)
	}
	b.to.take()
	b.clock.set(heard.Add(10 * time.Minute))
	b.deliver()
	put("")
	if got := b.deliverAll(); len(got) != 1 || !strings.HasPrefix(got[0], "Solved after 10 min: "+title) {
		t.Errorf("sent %q", got)
	}
}

// A source that is slow is reported once, with bytes and rate, although its job waits for its next attempt
// between two in which it is slow, and that the job has ended.
func TestSlowSources(t *testing.T) {
	t.Parallel()
	found := Outages{Known: true}
	b := newBench(t, Options{Outages: func(context.Context) Outages { return found }})
	b.deliver()
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("drip", "3"))
	slot := queuetest.NewSlot(t, b.q, lanes.Audience)
	slow := usher.SlowSource{Since: b.clock.Now().UTC(), Bytes: 1000, Rate: 250, Least: 10_000}
	lease := slot.Take(t)
	found.Slow = []presence.SlowJob{{Job: "drip", SlowSource: slow}}
	const title = "The source of job drip delivers too slowly: the source delivers 0.2 kB/s, 1000 bytes so far; sources.min_rate is 10 kB/s"
	b.deliver(title)
	found.Slow = nil
	if err := lease.Retry(usher.Progress{Slow: &slow}, time.Millisecond, "the source is too slow", true); err != nil {
		t.Fatal(err)
	}
	b.clock.advance(3 * time.Minute)
	b.deliver()
	lease = slot.Take(t) // it is not known to be slow again yet
	b.clock.advance(5 * time.Second)
	b.deliver()
	found.Slow = []presence.SlowJob{{Job: "drip", SlowSource: slow}}
	b.clock.advance(time.Minute)
	b.deliver()
	found.Slow = nil
	if err := lease.End(queuetest.Failed(usher.SourceBroken)); err != nil {
		t.Fatal(err)
	}
	if err := b.worker().deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(b.to.sent, func(m Message) bool { return m.Kind == SlowSource })
	if at < 0 || b.to.sent[at].Event != Solved || b.to.sent[at].Title != title || b.to.sent[at].Details[0] != "The job has ended: failed." {
		t.Errorf("sent %+v", b.to.sent)
	}
}

// People are told within a minute: what a worker needs to notice a loss, and then to report it, is less. A
// change of a campaign has a minute of its own.
func TestToldWithinAMinute(t *testing.T) {
	t.Parallel()
	for what, took := range map[string]time.Duration{
		"a lost worker": outagePatience, "an operation": outagePatience,
		"a silent platform": max(39*time.Second, 15*time.Second+platformPatience), "a silent Redis": outagePatience + 10*time.Second,
	} {
		if took += pollInterval; took >= time.Minute {
			t.Errorf("%s is reported after %s", what, took)
		}
	}
}

// A stream that is full at once is reported once.
func TestFullStream(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.deliver()
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("upload", "3"))
	stream, err := b.JS.Stream(t.Context(), "USHER_JOBS")
	if err != nil {
		t.Fatal(err)
	}
	used := int64(stream.CachedInfo().State.Bytes)
	limit := func(bytes int64) {
		b.Configure(t, "USHER_JOBS", func(c *jetstream.StreamConfig) { c.MaxBytes = bytes })
	}
	limit(used)
	const title = "NATS's stream USHER_JOBS is 100 % full, and may refuse uploads, removals and mirrors"
	b.deliver(title)
	limit(2 * used)
	b.deliver()
	b.clock.advance(goneTime)
	b.deliver("Solved after 0 s: " + title)
	limit(used * 10 / 9)
	b.deliver("NATS's stream USHER_JOBS is 90 % full; when it is full, it refuses uploads, removals and mirrors")
	limit(used)
	b.deliver(title)
}

// A lost service is reported after a minute, a refused login at once, and is back when no worker
// sees it lost any more.
func TestOutages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title    string
		lose     func(*Outages, Outage)
		patience time.Duration
	}{
		{"The platform does not respond", func(o *Outages, by Outage) { o.Platform = by }, platformPatience},
		{"The platform answers with status 503", func(o *Outages, by Outage) {
			o.Platform = by
			o.Platform.How = "answers with status 503"
		}, platformPatience},
		{"The platform refuses usher's login", func(o *Outages, by Outage) { o.Login = by }, 0},
		{"Pauses and resumes wait: Redis does not respond", func(o *Outages, by Outage) { o.Redis = by }, outagePatience},
		{"Pauses and resumes wait: Redis refuses usher's login", func(o *Outages, by Outage) { o.RedisLogin = by }, outagePatience},
		{"A copy of the stream of jobs is away, on nats-2 and nats-3", func(o *Outages, _ Outage) { o.Away = []string{"nats-2", "nats-3"} }, outagePatience},
	} {
		t.Run(c.title, func(t *testing.T) {
			t.Parallel()
			none := Outages{Known: true, AwayKnown: true}
			found := none
			b := newBench(t, Options{Outages: func(context.Context) Outages { return found }})
			b.deliver()
			c.lose(&found, Outage{Since: b.clock.Now(), Worker: "box-2"})
			if c.patience > 0 {
				b.deliver()
				b.clock.advance(c.patience)
			}
			b.deliver(c.title)
			b.clock.advance(12*time.Minute + outagePatience - c.patience)
			b.deliver()
			found = Outages{} // nobody has answered
			b.deliver()
			b.clock.advance(time.Hour)
			b.deliver()
			b.clock.advance(-time.Hour)
			c.lose(&found, Outage{Since: b.clock.Now(), Worker: "box-2"})
			b.clock.advance(25 * time.Second)
			b.deliver()
			b.clock.advance(10 * time.Second)
			found = none
			b.deliver()
			b.clock.advance(goneTime)
			b.deliver("Solved after 13 min: " + c.title) // when it was first not seen
		})
	}
}

// Decisions on numbers are counted in campaigns, and a held decision shows its condition,
// however long the text of its guard is.
func TestNoticesOfBudgets(t *testing.T) {
	t.Parallel()
	var decisions []usher.StoredDecision
	for _, campaign := range []string{"A-x", "A-y"} {
		d := finding("cheaper", "", usher.NoticeDigest, usher.Held, usher.Decrease)
		d.Campaign, d.Bidding = campaign, &usher.BiddingChange{Field: usher.BudgetField, From: 150, To: 120, Currency: "USD"}
		d.Reason = "would set the daily budget from 150 to 120 USD, but the rule would change the daily budget of 9 of 9 campaigns by 441.95 together, over its limits (max_campaigns 5, max_amount 200), so all of these changes wait for approval: cpc > 2 (2.02457 > 2)"
		decisions = append(decisions, d)
	}
	want := "Rule cheaper of pace is held on 2 campaigns, such as A-x: " + decisions[0].Reason
	if m := (&detector{}).noticeMessage(&usher.Evaluation{ID: "rule-y", File: "pace"}, decisions); m.Title != want || !strings.Contains(m.Action, "(usher rules runs show rule-y)") {
		t.Errorf("the message is %+v, want %q", m, want)
	}
}

// The message about a run links to the console, and has at most maxNotices lines.
func TestNoticesAreLinkedAndLimited(t *testing.T) {
	t.Parallel()
	var decisions []usher.StoredDecision
	for range maxNotices + 2 {
		decisions = append(decisions, finding("stop", "b", usher.NoticeEach, usher.Pause, ""))
	}
	d := detector{Options: Options{Console: "https://usher.example.com/"}}
	m := d.noticeMessage(&usher.Evaluation{ID: "rule y", File: "pace"}, decisions)
	if m.Title != "Rules pace report 22 findings" || len(m.Details) != maxNotices+1 || m.Details[maxNotices] != "and 2 more findings" || m.Link != "https://usher.example.com/#/rules/runs/rule%20y" {
		t.Errorf("the message is %+v", m)
	}
}

// A feed that is late, and an export that is held, are reported once, with their ends.
func TestFeeds(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{Console: "https://usher.example.com"})
	now := b.clock.Now()
	s := feeds.State{
		Name: "crm", Created: now.Add(-48 * time.Hour), Announced: now, Looked: now,
		Spec:     feeds.Spec{Target: "segment 1", Expect: feeds.Expect{By: now.UTC().Add(-time.Minute).Format("15:04"), Timezone: "UTC"}},
		Versions: map[string]*feeds.Version{"v": {Since: now, Whole: true, Held: "min_rows", Reason: "it has 9 rows"}},
	}
	put := func() {
		t.Helper()
		if err := b.q.Store().Rules.Put(t.Context(), "feeds.crm", &s); err != nil {
			t.Fatal(err)
		}
	}
	put()
	if err := b.worker().deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	if link := b.to.sent[0].Link; link != "https://usher.example.com/#/audiences/segment%201" {
		t.Errorf("the link is %q", link)
	}
	if got := b.to.take(); !slices.Equal(got, []string{"Feed crm is late", "Feed crm holds an export: it has 9 rows"}) {
		t.Fatalf("sent %q", got)
	}
	m := (&detector{queue: b.q}).feedMessages(&feeds.State{Name: "crm", Versions: map[string]*feeds.Version{"v": {Held: "unreadable", Unreadable: "it cannot be read", Reason: "it cannot be read"}}})
	if len(m) != 1 || strings.Contains(m[0].Action, "pprove") || !strings.Contains(m[0].Action, "written again") {
		t.Errorf("of an export that cannot be read: %+v", m)
	}
	b.deliver()
	s.Met = now
	s.Versions["v"].Held, s.Versions["v"].Resolution = "", &feeds.Resolution{Approved: true, By: "anna", At: now}
	put()
	if err := b.worker().deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	var ends []string
	for _, m := range b.to.sent {
		ends = append(ends, string(m.Event)+" "+strings.Join(m.Details, " "))
	}
	if !slices.Equal(ends, []string{"solved An export has come.", "solved Approved by anna"}) {
		t.Errorf("sent %q", ends)
	}
}
