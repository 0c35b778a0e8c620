package pipeline_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"usher"
	"usher/pipeline"
)

// scenario is an export, the options of its upload, and the expected result.
type scenario struct {
	lines       []string
	window      int64
	batch, each int
	suppressed  string
	refused     int // the id that the platform refuses; -1: none
	dropped     int64
	dryRun      bool
	want        usher.Tally
	wantSent    []string
	wantBatches []string // the text of each
	largest     int      // request that the platform accepts, in ids
	rows        int64    // of the export
}

// drawScenario draws an export with typical dirt and computes the expected result without
// the pipeline.
func drawScenario(t *rapid.T) scenario {
	s := scenario{
		window:  rapid.Int64Range(1, 60).Draw(t, "window"),
		batch:   rapid.IntRange(1, 30).Draw(t, "batch"),
		each:    rapid.IntRange(1, 40).Draw(t, "block"),
		refused: rapid.IntRange(-1, 40).Draw(t, "refused id"),
		dropped: rapid.Int64Range(0, 3).Draw(t, "dropped"),
		dryRun:  rapid.IntRange(0, 9).Draw(t, "dry run") == 0,
		largest: rapid.OneOf(rapid.Just(1000), rapid.IntRange(1, 30)).Draw(t, "largest request"),
	}
	if s.dryRun {
		s.refused = -1
	}
	different := rapid.IntRange(1, 150).Draw(t, "different ids")
	suppressedFrom := rapid.IntRange(0, 200).Draw(t, "suppressed from")
	for i := suppressedFrom; i < different; i++ {
		s.suppressed += digestOf(i) + "\n"
	}
	want := usher.Tally{Junk: usher.Counts{}, Invalid: usher.Counts{}, Refused: usher.Counts{}}
	seen, drawn, inWindow := map[int]bool{}, false, 0
	for range rapid.IntRange(0, 400).Draw(t, "lines") {
		n := rapid.IntRange(0, different-1+different/4).Draw(t, "id")
		if want.Read%s.window == 0 {
			clear(seen)
			inWindow = 0
		}
		if n == s.refused && n < different {
			if drawn {
				continue // two refused batches in a row would end the job
			}
			drawn = true
		}
		switch {
		case n < different && seen[n]:
			s.lines = append(s.lines, strings.ToLower(idOf(n)))
			want.Duplicate++
		case n < different && n >= suppressedFrom:
			s.lines = append(s.lines, "{"+idOf(n)+"}")
			want.Suppressed++
		case n < different:
			s.lines = append(s.lines, idOf(n)+"\r")
			if inWindow++; inWindow%s.batch == 1%s.batch {
				s.wantBatches = append(s.wantBatches, digestOf(n))
			} else {
				s.wantBatches[len(s.wantBatches)-1] += "," + digestOf(n)
			}
			if n == s.refused {
				want.Refused["E1"]++
			} else {
				want.Accepted++
				if !s.dryRun {
					s.wantSent = append(s.wantSent, digestOf(n))
				}
			}
		case n%3 == 0:
			s.lines = append(s.lines, "null")
			want.Junk["placeholder"]++
		case n%3 == 1:
			s.lines = append(s.lines, "xyz")
			want.Invalid["shape"]++
		default:
			s.lines = append(s.lines, "")
			continue
		}
		seen[n] = n < different
		want.Read++
	}
	s.rows = want.Read
	if s.dropped > 0 {
		want.Read += s.dropped
		want.Junk["empty"] += s.dropped
	}
	s.want = want
	return s
}

// platform responds after a delay, in any order, and sometimes with an error.
type platform struct {
	receiver
	random   *rand.Rand
	scenario *scenario
	t        *rapid.T
}

func (p *platform) send(ctx context.Context, b *usher.Batch) error {
	p.mu.Lock()
	delay := time.Duration(1+p.random.IntN(3000)) * time.Millisecond
	fault := p.random.IntN(8)
	whole := textOf(b)
	if !strings.Contains(p.scenario.wantBatches[b.Number-1], whole) { // the whole batch, or a piece
		p.t.Errorf("batch %d differs from the expected one", b.Number)
	}
	p.mu.Unlock()
	select {
	case <-time.After(delay):
	case <-ctx.Done():
		return ctx.Err()
	}
	switch {
	case fault == 0:
		return &usher.Unavailable{Err: errors.New("connection reset")}
	case fault == 1:
		return &usher.RetryAfter{After: time.Second, Why: "rate limit"}
	case b.IDs > p.scenario.largest:
		return tooLarge()
	case p.scenario.refused >= 0 && strings.Contains(whole, digestOf(p.scenario.refused)):
		return refusedAs("E1")
	}
	return p.receiver.send(ctx, b)
}

// TestCrashes kills uploads at any time and continues from any checkpoint. The tally must
// be that of an upload without a crash, and every id must arrive.
func TestCrashes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rapid.Check(noDeadline{t}, func(rt *rapid.T) { checkCrashes(t, rt) })
	})
}

// noDeadline hides T.Deadline, which must not be called in a synctest bubble.
type noDeadline struct{ testing.TB }

func checkCrashes(t *testing.T, rt *rapid.T) {
	s := drawScenario(rt)
	p := &platform{
		random:   rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1)),
		scenario: &s, t: rt,
	}
	list, err := pipeline.LoadSuppression(strings.NewReader(s.suppressed))
	if err != nil {
		rt.Fatal(err)
	}
	killed := errors.New("killed")
	buffers, size := new(pipeline.Buffers), pipeline.NewSize(1)
	run := func(resume usher.Checkpoint, life time.Duration) (returned, saved usher.Checkpoint, _ error) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer time.AfterFunc(life, func() { cancel(killed) }).Stop()
		saved = resume
		o := pipeline.Options{
			Profile: usher.Profile{Type: usher.IDFA}, MaxRejectPercent: 100, Buffers: buffers,
			DryRun:   s.dryRun,
			Dropped:  usher.Tally{Read: s.dropped, Junk: usher.Counts{"empty": s.dropped}},
			BatchIDs: s.batch, InFlight: 1 + p.random.IntN(4), Suppressed: list, Resume: resume, Send: p.send, Size: size,
			Retry: pipeline.Retry{For: time.Hour}, SaveEvery: 300 * time.Millisecond,
			Save: func(_ context.Context, c usher.Checkpoint) error {
				if c.Rows <= saved.Rows || c.Batches <= saved.Batches {
					rt.Errorf("saved checkpoint at row %d after %d", c.Rows, saved.Rows)
				}
				saved = c
				return c.Tally.Check()
			},
		}
		returned, err := pipeline.Upload(ctx, blocksOf(slices.Clone(s.lines), s.each), o.WithWindow(s.window))
		return returned, saved, err
	}
	undisturbed, _, err := run(usher.Checkpoint{}, 1000*time.Hour)
	if err != nil {
		rt.Fatal(err)
	}
	if !reflect.DeepEqual(withMaps(undisturbed.Tally), s.want) || undisturbed.Batches != int64(len(s.wantBatches)) || undisturbed.Rows != s.rows {
		rt.Fatalf("tally %+v in %d batches, want %+v in %d", undisturbed.Tally, undisturbed.Batches, s.want, len(s.wantBatches))
	}
	p.checkGot(rapidTB{t, rt}, s.wantSent)
	p.got = nil
	var at usher.Checkpoint
	for crashes := 0; ; crashes++ {
		// Lives grow: a batch that is sent in many pieces may need more than 20 s, and
		// would never be answered otherwise.
		longest := 20_000 * (1 + crashes/20)
		life := time.Duration(rapid.IntRange(0, longest).Draw(rt, "life")) * time.Millisecond
		returned, saved, err := run(at, life)
		if at = saved; rapid.Bool().Draw(rt, "stopped in order") {
			at = returned
		}
		if err == nil {
			at = returned
			break
		}
		if !errors.Is(err, killed) {
			rt.Fatal(err)
		}
	}
	if !reflect.DeepEqual(at, undisturbed) {
		rt.Fatalf("checkpoint %+v after crashes, %+v without", at, undisturbed)
	}
	p.checkGot(rapidTB{t, rt}, s.wantSent)
}

// rapidTB is a testing.TB that reports errors to rapid.
type rapidTB struct {
	testing.TB
	rt *rapid.T
}

func (r rapidTB) Errorf(format string, args ...any) { r.rt.Errorf(format, args...) }
func (r rapidTB) Helper()                           {}

// withMaps returns t with empty maps instead of nil.
func withMaps(t usher.Tally) usher.Tally {
	for _, c := range []*usher.Counts{&t.Junk, &t.Invalid, &t.Refused} {
		if *c == nil {
			*c = usher.Counts{}
		}
	}
	return t
}
