package doctor

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// doctor names ten damaged values for people and all of them in JSON, and says, before and after
// it has removed them, what is not rebuilt.
func TestDamagedValues(t *testing.T) {
	t.Parallel()
	const norecord = "a job that has ended and has lost its record (jobs.…) runs again if its id is submitted again"
	for name, c := range map[string]struct {
		prefix   string
		norecord bool
	}{
		"records of jobs": {"jobs.t2-", true},
		"targets":         {"targets.t2-", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg, _ := servers(t)
			keys := make([]string, 12)
			for i := range keys {
				keys[i] = fmt.Sprintf("%s%02d", c.prefix, i)
			}
			damage(t, cfg.String("nats.url"), "usher_state", keys...)
			for _, repair := range []bool{false, true} {
				e := &examination{config: cfg, limits: usual, repair: repair, clocks: clocks{now: time.Now}}
				results := 0
				for _, f := range e.examineNATS(t.Context()) {
					if f.What != "stored values" {
						continue
					}
					results++
					verb := map[bool]string{false: "12 values are damaged and count as missing: ", true: "removed: "}[repair]
					if f.OK != repair || !strings.Contains(f.Says, verb) || !strings.Contains(f.Says, " and 2 more; ") || !strings.Contains(f.Says, "the memory of rules are rebuilt") {
						t.Errorf("%+v", f)
					}
					if strings.Contains(f.Says, norecord) != c.norecord || strings.HasPrefix(f.Says, warning) != (repair && c.norecord) {
						t.Errorf("%+v", f)
					}
					var shown struct {
						Keys []string `json:"keys"`
					}
					data, err := json.Marshal(f)
					if err == nil {
						err = json.Unmarshal(data, &shown)
					}
					if slices.Sort(shown.Keys); err != nil || !slices.Equal(shown.Keys, keys) {
						t.Errorf("in JSON are %v, want %v; %v", shown.Keys, keys, err)
					}
				}
				if results != 1 {
					t.Errorf("%d results about stored values, with repair %t", results, repair)
				}
			}
		})
	}
}

// Values that cannot be repaired are named with the reasons, and what to do; all others are repaired, wherever they are.
func TestDamagedValuesThatAreNotRepaired(t *testing.T) {
	t.Parallel()
	cfg, _ := servers(t)
	url := cfg.String("nats.url")
	damage(t, url, "usher_rules", "ledger.SANDBOX1=2Fsegment=2F1", "suppression.list", "taken.crm", "lapsing.t3", "memory.t3", "outcomes.SANDBOX1.values.2026-05.t3")
	damage(t, url, "usher_state", "targets.t3")
	e := &examination{config: cfg, limits: usual, repair: true, clocks: clocks{now: time.Now}}
	const kept = "2 values not repaired: "
	for _, says := range []string{"targets.t3, ", ""} {
		for _, f := range e.examineNATS(t.Context()) {
			if f.What != "stored values" {
				continue
			}
			if f.OK || !strings.HasPrefix(f.Says, kept) || !strings.Contains(f.Says, "`usher ledger adopt` or") || !strings.Contains(f.Says, "`usher repair suppression` rebuilds it") {
				t.Errorf("%+v", f)
			}
			if _, removed, _ := strings.Cut(f.Says, "; removed: "); !strings.HasPrefix(removed, says) || says == "" && removed != "" {
				t.Errorf("removed are %q, want %q first", removed, says)
			}
		}
	}
}

// damage stores values of a bucket that usher cannot have written.
func damage(t *testing.T, url, bucket string, keys ...string) {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	kv, err := js.KeyValue(t.Context(), bucket)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if _, err := kv.PutString(t.Context(), key, "{"); err != nil {
			t.Fatal(err)
		}
	}
}
