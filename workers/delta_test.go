package workers_test

import (
	"crypto/x509"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// serve returns the URL of an export that the worker may read, whose server says nothing of its state.
func (b *mirrored) serve(text *string) string {
	b.T.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(*text))
	}))
	b.T.Cleanup(server.Close)
	allowed, err := places.Allow([]string{b.Dir, server.URL})
	if err != nil {
		b.T.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	b.Worker.Exports = exports.New(places.New(places.Options{
		Allowed: allowed, Roots: func() *x509.CertPool { return roots }, Private: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	}), exports.Options{})
	return server.URL + "/ids.txt"
}

// An attempt that reads another export than the one before it, which nothing but the content tells, leaves
// in the ledger what that one has added.
func TestDeltasOfAttempts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind      usher.Kind
		operation string
		want      int64
	}{
		{usher.SegmentAdd, "segments.upload", 450}, {usher.TargetAdd, "campaigns.add-mobile-targets", 450},
		{usher.TargetReplace, "campaigns.add-mobile-targets", 190}, // it clears the list again
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			first, name := usher.SegmentMirror, "segment/1"
			if c.kind.Family() == "target" {
				first, name = usher.TargetMirror, "campaign/SANDBOX1-spring"
			}
			b.Run(b.job(first, b.ids(0, 60))).Want(t, "done")
			text := lines(100, 400)
			s := b.job(c.kind, b.serve(&text))
			b.Fault(c.operation, "status", map[string]any{"status": 429, "retryAfter": 60, "after": 2})
			b.Run(s).Want(t, "retry")
			text = lines(1000, 1190)
			b.Run(s).Want(t, "done")
			if uncertain := b.wantKnown(t, name, c.want); uncertain > 100 { // of the batch that was not sent again
				t.Errorf("%d ids are uncertain", uncertain)
			}
		})
	}
}

// Nor is a batch forgotten whose response an attempt has lost, and which the next attempt, which reads another
// export, does not send again.
func TestDeltaOfLostBatchOfAnotherExport(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 60))).Want(t, "done")
	text := lines(100, 400)
	s := b.job(usher.SegmentAdd, b.serve(&text))
	b.Fault("segments.upload", "reset_after", map[string]any{"after": 2})
	b.Fault("segments.upload", "status", map[string]any{"status": 429, "retryAfter": 60, "after": 2})
	b.Run(s).Want(t, "retry")
	text = lines(1000, 1290)
	b.Run(s).Want(t, "done")
	if n := b.fingerprint("segments/1").Count; n != 650 {
		t.Fatalf("the platform has %d ids", n)
	}
	last := b.job(usher.SegmentMirror, b.ids(0, 60))
	last.Piece.Job.Force = true
	b.Run(last).Want(t, "done")
	b.wantEqual(t, "segment/1", 60)
}

// An upload whose checkpoints NATS does not take, nor its end, begins again. What it has added is not
// forgotten, even if the next attempt ends before it has added that again.
func TestDeltasWithoutCheckpoints(t *testing.T) {
	t.Parallel()
	b := &mirrored{Bench: workertest.NewBench(t, sandbox.Options{})}
	b.store = b.KeepLedger()
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 50))).Want(t, "done")
	s := b.job(usher.SegmentAdd, b.ids(100, 500))
	b.Fault("segments.upload", "slow", map[string]any{"after": 3}) // until a checkpoint is to be saved
	s.OnSave = func(p usher.Progress) error {
		if p.Checkpoint.Batches == 0 {
			return nil
		}
		b.Control(http.MethodDelete, "faults", nil, nil)
		return errors.New("NATS is away")
	}
	b.Run(s).Want(t, "done")
	s.Piece.Progress, s.OnSave = s.Saved[len(s.Saved)-1], nil
	b.Fault("segments.upload", "status", map[string]any{"status": 403, "after": 1})
	b.Run(s).Want(t, "failed forbidden")
	last := b.job(usher.SegmentMirror, b.ids(0, 50))
	last.Piece.Job.Force = true
	b.Run(last).Want(t, "done")
	b.wantEqual(t, "segment/1", 50)
}

// The same holds for an upload that is killed at any of its steps.
func TestDeltasOfKilledUploadWithoutRace(t *testing.T) {
	t.Parallel()
	for step, died := 1, true; died; step++ {
		if step > 100 {
			t.Fatal("the job takes too many steps")
		}
		b := newMirrored(t)
		b.Run(b.job(usher.SegmentMirror, b.ids(0, 50))).Want(t, "done")
		s := b.job(usher.SegmentAdd, b.ids(100, 500))
		c := &workertest.Crash{AtStep: step}
		b.RunAndCrash(s, c)
		if died = c.Dead(); died {
			b.Fault("segments.upload", "status", map[string]any{"status": 403, "after": 1})
			b.Run(s)
		}
		last := b.job(usher.SegmentMirror, b.ids(0, 50))
		last.Piece.Job.Force = true
		b.Run(last).Want(t, "done")
		if b.wantEqual(t, "segment/1", 50); t.Failed() {
			t.Fatalf("killed at step %d", step)
		}
	}
}
