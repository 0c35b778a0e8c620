package backup

import (
	"io"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"usher"
	_ "usher/internal/exports/places/cloud"
	"usher/internal/ledger"
	"usher/queues"
	"usher/queues/backups"
	"usher/queues/queuetest"
)

// TestBucket checks that a backup in a bucket is restored as one in a folder. A backup
// overwrites no other, and one that is damaged or not complete is refused.
func TestBucket(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	backend := s3mem.New()
	amazon := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(amazon.Close)
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	address := "s3://bucket/usher/monday?region=eu-central-1&use_path_style=true&endpoint=" + url.QueryEscape(amazon.URL)
	bucket, err := ledger.OpenBucket(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = bucket.Close() }()
	place, closed, err := openPlace(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer closed()
	if _, err := backups.Read(t.Context(), place); err == nil {
		t.Error("an empty bucket is a backup")
	}
	progress := newProgress(io.Discard, "saving", 0, true)
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, `{"id":"waits","segment":"1","profile":"idfa","source":{"url":"file:///exports/a"}}`)
	b.Fail(t, q, 1)
	saved, err := backups.Save(t.Context(), b.Conn, "", "1.2.3", place, progress)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := backups.Save(t.Context(), b.Conn, "", "1.2.3", place, progress); err == nil {
		t.Error("a backup was overwritten")
	}
	m, err := backups.Read(t.Context(), place)
	if err != nil || m.Bytes() != saved.Bytes() {
		t.Fatalf("read %+v, %v", m, err)
	}
	to := queuetest.New(t)
	if err := backups.Restore(t.Context(), to.Conn, m, place, 1, false, progress); err != nil {
		t.Fatal(err)
	}
	if err := queues.Declare(t.Context(), to.JS, to.Options); err != nil {
		t.Fatal(err)
	}
	if letters := queuetest.Letters(t, to.Queue(t)); len(letters) != 1 {
		t.Errorf("%d letters were restored, want 1", len(letters))
	}
	if err := bucket.WriteAll(t.Context(), m.Streams[0].File, []byte("damaged"), nil); err != nil {
		t.Fatal(err)
	}
	if err := backups.Restore(t.Context(), to.Conn, m, place, 1, true, progress); err == nil {
		t.Error("a damaged backup was restored")
	}
}
