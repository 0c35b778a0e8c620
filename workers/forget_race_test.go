package workers_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"usher"
	"usher/hashing"
	"usher/internal/sandbox"
	"usher/workers"
	"usher/workers/internal/workertest"
)

// uploads are the uploads of other workers.
type uploads struct {
	running []usher.Upload
	awaits  func(generation uint64) string
	arrived chan struct{}
}

func (u *uploads) Running(context.Context) ([]usher.Upload, error) { return u.running, nil }

func (u *uploads) Awaits(_ context.Context, generation uint64, _ time.Time, _ []usher.Upload) (waitsFor string, answered bool, err error) {
	if u.awaits != nil {
		waitsFor = u.awaits(generation)
	}
	return waitsFor, waitsFor != "", nil
}

func (u *uploads) NotifyRequests() (arrived <-chan struct{}, stop func(), err error) {
	return u.arrived, func() {}, nil
}

// A job that forgets ids leaves its slot while a batch does not arrive, says what it waits for,
// and goes on when the batch has arrived.
func TestForgetAwaitsBatch(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	onItsWay := true
	b.Worker.Uploads = &uploads{awaits: func(uint64) string {
		if onItsWay {
			return "the batches that worker box-2 has begun"
		}
		return ""
	}}
	s := b.Run(b.forget(id(1)))
	if r := s.Retried; r == nil || r.Why != "waits for the batches that worker box-2 has begun" || r.Counts {
		t.Fatalf("ended %+v, returned %+v", s.Ended, r)
	}
	onItsWay = false
	b.Run(s).Want(t, "done")
}

// An upload whose batch is on its way when an id is forgotten does not bring the id back, nor
// do its later batches.
func TestForgetDuringUpload(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentAdd, usher.SegmentMirror} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			other := b.beside(t)
			b.Run(b.job(usher.SegmentMirror, b.ids(1000, 1010))).Want(t, "done")

			b.Fault("segments.upload", "slow", map[string]any{"times": 1}) // until the faults are removed
			upload := b.job(kind, b.ids(0, 300))                           // three batches
			upload.Piece.Job.Force = true
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				other.Run(upload)
			}()
			b.awaitFault(t)
			u := &uploads{running: []usher.Upload{{Target: "segment/1", Key: "jobs.x"}}, arrived: make(chan struct{}, 1)}
			other.Worker.Suppressed.Arrived = func() { u.arrived <- struct{}{} }
			awaited := 0
			u.awaits = func(generation uint64) string {
				oldest, some := other.Worker.Suppressed.Oldest()
				if awaited++; awaited == 1 {
					b.Control(http.MethodDelete, "faults", nil, nil)
				}
				if some && oldest < generation {
					return "a batch of the other worker"
				}
				return ""
			}
			b.Worker.Uploads = u
			early, late := 10, 250 // of the first and the last batch
			if kind == usher.SegmentMirror {
				early, late = firstAndLast(t, 300) // it sends them in the order of their digests
			}
			s := b.forget(id(early), id(late))
			b.Run(s).Want(t, "done")
			<-ended
			upload.Want(t, "done")
			if awaited < 2 {
				t.Error("it did not wait for the batch")
			}
			if tally := upload.Tally(); tally.Suppressed != 1 || tally.Accepted != 299 || tally.Check() != nil {
				t.Errorf("tally of the upload: %+v", tally)
			}
			wantOutcomes(t, b.outcomes(t, s), "segment/1 removed", 1, "segment/1 absent", forms(t, id(early), id(late))-1)
			for _, i := range []int{early, late} {
				digests, _ := hashing.Forms([]byte(id(i)))
				for _, d := range digests {
					if has, err := b.Worker.Platform("", false).Segments.Contains(t.Context(), "1", "IDFA", d.String()); has || err != nil {
						t.Errorf("the segment has a form of id %d: %v", i, err)
					}
				}
			}
			last := b.job(usher.SegmentMirror, b.ids(0, 300))
			last.Piece.Job.Force = true
			b.Run(last).Want(t, "done")
			b.wantEqual(t, "segment/1", 298)
		})
	}
}

// beside returns another worker on the same platform, with the same ledger.
func (b *mirrored) beside(t *testing.T) *mirrored {
	t.Helper()
	other := &mirrored{Bench: workertest.NewBench(t, sandbox.Options{}), store: b.store}
	other.Worker.Platform, other.Worker.Exports, other.Worker.Advertiser = b.Worker.Platform, b.Worker.Exports, b.Worker.Advertiser
	other.Worker.Ledger, other.Worker.Suppressed = b.Worker.Ledger, workers.NewSuppressions(nil, b.Worker.Ledger)
	return other
}

// Members that several jobs forget while a mirror adds others are no members after the mirror.
func TestForgetTwiceDuringMirror(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	other := b.beside(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 100))).Want(t, "done")
	b.Fault("segments.upload", "slow", nil) // until the faults are removed
	mirror := b.job(usher.SegmentMirror, b.ids(0, 110))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		other.Run(mirror)
	}()
	b.awaitFault(t)
	for _, i := range []int{10, 20, 30} {
		b.Run(b.forget(id(i))).Want(t, "done")
	}
	b.Control(http.MethodDelete, "faults", nil, nil)
	<-ended
	mirror.Want(t, "done")
	b.wantEqual(t, "segment/1", 107)
	last := b.job(usher.SegmentMirror, b.ids(0, 120))
	b.Run(last).Want(t, "done")
	b.wantEqual(t, "segment/1", 117)
}

// An id that is forgotten after a mirror has compared, and before it begins to add ids, is no member after the
// mirror.
func TestForgetBeforeMirrorAdds(t *testing.T) {
	t.Parallel()
	for kind, name := range map[usher.Kind]string{usher.SegmentMirror: "segment/1", usher.TargetMirror: "campaign/SANDBOX1-spring"} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			other := b.beside(t)
			b.Run(b.job(kind, b.ids(0, 100))).Want(t, "done")
			s, forget := b.job(kind, b.ids(0, 120)), b.forget(id(110))
			s.OnSave = func(p usher.Progress) error {
				if p.Phase == usher.PhaseAdd && forget.Ended == nil {
					other.Run(forget)
				}
				return nil
			}
			b.Run(s).Want(t, "done")
			forget.Want(t, "done")
			if tally := s.Tally(); tally.Suppressed != 1 || tally.Accepted != 19 || tally.Check() != nil {
				t.Errorf("tally %+v", tally)
			}
			b.wantEqual(t, name, 119)
		})
	}
}

// firstAndLast returns the ids of 0..n-1 with the least and the greatest digest.
func firstAndLast(t *testing.T, n int) (first, last int) {
	t.Helper()
	h, err := hashing.New(usher.Profile{Type: usher.IDFA}, usher.InputRaw)
	if err != nil {
		t.Fatal(err)
	}
	digest := func(i int) string {
		d, _ := h.Hash([]byte(id(i)))
		return d.String()
	}
	for i := range n {
		if digest(i) < digest(first) {
			first = i
		}
		if digest(i) > digest(last) {
			last = i
		}
	}
	return first, last
}

// awaitFault waits until a fault of the sandbox has hit a request.
func (b *mirrored) awaitFault(t *testing.T) {
	t.Helper()
	for made := 0; made == 0; {
		var faults []struct {
			Made int `json:"made"`
		}
		b.Control(http.MethodGet, "faults", nil, &faults)
		for _, f := range faults {
			made += f.Made
		}
		if err := usher.Sleep(t.Context(), 5*time.Millisecond); err != nil {
			t.Fatal("no request was hit by a fault")
		}
	}
}
