package exports_test

import (
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// TestJSON reads JSON that is not one object a line.
func TestJSON(t *testing.T) {
	t.Parallel()
	object := func(id string) string { return "{\n \"n\": 1,\n \"idfa\": \"" + id + "\"}" }
	for _, c := range []struct {
		name, data string
		want       []string
	}{
		{"objects over several lines", object(id1) + "\n" + object(id2), []string{id1, id2}},
		{"an array", "[" + object(id1) + ",\n" + object(id2) + "\n]\n", []string{id1, id2}},
		{"an array in one line", `[{"idfa":"` + id1 + `"},{},{"idfa":"` + id2 + `"}]`, []string{id1, "", id2}},
		{"two arrays", "[\n" + object(id1) + "][" + object(id2) + "]", []string{id1, id2}},
		{"UTF-16", utf16le("\ufeff[" + object(id1) + "]"), []string{id1}},
		{"a record that does not parse", "[" + object(id1) + ",\n" + `{"idfa": NaN}` + ",\n" + object(id2) + "]", []string{id1, usher.MalformedRow, id2}},
		{"a record that is too long", "[" + object(id1) + ",\n" + object(strings.Repeat("x", 1<<20)) + ",\n" + object(id2) + "]", []string{id1, usher.MalformedRow, id2}},
		{"several ids", "[\n{\"idfa\": [\"" + id1 + "\",\n\"" + id2 + "\"]}]", []string{id1, id2}},
		{"an empty array", "[\n]\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			rows, plan, err := read(t, o, src, 1)
			if err != nil || plan.Format != "json" || strings.Join(rows, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%s: %q, %v\nwant %q", plan.Format, rows, err, c.want)
			}
		})
	}
}
