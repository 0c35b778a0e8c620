package queues_test

import (
	"context"
	"testing"

	"usher"
	"usher/queues"
	"usher/queues/queuetest"
)

var operator = queues.Act{Actor: "alice", Reason: "mended"}

// A paused lane delivers nothing. Its jobs say so, and lose no attempt.
func TestPausedLane(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, campaigns := queuetest.NewSlot(t, q, queues.Audience), queuetest.NewSlot(t, q, queues.Campaign)
	if err := q.PauseLane(t.Context(), queues.Audience, operator); err != nil {
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
	states, err := q.LaneStates(t.Context())
	if err != nil || states[0].Waiting+states[0].Running != 1 || states[0].Oldest == nil || states[0].Paused == nil || states[2].Waiting != 0 || states[2].Paused != nil {
		t.Errorf("lanes are %s, %v", queuetest.JSON(t, states), err)
	}
	if err := q.ResumeLane(t.Context(), queues.Audience, operator); err != nil {
		t.Fatal(err)
	}
	if w := lane.Take(t).Work(); w.ID != "j1" || w.Attempts != 1 || w.Crashes != 0 {
		t.Errorf("the work is %+v", w)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	heard := make(chan []queues.Limit, 10)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		q.Limits().Watch(ctx, func(l []queues.Limit) { heard <- l })
	}()
	if l := <-heard; len(l) != 0 {
		t.Fatalf("limits are %+v", l)
	}
	if err := q.Limits().Set(t.Context(), queues.Limit{Advertiser: "A.1", PerSecond: 5}, operator); err != nil {
		t.Fatal(err)
	}
	if l := <-heard; len(l) != 1 || l[0].Advertiser != "A.1" || l[0].PerSecond != 5 || l[0].By != "alice" {
		t.Fatalf("limits are %+v", l)
	}
	if err := q.Limits().Unset(t.Context(), "A.1", operator); err != nil {
		t.Fatal(err)
	}
	if l := <-heard; len(l) != 0 {
		t.Fatalf("limits are %+v", l)
	}
	stop()
	<-ended
}
