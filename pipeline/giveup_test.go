package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"usher"
	"usher/pipeline"
)

// TestGivenUpAndKilled kills an upload at each checkpoint while the platform refuses whole
// batches. The next upload must have the same tally and end in the same way, and must not
// send batches after the one that would have ended the first upload.
func TestGivenUpAndKilled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rapid.Check(noDeadline{t}, func(rt *rapid.T) { checkGivenUpAndKilled(t, rt) })
	})
}

const perBatch = 4 // ids of a batch in this test

func checkGivenUpAndKilled(t *testing.T, rt *rapid.T) {
	refuses := rapid.SliceOfN(rapid.Bool(), 1, 8).Draw(rt, "refused batches")
	lines := ids(0, perBatch*len(refuses))
	if rapid.Bool().Draw(rt, "rows after the last batch") {
		lines = append(lines, "null", idOf(0))
	}
	most := rapid.SampledFrom([]float64{60, 100}).Draw(rt, "most rejects in percent")
	run := func(resume usher.Checkpoint) (kept []usher.Checkpoint, sent []int64, _ error) {
		r := &receiver{answer: func(_ int, digests []string) error {
			time.Sleep(time.Second) // virtual time, so that the checkpoint of each batch is saved
			for batch, refused := range refuses {
				if refused && containsAny(digests, ints(perBatch*batch, perBatch*(batch+1))...) {
					return refusedAs("E1")
				}
			}
			return nil
		}}
		o := r.options()
		o.BatchIDs, o.InFlight, o.MaxRejectPercent = perBatch, 1, most
		o.Resume, o.SaveEvery = resume, time.Nanosecond
		o.Save = func(_ context.Context, c usher.Checkpoint) error {
			kept = append(kept, c)
			return c.Tally.Check()
		}
		last, err := pipeline.Upload(t.Context(), blocksOf(slices.Clone(lines), 3), o)
		return append(kept, last), slices.Compact(r.numbers), err
	}

	kept, sent, err := run(usher.Checkpoint{})
	want := kept[len(kept)-1]
	if int64(len(sent)) != want.Batches || len(kept) < len(sent) {
		rt.Fatalf("sent %v, %d checkpoints, the last of batch %d", sent, len(kept), want.Batches)
	}
	for _, from := range kept {
		again, resent, againErr := run(stored(rt, from))
		if got := again[len(again)-1]; !reflect.DeepEqual(stored(rt, got), stored(rt, want)) {
			rt.Errorf("from batch %d: %d batches, %+v, %+v; want %d, %+v, %+v",
				from.Batches, got.Batches, got.Tally, got.Refusal, want.Batches, want.Tally, want.Refusal)
		}
		if !slices.Equal(resent, sent[from.Batches:]) {
			rt.Errorf("from batch %d: sent %v, want %v", from.Batches, resent, sent[from.Batches:])
		}
		if !sameEnd(againErr, err) {
			rt.Errorf("from batch %d: ended with %v, want %v", from.Batches, againErr, err)
		}
	}
}

// stored returns a checkpoint after a round trip through JSON, as in a record.
func stored(rt *rapid.T, c usher.Checkpoint) (back usher.Checkpoint) {
	data, err := json.Marshal(c)
	if err == nil {
		err = json.Unmarshal(data, &back)
	}
	if err != nil {
		rt.Fatal(err)
	}
	return back
}

// sameEnd reports whether two uploads of a part ended with the same visible error.
func sameEnd(a, b error) bool {
	var p, q *usher.Permanent
	if !errors.As(a, &p) || !errors.As(b, &q) {
		return a == nil && b == nil
	}
	return p.Class == q.Class && p.Code == q.Code && p.Hint == q.Hint && p.Error() == q.Error()
}
