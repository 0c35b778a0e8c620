package workers_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// mirrored is a bench whose worker keeps a ledger.
type mirrored struct {
	*workertest.Bench
	store *ledger.Store
	jobs  int
}

func newMirrored(t *testing.T) *mirrored {
	t.Helper()
	b := &mirrored{Bench: workertest.NewBench(t, sandbox.Options{})}
	b.store = b.KeepLedger()
	return b
}

// ids writes an export of ids from..to-1 and returns its URL.
func (b *mirrored) ids(from, to int) string {
	return b.File(fmt.Sprintf("ids-%d-%d.txt", from, to), lines(from, to))
}

// lines returns ids, one a line.
func lines(from, to int) string {
	var text strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&text, "00000001-0000-4000-8000-%012X\n", i)
	}
	return text.String()
}

// job returns a job with an id and an order of its own.
func (b *mirrored) job(kind usher.Kind, url string) *workertest.Lease {
	b.jobs++
	s := uploadJob(kind, url)
	s.Piece.ID, s.Piece.Order = fmt.Sprintf("job-%d", b.jobs), uint64(b.jobs)
	return s
}

// fingerprint returns the fingerprint of the platform's set.
func (b *mirrored) fingerprint(path string) hashing.Fingerprint {
	b.T.Helper()
	var f hashing.Fingerprint
	b.Control(http.MethodGet, path+"/fingerprint", nil, &f)
	return f
}

// wantEqual fails the test unless the ledger and the platform have the same ids, so many.
func (b *mirrored) wantEqual(t *testing.T, name string, count int64) {
	t.Helper()
	if uncertain := b.wantKnown(t, name, count); uncertain != 0 {
		t.Errorf("the ledger has %d uncertain ids", uncertain)
	}
}

// wantKnown fails the test unless the platform has so many ids, and the ledger knows them. It returns how many
// others are uncertain.
func (b *mirrored) wantKnown(t *testing.T, name string, count int64) (uncertain int64) {
	t.Helper()
	path := strings.Replace(strings.Replace(name, "segment/", "segments/", 1), "campaign/", "campaigns/", 1)
	platform := b.fingerprint(path)
	head, _, err := b.store.Head(t.Context(), ledger.Target{Advertiser: "SANDBOX1", Name: name})
	if err != nil {
		t.Fatal(err)
	}
	state, err := b.store.Load(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	known, uncertain, err := b.store.Fingerprint(t.Context(), state)
	if err != nil || known != platform || known.Count != count {
		t.Errorf("the ledger has %+v and %d uncertain, the platform %+v, not %d: %v", known, uncertain, platform, count, err)
	}
	return uncertain
}

func TestMirrorSegment(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	s := b.Run(b.job(usher.SegmentMirror, b.ids(0, 250)))
	s.Want(t, "done")
	if w := s.Piece.Progress.Warnings; len(w) != 1 || w[0].Code != "no_ledger" || !strings.Contains(w[0].Description, "usher ledger adopt segment/1 EXPORT --profile idfa") {
		t.Errorf("warnings are %+v", w)
	}
	b.wantEqual(t, "segment/1", 250)
	b.WantCalls(t, "segments.upload", 3)
	for _, c := range []struct {
		name                         string
		from, to                     int
		added, unchanged, rm, upload int64
	}{
		{"the same", 0, 250, 0, 250, 0, 3},
		{"ten new, twenty gone", 20, 260, 10, 230, 20, 4},
		{"nothing gone", 20, 270, 10, 240, 0, 5},
	} {
		s := b.Run(b.job(usher.SegmentMirror, b.ids(c.from, c.to)))
		s.Want(t, "done")
		p := s.Piece.Progress
		tally := p.Checkpoint.Tally
		if tally.Accepted != c.added || tally.Unchanged != c.unchanged || p.Mirror.Removed != c.rm || tally.Check() != nil || len(p.Warnings) != 0 {
			t.Errorf("%s: tally %+v, removed %d, warnings %v", c.name, tally, p.Mirror.Removed, p.Warnings)
		}
		b.wantEqual(t, "segment/1", int64(c.to-c.from))
		b.WantCalls(t, "segments.upload", int(c.upload))
	}
}

// The evidence of an export's rows is in the record, also if the job fails before its first change.
func TestMirrorWarnings(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	export := func(ids int) string {
		var rows strings.Builder
		rows.WriteString("n,device_id\n")
		for i := range ids {
			id := fmt.Sprintf("%08X-8246-4BA4-AE5B-76104861E7DC", i)
			if i%100 == 50 {
				id = strings.ToLower(id)
			}
			fmt.Fprintf(&rows, "%d,%s\n", i, id)
		}
		return b.File(fmt.Sprintf("%d.csv", ids), rows.String())
	}
	for _, c := range []struct {
		ids     int
		outcome string
	}{{20_000, "done"}, {12_000, "failed shrink"}} {
		s := b.Run(b.job(usher.SegmentMirror, export(c.ids)))
		s.Want(t, c.outcome)
		found := slices.DeleteFunc(s.Piece.Progress.Warnings, func(w usher.Warning) bool { return w.Code == "no_ledger" })
		if len(found) != 1 || found[0].Code != "letter_case" || found[0].Count != int64(c.ids/100) {
			t.Errorf("%s: warnings are %+v", c.outcome, found)
		}
	}
}

func TestMirrorGuard(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 1300))).Want(t, "done")
	s := b.Run(b.job(usher.SegmentMirror, b.ids(0, 96)))
	s.Want(t, "failed shrink")
	want := "would remove 1,204 of 1,300 members (92.6 %), more than maxRemovePercent 20; if that is right, submit again with force"
	if s.Ended.Error.Message != want {
		t.Errorf("message is %q", s.Ended.Error.Message)
	}
	b.wantEqual(t, "segment/1", 1300)
	hashed := b.Run(b.job(usher.SegmentMirror, b.File("hashed.txt", strings.Repeat("0123456789abcdef0123456789abcdef\n", 3)+lines(0, 96))))
	hashed.Want(t, "failed shrink")
	if want = ", and 3 of the 99 rows of the export have no id to send (invalid.looks_hashed 3); if"; !strings.Contains(hashed.Ended.Error.Message, want) {
		t.Errorf("message is %q", hashed.Ended.Error.Message)
	}
	exactly := b.job(usher.SegmentMirror, b.ids(0, 1040)) // a fifth is gone
	b.Run(exactly).Want(t, "done")
	b.wantEqual(t, "segment/1", 1040)
	forced := b.job(usher.SegmentMirror, b.ids(0, 96))
	forced.Piece.Job.Force = true
	b.Run(forced).Want(t, "done")
	b.wantEqual(t, "segment/1", 96)
	b.Run(b.job(usher.SegmentMirror, b.File("empty.txt", ""))).Want(t, "failed too_many_rejects")
	b.wantEqual(t, "segment/1", 96)
}

func TestMirrorDryRun(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 250))).Want(t, "done")
	s := b.job(usher.SegmentMirror, b.ids(20, 260))
	s.Piece.Job.DryRun = true
	b.Run(s).Want(t, "done")
	p := s.Piece.Progress
	if p.Checkpoint.Tally.Accepted != 10 || p.Checkpoint.Tally.Unchanged != 230 || p.Mirror.Removed != 20 {
		t.Errorf("tally %+v, removed %d", p.Checkpoint.Tally, p.Mirror.Removed)
	}
	b.wantEqual(t, "segment/1", 250)
	b.WantCalls(t, "remove-user", 0)
}

func TestMirrorTarget(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	const target = "campaign/SANDBOX1-spring"
	b.Run(b.job(usher.TargetMirror, b.ids(0, 250))).Want(t, "done")
	b.wantEqual(t, target, 250)
	s := b.Run(b.job(usher.TargetMirror, b.ids(0, 260)))
	s.Want(t, "done")
	b.WantCalls(t, "clear-mobile-targets", 0)
	b.wantEqual(t, target, 260)
	s = b.Run(b.job(usher.TargetMirror, b.ids(10, 270)))
	s.Want(t, "done")
	b.WantCalls(t, "clear-mobile-targets", 1)
	b.wantEqual(t, target, 260)
	if tally := s.Tally(); tally.Accepted != 260 || tally.Unchanged != 0 || s.Piece.Progress.Mirror.Removed != 10 {
		t.Errorf("tally %+v", tally)
	}
	b.Run(b.job(usher.TargetAdd, b.ids(500, 600))).Want(t, "done")
	b.wantEqual(t, target, 360)
	b.Run(b.job(usher.TargetReplace, b.ids(1000, 1400))).Want(t, "done")
	b.wantEqual(t, target, 400)
	b.Run(b.job(usher.TargetClear, "")).Want(t, "done")
	b.wantEqual(t, target, 0)
}

// A target that has ids of which no ledger knows is not cleared by mistake.
func TestMirrorUnknownTarget(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.TargetAdd, b.ids(0, 100))).Want(t, "done")
	b.Run(b.job(usher.TargetMirror, b.ids(50, 150))).Want(t, "failed shrink")
	s := b.job(usher.TargetMirror, b.ids(50, 150))
	s.Piece.Job.Force = true
	b.Run(s).Want(t, "done")
	b.wantEqual(t, "campaign/SANDBOX1-spring", 100)
}

// Other jobs keep the ledger true.
func TestDeltas(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentAdd, b.ids(0, 10))).Want(t, "done") // nobody keeps a ledger yet
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 250))).Want(t, "done")
	b.Run(b.job(usher.SegmentAdd, b.ids(200, 450))).Want(t, "done")
	b.wantEqual(t, "segment/1", 450)
	b.Run(b.job(usher.SegmentRemove, b.ids(100, 300))).Want(t, "done")
	b.wantEqual(t, "segment/1", 250)
	b.Run(b.job(usher.SegmentAdd, b.ids(250, 260))).Want(t, "done")
	b.wantEqual(t, "segment/1", 260)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 260))).Want(t, "failed shrink")
	s := b.job(usher.SegmentMirror, b.ids(0, 270))
	s.Piece.Job.Force = true
	b.Run(s).Want(t, "done")
	b.wantEqual(t, "segment/1", 270)
	if tally := s.Tally(); tally.Accepted != 160 || tally.Unchanged != 110 || s.Piece.Progress.Mirror.Removed != 150 {
		t.Errorf("tally %+v, removed %d", tally, s.Piece.Progress.Mirror.Removed)
	}
}

// A mirror that is older than the last one does nothing.
func TestMirrorSuperseded(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	older := b.job(usher.SegmentMirror, b.ids(0, 10))
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 250))).Want(t, "done")
	b.Run(older).Want(t, "done")
	if w := older.Piece.Progress.Warnings; len(w) != 1 || w[0].Code != "superseded" {
		t.Errorf("warnings are %+v", w)
	}
	b.wantEqual(t, "segment/1", 250)
}

// Ids that a mirror may have added before it failed, and whose batch the platform refuses the next time, may still
// be members: the mirror after that removes them.
func TestMirrorOfUncertainIDsThatAreRefused(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 50))).Want(t, "done")
	b.Fault("segments.upload", "status", map[string]any{"status": 403, "after": 1})
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 350))).Want(t, "failed forbidden")
	b.Fault("segments.upload", "status", map[string]any{"status": 400, "times": 3}) // the same batch, also in halves
	s := b.job(usher.SegmentMirror, b.ids(0, 350))
	b.Run(s).Want(t, "done")
	if n, refused := b.fingerprint("segments/1").Count, s.Tally().Refused.Sum(); n != 350 || refused != 100 {
		t.Fatalf("the platform has %d ids, and has refused %d", n, refused)
	}
	last := b.job(usher.SegmentMirror, b.ids(0, 50))
	last.Piece.Job.Force = true
	b.Run(last).Want(t, "done")
	b.wantEqual(t, "segment/1", 50)
}

// A mirror of many ids, whose comparison is shared, compares again if a job forgets a member in between.
func TestMirrorComparesAgain(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.CutAt(1 << 30)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 64))).Want(t, "done")
	rows := strings.Repeat(lines(0, 64), usher.WindowRows/64) + lines(60, 80)
	s := b.job(usher.SegmentMirror, b.File("many.txt", rows))
	b.Run(s).Want(t, "nothing")
	parts := s.Steps[usher.PhaseCompare]
	for _, part := range parts {
		b.Run(part).Want(t, "done")
	}
	b.Run(b.forget(id(10))).Want(t, "done")
	b.Run(s).Want(t, "done")
	if tally := s.Tally(); len(parts) < 2 || tally.Accepted != 16 || tally.Unchanged != 63 || tally.Suppressed != 1 || tally.Check() != nil {
		t.Errorf("%d parts, tally %+v", len(parts), tally)
	}
	b.wantEqual(t, "segment/1", 79)
}
