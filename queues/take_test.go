package queues_test

import (
	"testing"

	"usher"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

const pauseJob = `{"id":"pause","campaign":"SANDBOX1-a"}`

// A pause that is not on record is taken by one write, without a read before it.
func TestNewPauseIsNotLookedUp(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	reads, err := b.Conn.SubscribeSync("$JS.API.STREAM.MSG.GET.KV_usher_state")
	if err != nil {
		t.Fatal(err)
	}
	lane := queuetest.NewSlot(t, b.Queue(t), lanes.Campaign)
	b.Publish(t, usher.CampaignPause, pauseJob)
	if w := lane.Take(t).Work(); w.ID != "pause" || w.Run != 1 || w.Attempts != 1 {
		t.Errorf("the work is %+v", w)
	}
	if err := b.Conn.Flush(); err != nil { // then the reads of this connection have arrived
		t.Fatal(err)
	}
	if n, _, err := reads.Pending(); n != 0 || err != nil {
		t.Errorf("%d reads of records, %v", n, err)
	}
}

// A pause whose record exists before its message is delivered is taken as the record
// says: usher.submit has written it, or somebody has cancelled the job.
func TestPauseOnRecord(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	if a, err := q.Submit(t.Context(), usher.CampaignPause, []byte(pauseJob)); err != nil || len(a.Errors) != 0 {
		t.Fatalf("submit answers %+v, %v", a, err)
	}
	first := lane.Take(t)
	if w := first.Work(); w.Attempts != 1 || w.Crashes != 0 {
		t.Errorf("the work is %+v", w)
	}
	if err := first.End(queuetest.Done(0)); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "pause"); r.State != usher.Done || r.Attempts != 1 {
		t.Errorf("the record says %s", queuetest.JSON(t, r))
	}

	b.Publish(t, usher.CampaignPause, `{"id":"regretted","campaign":"SANDBOX1-a"}`)
	if err := q.Cancel(t.Context(), "regretted", audit.Act{Actor: "tests"}); err != nil {
		t.Fatal(err)
	}
	lane.None(t)
	if n := b.Pending(t, "USHER_JOBS"); n != 0 {
		t.Errorf("%d messages are left", n)
	}
}
