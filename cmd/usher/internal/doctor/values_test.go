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
			keys := damage(t, cfg.String("nats.url"), c.prefix)
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

// damage stores twelve values that usher cannot have written, and returns their keys.
func damage(t *testing.T, url, prefix string) (keys []string) {
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
	kv, err := js.KeyValue(t.Context(), "usher_state")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		keys = append(keys, fmt.Sprintf("%s%02d", prefix, i))
		if _, err := kv.PutString(t.Context(), keys[i], "{"); err != nil {
			t.Fatal(err)
		}
	}
	return keys
}
