package workers_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/internal/sandbox"
	"usher/pipeline"
	"usher/workers"
	"usher/workers/internal/workertest"
)

// forget returns a job that forgets ids, sealed as the queue seals it.
func (b *mirrored) forget(ids ...string) *workertest.Lease {
	b.T.Helper()
	b.jobs++
	job := usher.Job{IDs: ids, Actor: "privacy desk", Reason: "request"}
	if _, err := pipeline.HashInline(&job); err != nil {
		b.T.Fatal(err)
	}
	return &workertest.Lease{Piece: usher.Work{ID: fmt.Sprintf("job-%d", b.jobs), Order: uint64(b.jobs), Kind: usher.DeviceForget, Job: job}}
}

func id(i int) string { return fmt.Sprintf("00000001-0000-4000-8000-%012X", i) }

// forms returns the number of different digests of ids.
func forms(t *testing.T, ids ...string) int {
	t.Helper()
	all := map[hashing.Digest]bool{}
	for _, id := range ids {
		digests, reason := hashing.Forms([]byte(id))
		if reason != hashing.None {
			t.Fatalf("%s is no id: %s", id, reason)
		}
		for _, d := range digests {
			all[d] = true
		}
	}
	return len(all)
}

// outcomes returns the outcomes of a job's receipt, as target, outcome and their number.
func (b *mirrored) outcomes(t *testing.T, s *workertest.Lease) map[string]int {
	t.Helper()
	counts := map[string]int{}
	f := s.Piece.Progress.Forget
	files := b.store.Receipts().Of(s.Piece.ID, f.Run)
	if err := files.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range f.Targets {
		err := files.EachOutcome(t.Context(), i, &f.Targets[i], func(_ hashing.Digest, o usher.Outcome) error {
			counts[f.Targets[i].Target+" "+string(o)]++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return counts
}

func wantOutcomes(t *testing.T, got map[string]int, want ...any) {
	t.Helper()
	for i := 0; i < len(want); i += 2 {
		if got[want[i].(string)] != want[i+1] {
			t.Errorf("%s: %d, not %d, of %v", want[i], got[want[i].(string)], want[i+1], got)
		}
	}
}

// Ids leave segments with and without a ledger, in any spelling; campaigns keep them until
// their next replace.
func TestForget(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 50))).Want(t, "done")
	second := b.job(usher.SegmentAdd, b.ids(0, 50))
	second.Piece.Job.Segment, second.Piece.Job.Profile = "2", &usher.Profile{Type: usher.AAID}
	b.Run(second).Want(t, "done")
	b.Run(b.job(usher.TargetMirror, b.ids(0, 50))).Want(t, "done")
	asked := len(b.Calls("segments.contains"))
	b.Worker.Rate = func(advertiser string) usher.Rate {
		if advertiser != "SANDBOX1" {
			t.Errorf("asked for the rate of %q", advertiser)
		}
		return usher.Rate{PerSecond: 5} // of which campaign jobs have 1
	}
	s := b.forget(id(10), strings.ToLower(strings.ReplaceAll(id(10), "-", "")), id(43), id(250), "a1b2c3d4e5f60718")
	b.Run(s).Want(t, "done")
	wantOutcomes(t, b.outcomes(t, s), "segment/1 removed", 2, "segment/1 absent", 10, "segment/2 removed", 2, "segment/2 absent", 12,
		"campaign/SANDBOX1-spring pending", 2, "campaign/SANDBOX1-spring absent", 12)
	if n := len(b.Calls("segments.contains")) - asked; n != 14+12+4 { // of segments 2 and 4 without a ledger, and those that were removed
		t.Errorf("%d calls asked for digests", n)
	}
	if f := s.Piece.Progress.Forget; f.Planned != 14+12+2*4 || f.Made != f.Planned || f.Digests != 14 || f.Seconds != 34/4+1 {
		t.Errorf("progress is %+v", f)
	}
	if tally := s.Tally(); tally.Read != 5 || tally.Accepted != 4 || tally.Duplicate != 1 {
		t.Errorf("tally %+v", tally)
	}
	if len(s.Audits) != 1 || s.Audits[0].Actor != "privacy desk" || s.Audits[0].Reason != "request" {
		t.Errorf("audits %+v", s.Audits)
	}
	b.wantEqual(t, "segment/1", 48)
	if n := b.fingerprint("segments/2").Count; n != 48 {
		t.Errorf("segment 2 has %d ids", n)
	}
	again := b.forget(id(10))
	b.Run(again).Want(t, "done")
	wantOutcomes(t, b.outcomes(t, again), "segment/1 absent", 4, "segment/2 absent", 4)

	// They do not come back.
	for _, kind := range []usher.Kind{usher.SegmentAdd, usher.SegmentMirror, usher.TargetMirror} {
		s := b.Run(b.job(kind, b.ids(0, 50)))
		s.Want(t, "done")
		if s.Tally().Suppressed != 2 {
			t.Errorf("%s: tally %+v", kind, s.Tally())
		}
	}
	b.wantEqual(t, "segment/1", 48)
	b.wantEqual(t, "campaign/SANDBOX1-spring", 48)
}

// A job that forgets ids is killed at each of its steps in turn, before and after the step has
// its effect, and goes on: the receipt is that of a job that was not killed.
func TestForgetKilledAtEachStepWithoutRace(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprint(after), func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			b.Run(b.job(usher.SegmentMirror, b.ids(0, 200))).Want(t, "done")
			second := b.job(usher.SegmentAdd, b.ids(0, 200))
			second.Piece.Job.Segment, second.Piece.Job.Profile = "2", &usher.Profile{Type: usher.AAID}
			b.Run(second).Want(t, "done")
			b.Worker.Uploads = &uploads{running: []usher.Upload{{Target: "segment/1", Key: "jobs.x"}}}
			gone := 0
			for step, died := 1, true; died; step++ {
				if step > 200 {
					t.Fatal("the job takes too many steps")
				}
				absent := forms(t, id(gone), id(1000+gone)) - 1
				s := b.forget(id(gone), id(1000+gone))
				gone++
				died = b.crash(s, step, after)
				s.Want(t, "done")
				wantOutcomes(t, b.outcomes(t, s), "segment/1 removed", 1, "segment/1 absent", absent, "segment/2 removed", 1, "segment/2 absent", absent)
				if b.wantEqual(t, "segment/1", int64(200-gone)); b.fingerprint("segments/2").Count != int64(200-gone) || t.Failed() {
					t.Fatalf("killed at step %d", step)
				}
			}
		})
	}
}

// A damaged suppression list is never read as empty: uploads end with its name, and ids can
// still not be uploaded.
func TestDamagedSuppression(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.forget(id(7))).Want(t, "done")
	lists, err := filepath.Glob(filepath.Join(b.LedgerDir, "suppression.d", "*"))
	if err != nil || len(lists) != 1 {
		t.Fatal(lists, err)
	}
	whole, err := os.ReadFile(lists[0])
	if err != nil {
		t.Fatal(err)
	}
	changed := append([]byte{}, whole...)
	changed[5] ^= 4
	for name, damage := range map[string]func() error{
		"missing": func() error { return os.Remove(lists[0]) },
		"short":   func() error { return os.WriteFile(lists[0], whole[:len(whole)-1], 0o600) },
		"changed": func() error { return os.WriteFile(lists[0], changed, 0o600) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		b.Worker.Suppressed = workers.NewSuppressions(nil, b.Worker.Ledger) // a new process
		s := b.Run(b.job(usher.SegmentAdd, b.ids(0, 50)))
		if s.Want(t, "failed ledger_broken"); s.Ended.Error != nil && !strings.Contains(s.Ended.Error.Message, filepath.Base(lists[0])) {
			t.Errorf("%s: message is %q", name, s.Ended.Error.Message)
		}
	}
	wantUnchanged(t, b.Bench)
	b.Heads.Forget()
	b.Worker.Suppressed = workers.NewSuppressions(nil, b.Worker.Ledger)
	if err := os.WriteFile(lists[0], whole, 0o600); err != nil {
		t.Fatal(err)
	}
	b.Run(b.job(usher.SegmentAdd, b.ids(0, 50))).Want(t, "failed ledger_broken") // its head is gone
}

// A ledger that is damaged does not keep ids from being forgotten: the platform is asked.
func TestForgetWithDamagedLedger(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 50))).Want(t, "done")
	for _, path := range files(t, b.LedgerDir) {
		if err := os.Truncate(path, 10); err != nil {
			t.Fatal(err)
		}
	}
	s := b.Run(b.forget(id(10)))
	s.Want(t, "done")
	wantOutcomes(t, b.outcomes(t, s), "segment/1 removed", 1, "segment/1 absent", 3)
	if w := s.Piece.Progress.Warnings; len(w) == 0 || w[0].Code != "ledger_broken" {
		t.Errorf("warnings %+v", w)
	}
}

// Ids come from an export, or 10,000 in one job. Most of them no target has.
func TestForgetMany(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 100))).Want(t, "done")
	s := b.forget()
	s.Piece.Job = usher.Job{Source: &usher.Source{URL: b.File("forget.csv", "id\n"+id(3)+"\nnull\na1b2c3d4e5f60718\n")}}
	b.Run(s).Want(t, "done")
	if tally := s.Tally(); tally.Accepted != 2 || tally.Junk["placeholder"] != 1 || tally.Check() != nil {
		t.Errorf("tally %+v", tally)
	}
	b.wantEqual(t, "segment/1", 99)

	for _, segment := range []string{"2", "4"} { // otherwise they are asked for each digest
		known := b.job(usher.SegmentMirror, b.ids(0, 1))
		if known.Piece.Job.Segment = segment; segment == "2" {
			known.Piece.Job.Profile = &usher.Profile{Type: usher.AAID}
		}
		b.Run(known).Want(t, "done")
	}
	var all []string
	for i := range 10_000 {
		all = append(all, id(i+50))
	}
	many := b.forget(all...)
	b.Run(many).Want(t, "done")
	b.wantEqual(t, "segment/1", 49)
	if head, err := b.store.Suppression().Head(t.Context()); err != nil || ledger.Digests(head.Files) != int64(forms(t, append(all, id(3), "a1b2c3d4e5f60718")...)) {
		t.Errorf("the list has %d digests: %v", ledger.Digests(head.Files), err)
	}
}

// jobs runs what is published at once.
type jobs struct {
	b     *mirrored
	ended map[string]*workertest.Lease
}

func (j *jobs) Publish(_ context.Context, k usher.Kind, job usher.Job) error {
	if j.ended[job.ID] != nil {
		return nil
	}
	j.b.jobs++
	other := workertest.NewBench(j.b.T, sandbox.Options{})
	other.Worker.Platform, other.Worker.Exports, other.Worker.Advertiser = j.b.Worker.Platform, j.b.Worker.Exports, j.b.Worker.Advertiser
	other.Worker.Ledger, other.Worker.Suppressed = j.b.Worker.Ledger, workers.NewSuppressions(nil, j.b.Worker.Ledger)
	j.ended[job.ID] = other.Run(&workertest.Lease{Piece: usher.Work{ID: job.ID, Order: uint64(j.b.jobs), Kind: k, Job: job}})
	return nil
}

func (j *jobs) State(_ context.Context, id string) (usher.State, error) {
	return j.ended[id].Ended.State, nil
}

// With targets now, a campaign is cleared and filled again with what its ledger has, also of
// deltas; one without a ledger is pending.
func TestForgetTargetsNow(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Worker.Jobs = &jobs{b, map[string]*workertest.Lease{}}
	b.Run(b.job(usher.TargetMirror, b.ids(0, 50))).Want(t, "done")
	b.Run(b.job(usher.TargetAdd, b.ids(50, 60))).Want(t, "done")
	s := b.forget(id(3), id(55))
	s.Piece.Job.Targets = "now"
	b.Run(s).Want(t, "done")
	wantOutcomes(t, b.outcomes(t, s), "campaign/SANDBOX1-spring removed", 2, "campaign/SANDBOX1-spring pending", 0)
	b.wantEqual(t, "campaign/SANDBOX1-spring", 58)

	spring := ledger.Target{Advertiser: "SANDBOX1", Name: "campaign/SANDBOX1-spring"}
	_, revision, err := b.store.Head(t.Context(), spring)
	if err = errors.Join(err, b.store.Drop(t.Context(), spring, revision)); err != nil {
		t.Fatal(err)
	}
	s = b.forget(id(4))
	s.Piece.Job.Targets = "now"
	b.Run(s).Want(t, "done")
	wantOutcomes(t, b.outcomes(t, s), "campaign/SANDBOX1-spring pending", forms(t, id(4)))
	if w := s.Piece.Progress.Warnings; len(w) != 1 || w[0].Code != "pending" {
		t.Errorf("warnings %+v", w)
	}
}

// An id that a mirror may have added to a campaign before it failed is not absent, although a job that clears
// the campaign has begun since, and has failed as well.
func TestForgetAfterTwoFailures(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.TargetClear, usher.TargetReplace, usher.TargetMirror} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			b.Run(b.job(usher.TargetMirror, b.ids(1000, 1100))).Want(t, "done")
			b.Fault("campaigns.add-mobile-targets", "status", map[string]any{"status": 403, "after": 1})
			b.Run(b.job(usher.TargetMirror, b.File("more.txt", lines(0, 300)+lines(1000, 1100)))).Want(t, "failed forbidden")
			b.Fault("campaigns.clear-mobile-targets", "status", map[string]any{"status": 403, "times": 2})
			second := b.job(kind, b.ids(1000, 1090))
			second.Piece.Job.Force = true
			b.Run(second).Want(t, "failed forbidden")
			second.Piece.Run = 2
			b.Run(second).Want(t, "failed forbidden")
			if n := b.Targeted("SANDBOX1-spring"); n != 200 {
				t.Fatalf("%d ids are targeted", n)
			}
			added, _ := firstAndLast(t, 300) // the first batch has it
			s := b.forget(id(added))
			b.Run(s).Want(t, "done")
			wantOutcomes(t, b.outcomes(t, s), "campaign/SANDBOX1-spring pending", 1)
			last := b.job(usher.TargetMirror, b.ids(1000, 1100))
			last.Piece.Job.Force = true
			b.Run(last).Want(t, "done")
			b.wantEqual(t, "campaign/SANDBOX1-spring", 100)
		})
	}
}

// A campaign that targets nothing yet, but to which an upload may be sending ids that it has compared with
// the suppression list as it was before, is pending, unless nothing has arrived.
func TestForgetWhileCampaignIsFilled(t *testing.T) {
	t.Parallel()
	for arrives, outcome := range map[bool]string{true: "pending", false: "absent"} {
		t.Run(outcome, func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			u := &uploads{running: []usher.Upload{
				{Target: "campaign/SANDBOX1-spring", Key: "jobs.x"}, {Target: "campaign/SANDBOX1-autumn", Advertiser: "OTHER", Key: "jobs.y"},
			}}
			u.awaits = func(uint64) string {
				digests, _ := hashing.Forms([]byte(id(1)))
				batch := usher.NewBatch(1, 1, strings.NewReader(digests[0].String()), nil)
				if arrives {
					if _, err := b.Worker.Platform("", false).Campaigns.AddMobileTargets(t.Context(), "SANDBOX1-spring", batch); err != nil {
						t.Error(err)
					}
				}
				return ""
			}
			b.Worker.Uploads = u
			s := b.forget(id(1))
			b.Run(s).Want(t, "done")
			got := b.outcomes(t, s)
			wantOutcomes(t, got, "campaign/SANDBOX1-spring "+outcome, forms(t, id(1)))
			if got["campaign/SANDBOX1-autumn pending"]+got["campaign/SANDBOX1-autumn absent"] != 0 {
				t.Errorf("the outcomes are %v", got)
			}
		})
	}
}
