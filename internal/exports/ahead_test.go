package exports_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"usher/internal/exports"
)

// TestAheadCancel stops reading a compressed export after some blocks, by its context
// and by closing it. TestMain finds goroutines that are left.
func TestAheadCancel(t *testing.T) {
	t.Parallel()
	data := strings.Repeat(id1+"\n"+id3+"\n", 40_000)
	for name, packed := range map[string]string{"gzip": gzipped(t, data), "zstd": zstdPacked(t, data)} {
		o, src := export(t, packed, exports.Options{})
		plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
		must(t, err)
		for blocks := range 4 {
			r, err := o.Open(t.Context(), src, plan, plan.Parts[0])
			must(t, err)
			ctx, cancel := context.WithCancelCause(t.Context())
			for range blocks {
				b, err := r.Next(ctx)
				must(t, err)
				b.Release()
			}
			cause := errors.New("enough")
			cancel(cause)
			if _, err := r.Next(ctx); !errors.Is(err, cause) {
				t.Errorf("%s: after %d blocks and a cancel: %v", name, blocks, err)
			}
			b, err := r.Next(t.Context()) // the reader can go on
			must(t, err)
			b.Release()
			must(t, r.Close())
			must(t, r.Close())
		}
	}
}
