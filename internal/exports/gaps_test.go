package exports_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// A column that has no ids in rows in which another column has some of the same type is
// refused, unless the job names it, or the other column is of another kind.
func TestGaps(t *testing.T) {
	t.Parallel()
	csvOf := func(first, second func(i int) string) string {
		return "idfa,NAME,n\n" + rowsFrom(1, 3000, func(i int) string { return uuid(i) + "," + first(i) + ",x\n" }) +
			rowsFrom(5000, 3000, func(i int) string { return "," + second(i) + ",x\n" })
	}
	none := func(int) string { return "" }
	null := func(value func(i int) string) string {
		return rowsFrom(1, 30, func(i int) string { return fmt.Sprintf(`{"idfa":null,"NAME":%q}`+"\n", value(i)) })
	}
	for name, c := range map[string]struct {
		data string
		name string
		want bool // it is read
	}{
		"the second half elsewhere":           {csvOf(none, uuid), "advertising_id", false},
		"the second half in an unknown place": {csvOf(none, uuid), "kennung", false},
		"ids of Android":                      {csvOf(none, lowerUUID), "advertising_id", true},
		"ids of Android by their name":        {csvOf(none, uuid), "gaid", true},
		"vendors' ids":                        {csvOf(none, uuid), "idfv", true},
		"a customer's id":                     {csvOf(none, uuid), "customer_id", true},
		"a column with ids in all rows":       {csvOf(uuid, uuid), "kennung", true},
		"no ids elsewhere":                    {csvOf(none, none), "advertising_id", true},
		"null":                                {null(uuid), "x", false},
		"null, ids of a customer":             {null(uuid), "customer_id", true},
		"null, and no ids":                    {null(func(i int) string { return fmt.Sprint("Anna ", i) }), "x", true},
		"null in all that was sampled": {rowsFrom(1, 50_000, func(i int) string { return fmt.Sprintf(`{"idfa":null,"x":%q}`+"\n", uuid(i)) }) +
			fmt.Sprintf(`{"idfa":%q}`+"\n", uuid(1)), "x", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, strings.ReplaceAll(c.data, "NAME", c.name), exports.Options{})
			rows, _, err := readType(t, o, src, usher.IDFA, 0)
			if c.want != (err == nil) || !c.want && (class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, "set source.column to one of")) {
				t.Errorf("%d rows, %v", len(rows), err)
			}
			src.Column = "idfa"
			if _, _, err := readType(t, o, src, usher.IDFA, 0); err != nil {
				t.Errorf("named: %v", err)
			}
		})
	}
	dir := t.TempDir()
	must(t, os.WriteFile(dir+"/a.csv", []byte("x,idfa\n"+strings.Repeat(uuid(1)+",\n", 20)), 0o600))
	must(t, os.WriteFile(dir+"/b.csv", []byte("x,idfa\n"+uuid(1)+","+uuid(2)+"\n"), 0o600))
	if rows, _, err := readType(t, opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/"}, usher.IDFA, 0); err != nil || len(rows) != 21 {
		t.Errorf("folder: %d rows, %v", len(rows), err)
	}
}

// The same where no sample was taken: every row is looked at.
func TestLateGaps(t *testing.T) {
	t.Parallel()
	const before, late = 20_000, 400 // the samples' windows are further apart
	csvOf := func(name string, first, second func(i int) string) string {
		row := func(id, value string) string { return id + "," + value + ",\"Anna, B\"\n" }
		return "idfa," + name + ",n\n" + rowsFrom(1, before, func(i int) string { return row(uuid(i), first(i)) }) +
			rowsFrom(50_000, late, func(i int) string { return row("", second(i)) }) +
			rowsFrom(100_000, 600, func(i int) string { return row(uuid(i), first(i)) })
	}
	jsonOf := func(name string, first, second func(i int) string) string {
		row := func(id any, value string) string {
			return fmt.Sprintf(`{"idfa":%s,%q:%q,"n":"Anna, B"}`+"\n", id, name, value)
		}
		return rowsFrom(1, before, func(i int) string { return row(strconv.Quote(uuid(i)), first(i)) }) +
			rowsFrom(50_000, late, func(i int) string { return row("null", second(i)) }) +
			rowsFrom(100_000, 600, func(i int) string { return row(strconv.Quote(uuid(i)), first(i)) })
	}
	none := func(int) string { return "" }
	note := func(i int) string { return fmt.Sprint("Anna ", i) }
	half := func(i int) string { return []string{uuid(i), ""}[i%2] }
	for name, c := range map[string]struct {
		name          string
		first, second func(i int) string
		want          bool
	}{
		"a usual name":                  {"advertising_id", none, uuid, false},
		"an unknown name":               {"kennung", none, uuid, false},
		"other words before":            {"kennung", note, uuid, false},
		"ids of Android":                {"advertising_id", none, lowerUUID, true},
		"a name of Android":             {"gaid", none, uuid, true},
		"a name of a customer":          {"customer_id", none, uuid, true},
		"only in some":                  {"kennung", none, half, true},
		"no ids":                        {"kennung", none, note, true},
		"ids beside ids that come late": {"kennung", func(i int) string { return []string{"", uuid(i)}[i/100_000] }, uuid, true},
	} {
		for format, write := range map[string]func(name string, first, second func(i int) string) string{"csv": csvOf, "ndjson": jsonOf} {
			for _, part := range []int64{0, 300_000} {
				o, src := export(t, write(c.name, c.first, c.second), exports.Options{})
				rows, _, err := readType(t, o, src, usher.IDFA, part)
				if name == "ids beside ids that come late" && class(err) == usher.SourceBroken {
					continue // a part may end before the ids that tell
				}
				if c.want != (err == nil) || !c.want && (class(err) != usher.SourceBroken || part == 0 && !strings.Contains(err.Error(), "20001 on")) {
					t.Errorf("%s, %s, parts of %d: %d rows, %v", format, name, part, len(rows), err)
				}
				src.Column = "idfa"
				if _, _, err := readType(t, o, src, usher.IDFA, part); err != nil {
					t.Errorf("%s, %s, named: %v", format, name, err)
				}
			}
		}
	}
}
