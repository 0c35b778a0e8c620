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
	for name, data := range map[string]string{
		"few":           list(3000) + rows(3, "7,a note,%s,DE") + list(20_000),
		"commas behind": rows(100, "%s,"),
		"in quotes":     rows(100, `"%s",`),
		"in braces":     rows(100, "{ %s }"),
		"blanks":        rows(100, "  %s\t"),
		"lists":         rows(100, "%s, null"),
	} {
		o, src := export(t, data, exports.Options{})
		if _, _, err := read(t, o, src, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
