package queues_test

import (
	"fmt"
	"testing"

	"usher"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

const (
	manyCampaigns = 20
	pausesOfEach  = 10
)

// manyPauses publishes pauses of all creatives of many campaigns, in turn: pause-C-N is the
// pause N of campaign C.
func manyPauses(t *testing.T, b *queuetest.Broker) {
	t.Helper()
	for n := range pausesOfEach {
		for c := range manyCampaigns {
			publishPause(t, b, c, n)
		}
	}
}

func publishPause(t *testing.T, b *queuetest.Broker, campaign, n int) {
	t.Helper()
	b.Publish(t, usher.CampaignPause, fmt.Sprintf(`{"id":"pause-%d-%d","campaign":"c%d","reason":"budget"}`, campaign, n, campaign))
}

// While many pauses wait, the newest one of each campaign runs first, those that were
// published last before the others, and the older ones know that they are superseded.
func TestNewestFirst(t *testing.T) {
	t.Parallel()
	b := queuetest.NewPatient(t)
	manyPauses(t, b)
	lane := queuetest.NewSlot(t, b.Queue(t), lanes.Campaign)
	const last = pausesOfEach - 1
	var left, order []string // the newest pauses, of which the last one is to run first
	for c := range manyCampaigns {
		left = append(left, fmt.Sprintf("pause-%d-%d", c, last))
	}
	others := 0
	for range manyCampaigns {
		l := lane.Take(t)
		if by := l.Work().Superseded; by != "" {
			t.Errorf("%s is superseded by %s", l.Work().ID, by)
		}
		if err := l.ClaimCampaign(t.Context()); err != nil {
			t.Fatal(err)
		}
		order = append(order, l.Work().ID)
		switch newest := len(left) - 1; l.Work().ID {
		case left[newest]:
			left = left[:newest]
		case left[0]:
			// The lane delivers the oldest pause first, pause-0-0, whose slot releases the newest one of its campaign.
			// If NATS takes a moment to deliver what was released, the lane delivers the next oldest pause meanwhile.
			left = left[1:]
			others++
		default:
			t.Fatalf("jobs ran in the order %q, left were %q", order, left)
		}
		ends(t, l, queuetest.Done(1))
	}
	if others > manyCampaigns/2 {
		t.Errorf("jobs ran in the order %q: not the last ones first", order)
	}
	ran := map[string]bool{}
	for range manyCampaigns * last {
		l := lane.Take(t)
		w := l.Work()
		if want := fmt.Sprintf("pause-%s-%d", w.Job.Campaign[1:], last); w.Superseded != want || ran[w.ID] {
			t.Errorf("%s is superseded by %q, ran before: %t", w.ID, w.Superseded, ran[w.ID])
		}
		ran[w.ID] = true
		ends(t, l, queuetest.Done(1))
	}
	lane.None(t)
	if n := b.Pending(t, "USHER_CAMPAIGNS"); n != 0 {
		t.Errorf("%d messages are left", n)
	}
}

// A pause that comes while others wait runs next, and older jobs of its campaign wait until
// it has ended.
func TestNewPauseBesideOlder(t *testing.T) {
	t.Parallel()
	b := queuetest.NewPatient(t)
	manyPauses(t, b)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Campaign), queuetest.NewSlot(t, q, lanes.Campaign)
	ends(t, lane.Take(t), queuetest.Done(1))
	publishPause(t, b, 7, 99)
	var newest interface{ End(usher.Ending) error }
	for range manyCampaigns * pausesOfEach { // the slot reads new messages every 100 ms
		l := lane.Take(t)
		if l.Work().ID == "pause-7-99" {
			newest = l
			break
		}
		ends(t, l, queuetest.Done(1))
	}
	if newest == nil {
		t.Fatal("the new pause does not come before all others")
	}
	for range manyCampaigns * 2 {
		l := other.Take(t)
		if l.Work().Job.Campaign == "c7" {
			t.Errorf("%s runs beside a newer job", l.Work().ID)
		}
		ends(t, l, queuetest.Done(1))
	}
	if err := newest.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
}

// The newest pause of a campaign whose worker has crashed is taken by the worker that is
// delivered the older one.
func TestCrashOfNewest(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	manyPauses(t, b)
	newest := fmt.Sprintf("pause-0-%d", pausesOfEach-1)
	lane, rescuer := queuetest.NewSlot(t, b.Queue(t), lanes.Campaign), queuetest.NewSlot(t, b.Queue(t), lanes.Campaign)
	takes(t, lane, newest).Crash()
	for range manyCampaigns * pausesOfEach {
		l := rescuer.Take(t)
		w := l.Work()
		if w.ID == newest {
			if w.Crashes != 1 || w.Attempts != 1 {
				t.Errorf("it came again as %s", queuetest.JSON(t, w))
			}
			return
		}
		if w.Job.Campaign == "c0" {
			t.Errorf("%s came before %s", w.ID, newest)
		}
		ends(t, l, queuetest.Done(1))
	}
	t.Error("it did not come again")
}

// A replay is not superseded by a job that was published before it.
func TestReplayIsNotSuperseded(t *testing.T) {
	t.Parallel()
	b := queuetest.NewPatient(t)
	lane := queuetest.NewSlot(t, b.Queue(t), lanes.Campaign)
	publishPause(t, b, 7, 77)
	ends(t, takes(t, lane, "pause-7-77"), queuetest.Failed(usher.Refused))
	manyPauses(t, b)
	for {
		l := lane.Take(t)
		w := l.Work()
		if w.ID == "pause-7-77" {
			if w.Run != 2 || w.Superseded != "" {
				t.Errorf("the replay is %s", queuetest.JSON(t, w))
			}
			return
		}
		if w.ID == fmt.Sprintf("pause-7-%d", pausesOfEach-1) {
			if err := l.ClaimCampaign(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.PublishRun(t, usher.CampaignPause, `{"id":"pause-7-77","campaign":"c7","reason":"budget"}`, "Usher-Run", "2", "Usher-Order", "1")
		}
		ends(t, l, queuetest.Done(1))
	}
}
