package exports_test

import (
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// TestLateList reads plain lists whose first line of several ids stands behind the head: it
// has a row for each id.
func TestLateList(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	const android = "af3802a465767e36"
	short := android[:12]
	for _, c := range []struct {
		line string
		want []string
	}{
		{id1 + "," + id2, []string{id1, id2}},
		{" " + id1 + " " + id2 + " ", []string{id1, id2}},
		{id1 + "\t" + id2, []string{id1, id2}},
		{"{" + id1 + "," + id2 + ",NULL}", []string{id1, id2, "NULL"}},
		{`["` + id1 + `","` + id2 + `"]`, []string{id1, id2}},
		{`"[""` + id1 + `"",""` + id2 + `""]"`, []string{id1, id2}},
		{`["` + id1 + `"]`, []string{id1}},
		{"[" + short + "]", []string{short}},
		{short + ",", []string{short}},
		{id1 + ",," + id2, []string{id1, "", id2}},
		{`"` + id1 + "; " + id2 + `"`, []string{id1, id2}},
		{short + "|" + android, []string{short, android}},
		{"{" + id1 + "}", []string{"{" + id1 + "}"}},
		{`"` + id1 + `"`, []string{`"` + id1 + `"`}},
		{"user, " + id1 + " of us", []string{"user, " + id1 + " of us"}},
		{`{"a":"b"}`, []string{`{"a":"b"}`}},
	} {
		for _, filler := range []string{
			id1, id2 + "\r", android, strings.Repeat("ab", 16), short, `"` + id1 + `"`, "{" + id1 + "}", "no id at all", id1 + "\n" + android + "\nnull\n\n \n",
		} {
			for _, end := range []string{"\n", "\r\n", "\n" + id1 + "\n \n", ""} {
				t.Run(c.line+" behind "+filler+" before "+end, func(t *testing.T) {
					t.Parallel()
					before := strings.Repeat(filler+"\n", 70_000/len(filler))
					o, src := export(t, before+c.line+end, exports.Options{})
					want := trimAll(slices.DeleteFunc(strings.Split(before+"\n", "\n"), func(line string) bool { return strings.TrimSpace(line) == "" }))
					want = append(want, c.want...)
					if strings.Contains(end, id1) {
						want = append(want, id1)
					}
					for _, partBytes := range []int64{1 << 20, 1 << 14} {
						rows, plan, err := read(t, o, src, partBytes)
						if end == "" && err != nil && strings.Contains(err.Error(), "ends in the middle") {
							continue // its last id is shorter than the others
						}
						if err != nil || plan.Format != "text" || !slices.Equal(rows, want) {
							t.Fatalf("parts of %d: %d rows end in %q, %v\nwant %d", partBytes, len(rows), rows[max(len(rows)-4, 0):], err, len(want))
						}
					}
				})
			}
		}
	}
}

// TestLateListCounts counts the rows of a list in which every seventh line has several ids.
func TestLateListCounts(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	lists := int64(0)
	for i := range 30_000 {
		b.WriteString(uuid(i))
		if i > 10_000 && i%7 == 0 {
			b.WriteString(", " + uuid(i+30_000) + ";null," + uuid(i+60_000))
			lists++
		}
		b.WriteString([]string{"\n", "\r\n", "\n\n"}[i%3])
	}
	o, src := export(t, b.String(), exports.Options{})
	line := writersLine{Profile: usher.Profile{Type: usher.IDFA}}
	for _, partBytes := range []int64{0, 100_000, 4099} {
		count, err := line.count(t, o, src.URL, []byte("{}"), partBytes)
		must(t, err)
		f := count.figures()
		if want := 30_000 + 2*lists; f.IDs != want || f.Distinct != want || f.Junk != lists || f.Invalid != 0 || f.Rows != want+lists {
			t.Errorf("parts of %d: %+v, %d lists", partBytes, f, lists)
		}
	}
}
