package pipeline_test

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher"
	"usher/hashing"
	"usher/pipeline"
)

// typedBlocks yields records with types.
type typedBlocks struct {
	lines []string
	types []usher.RowType
	each  int
}

func (b *typedBlocks) Next(context.Context) (*usher.Block, error) {
	n := min(b.each, len(b.lines))
	if n == 0 {
		return nil, io.EOF
	}
	block := &usher.Block{Data: []byte(strings.Join(b.lines[:n], "\n") + "\n"), Records: true, Types: b.types[:n]}
	b.lines, b.types = b.lines[n:], b.types[n:]
	return block, nil
}

// routed returns the result of a single row: its digest, or the reason why it is dropped.
func routed(t *rapid.T, o *pipeline.Options, line string, kind usher.RowType) (digest, junk, invalid string) {
	profile, wrong := o.Profile, false
	if !profile.Type.Fits(kind) && (!o.Mixed || o.Input != usher.InputMD5 || kind == usher.RowOther) {
		if wrong = !o.Mixed || kind == usher.RowOther; !wrong {
			profile = usher.Profile{Type: kind.IDType()}
		}
	}
	h, err := hashing.New(profile, o.Input)
	if err != nil {
		t.Fatal(err)
	}
	out := hashing.NewOut(1, 1)
	h.Lines(out, []byte(line+"\n"), true, true)
	switch {
	case len(out.Rejects) > 0 && out.Rejects[0].Reason.Junk():
		return "", out.Rejects[0].Reason.String(), ""
	case wrong:
		return "", "", usher.WrongType
	case len(out.Rejects) > 0:
		return "", "", out.Rejects[0].Reason.String()
	}
	return string(hashing.Join(nil, out.Digests)), "", ""
}

// TestRouted compares an upload of mixed rows with the results of each row on its own.
func TestRouted(t *testing.T) {
	t.Parallel()
	line := rapid.OneOf(
		rapid.Map(rapid.IntRange(0, 1<<20), idOf),
		rapid.Map(rapid.IntRange(0, 1<<20), func(n int) string { return strings.ToLower(idOf(n)) }),
		rapid.SampledFrom([]string{"", "null", "af3802a465767e36", "x y", strings.Repeat("0", 16), digestOf(1), "00000000-0000-0000-0000-000000000000"}),
	)
	rapid.Check(t, func(rt *rapid.T) {
		var r receiver
		o := r.options()
		o.Profile.Type = rapid.SampledFrom([]usher.IDType{usher.IDFA, usher.AAID, usher.AndroidID}).Draw(rt, "profile")
		o.Input = rapid.SampledFrom([]usher.Input{usher.InputRaw, usher.InputMD5}).Draw(rt, "input")
		o.Mixed, o.MaxRejectPercent = rapid.Bool().Draw(rt, "mixed"), 100
		lines := rapid.SliceOfN(line, 1, 80).Draw(rt, "lines")
		types := make([]usher.RowType, len(lines))
		want := usher.Tally{Read: int64(len(lines)), Junk: usher.Counts{}, Invalid: usher.Counts{}}
		sent := map[string]bool{}
		for i, l := range lines {
			types[i] = usher.RowType(rapid.IntRange(0, int(usher.RowTypes)-1).Draw(rt, "type"))
			switch digest, junk, invalid := routed(rt, &o, l, types[i]); {
			case junk != "":
				want.Junk[junk]++
			case invalid != "":
				want.Invalid[invalid]++
			case sent[digest]:
				want.Duplicate++
			default:
				sent[digest] = true
				want.Accepted++
			}
		}
		c, err := pipeline.Upload(t.Context(), &typedBlocks{lines, types, rapid.IntRange(1, 30).Draw(rt, "each")}, o)
		if err != nil {
			rt.Fatal(err)
		}
		if !sameTally(c.Tally, want) || len(r.got) != len(sent) {
			rt.Fatalf("tally %+v, %d digests\nwant  %+v, %d", c.Tally, len(r.got), want, len(sent))
		}
		for d := range r.got {
			if !sent[d] {
				rt.Fatalf("digest %s was sent", d)
			}
		}
		for _, s := range c.Samples {
			if s.Reason == usher.WrongType && s.Masked == "" && lines[s.Row-1] != "" {
				rt.Fatalf("sample of row %d is empty", s.Row)
			}
		}
	})
}

// TestRoutedFar tests typed rows beyond the first segment of digests and beyond the ends of
// windows, where there is room for only a few rows.
func TestRoutedFar(t *testing.T) {
	t.Parallel()
	var r receiver
	o := r.options().WithWindow(7_000)
	o.Mixed = true
	b := typedBlocks{each: 3_000}
	want := map[string]bool{}
	for i := range 40_000 {
		id, kind := idOf(i), usher.RowIOS
		if i%3 == 0 {
			id, kind = strings.ToLower(id), usher.RowAAID
		}
		b.lines, b.types = append(b.lines, id), append(b.types, kind)
		sum := md5.Sum([]byte(id))
		want[hex.EncodeToString(sum[:])] = true
	}
	c, err := pipeline.Upload(t.Context(), &b, o)
	if err != nil || c.Tally.Accepted != 40_000 || len(r.got) != len(want) {
		t.Fatalf("%d digests, tally %+v, %v", len(r.got), c.Tally, err)
	}
	for d := range r.got {
		if !want[d] {
			t.Fatalf("digest %s was sent", d)
		}
	}
}

func sameTally(a, b usher.Tally) bool {
	return a.Read == b.Read && a.Accepted == b.Accepted && a.Duplicate == b.Duplicate &&
		sameCounts(a.Junk, b.Junk) && sameCounts(a.Invalid, b.Invalid)
}

// A part that is refused because most of its rows are of the other system gets a hint that says
// so, if a column has named their types.
func TestRefusedForOtherTypes(t *testing.T) {
	t.Parallel()
	for _, typed := range []bool{true, false} {
		var r receiver
		o := r.options()
		o.Typed = typed
		b := typedBlocks{each: 50}
		for i := range 50 {
			kind := usher.RowAndroid
			if i == 0 {
				kind = usher.RowIOS
			}
			b.lines, b.types = append(b.lines, idOf(i)), append(b.types, kind)
		}
		_, err := pipeline.Upload(t.Context(), &b, o)
		var refused *usher.Permanent
		if !errors.As(err, &refused) || refused.Class != usher.TooManyRejects {
			t.Fatalf("the upload ended with %v", err)
		}
		if got := strings.Contains(refused.Hint, "set maxRejectPercent to 100"); got != typed {
			t.Errorf("with typed %v the hint is %s", typed, refused.Hint)
		}
	}
}
