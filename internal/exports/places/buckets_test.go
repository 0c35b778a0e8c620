package places_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/internal/exports/places/cloud"
)

// TestBuckets runs the suite of content against each kind of store.
func TestBuckets(t *testing.T) {
	t.Parallel()
	for _, s := range stores(t) {
		t.Run(s.scheme, func(t *testing.T) {
			t.Parallel()
			testContent(t, func(t *testing.T) contentKind {
				t.Helper()
				bucket := bucketName()
				access := s.access(t, bucket)
				s.put(t, bucket, "other", nil)
				return contentKind{
					put: func(t *testing.T, data []byte) { t.Helper(); s.put(t, bucket, "in/a b", data) },
					open: func(t *testing.T) (places.Content, error) {
						t.Helper()
						f, err := access.OpenSource(t.Context(), &usher.Source{URL: s.scheme + "://" + bucket + "/in/a%20b"}, places.Range{Size: 100})
						if err != nil {
							return nil, err
						}
						return f.Content(), nil
					},
				}
			})
		})
	}
}

// TestObjectChanges checks that an object that is replaced between two parts is broken,
// and one that is removed is missing.
func TestObjectChanges(t *testing.T) {
	t.Parallel()
	for _, s := range stores(t) {
		t.Run(s.scheme, func(t *testing.T) {
			t.Parallel()
			bucket := bucketName()
			o := s.opener(t, bucket, exports.Options{PartBytes: 64 << 10})
			data := []byte(strings.Repeat(anID, 10_000))
			s.put(t, bucket, "in/ids", data)
			src := &usher.Source{URL: s.scheme + "://" + bucket + "/in/ids"}
			plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
			if err != nil || len(plan.Parts) != 6 {
				t.Fatalf("%d parts, %v", len(plan.Parts), err)
			}
			rows := 0
			for i, part := range plan.Parts {
				if i == 4 {
					s.put(t, bucket, "in/ids", append([]byte("x"), data[1:]...))
				}
				if i == 5 {
					s.remove(t, bucket, "in/ids")
				}
				n, err := rowsIn(t.Context(), o, src, plan, part)
				rows += n
				if want := []usher.Class{"none", "none", "none", "none", usher.SourceBroken, usher.SourceMissing}[i]; classOf(err) != want {
					t.Errorf("part %d: %v, want %s", i, err, want)
				}
			}
			if rows < 7000 || rows > 7100 {
				t.Errorf("%d rows", rows)
			}
		})
	}
}

// rowsIn reads a part and counts its rows.
func rowsIn(ctx context.Context, o *exports.Opener, src *usher.Source, plan usher.Plan, part usher.Part) (int, error) {
	r, err := o.Open(ctx, src, plan, part)
	if err != nil {
		return 0, err
	}
	rows := 0
	for {
		b, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			return rows, r.Close()
		}
		if err != nil {
			return rows, errors.Join(err, r.Close())
		}
		rows += strings.Count(string(b.Data), "\n")
		b.Release()
	}
}

func TestNewBuckets(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "exports", "file:///x", "https://x", "s3://", "s3://a/b", "s3://user:hunter2@a", "s3://a#x", "mem://x", "s3://a b"} {
		if _, err := places.NewBuckets([]string{bad}, cloud.Versions{}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := places.NewBuckets([]string{"s3://a?region=x", "s3://a"}, cloud.Versions{}); err == nil {
		t.Error("the same bucket is accepted twice")
	}
}

// TestProbe checks what the doctor reports of buckets and servers.
func TestProbe(t *testing.T) {
	t.Parallel()
	for _, s := range stores(t) {
		bucket := bucketName()
		access := s.access(t, bucket)
		s.put(t, bucket, "in/ids", []byte(anID))
		if says, err := access.Probe(t.Context(), s.scheme+"://"+bucket+"/in/"); err != nil || says == "" {
			t.Errorf("%s: %q, %v", s.scheme, says, err)
		}
	}
	server := newWebServer(t, serveRanges)
	if says, err := server.access(t).Probe(t.Context(), server.URL+"/in/"); err != nil || !strings.Contains(says, "404") {
		t.Errorf("https: %q, %v", says, err)
	}
}
