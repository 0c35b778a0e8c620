package ledger_test

import (
	"errors"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"usher"
	"usher/hashing"
	"usher/internal/azuretest"
	_ "usher/internal/exports/places/cloud"
	"usher/internal/ledger"
)

// A ledger and a suppression list in a bucket of S3, or of Google's store, are as those in a
// folder: compared, changed, collected, and never read as empty when a file is gone.
func TestBuckets(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	backend := s3mem.New()
	amazon := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(amazon.Close)
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	google := httptest.NewUnstartedServer(nil)
	address := google.Listener.Addr().String()
	fake, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true, PublicHost: address})
	if err != nil {
		t.Fatal(err)
	}
	fake.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "bucket"})
	google.Config.Handler = fake.HTTPHandler()
	google.Start()
	t.Cleanup(google.Close)
	t.Setenv("STORAGE_EMULATOR_HOST", address)
	for scheme, options := range map[string]string{
		"s3": "region=eu-central-1&use_path_style=true&endpoint=" + url.QueryEscape(amazon.URL),
		"gs": "anonymous=true",
	} {
		t.Run(scheme, func(t *testing.T) {
			s, err := ledger.Open(t.Context(), ledger.Options{URL: scheme + "://bucket/usher/ledger?" + options, Heads: newHeads()})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			testBucket(t, s)
		})
	}
}

// TestAzure is TestBuckets for Azure Blob Storage.
func TestAzure(t *testing.T) {
	options, _ := azuretest.Serve(t, "bucket")
	for name, value := range azuretest.Environment {
		t.Setenv(name, value)
	}
	s, err := ledger.Open(t.Context(), ledger.Options{URL: "azblob://bucket/usher/ledger?" + options, Heads: newHeads()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	testBucket(t, s)
}

func testBucket(t *testing.T, s *ledger.Store) {
	t.Helper()
	target := ledger.Target{Advertiser: "A", Name: "segment/1"}
	all := digests(rand.New(rand.NewPCG(31, 32)), 600)
	runs := func(job string, some []hashing.Digest) []int {
		t.Helper()
		w := s.Staging(target, job, 1).Runs(ledger.ReadStep, 0, 0)
		defer w.Release()
		err := w.Add(t.Context(), some)
		n, flushed := w.Flush(t.Context())
		if err := errors.Join(err, flushed); err != nil {
			t.Fatal(err)
		}
		return []int{n}
	}
	c := &ledger.Comparison{Job: "adopt", Run: 1, Head: ledger.Head{V: 1, Target: target}, Runs: runs("adopt", all[:500])}
	if _, err := s.Adopt(t.Context(), c, 500, usher.Profile{Type: usher.IDFA}); err != nil {
		t.Fatal(err)
	}
	head, _, err := s.Begin(t.Context(), target, "add", 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	delta, err := s.NewDelta(t.Context(), &head, false, "add", 1, 0, ledger.Written{})
	if err != nil {
		t.Fatal(err)
	}
	if err := delta.Add(t.Context(), all[500:550]); err != nil {
		t.Fatal(err)
	}
	if n, err := delta.Complete(t.Context()); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	delta.Release()
	if head, _, err = s.Head(t.Context(), target); err != nil {
		t.Fatal(err)
	}
	c = &ledger.Comparison{Job: "job", Run: 1, Head: head, Runs: runs("job", all[100:])}
	c.Cut(500)
	if err := s.Compare(t.Context(), c, 0, nil); err != nil {
		t.Fatal(err)
	}
	found, err := s.Differences(t.Context(), c)
	if want := (ledger.Counts{Wanted: 500, Members: 550, Added: 50, Removed: 100, Unchanged: 450}); err != nil || found.Counts != want {
		t.Errorf("%+v, not %+v: %v", found.Counts, want, err)
	}
	if !slices.Equal(read(t, s, found.Removes), all[:100]) {
		t.Error("other digests are to be removed")
	}
	names, err := s.Names(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.Contains(name, "/d/") || strings.HasSuffix(name, "shard-000") && strings.Contains(name, "adopt") {
			if err := s.Remove(t.Context(), name); err != nil {
				t.Fatal(err)
			}
			if err := s.Compare(t.Context(), c, 0, nil); !errors.As(err, new(*ledger.DamagedError)) {
				t.Errorf("without %s: %v", name, err)
			}
		}
	}
	if n := suppress(t, s, "job-1", all[:99]); n != 99 || !slices.Equal(listed(t, s), all[:99]) {
		t.Errorf("%d digests are on the suppression list", n)
	}
	_, revision, err := s.Head(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Drop(t.Context(), target, revision-1); !errors.Is(err, ledger.ErrConflict) {
		t.Errorf("drop of a ledger that was changed: %v", err)
	}
	if err := s.Drop(t.Context(), target, revision); err != nil {
		t.Fatal(err)
	}
	if names, err = s.Names(t.Context()); err != nil || slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "A/") }) {
		t.Errorf("files %v: %v", names, err)
	}
}
