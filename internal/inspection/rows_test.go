package inspection

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"testing"

	"usher"
)

// given are blocks of so many lines each.
type given []*usher.Block

func (g *given) Next(context.Context) (*usher.Block, error) {
	if len(*g) == 0 {
		return nil, io.EOF
	}
	b := (*g)[0]
	*g = (*g)[1:]
	return b, nil
}

func TestRowsEndAtTheLimit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit   int64
		records bool
		want    string
		cut     bool
	}{
		"all":                       {0, false, "a\n\nb\n|c\nd", false},
		"within a block":            {1, false, "a\n", true},
		"blank lines are no rows":   {2, false, "a\n\nb\n", true},
		"blank records are rows":    {2, true, "a\n\n", true},
		"at a block's end":          {3, true, "a\n\nb\n", true},
		"at the end":                {4, false, "a\n\nb\n|c\nd", false},
		"more than there are":       {9, false, "a\n\nb\n|c\nd", false},
		"a line without an end too": {5, true, "a\n\nb\n|c\nd", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			blocks := given{{Data: []byte("a\n\nb\n"), Records: c.records}, {Data: []byte("c\nd"), Records: c.records}}
			counted := countedRows{blocks: &blocks, limit: c.limit, counted: func(int64) {}, sum: sha256.New()}
			var got []string
			for {
				b, err := counted.Next(t.Context())
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(b.Data))
			}
			if text := strings.Join(got, "|"); text != c.want {
				t.Errorf("blocks %q, want %q", text, c.want)
			}
		})
	}
}

func TestLinesAreEstimated(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("x", 36) + "\n"
	for name, c := range map[string]struct {
		text string
		size int64
		want int64
	}{
		"small":      {line + line, 74, 2},
		"large":      {strings.Repeat(line, 100_000), 37 * 100_000, 99_980}, // by the first 256 KiB
		"compressed": {"\x1f\x8b\n\n\n\n", 100, 0},
		"one line":   {"x", 1, 0},
		"empty":      {"", 0, 0},
	} {
		if got := estimateLines(strings.NewReader(c.text), c.size); got < c.want || got > c.want+20 {
			t.Errorf("%s: %d, want about %d", name, got, c.want)
		}
	}
}
