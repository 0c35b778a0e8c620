package workers_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/ledger"
	"usher/queues/audit"
	"usher/queues/heads"
	"usher/workers/internal/workertest"
)

// newMirrorQueue returns a queue whose worker keeps a ledger, with heads in NATS. Exports are
// cut into small parts.
func newMirrorQueue(t *testing.T) (*workertest.Queue, *mirrored) {
	t.Helper()
	q := workertest.NewQueue(t)
	b := &mirrored{Bench: q.Bench}
	var err error
	if b.store, err = ledger.Open(t.Context(), ledger.Options{URL: t.TempDir(), Heads: heads.In(q.Jobs.Store())}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.store.Close() })
	b.CutAt(2000)
	b.Worker.Ledger, b.Worker.Advertiser = b.store, "SANDBOX1"
	return q, b
}

// mirrorBody returns the body of a mirror of segment 1.
func mirrorBody(id, url, more string) string {
	return fmt.Sprintf(`{"id":%q,"segment":"1","profile":"idfa","source":{"url":%q}%s}`, id, url, more)
}

// The parts of a mirror are shared: the export is cut into some twenty parts.
func TestMirrorIsShared(t *testing.T) {
	t.Parallel()
	q, b := newMirrorQueue(t)
	q.Start()
	for i, c := range []struct {
		from, to      int
		added, stayed int64
	}{{0, 1000, 1000, 0}, {100, 1050, 50, 900}} {
		id := fmt.Sprintf("m-%d", i)
		q.Publish(usher.SegmentMirror, mirrorBody(id, b.ids(c.from, c.to), ""))
		q.Done(id)
		r, err := q.Jobs.Status().Record(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if r.Tally.Read != int64(c.to-c.from) || r.Tally.Accepted != c.added || r.Tally.Unchanged != c.stayed || r.Tally.Check() != nil {
			t.Errorf("record of %s: %+v", id, r)
		}
		b.wantEqual(t, "segment/1", int64(c.to-c.from))
	}
	q.Publish(usher.SegmentMirror, mirrorBody("short", b.ids(100, 200), ""))
	q.Until("short", usher.Failed)
	r, err := q.Jobs.Status().Record(t.Context(), "short")
	if err != nil || r.Error == nil || r.Error.Class != usher.Shrink {
		t.Errorf("record %+v, %v", r, err)
	}
	b.wantEqual(t, "segment/1", 950)
}

// The record of a job of several parts counts the rows of another type in all of them, and not
// only those that were sampled.
func TestWarningsOfAllParts(t *testing.T) {
	t.Parallel()
	q, b := newMirrorQueue(t)
	b.CutAt(40_000)
	q.Start()
	rows := "n,device_id\n"
	for i := range 6000 {
		id := fmt.Sprintf("%08X-8246-4BA4-AE5B-76104861E7DC", i)
		if i%100 == 50 {
			id = strings.ToLower(id)
		}
		rows += fmt.Sprintf("%d,%s\n", i, id)
	}
	url := b.File("types.csv", rows)
	for _, kind := range []usher.Kind{usher.SegmentMirror, usher.SegmentAdd} {
		id := string(kind)
		q.Publish(kind, mirrorBody(id, url, ""))
		q.Done(id)
		r, err := q.Jobs.Status().Record(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		found := slices.DeleteFunc(r.Warnings, func(w usher.Warning) bool { return w.Code == "no_ledger" })
		if len(found) != 1 || found[0].Code != "letter_case" || found[0].Count != 60 {
			t.Errorf("%s: warnings are %+v", kind, found)
		}
	}
}

// A mirror is cancelled while it removes ids. The next one makes the segment equal to its
// export all the same.
func TestMirrorCancelled(t *testing.T) {
	t.Parallel()
	q, b := newMirrorQueue(t)
	q.Start()
	q.Publish(usher.SegmentMirror, mirrorBody("first", b.ids(0, 400), ""))
	q.Done("first")
	b.Fault("segments.remove-user", "hang", map[string]any{"times": 1000, "after": 30})
	q.Publish(usher.SegmentMirror, mirrorBody("second", b.ids(300, 500), `,"force":true`))
	for len(b.Calls("remove-user")) < 30 && t.Context().Err() == nil {
		continue // each look is a call of the sandbox
	}
	if err := q.Jobs.Cancel(t.Context(), "second", audit.Act{Actor: "test"}); err != nil {
		t.Fatal(err)
	}
	b.Control(http.MethodDelete, "faults", nil, nil)
	q.Publish(usher.SegmentMirror, mirrorBody("third", b.ids(200, 450), `,"force":true`))
	q.Done("third")
	b.wantEqual(t, "segment/1", 250)
}

// Workers are stopped again and again while mirrors and other jobs run. In the end platform,
// ledger and model agree.
func TestMirrorsAndStops(t *testing.T) {
	t.Parallel()
	q, b := newMirrorQueue(t)
	random := rand.New(rand.NewPCG(11, 12))
	members := map[int]bool{}
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	for round := range rounds {
		from := random.IntN(300)
		to := from + 1 + random.IntN(600)
		id := fmt.Sprintf("job-%d", round)
		kind := usher.SegmentMirror
		if round > 0 {
			kind = []usher.Kind{usher.SegmentMirror, usher.SegmentMirror, usher.SegmentAdd, usher.SegmentRemove}[random.IntN(4)]
		}
		body := mirrorBody(id, b.ids(from, to), "")
		if kind.Mirrors() {
			body = mirrorBody(id, b.ids(from, to), `,"force":true`)
			members = map[int]bool{}
		}
		for i := from; i < to; i++ {
			if members[i] = true; kind == usher.SegmentRemove {
				delete(members, i)
			}
		}
		q.Publish(kind, body)
		for range random.IntN(4) {
			endFetch, endWork := q.Start()
			for range random.IntN(6) {
				select {
				case <-q.Events:
				case <-t.Context().Done():
				default:
				}
			}
			endFetch()
			endWork()
		}
		_, endWork := q.Start()
		q.Done(id)
		endWork()
		b.wantEqual(t, "segment/1", int64(len(members)))
	}
}
