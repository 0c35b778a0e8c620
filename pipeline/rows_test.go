package pipeline_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher"
	"usher/internal/exports"
	"usher/pipeline"
)

// TestRowsOfExports: exports and the pipeline count the same rows, in every
// format, cut or not, whatever the lines look like.
func TestRowsOfExports(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "export")
	places, err := exports.NewPlaces([]string{filepath.Dir(path)})
	if err != nil {
		t.Fatal(err)
	}
	opener := exports.New(exports.Options{Places: places, MaxLine: 60, BlockBytes: 140})
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
		plan, err := opener.Plan(t.Context(), src, rapid.Int64Range(1, 200).Draw(rt, "part"))
		if err != nil {
			return
		}
		for _, part := range plan.Parts {
			sameRows(rt, opener, src, plan, part)
		}
	})
}

// sameRows holds that each block begins at the row that the pipeline has come to
// when it has taken all blocks before it.
func sameRows(t *rapid.T, opener *exports.Opener, src *usher.Source, plan usher.Plan, part usher.Part) {
	r, err := opener.Open(context.Background(), src, plan, part)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	for rows := int64(0); ; {
		b, err := r.Next(context.Background())
		if err != nil {
			return // the end, or a quote that is not closed in its part
		}
		if b.Row != rows {
			t.Fatalf("a block begins at row %d, the pipeline is at %d", b.Row, rows)
		}
		o := (&receiver{}).options()
		o.MaxRejectPercent, o.Header = 100, plan.Header
		c, err := pipeline.Upload(context.Background(), &oneOf{b}, o)
		if err != nil || c.Tally.Check() != nil || c.Tally.Read != c.Rows {
			t.Fatalf("tally %+v of %d rows: %v", c.Tally, c.Rows, err)
		}
		rows += c.Rows
	}
}

// oneOf yields one block.
type oneOf struct{ b *usher.Block }

func (o *oneOf) Next(context.Context) (*usher.Block, error) {
	b := o.b
	if o.b = nil; b == nil {
		return nil, io.EOF
	}
	return b, nil
}
