package exports_test

import (
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

func TestInline(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70_000)
	src := &usher.Source{IDs: []string{id1, "", "  ", id2 + "\r\n", id3 + "\n" + id4, "a,b", id1 + "," + id2, long}}
	want := []string{id1, "", "", id2, id3 + " " + id4, "a,b", id1 + "," + id2, "?"}
	rows, plan, err := read(t, exports.New(nil, exports.Options{}), src, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %q, want %q", rows, want)
	}
	if len(plan.Parts) != 1 || plan.Format != "text" {
		t.Errorf("plan %+v", plan)
	}
}

func TestInlineOverBlocks(t *testing.T) {
	t.Parallel()
	src := &usher.Source{IDs: slices.Repeat([]string{id1, "", id3}, 3333)}
	o := exports.New(nil, small)
	rows, plan, err := read(t, o, src, 0)
	if err != nil || !slices.Equal(rows, src.IDs) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	other := &usher.Source{IDs: src.IDs[1:]}
	if _, err := o.Open(t.Context(), other, plan, plan.Parts[0]); class(err) != usher.SourceBroken {
		t.Errorf("other ids than planned: %v", err)
	}
}

func TestSample(t *testing.T) {
	t.Parallel()
	for data, want := range map[string][]string{
		"":                                nil,
		"idfa\n":                          nil,
		"n;idfa\n1;" + id1 + "\n2;":       {id1, ""},
		strings.Repeat(id1+"\n", 100_000): slices.Repeat([]string{id1}, 7000),
	} {
		o, src := export(t, data, exports.Options{})
		plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
		must(t, err)
		b, err := o.Sample(t.Context(), src, plan)
		must(t, err)
		rows := rowsOf(b)
		b.Release()
		if n := len(want); len(rows) < n || n == 0 && len(rows) > 0 || !slices.Equal(rows[:n], want) {
			t.Errorf("%.20q: %d rows, want %d", data, len(rows), n)
		}
	}
}
