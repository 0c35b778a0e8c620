package exports_test

import (
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// TestLateGapsInSheet is TestLateGaps for sheets. Only their first rows are sampled.
// Their texts are in the cells or in the list of shared strings.
func TestLateGapsInSheet(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	const before, late, after = 1500, 40, 200
	none := func(int) string { return "" }
	for name, c := range map[string]struct {
		name          string
		missing       string // in the column of ids
		first, second func(i int) string
		want          bool // it is read
	}{
		"a usual name":         {"advertising_id", "", none, uuid, false},
		"an unknown name":      {"kennung", "", none, uuid, false},
		"placeholders":         {"kennung", "NULL", none, uuid, false},
		"ids of Android":       {"advertising_id", "", none, lowerUUID, true},
		"a name of Android":    {"gaid", "", none, uuid, true},
		"a name of a customer": {"customer_id", "", none, uuid, true},
		"only in some":         {"kennung", "", none, func(i int) string { return []string{uuid(i), ""}[i%2] }, true},
		"no ids":               {"kennung", "", none, func(int) string { return "Anna" }, true},
		"beside other ids":     {"kennung", "", func(i int) string { return uuid(i + 50_000) }, uuid, true},
	} {
		rows := [][]string{{"n", "idfa", c.name}}
		for i := range before + late + after {
			if before <= i && i < before+late {
				rows = append(rows, []string{"Anna", c.missing, c.second(i)})
			} else {
				rows = append(rows, []string{"Anna", uuid(i), c.first(i)})
			}
		}
		for kind, data := range map[string]string{"inline": workbookOf(t, rows), "shared": sharedWorkbookOf(t, rows)} {
			o, src := export(t, data, exports.Options{})
			read, _, err := readType(t, o, src, usher.IDFA, 0)
			if c.want != (err == nil) || !c.want && (class(err) != usher.SourceBroken ||
				!strings.Contains(err.Error(), "row 1502 on, rows without an id in column 2 have one in column 3")) {
				t.Errorf("%s, %s: %d rows, %v", kind, name, len(read), err)
			}
			src.Column = "idfa"
			if read, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(read) != before+late+after {
				t.Errorf("%s, %s, named: %d rows, %v", kind, name, len(read), err)
			}
		}
	}
}
