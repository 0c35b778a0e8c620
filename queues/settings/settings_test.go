package settings_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/queuetest"
	"usher/queues/settings"
)

func set(t *testing.T, q *queues.Queue, setting usher.Setting, by, reason string) {
	t.Helper()
	if err := q.Settings().Set(t.Context(), setting, audit.Act{Actor: by, Reason: reason}); err != nil {
		t.Fatal(err)
	}
}

func takeBack(t *testing.T, q *queues.Queue, kind usher.SettingKind, name, by, reason string) {
	t.Helper()
	if err := q.Settings().TakeBack(t.Context(), kind, name, audit.Act{Actor: by, Reason: reason}); err != nil {
		t.Fatal(err)
	}
}

// wantAudit compares the audit of all settings.
func wantAudit(t *testing.T, q *queues.Queue, f audit.Filter, want ...string) {
	t.Helper()
	var entries []string
	err := q.Audit().Each(t.Context(), f, func(a usher.Audit) error {
		entries = append(entries, a.Actor+": "+a.Before+" → "+a.After+", "+a.Reason)
		if a.Wanted != a.After || a.At.IsZero() {
			t.Errorf("an entry is %+v", a)
		}
		return nil
	})
	if err != nil || !slices.Equal(entries, want) {
		t.Errorf("the audit has %q, want %q; %v", entries, want, err)
	}
}

// A setting has its reason, all workers see it, and the audit has it and its end.
func TestSettings(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	rule := usher.Setting{Kind: usher.RulePause, Name: "budgets/stop"}
	err := q.Settings().TakeBack(t.Context(), usher.RulePause, "budgets/stop", audit.Act{Actor: "bob"})
	if !errors.Is(err, settings.ErrNotSet) {
		t.Errorf("a rule that is not paused is resumed: %v", err)
	}
	set(t, q, rule, "ann", "incident 12")
	list, err := b.Queue(t).Settings().List(t.Context(), usher.RulePause) // in another process
	if p := list["budgets/stop"]; err != nil || len(list) != 1 || p.By != "ann" || p.Reason != "incident 12" || p.At.IsZero() {
		t.Errorf("paused are %+v, %v", list, err)
	}
	set(t, q, rule, "cid", "incident 13")
	set(t, q, usher.Setting{Kind: usher.RateLimit, Name: "A.1", Rate: usher.Rate{PerSecond: 20}}, "ann", "slower")
	set(t, q, usher.Setting{Kind: usher.RateLimit, Name: "A.1", Rate: usher.Rate{PerSecond: 30, Burst: 2}}, "ann", "faster")
	set(t, q, usher.Setting{Kind: usher.StopSwitch}, "ann", "incident 14")
	all, err := q.Settings().All(t.Context())
	var texts []string
	for i := range all {
		texts = append(texts, string(all[i].Kind)+" "+all[i].Name+" "+all[i].String())
	}
	want := []string{"stop  stopped by ann: incident 14", "limit A.1 30/s by ann: faster", "rule budgets/stop paused by cid: incident 13"}
	if err != nil || !slices.Equal(texts, want) {
		t.Errorf("set are %q, want %q; %v", texts, want, err)
	}
	if l, err := q.Settings().Get(t.Context(), usher.RateLimit, "A.1"); err != nil || l == nil || l.Rate != (usher.Rate{PerSecond: 30, Burst: 2}) {
		t.Errorf("the limit is %+v, %v", l, err)
	}
	takeBack(t, q, usher.RulePause, "budgets/stop", "bob", "it is over")
	takeBack(t, q, usher.StopSwitch, "", "bob", "")
	takeBack(t, q, usher.RateLimit, "A.1", "bob", "")
	if all, err := q.Settings().All(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("set are %+v, %v", all, err)
	}
	wantAudit(t, q, audit.Filter{Rule: "stop"},
		"ann: rule budgets/stop running → rule budgets/stop paused, incident 12",
		"cid: rule budgets/stop paused by ann: incident 12 → rule budgets/stop paused, incident 13",
		"bob: rule budgets/stop paused → rule budgets/stop running, it is over")
	wantAudit(t, q, audit.Filter{Match: "er"}, "ann: limit of A.1 as configured → limit of A.1 20/s, slower", "ann: limit of A.1 20/s → limit of A.1 30/s, faster",
		"bob: rule budgets/stop paused → rule budgets/stop running, it is over")
}

// What people keep rules from ends at its time, or when it is taken back.
func TestKeep(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	now := q.Now()
	for name, until := range map[string]time.Time{"over": now, "tonight": now.Add(time.Hour), "always": {}} {
		set(t, q, usher.Setting{Kind: usher.RuleKeep, Name: name, Until: until}, "ada", "why")
	}
	kept, err := q.Settings().Kept(t.Context())
	tonight, always := kept["tonight"], kept["always"]
	if err != nil || len(kept) != 2 || always.String() != "kept by ada until released: why" || tonight.Value() != "kept until "+now.Add(time.Hour).UTC().Format("2006-01-02 15:04 MST") {
		t.Fatalf("kept are %+v, %v", kept, err)
	}
	if over, err := q.Settings().Get(t.Context(), usher.RuleKeep, "over"); over != nil || err != nil {
		t.Errorf("what is over is %+v, %v", over, err)
	}
	if err := q.Settings().TakeBack(t.Context(), usher.RuleKeep, "over", audit.Act{}); !errors.Is(err, settings.ErrNotSet) {
		t.Errorf("what is over is taken back: %v", err)
	}
	set(t, q, usher.Setting{Kind: usher.RuleKeep, Name: "over"}, "ada", "again")
	takeBack(t, q, usher.RuleKeep, "over", "bob", "")
	wantAudit(t, q, audit.Filter{Creative: "always"}, "ada: released → kept until released, why")
	wantAudit(t, q, audit.Filter{Creative: "over", Actor: "bob"}, "bob: kept until released → released, ")
}

// A setting is withdrawn only as it was: somebody who has set it since has the last word.
func TestWithdraw(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	set(t, q, usher.Setting{Kind: usher.RuleKeep, Name: "a-1"}, "ada", "undo of one")
	kept, err := q.Settings().Get(t.Context(), usher.RuleKeep, "a-1")
	if err != nil {
		t.Fatal(err)
	}
	set(t, q, usher.Setting{Kind: usher.RuleKeep, Name: "a-1"}, "bob", "it is mine")
	if err := q.Settings().Withdraw(t.Context(), kept, "changed since"); err != nil {
		t.Fatal(err)
	}
	now, err := q.Settings().Get(t.Context(), usher.RuleKeep, "a-1")
	if err != nil || now == nil || now.By != "bob" {
		t.Fatalf("it is %+v, %v", now, err)
	}
	for range 2 { // the second time it is not set
		if err := q.Settings().Withdraw(t.Context(), now, "changed since"); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := q.Settings().Get(t.Context(), usher.RuleKeep, "a-1"); now != nil || err != nil {
		t.Errorf("it is %+v, %v", now, err)
	}
}

// A stop switch is taken back only as it was shown: a person who has seen one incident does not end another. One that
// was set by hand, as runbooks say, is known by its reason.
func TestTakeBackShown(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	get := func() *usher.Setting {
		t.Helper()
		stop, err := q.Settings().Get(t.Context(), usher.StopSwitch, "")
		if err != nil {
			t.Fatal(err)
		}
		return stop
	}
	byHand := func(reason string) {
		t.Helper()
		if _, err := q.Store().Rules.CompareAndSet(t.Context(), "stop", reason, 0); err != nil {
			t.Fatal(err)
		}
	}
	on := func(by, reason string) func() {
		return func() { t.Helper(); set(t, q, usher.Setting{Kind: usher.StopSwitch}, by, reason) }
	}
	off := func() { t.Helper(); takeBack(t, q, usher.StopSwitch, "", "ann", "") }
	for _, c := range []struct {
		name        string
		first, then func()
		refused     string // part of the error; "": it is taken back
	}{
		{"as it was", on("ann", "incident 12"), func() {}, ""},
		{"set again", on("ann", "incident 12"), on("bob", "incident 13"), "it was set again meanwhile: stopped by bob: incident 13"},
		{"set again alike", on("ann", "incident 12"), on("ann", "incident 12"), "it was set again meanwhile"},
		{"set after it was off", func() {}, on("bob", "incident 13"), "it was set again meanwhile: stopped by bob: incident 13"},
		{"taken back by another", on("ann", "incident 12"), off, ""},
		{"off", func() {}, func() {}, ""},
		{"by hand", func() { byHand("incident 12") }, func() {}, ""},
		{"by hand again", func() { byHand("incident 12") }, func() { off(); byHand("incident 13") }, "it was set again meanwhile: stopped: "},
	} {
		c.first()
		shown := get()
		c.then()
		err := q.Settings().TakeBackShown(t.Context(), usher.StopSwitch, "", shown, audit.Act{Actor: "ann"})
		if c.refused == "" && err != nil || c.refused != "" && (!errors.Is(err, settings.ErrSetAgain) || !strings.Contains(err.Error(), c.refused)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.refused)
		}
		if left := get(); (left != nil) != (c.refused != "") {
			t.Errorf("%s: the switch is %+v", c.name, left)
		}
		off()
	}
}

// The time of the last release is kept, and a switch that was not set has none.
func TestStopSwitch(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	if _, stopped, err := q.Settings().Stopped(t.Context()); stopped || err != nil {
		t.Fatalf("it is set at the start: %v", err)
	}
	takeBack(t, q, usher.StopSwitch, "", "bob", "")
	if at, err := q.Settings().Released(t.Context()); !at.IsZero() || err != nil {
		t.Errorf("a switch that was not set was released at %s, %v", at, err)
	}
	set(t, q, usher.Setting{Kind: usher.StopSwitch}, "ann", "incident 12")
	s, err := b.Queue(t).Settings().Get(t.Context(), usher.StopSwitch, "") // in another process
	if err != nil || s == nil || s.Reason != "incident 12" || s.By != "ann" || s.At.IsZero() {
		t.Fatalf("the switch is %+v, %v", s, err)
	}
	takeBack(t, q, usher.StopSwitch, "", "bob", "")
	if reason, stopped, err := q.Settings().Stopped(t.Context()); stopped || err != nil {
		t.Errorf("it is still set: %s, %v", reason, err)
	}
	if at, err := q.Settings().Released(t.Context()); at.Before(s.At) || err != nil {
		t.Errorf("it was released at %s, %v", at, err)
	}
	wantAudit(t, q, audit.Filter{}, "bob: started → started, ", "ann: started → stopped, incident 12", "bob: stopped → started, ")
}

// Runbooks set the stop switch by writing the key.
func TestStopSwitchByHand(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	kv, err := b.JS.KeyValue(t.Context(), "usher_rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"incident 12", "", "{", "7"} {
		if _, err := kv.Put(t.Context(), "stop", []byte(word)); err != nil {
			t.Fatal(err)
		}
		if reason, stopped, err := q.Settings().Stopped(t.Context()); !stopped || err != nil || reason != word {
			t.Errorf("by %q it is set %t, with reason %q, %v", word, stopped, reason, err)
		}
	}
	takeBack(t, q, usher.StopSwitch, "", "ann", "")
	if _, stopped, err := q.Settings().Stopped(t.Context()); stopped || err != nil {
		t.Errorf("it is still set: %v", err)
	}
}

// A damaged pause counts as set, says why, is found, and can be set and taken back.
func TestDamagedPause(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	kv, err := b.JS.KeyValue(t.Context(), "usher_rules")
	if err != nil {
		t.Fatal(err)
	}
	const unreadable = "paused by somebody unknown: the stored setting cannot be read: set it again, or take it back"
	for key, s := range map[string]usher.Setting{
		"settings.rule.budgets=2Fstop": {Kind: usher.RulePause, Name: "budgets/stop"},
		"settings.lane.bulk":           {Kind: usher.LanePause, Name: "bulk"},
		"settings.feed.crm-daily":      {Kind: usher.FeedPause, Name: "crm-daily"},
	} {
		set(t, q, s, "ann", "incident 12")
		for _, value := range []string{"", "{}", "null", "{"} {
			if _, err := kv.PutString(t.Context(), key, value); err != nil {
				t.Fatal(err)
			}
			list, err := q.Settings().List(t.Context(), s.Kind)
			if p := list[s.Name]; err != nil || len(list) != 1 || p.String() != unreadable || p.Kind != s.Kind || p.Name != s.Name || p.At.IsZero() {
				t.Errorf("by %q are paused %+v, %v", value, list, err)
			}
			if p, err := q.Settings().Get(t.Context(), s.Kind, s.Name); err != nil || p == nil || p.String() != unreadable {
				t.Errorf("by %q the setting is %+v, %v", value, p, err)
			}
			if all, err := q.Settings().All(t.Context()); err != nil || len(all) != 1 || all[0].String() != unreadable {
				t.Errorf("by %q are set %+v, %v", value, all, err)
			}
			if keys, err := q.Damaged(t.Context()); err != nil || !slices.Equal(keys, []string{key}) {
				t.Errorf("by %q are damaged %q, %v", value, keys, err)
			}
		}
		set(t, q, s, "ann", "incident 12")
		if keys, err := q.Damaged(t.Context()); err != nil || len(keys) != 0 {
			t.Errorf("damaged are %q, %v", keys, err)
		}
		if _, err := kv.PutString(t.Context(), key, "{"); err != nil {
			t.Fatal(err)
		}
		takeBack(t, q, s.Kind, s.Name, "ann", "")
		if all, err := q.Settings().All(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("set are %+v, %v", all, err)
		}
	}
}

// The repair of a damaged pause lets nothing run: the pause stays, with who repaired it.
func TestRepairedPause(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	kv, err := b.JS.KeyValue(t.Context(), "usher_rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"settings.rule.budgets=2Fstop", "settings.limit.A=2E1"} {
		if _, err := kv.PutString(t.Context(), key, "{"); err != nil {
			t.Fatal(err)
		}
		if err := q.Repair(t.Context(), key, audit.Act{Actor: "ann", Reason: "repair"}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := q.Settings().All(t.Context())
	if err != nil || len(all) != 1 || all[0].Name != "budgets/stop" || all[0].String() != "paused by ann: the stored setting could not be read, and was repaired: take it back if nothing is to be paused" {
		t.Errorf("set are %+v, %v", all, err)
	}
	if keys, err := q.Damaged(t.Context()); err != nil || len(keys) != 0 {
		t.Errorf("damaged are %q, %v", keys, err)
	}
}

// A damaged limit is listed, says that the configured one applies, and can be taken back.
func TestDamagedLimit(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	kv, err := b.JS.KeyValue(t.Context(), "usher_rules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.PutString(t.Context(), "settings.limit.A=2E1", "{"); err != nil {
		t.Fatal(err)
	}
	list, err := q.Settings().List(t.Context(), usher.RateLimit)
	if l := list["A.1"]; err != nil || len(list) != 1 || !l.Damaged || l.Rate != (usher.Rate{}) ||
		l.String() != "as configured: the stored setting cannot be read: set it again, or take it back" {
		t.Errorf("limits are %+v, %v", list, err)
	}
	takeBack(t, q, usher.RateLimit, "A.1", "ann", "")
	if all, err := q.Settings().All(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("set are %+v, %v", all, err)
	}
}

// A watcher of limits is notified of each change.
func TestWatch(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	changes := make(chan map[string]usher.Setting, 10)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		q.Settings().Watch(ctx, usher.RateLimit, func(l map[string]usher.Setting) { changes <- l })
	}()
	if l := <-changes; len(l) != 0 {
		t.Fatalf("limits are %+v", l)
	}
	set(t, q, usher.Setting{Kind: usher.RateLimit, Name: "A.1", Rate: usher.Rate{PerSecond: 5}}, "alice", "mended")
	if l := <-changes; len(l) != 1 || l["A.1"].Rate.PerSecond != 5 || l["A.1"].By != "alice" {
		t.Fatalf("limits are %+v", l)
	}
	takeBack(t, q, usher.RateLimit, "A.1", "alice", "mended")
	if l := <-changes; len(l) != 0 {
		t.Fatalf("limits are %+v", l)
	}
	stop()
	<-ended
}
