package outcomes_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/internal/outcomes"
	"usher/internal/rules"
	"usher/internal/rules/figures"
	"usher/queues/audit"
	stored "usher/queues/outcomes"
	"usher/queues/queuetest"
)

const bucket = "usher_rules"

// put stores installs of campaigns of a day as complete.
func put(t *testing.T, s *stored.Store, date string, installs map[string]float64) {
	t.Helper()
	if err := tryPut(t, s, date, installs); err != nil {
		t.Fatal(err)
	}
}

func tryPut(t *testing.T, s *stored.Store, date string, installs map[string]float64) error {
	t.Helper()
	d := &outcomes.Delivery{Account: "A", Complete: true}
	for _, campaign := range slices.Sorted(maps.Keys(installs)) {
		number := installs[campaign]
		d.Rows = append(d.Rows, outcomes.Row{Date: date, Campaign: campaign, Name: "installs", Number: &number})
	}
	_, err := s.Put(t.Context(), d)
	return err
}

// decide returns what a cap on the cost of an install decides on campaigns that have spent 200 yesterday, on 19 May.
func decide(t *testing.T, s *stored.Store, campaigns ...string) map[string]usher.Action {
	t.Helper()
	return decideBy(t, s, "grossMediaSpend > 100 * outcome.installs", campaigns...)
}

// decideBy returns what a rule that pauses by a condition decides on them.
func decideBy(t *testing.T, s *stored.Store, condition string, campaigns ...string) map[string]usher.Action {
	t.Helper()
	set, problems := rules.Load("rules.yaml", []byte(`account: A
timezone: UTC
rules:
  - {name: r, scope: {campaigns: ["A-*"], level: campaign}, window: yesterday, pause_when: "`+condition+`"}
`))
	if set == nil {
		t.Fatal(problems)
	}
	sums := rules.NewFigures(set, time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC))
	snapshot := rules.Snapshot{Figures: sums}
	for _, campaign := range campaigns {
		row := figures.Row{Date: "2026-05-19", Campaign: campaign}
		row.Values[figures.GrossMediaSpend] = 200
		if err := sums.Add(row); err != nil {
			t.Fatal(err)
		}
		snapshot.Creatives = append(snapshot.Creatives, rules.Creative{Campaign: campaign, Code: "c", Status: rules.Active})
	}
	known, err := s.Now(t.Context(), "A", sums.OutcomeNeeds())
	if err == nil {
		err = sums.AddOutcomes(known)
	}
	if err != nil {
		t.Fatal(err)
	}
	run, err := set.Decide(t.Context(), snapshot)
	if err != nil {
		t.Fatal(err)
	}
	actions := map[string]usher.Action{}
	for d := range run.Decisions(nil) {
		actions[d.Campaign] = d.Action
	}
	return actions
}

// What is stored while it is read makes no number 0: a run sees a complete day with its numbers, or not as complete.
func TestReadDuringPut(t *testing.T) {
	t.Parallel()
	for before := range 3 {
		b := queuetest.NewOn(t, &natsserver.Options{})
		s := stored.New(b.Queue(t))
		put(t, s, "2026-05-18", map[string]float64{"A-x": 30})
		b.BeforeScan(t, bucket, before+1, func() { put(t, s, "2026-05-19", map[string]float64{"A-x": 41}) })
		if got := decide(t, s, "A-x")["A-x"]; got == usher.Pause {
			t.Errorf("a run with a delivery before its scan %d decides %s", before+1, got)
		}
		if got := decide(t, s, "A-x")["A-x"]; before < 2 && got != usher.None {
			t.Errorf("the next run decides %s", got)
		}
	}
}

// Numbers of a damaged month count as UNKNOWN and not as 0, before it is repaired, meanwhile, and afterwards,
// until a complete delivery has them again. Other campaigns are decided on by the numbers that they have.
func TestDamagedMonth(t *testing.T) {
	t.Parallel()
	const key = "outcomes.A.values.2026-05.A-x"
	numbers := map[string]float64{"A-x": 41, "A-y": 1} // and A-z has none
	for _, value := range []string{"", "{}", "[1]", `{"installs":{"":{"2026-05-19":[[17`, strings.Repeat("x", 100_000)} {
		b := queuetest.NewOn(t, &natsserver.Options{})
		s := stored.New(b.Queue(t))
		expect := func(when string, want map[string]usher.Action) {
			t.Helper()
			if got := decide(t, s, "A-x", "A-y", "A-z"); !maps.Equal(got, want) {
				t.Errorf("%.9q, %s: %v, want %v", value, when, got, want)
			}
		}
		whole := map[string]usher.Action{"A-x": usher.None, "A-y": usher.Pause, "A-z": usher.Pause}
		lacking := map[string]usher.Action{"A-x": usher.Unknown, "A-y": usher.Pause, "A-z": usher.Unknown}
		put(t, s, "2026-05-18", numbers)
		put(t, s, "2026-05-19", numbers)
		expect("before", whole)
		kv, err := b.JS.KeyValue(t.Context(), bucket)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kv.PutString(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
		expect("damaged", lacking)
		if damaged, err := s.Damaged(t.Context()); err != nil || !slices.Equal(damaged, []string{key}) {
			t.Errorf("damaged are %v, %v", damaged, err)
		}
		if err := tryPut(t, s, "2026-05-19", numbers); err == nil || !strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "doctor --repair") {
			t.Errorf("a delivery over the damaged month: %v", err)
		}
		b.BeforeScan(t, bucket, 2, func() {
			if err := s.Repair(t.Context(), key, audit.Act{Actor: "ada", Reason: "repair"}); err != nil {
				t.Error(err)
			}
		})
		expect("repaired meanwhile", lacking)
		expect("repaired", lacking)
		if damaged, err := s.Damaged(t.Context()); err != nil || len(damaged) > 0 {
			t.Errorf("after the repair are damaged: %v, %v", damaged, err)
		}
		put(t, s, "2026-05-19", numbers)
		expect("delivered again", whole)
	}
}

// lose removes a value from the bucket, without a trace.
func lose(t *testing.T, b *queuetest.Broker, key string) {
	t.Helper()
	stream, err := b.JS.Stream(t.Context(), "KV_"+bucket)
	if err == nil {
		err = stream.Purge(t.Context(), jetstream.WithPurgeSubject("$KV."+bucket+"."+key))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// If the names are damaged or lost, nothing is known until they are repaired, not even that a name with holes is at
// least 0, and no delivery forgets which ones have negative values.
func TestDamagedNames(t *testing.T) {
	t.Parallel()
	const key, hole = "outcomes.A.names", "outcome.installs > -20"
	for _, state := range []string{"{}", "lost", "deleted", "put again"} {
		b := queuetest.New(t)
		s := stored.New(b.Queue(t))
		if got := decideBy(t, s, hole, "A-x")["A-x"]; got != usher.Pause {
			t.Errorf("%s: before the first delivery, a run decides %s", state, got)
		}
		put(t, s, "2026-04-18", map[string]float64{"A-x": -3}) // in a month that no run reads
		put(t, s, "2026-05-19", map[string]float64{"A-y": 0, "A-x": 0})
		kv, err := b.JS.KeyValue(t.Context(), bucket)
		if err != nil {
			t.Fatal(err)
		}
		switch state {
		case "{}":
			_, err = kv.PutString(t.Context(), key, state)
		case "deleted":
			err = kv.Delete(t.Context(), key)
		default:
			lose(t, b, key)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, condition := range []string{hole, "outcome.installs < 1", "account.outcome.installs > -20"} {
			if got := decideBy(t, s, condition, "A-x")["A-x"]; got != usher.Unknown {
				t.Errorf("%s: a run decides %s by %s", state, got, condition)
			}
		}
		if damaged, err := s.Damaged(t.Context()); err != nil || !slices.Equal(damaged, []string{key}) {
			t.Errorf("%s: damaged are %v, %v", state, damaged, err)
		}
		err = tryPut(t, s, "2026-05-18", map[string]float64{"A-x": 0})
		if state == "{}" {
			if err == nil || !strings.Contains(err.Error(), key) {
				t.Errorf("a delivery over damaged names: %v", err)
			}
		} else if err != nil {
			t.Fatal(err)
		}
		if state != "put again" {
			if state != "{}" {
				lose(t, b, key)
			}
			if err := s.Repair(t.Context(), key, audit.Act{Actor: "ada", Reason: "repair"}); err != nil {
				t.Fatal(err)
			}
		}
		if kept, err := s.List(t.Context(), "A"); err != nil || len(kept) != 1 || !kept[0].Negative {
			t.Errorf("%s: after the repair are kept: %+v, %v", state, kept, err)
		}
		if damaged, err := s.Damaged(t.Context()); err != nil || len(damaged) > 0 {
			t.Errorf("%s: after the repair are damaged: %v, %v", state, damaged, err)
		}
		if got := decide(t, s, "A-x")["A-x"]; got != usher.Pause {
			t.Errorf("%s: after the repair, a run decides %s", state, got)
		}
	}
}

// Names that are lost together with all values are gone, and no day is complete that has no number left.
func TestLostNumbers(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	s := stored.New(b.Queue(t))
	put(t, s, "2026-05-19", map[string]float64{"A-x": 41})
	lose(t, b, "outcomes.A.names")
	lose(t, b, "outcomes.A.values.>")
	for _, want := range []usher.Action{usher.Unknown, usher.Pause} { // as if nothing had been delivered
		if got := decideBy(t, s, "outcome.installs > -20", "A-x")["A-x"]; got != want {
			t.Errorf("it decides %s, want %s", got, want)
		}
		if got := decide(t, s, "A-x")["A-x"]; got != usher.Unknown {
			t.Errorf("a lost number counts as 0: %s", got)
		}
		if err := s.Repair(t.Context(), "outcomes.A.names", audit.Act{Actor: "ada", Reason: "repair"}); err != nil {
			t.Fatal(err)
		}
		if damaged, err := s.Damaged(t.Context()); err != nil || len(damaged) > 0 {
			t.Errorf("after the repair are damaged: %v, %v", damaged, err)
		}
	}
}

// If values are damaged, too, each name that is rebuilt may have had a negative one.
func TestNamesOfDamagedValues(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	s := stored.New(b.Queue(t))
	put(t, s, "2026-04-18", map[string]float64{"A-x": -3})
	put(t, s, "2026-05-18", map[string]float64{"A-x": 3})
	kv, err := b.JS.KeyValue(t.Context(), bucket)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.PutString(t.Context(), "outcomes.A.values.2026-04.A-x", "{}"); err != nil {
		t.Fatal(err)
	}
	lose(t, b, "outcomes.A.names")
	put(t, s, "2026-05-17", map[string]float64{"A-x": 5})
	if got := decideBy(t, s, "outcome.installs > -20", "A-x")["A-x"]; got != usher.Unknown {
		t.Errorf("a run decides %s", got)
	}
}
