package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"usher"
	"usher/hashing"
	"usher/pipeline"
)

// dirtyRows returns 100 rows: 40 ids, 10 of them twice, 20 junk and 30 invalid rows.
func dirtyRows() []string {
	lines := append(ids(0, 40), ids(0, 10)...)
	for range 10 {
		lines = append(lines, "null", "{ifa}", "x", digestOf(1), "af3802a465767e36", "")
	}
	return lines
}

func TestTally(t *testing.T) {
	t.Parallel()
	r := &receiver{warn: "W7"}
	o := r.options()
	o.BatchIDs = 15
	c := upload(t, dirtyRows(), o)
	want := usher.Tally{
		Read: 100, Accepted: 40, Duplicate: 10,
		Junk:    usher.Counts{"placeholder": 10, "macro": 10},
		Invalid: usher.Counts{"shape": 10, "looks_hashed": 10, "wrong_type": 10},
	}
	if fmt.Sprint(c.Tally) != fmt.Sprint(want) || c.Batches != 3 || c.Rows != 100 || c.Bytes != 33*40-3 {
		t.Errorf("checkpoint %+v, want tally %+v", c, want)
	}
	if len(c.Samples) != 50 || c.Samples[3] != (usher.Sample{Row: 54, Reason: "looks_hashed", Masked: digestOf(1)[:4] + "****-" + digestOf(1)[28:]}) {
		t.Errorf("%d samples, the fourth %+v", len(c.Samples), c.Samples[3])
	}
	if len(c.Warnings) != 1 || c.Warnings[0] != (usher.Warning{Code: "W7", Count: 3}) {
		t.Errorf("warnings %+v", c.Warnings)
	}
	var sent []string
	for n := range 40 {
		sent = append(sent, digestOf(n))
	}
	r.checkGot(t, sent)
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	o := (&receiver{}).options()
	o.DryRun, o.BatchIDs = true, 15
	o.Send = nil
	c := upload(t, dirtyRows(), o)
	if c.Tally.Accepted != 40 || c.Tally.Duplicate != 10 || c.Batches != 3 {
		t.Errorf("checkpoint %+v", c)
	}
}

// TestDigestsUnderRaw checks that the hint for a column of MD5 digests names the input.
func TestDigestsUnderRaw(t *testing.T) {
	t.Parallel()
	var lines []string
	for n := range 20 {
		lines = append(lines, digestOf(n))
	}
	o := (&receiver{}).options()
	o.First, o.MaxRejectPercent = true, 90
	_, err := pipeline.Upload(t.Context(), blocksOf(lines, 50), o)
	var p *usher.Permanent
	if !errors.As(err, &p) || p.Class != usher.TooManyRejects || !strings.HasPrefix(p.Hint, "set input to md5 if") {
		t.Errorf("%v, with hint %+v", err, p)
	}
}

// TestRejects tests maxRejectPercent on the first batch before it is sent, and on the part.
func TestRejects(t *testing.T) {
	t.Parallel()
	bad := func(n int) []string { return slices.Repeat([]string{"x"}, n) }
	junk := func(n int) []string { return slices.Repeat([]string{"null"}, n) }
	for name, test := range map[string]struct {
		lines    []string
		most     float64
		first    bool
		resume   int64 // batches
		fails    bool
		requests int
		read     int64
	}{
		"no rows, first part":              {nil, 90, true, 0, true, 0, 0},
		"no rows, another part":            {nil, 90, false, 0, false, 0, 0},
		"only junk, first part":            {junk(10), 90, true, 0, true, 0, 10},
		"only junk, another part":          {junk(10), 90, false, 0, false, 0, 10},
		"only invalid, another part":       {bad(10), 90, false, 0, true, 0, 10},
		"as many as allowed":               {append(bad(90), ids(0, 10)...), 90, true, 0, false, 1, 100},
		"one too many":                     {append(bad(91), ids(0, 9)...), 90, true, 0, true, 0, 0},
		"one too many, later":              {append(ids(0, 20), bad(181)...), 90, true, 0, true, 1, 201},
		"one too many in the next":         {slices.Concat(ids(0, 20), bad(90), ids(20, 40)), 50, true, 0, true, 2, 130},
		"junk does not count":              {append(junk(500), ids(0, 20)...), 0, true, 0, false, 1, 520},
		"duplicates do not count":          {append(slices.Repeat(ids(0, 1), 100), ids(1, 20)...), 0, true, 0, false, 1, 119},
		"one invalid row, none allowed":    {append(bad(1), ids(0, 20)...), 0, true, 0, true, 0, 0},
		"all invalid, all allowed":         {append(bad(500), ids(0, 1)...), 100, true, 0, false, 1, 501},
		"first batch sent before a resume": {append(ids(0, 20), bad(100)...), 90, true, 1, false, 0, 120},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &receiver{}
			o := r.options()
			o.BatchIDs, o.MaxRejectPercent, o.First = 20, test.most, test.first
			if test.resume > 0 {
				o.Resume = usher.Checkpoint{Batches: test.resume, Rows: 20, Tally: usher.Tally{Read: 20, Accepted: 20}}
			}
			c, err := pipeline.Upload(t.Context(), blocksOf(test.lines, 50), o)
			checkTally(t, c)
			var p *usher.Permanent
			if failed := errors.As(err, &p) && p.Class == usher.TooManyRejects; failed != test.fails || (err != nil && !failed) {
				t.Errorf("error %v, want too_many_rejects: %v", err, test.fails)
			}
			if test.fails && (p == nil || p.Hint == "" || strings.Contains(err.Error(), "the export has none") != (test.read == 0 && test.lines == nil)) {
				t.Errorf("error %v, with hint %+v", err, p)
			}
			if len(r.requests) != test.requests || c.Tally.Read != test.read {
				t.Errorf("%d requests, %d rows, want %d and %d", len(r.requests), c.Tally.Read, test.requests, test.read)
			}
		})
	}
}

// TestMalformed tests maxMalformedPercent on the first window before any of it is sent,
// and on the part.
func TestMalformed(t *testing.T) {
	t.Parallel()
	broken := func(n int) []string { return slices.Repeat([]string{usher.MalformedRow}, n) }
	for name, test := range map[string]struct {
		lines    []string
		most     float64
		resume   bool // after 20 rows
		message  string
		requests int
	}{
		"one row of twenty":               {append(ids(0, 19), broken(1)...), 1, false, "5 % of the first 20 rows cannot be parsed, more than maxMalformedPercent 1 allows (invalid.malformed 1)", 0},
		"none allowed":                    {append(ids(0, 19), broken(1)...), 0, false, "5 % of the first 20 rows", 0},
		"as many as allowed":              {append(ids(0, 99), broken(1)...), 1, false, "", 5},
		"in the first batch, later few":   {append(broken(1), ids(0, 150)...), 1, false, "", 8},
		"only malformed":                  {broken(10), 1, false, "100 % of the first 10 rows", 0},
		"all allowed":                     {append(ids(0, 20), broken(20)...), 100, false, "", 1},
		"in the second window":            {append(ids(0, 200), broken(5)...), 1, false, "2.44 % of 205 rows", 10},
		"a first window with too many":    {slices.Concat(ids(0, 190), broken(10), ids(190, 2000)), 1, false, "5 % of the first 200 rows", 0},
		"another part, sent before":       {append(ids(0, 100), broken(5)...), 1, true, "4.76 % of 105 rows", 4},
		"invalid rows are not malformed":  {append(ids(0, 20), "x", "x"), 1, false, "", 1},
		"malformed rows are also invalid": {append(ids(0, 1), broken(99)...), 100, false, "99.0 % of the first 100 rows are invalid", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &receiver{}
			o := r.options()
			o.BatchIDs, o.MaxMalformedPercent = 20, test.most
			if test.resume {
				o.Resume = usher.Checkpoint{Batches: 1, Rows: 20, Tally: usher.Tally{Read: 20, Accepted: 20}}
			}
			c, err := pipeline.Upload(t.Context(), blocksOf(test.lines, 50), o.WithWindow(200))
			checkTally(t, c)
			var p *usher.Permanent
			switch {
			case test.message == "" && err != nil:
				t.Error(err)
			case test.message != "" && (!errors.As(err, &p) || p.Class != usher.TooManyRejects || !strings.Contains(err.Error(), test.message) || p.Hint == ""):
				t.Errorf("error %v, want too_many_rejects: %s", err, test.message)
			}
			if len(r.requests) != test.requests {
				t.Errorf("%d requests, want %d", len(r.requests), test.requests)
			}
		})
	}
}

// TestMalformedSamples tests that the samples of malformed rows show nothing of them.
func TestMalformedSamples(t *testing.T) {
	t.Parallel()
	o := (&receiver{}).options()
	o.MaxMalformedPercent = 100
	c := upload(t, []string{idOf(1), usher.MalformedRow}, o)
	want := []usher.Sample{{Row: 2, Reason: usher.Malformed, Masked: "****"}}
	if !slices.Equal(c.Samples, want) || c.Tally.Invalid[usher.Malformed] != 1 {
		t.Errorf("tally %+v, samples %+v, want %+v", c.Tally, c.Samples, want)
	}
}

// TestWindows tests that an id that is repeated in the same window is a duplicate, and that
// it is sent again in a later window.
func TestWindows(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lines               []string
		accepted, duplicate int64
	}{
		"last row of the first":      {append(ids(0, 9), idOf(0)), 9, 1},
		"first row of the second":    {append(ids(0, 10), idOf(0)), 11, 0},
		"rejects are rows":           {append(append(ids(0, 5), "x", "x", "x", "x"), idOf(0), idOf(0)), 6, 1},
		"blank lines are not":        {append(append(ids(0, 5), "", "", "", "", ""), idOf(0)), 5, 1},
		"window after window":        {slices.Repeat(ids(0, 10), 3), 30, 0},
		"within each":                {slices.Repeat(ids(0, 5), 6), 15, 15},
		"suppressed, then duplicate": {[]string{idOf(99), idOf(99), idOf(1)}, 1, 1},
		"suppressed in each window":  {slices.Repeat([]string{idOf(99), idOf(1)}, 10), 2, 16},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, err := pipeline.LoadSuppression(strings.NewReader(digestOf(99)))
			if err != nil {
				t.Fatal(err)
			}
			o := (&receiver{}).options()
			o.Suppressed = list
			c := upload(t, test.lines, o.WithWindow(10))
			if c.Tally.Accepted != test.accepted || c.Tally.Duplicate != test.duplicate {
				t.Errorf("tally %+v, want %d accepted, %d duplicate", c.Tally, test.accepted, test.duplicate)
			}
		})
	}
}

// TestKeepDuplicates tests that repeated ids are sent again and count as accepted, and that
// the number of distinct ids is estimated.
func TestKeepDuplicates(t *testing.T) {
	t.Parallel()
	r := &receiver{}
	o := r.options()
	o.KeepDuplicates = true
	c := upload(t, append(ids(0, 40), ids(0, 10)...), o)
	if c.Tally.Accepted != 50 || c.Tally.Duplicate != 0 || !c.Repeats || pipeline.Distinct(c.Sketch) != 40 {
		t.Errorf("checkpoint %+v", c)
	}
	if r.got[digestOf(3)] != 2 {
		t.Errorf("a repeated id was sent %d times", r.got[digestOf(3)])
	}
}

// TestDropped tests that the rows that Seal has dropped count once, even after a crash.
func TestDropped(t *testing.T) {
	t.Parallel()
	o := (&receiver{}).options()
	o.BatchIDs = 10
	o.Dropped = usher.Tally{Read: 3, Junk: usher.Counts{"empty": 3}}
	c := upload(t, ids(0, 25), o)
	if c.Tally.Read != 28 || c.Tally.Junk["empty"] != 3 || c.Rows != 25 {
		t.Errorf("checkpoint %+v", c)
	}
	o.Resume = usher.Checkpoint{Batches: 1, Rows: 10, Tally: usher.Tally{Read: 13, Accepted: 10, Junk: usher.Counts{"empty": 3}}}
	if c := upload(t, ids(0, 25), o); c.Tally.Read != 28 || c.Tally.Junk["empty"] != 3 {
		t.Errorf("after a crash: %+v", c)
	}
	o.Resume = usher.Checkpoint{}
	if c := upload(t, nil, o); c.Tally.Read != 3 || c.Batches != 0 {
		t.Errorf("without other rows: %+v", c)
	}
}

// TestResumeEnded tests that a resume at the end sends and changes nothing.
func TestResumeEnded(t *testing.T) {
	t.Parallel()
	r := &receiver{}
	o := r.options()
	o.First = true
	o.Resume = upload(t, dirtyRows(), o)
	n := len(r.requests)
	if again := upload(t, dirtyRows(), o); fmt.Sprint(again) != fmt.Sprint(o.Resume) || len(r.requests) != n {
		t.Errorf("checkpoint %+v, want %+v; %d more requests", again, o.Resume, len(r.requests)-n)
	}
}

// TestSourceEnds tests that an export that cannot be read to its end is an error, and does
// not look like a shorter export.
func TestSourceEnds(t *testing.T) {
	t.Parallel()
	r := &receiver{}
	o := r.options()
	o.BatchIDs = 10
	truncated := errors.New("truncated")
	b := blocksOf(ids(0, 25), 10)
	b.err = truncated
	c, err := pipeline.Upload(t.Context(), b, o)
	if !errors.Is(err, truncated) || c.Batches != 2 || c.Tally.Accepted != 20 {
		t.Errorf("error %v, checkpoint %+v", err, c)
	}
	o.Resume = c
	_, err = pipeline.Upload(t.Context(), blocksOf(ids(0, 19), 10), o)
	var p *usher.Permanent
	if !errors.As(err, &p) || p.Class != usher.SourceBroken {
		t.Errorf("shorter than the checkpoint: %v", err)
	}
}

func TestInputNotDecided(t *testing.T) {
	t.Parallel()
	o := (&receiver{}).options()
	o.Input = usher.InputAuto
	_, err := pipeline.Upload(t.Context(), blocksOf(nil, 1), o)
	var p *usher.Permanent
	if !errors.As(err, &p) || p.Class != usher.InvalidJob {
		t.Errorf("error %v", err)
	}
}

// TestBatchBytes tests that batches are limited by bytes as well.
func TestBatchBytes(t *testing.T) {
	t.Parallel()
	for bytes, want := range map[int]int{33*7 - 1: 7, 33 * 7: 7, 33*7 - 2: 6, 1: 1} {
		r := &receiver{}
		o := r.options()
		o.BatchBytes, o.InFlight = bytes, 1
		upload(t, ids(0, 20), o)
		if n := len(r.requests[0]); n != want {
			t.Errorf("%d bytes: %d ids a batch, want %d", bytes, n, want)
		}
	}
}

// TestHeldBatches tests that a retained batch is not overwritten, and that the upload waits
// when too many batches are retained.
func TestHeldBatches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		held := map[*usher.Batch]string{}
		o := (&receiver{}).options()
		o.BatchIDs, o.InFlight = 10, 2
		sent := 0
		o.Send = func(_ context.Context, b *usher.Batch) error {
			b.Retain()
			mu.Lock()
			defer mu.Unlock()
			sent++
			held[b] = textOf(b)
			if len(held) > 3 {
				t.Errorf("%d batches held", len(held))
			}
			return nil
		}
		done := make(chan usher.Checkpoint)
		go func() {
			c, _ := pipeline.Upload(t.Context(), blocksOf(ids(0, 200), 10), o.WithWindow(10))
			done <- c
		}()
		for {
			synctest.Wait()
			mu.Lock()
			if sent != 20 && len(held) != 3 {
				t.Errorf("%d batches held, %d sent, and the upload is blocked", len(held), sent)
			}
			for b, was := range held {
				if textOf(b) != was {
					t.Error("a held batch was overwritten")
				}
				delete(held, b)
				b.Release()
			}
			all := sent == 20
			mu.Unlock()
			if all {
				break
			}
		}
		if c := <-done; c.Tally.Accepted != 200 {
			t.Errorf("checkpoint %+v", c)
		}
	})
}

// TestFailedUploadReleasesMemory tests that an upload that fails within a batch releases
// its memory. Otherwise later uploads would wait forever.
func TestFailedUploadReleasesMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := (&receiver{}).options()
		o.BatchIDs, o.Buffers = 10, new(pipeline.Buffers)
		truncated := errors.New("truncated")
		for range 10 {
			b := blocksOf(ids(0, 25), 10)
			b.err = truncated
			if _, err := pipeline.Upload(t.Context(), b, o); !errors.Is(err, truncated) {
				t.Fatal(err)
			}
		}
		upload(t, ids(0, 100), o)
	})
}

// TestBuffersAreReused tests that a second upload allocates no large buffers.
func TestBuffersAreReused(t *testing.T) {
	lines := ids(0, 20_000)
	data := []byte(strings.Join(lines, "\n"))
	o := (&receiver{}).options()
	o.Send = func(context.Context, *usher.Batch) error { return nil }
	o.BatchIDs = 4000
	o.Buffers = new(pipeline.Buffers)
	run := func() uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := pipeline.Upload(t.Context(), &oneBlock{data: data}, o); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	// How much memory an upload needs depends on how fast its batches are acknowledged.
	first, least := run(), run()
	for range 5 {
		least = min(least, run())
	}
	if first < 600<<10 || least > 400<<10 {
		t.Errorf("%d bytes allocated, later %d", first, least)
	}
}

// TestAllocations bounds the memory of a small upload and the allocations of a batch.
func TestAllocations(t *testing.T) {
	o := (&receiver{}).options()
	o.Send = func(context.Context, *usher.Batch) error { return nil }
	o.BatchIDs = 500
	upload := func(n int) (bytes, mallocs uint64) {
		data := []byte(strings.Join(ids(0, n), "\n"))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := pipeline.Upload(t.Context(), &oneBlock{data: data}, o); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
	}
	if bytes, _ := upload(10); bytes > 300<<10 {
		t.Errorf("%d bytes allocated for 10 ids", bytes)
	}
	_, ten := upload(5000)
	_, hundred := upload(50_000)
	if perBatch := (hundred - ten) / 90; perBatch > 60 {
		t.Errorf("%d allocations for each batch", perBatch)
	}
}

// oneBlock yields its data once.
type oneBlock struct {
	data []byte
	done bool
}

func (b *oneBlock) Next(context.Context) (*usher.Block, error) {
	if b.done {
		return nil, io.EOF
	}
	b.done = true
	return &usher.Block{Data: b.data}, nil
}

// TestRejectedRows tests that Rejected is called with every dropped row of the part, in
// all chunks and windows, and never with a raw value, and that its error ends the upload.
func TestRejectedRows(t *testing.T) {
	t.Parallel()
	const rows = 5000
	var lines, want []string
	for n := range rows {
		switch n % 3 {
		case 0:
			lines, want = append(lines, "null"), append(want, fmt.Sprintf("%d placeholder ****", n+1))
		case 1:
			value := fmt.Sprintf("no-id-of-a-device-%04d", n)
			lines, want = append(lines, value), append(want, fmt.Sprintf("%d shape %s", n+1, hashing.Mask([]byte(value))))
		default:
			lines = append(lines, idOf(n%9)) // mostly duplicates, which are not dropped
		}
	}
	r := &receiver{}
	o := r.options().WithWindow(700)
	o.MaxRejectPercent = 100
	var got []string
	o.Rejected = func(row int64, why hashing.Reason, masked string) error {
		got = append(got, fmt.Sprintf("%d %s %s", row, why, masked))
		return nil
	}
	c, err := pipeline.Upload(t.Context(), blocksOf(lines, 333), o)
	if err != nil || !slices.Equal(got, want) || c.Tally.Junk.Sum()+c.Tally.Invalid.Sum() != int64(len(got)) {
		t.Errorf("%d dropped rows, %v, want %d; the tally is %+v", len(got), err, len(want), c.Tally)
	}
	full := errors.New("the disk is full")
	o.Rejected = func(int64, hashing.Reason, string) error { return full }
	if _, err := pipeline.Upload(t.Context(), blocksOf(lines, 333), o); !errors.Is(err, full) {
		t.Errorf("the upload ended with %v, want %v", err, full)
	}
}

// TestHeaderOfOtherIDs tests that a header of ids of another type is refused.
func TestHeaderOfOtherIDs(t *testing.T) {
	t.Parallel()
	for header, refused := range map[string]bool{
		"idfa": false, `"Apple IDFA"`: false, "device_id": false, "hash": false, "maid": false,
		"idfv": true, "anonymousId": true, "user_id": true, "Session UUID": true,
		"gaid": true, "AAID": true, "google_ad_id": true, "android_id": true, ` "android-ad-id" `: true,
	} {
		t.Run(header, func(t *testing.T) {
			t.Parallel()
			r := &receiver{}
			lines := slices.Concat(ids(0, 20), []string{header}, ids(20, 40))
			o := r.options()
			o.Header = header
			if c := upload(t, lines, o); c.Tally.Junk[usher.Header] != 1 {
				t.Errorf("the export's own header was not recognized: tally %+v", c.Tally)
			}
			r = &receiver{}
			c, err := pipeline.Upload(t.Context(), blocksOf(lines, 50), r.options())
			var p *usher.Permanent
			switch {
			case refused && (!errors.As(err, &p) || p.Class != usher.SourceBroken || p.Hint == "" || len(r.requests) > 0 || !strings.Contains(err.Error(), "row 21,")):
				t.Errorf("error %v, and %d requests", err, len(r.requests))
			case !refused && (err != nil || c.Tally.Junk[usher.Header] != 1):
				t.Errorf("error %v, tally %+v", err, c.Tally)
			}
		})
	}
}

// TestHeaderOfAnyIDs tests that a header that does not name the type of its ids is refused,
// unless the job has named the column, or the export's own header is the same.
func TestHeaderOfAnyIDs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		row, header string
		chosen      bool
		refused     bool
	}{
		{"id", "", true, true},
		{`"ID"`, "", true, true},
		{"id", "idfa", true, true},
		{"uuid", "", true, true},
		{"id", "id", true, false},
		{"id", "", false, false},
		{"device", "", true, false},
	} {
		r := &receiver{}
		o := r.options()
		o.Header, o.Chosen = c.header, c.chosen
		_, err := pipeline.Upload(t.Context(), blocksOf(slices.Concat(ids(0, 20), []string{c.row}, ids(20, 40)), 50), o)
		checkSeam(t, fmt.Sprint(c), err, c.refused, r)
	}
}

// checkSeam checks that an upload was refused before anything was sent, or that it was not.
func checkSeam(t *testing.T, name string, err error, refused bool, r *receiver) {
	t.Helper()
	var p *usher.Permanent
	switch {
	case refused && (!errors.As(err, &p) || p.Class != usher.SourceBroken || p.Hint == "" || len(r.requests) > 0 || !strings.Contains(err.Error(), "row 21,")):
		t.Errorf("%s: error %v, and %d requests", name, err, len(r.requests))
	case !refused && err != nil:
		t.Errorf("%s: %v", name, err)
	}
}

// TestJoinedIDs tests that a row of two ids without a separator is refused, as it occurs in
// files that were concatenated without a line end, and that the error does not show the ids.
func TestJoinedIDs(t *testing.T) {
	t.Parallel()
	two := ids(100, 102)
	for row, refused := range map[string]bool{
		two[0] + two[1]: true, two[0] + "idfa": true, " " + two[0] + "Device ID": true,
		`"` + two[0] + `""` + two[1] + `"`: true, `"` + two[0] + `""idfa"`: true,
		two[0] + "\uFEFF" + two[1]: true, two[0] + two[1] + two[0]: true, "IDFA" + two[0]: true, "\"Device ID\"" + two[0]: true,
		two[0] + strings.Repeat("0123456789abcdef", 2): true, strings.Repeat("0123456789abcdef", 2) + two[0]: true,
		two[0] + "0123456789abcdef": true, "0123456789abcdef" + two[0]: true, strings.Repeat("0123456789abcdef", 3): true,
		two[0] + "x": false, two[0] + two[1][:35]: false, two[0][:35] + two[1]: false,
		two[0] + "1700000000000000": false, "x" + two[0]: false, strings.Repeat("0123456789abcdef", 2) + "01234567": false,
	} {
		r := &receiver{}
		_, err := pipeline.Upload(t.Context(), blocksOf(slices.Concat(ids(0, 20), []string{row}, ids(20, 40)), 50), r.options())
		checkSeam(t, row, err, refused, r)
		if refused && strings.Contains(err.Error(), two[0]) {
			t.Errorf("shows the id: %v", err)
		}
	}
}

// TestMayBeJoinedIDs tests that there is a warning if a few rows have as many digits as two
// ids. Many such rows are digests.
func TestMayBeJoinedIDs(t *testing.T) {
	t.Parallel()
	half := func(n int) string { return fmt.Sprintf("%016x", uint64(n)*0x9E3779B97F4A7C15) }
	compact := func(n int) string { return strings.ReplaceAll(idOf(n), "-", "") }
	digest := func(n int) string { return half(n) + half(n+1) }
	for name, c := range map[string]struct {
		profile usher.IDType
		input   usher.Input
		row     func(n int) string
		joined  []string
		count   int64
	}{
		"ANDROID_IDs":                 {usher.AndroidID, usher.InputRaw, half, []string{digest(1)}, 1},
		"ANDROID_IDs without a zero":  {usher.AndroidID, usher.InputRaw, half, []string{digest(1)[:30], digest(3)[1:]}, 2},
		"digests":                     {usher.IDFA, usher.InputMD5, digest, []string{digest(1) + digest(2)}, 1},
		"UUIDs without hyphens":       {usher.IDFA, usher.InputRaw, compact, []string{compact(1) + compact(2)}, 1},
		"SHA-256 among UUIDs":         {usher.IDFA, usher.InputRaw, compact, []string{digest(1) + digest(2)}, 0},
		"an identifier of a database": {usher.AndroidID, usher.InputRaw, half, []string{digest(1)[:24]}, 0},
		"digests among ANDROID_IDs":   {usher.AndroidID, usher.InputRaw, half, slices.Repeat([]string{digest(1)}, 30), 0},
		"a digest among IDFAs":        {usher.IDFA, usher.InputRaw, idOf, []string{digest(1)}, 0},
	} {
		var lines []string
		for n := range 500 {
			lines = append(lines, c.row(n+10))
		}
		r := &receiver{}
		o := r.options()
		o.Profile.Type, o.Input = c.profile, c.input
		done, err := pipeline.Upload(t.Context(), blocksOf(slices.Concat(lines[:250], c.joined, lines[250:]), 50), o)
		count := int64(0)
		for _, w := range done.Warnings {
			if w.Code == "joined_ids" {
				count += w.Count
			}
		}
		if err != nil || count != c.count {
			t.Errorf("%s: %d rows, want %d, %v; %+v", name, count, c.count, err, done.Warnings)
		}
	}
}
