package lanes_test

import (
	"testing"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

var operator = audit.Act{Actor: "alice", Reason: "mended"}

// A paused lane delivers nothing. Its jobs say so, and lose no attempt.
func TestPausedLane(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, campaigns := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Campaign)
	if err := q.Lanes().Pause(t.Context(), lanes.Audience, operator); err != nil {
		t.Fatal(err)
	}
	if err := queues.Declare(t.Context(), b.JS, b.Options); err != nil { // as a deploy does
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	b.Publish(t, usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-a"}`)
	lane.None(t)
	if err := campaigns.Take(t).End(queuetest.Done(0)); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.Why == nil || *r.Why != "lane audience is paused by alice: mended" {
		t.Errorf("the record is %s", queuetest.JSON(t, r))
	}
	states, err := q.Lanes().States(t.Context())
	if err != nil || states[0].Waiting+states[0].Running != 1 || states[0].Oldest == nil || states[0].Paused == nil || states[2].Waiting != 0 || states[2].Paused != nil {
		t.Errorf("lanes are %s, %v", queuetest.JSON(t, states), err)
	}
	if err := q.Lanes().Resume(t.Context(), lanes.Audience, operator); err != nil {
		t.Fatal(err)
	}
	if w := lane.TakeWork(t); w.ID != "j1" || w.Attempts != 1 || w.Crashes != 0 {
		t.Errorf("the work is %+v", w)
	}
}
