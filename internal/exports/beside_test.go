package exports_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// A list that was put together with CSV is refused, wherever the CSV stands: the ids of its rows
// are not lost.
func TestListsWithOtherLines(t *testing.T) {
	t.Parallel()
	list := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(uuid(i) + "\n")
		}
		return b.String()
	}
	rows := func(n int, row string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, row+"\n", uuid(100_000+i))
		}
		return b.String()
	}
	for name, data := range map[string]string{
		"in the head":           list(100) + rows(100, "7,a note,%s,DE"),
		"quoted":                list(100) + rows(100, `"7","a, ""note""","%s","DE"`),
		"columns":               list(100) + rows(100, "7    a note    %s    DE"),
		"columns, named":        "n    note        idfa                                    country\n" + rows(100, "7    a note    %s    DE"),
		"between samples":       list(3000) + rows(100, "7,a note,%s,DE") + list(20_000),
		"between lists":         list(3000) + rows(20, uuid(1)+","+"%s") + rows(100, "7,a note,%s,DE") + list(20_000),
		"few in several blocks": strings.Repeat(list(8000)+rows(6, "7;note;%s"), 4),
	} {
		for _, part := range []int64{1 << 40, 1 << 20} {
			o, src := export(t, data, exports.Options{})
			_, _, err := read(t, o, src, part)
			if class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Error(), "other words beside an id") {
				t.Errorf("%s: %v", name, err)
			}
			src.Format = "text"
			if _, _, err := read(t, o, src, part); err != nil {
				t.Errorf("%s, declared: %v", name, err)
			}
		}
	}
	for name, c := range map[string]struct {
		data string
		few  int64 // lines for which the record has a warning
	}{
		"few":           {list(3000) + rows(3, "7,a note,%s,DE") + list(20_000), 3},
		"few, sampled":  {list(1500) + rows(3, "%s Berlin") + list(1500), 3},
		"commas behind": {rows(100, "%s,"), 0},
		"in quotes":     {rows(100, `"%s",`), 0},
		"in braces":     {rows(100, "{ %s }"), 0},
		"blanks":        {rows(100, "  %s\t"), 0},
		"lists":         {rows(100, "%s, null"), 0},
	} {
		forms := []string{c.data, gzipped(t, c.data)}
		if c.few > 0 {
			forms = append(forms, zipped(t, member{"a.txt", list(1), 8, 0}, member{"b.txt", c.data, 8, 0}))
		}
		for _, data := range forms {
			o, src := export(t, data, exports.Options{})
			planned, read := warningsOf(t, o, src, usher.IDFA, 0)
			if len(planned) > 0 || c.few == 0 && len(read) > 0 || c.few > 0 && (len(read) != 1 || read[0].Code != "words_beside_ids" || read[0].Count != c.few) {
				t.Errorf("%s: planned %+v, read %+v", name, planned, read)
			}
		}
	}
}
