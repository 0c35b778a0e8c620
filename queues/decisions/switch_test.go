package decisions_test

import (
	"encoding/json"
	"testing"

	"usher"
	"usher/queues/decisions"
	"usher/queues/queuetest"
)

func TestStopSwitch(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	s := decisions.NewStopSwitch(b.Queue(t))
	if _, stopped, err := s.Stopped(t.Context()); stopped || err != nil {
		t.Fatalf("it is thrown at the start: %v", err)
	}
	if err := s.Start(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	if at, err := s.Started(t.Context()); !at.IsZero() || err != nil {
		t.Errorf("a switch that was not thrown was released at %s, %v", at, err)
	}
	if err := s.Stop(t.Context(), "incident 12", "ann"); err != nil {
		t.Fatal(err)
	}
	state, err := decisions.NewStopSwitch(b.Queue(t)).Read(t.Context()) // in another process
	if err != nil || !state.Stopped || state.Reason != "incident 12" || state.By != "ann" || state.At == nil {
		t.Errorf("the switch is %+v, %v", state, err)
	}
	if err := s.Start(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	if reason, stopped, err := s.Stopped(t.Context()); stopped || err != nil {
		t.Errorf("it is still thrown: %s, %v", reason, err)
	}
	if at, err := s.Started(t.Context()); at.Before(*state.At) || err != nil {
		t.Errorf("it was released at %s, %v", at, err)
	}
	wantSwitched(t, b, "bob: started → started ", "ann: started → stopped incident 12", "bob: stopped → started ")
}

// wantSwitched compares the audit of the switch.
func wantSwitched(t *testing.T, b *queuetest.Broker, want ...string) {
	t.Helper()
	s, err := b.JS.Stream(t.Context(), "USHER_EVENTS")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for seq := uint64(1); seq <= s.CachedInfo().State.LastSeq; seq++ {
		m, err := s.GetMsg(t.Context(), seq)
		if err != nil || m.Subject != "usher.audit._switch" {
			continue
		}
		var a usher.Audit
		if err := json.Unmarshal(m.Data, &a); err != nil {
			t.Fatal(err)
		}
		got = append(got, a.Actor+": "+a.Before+" → "+a.After+" "+a.Reason)
	}
	if queuetest.JSON(t, got) != queuetest.JSON(t, want) {
		t.Errorf("the audit says %q, not %q", got, want)
	}
}

// Runbooks of the first version throw the switch by writing the key.
func TestStopSwitchByHand(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	kv, err := b.JS.KeyValue(t.Context(), "usher_rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"incident 12", "", "{", "7"} {
		if _, err := kv.Put(t.Context(), "stop", []byte(word)); err != nil {
			t.Fatal(err)
		}
		if reason, stopped, err := decisions.NewStopSwitch(b.Queue(t)).Stopped(t.Context()); !stopped || err != nil || reason != word {
			t.Errorf("by %q it is thrown %t, with reason %q, %v", word, stopped, reason, err)
		}
	}
}
