package pipeline_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/pipeline"
)

// TestRowsOfExports tests that exports and the pipeline count the same rows, for any lines, in
// every format, cut or not.
func TestRowsOfExports(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "export")
	allowed, err := places.Allow([]string{filepath.Dir(path)})
	if err != nil {
		t.Fatal(err)
	}
	opener := exports.New(places.New(places.Options{Allowed: allowed}), exports.Options{MaxLine: 60, BlockBytes: 140})
	line := rapid.OneOf(
		rapid.SampledFrom([]string{
			idOf(1), idOf(2), "{" + idOf(3) + "}", digestOf(4), "null", "", " ", "\t", "\u00a0", "\ufeff", "\r", `"`, `""`, "'", ",", ";",
			"a,b", "1", "idfa", strings.Repeat("x", 70), strings.Repeat(" ", 90),
		}),
		rapid.StringOfN(rapid.RuneFrom([]rune("ab0 \t,;\"'\r\u00a0")), 0, 20, -1),
	)
	rapid.Check(t, func(rt *rapid.T) {
		ends := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "ends")
		data := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(rt, "lines"), ends)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			rt.Fatal(err)
		}
		src := &usher.Source{URL: path, Format: rapid.SampledFrom([]string{"text", "csv", "auto"}).Draw(rt, "format")}
		plan, err := opener.Plan(t.Context(), src, exports.Wanted{}, rapid.Int64Range(1, 200).Draw(rt, "part"))
		if err != nil {
			return
		}
		for _, part := range plan.Parts {
			sameRows(rt, opener, src, plan, part)
		}
	})
}

// sameRows tests that the blocks of a part have as many rows when they are read one by one as
// when they are read together, and that each block has at least one row.
func sameRows(t *rapid.T, opener *exports.Opener, src *usher.Source, plan usher.Plan, part usher.Part) {
	r, err := opener.Open(context.Background(), src, plan, part)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	var list blockList
	for rows := int64(0); ; {
		b, err := r.Next(context.Background())
		if errors.Is(err, io.EOF) {
			if all := rowsRead(t, list, plan.Header); all != rows {
				t.Fatalf("%d rows in all blocks together, %d one by one", all, rows)
			}
			return
		}
		if err != nil {
			return // an unclosed quote
		}
		kept := *b
		kept.Data, kept.Recycle = slices.Clone(b.Data), nil
		list = append(list, &kept)
		b.Release()
		n := rowsRead(t, blockList{&kept}, plan.Header)
		if n == 0 {
			t.Fatalf("the block %q has no rows", kept.Data)
		}
		rows += n
	}
}

// rowsRead returns the number of rows of blocks.
func rowsRead(t *rapid.T, list blockList, header string) int64 {
	o := (&receiver{}).options()
	o.MaxRejectPercent, o.MaxMalformedPercent, o.Header = 100, 100, header
	c, err := pipeline.Upload(context.Background(), &list, o)
	if err != nil || c.Tally.Check() != nil || c.Tally.Read != c.Rows {
		t.Fatalf("tally %+v of %d rows: %v", c.Tally, c.Rows, err)
	}
	return c.Rows
}

// blockList yields its blocks.
type blockList []*usher.Block

func (b *blockList) Next(context.Context) (*usher.Block, error) {
	if len(*b) == 0 {
		return nil, io.EOF
	}
	first := (*b)[0]
	*b = (*b)[1:]
	return first, nil
}
