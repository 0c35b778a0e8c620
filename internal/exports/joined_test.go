package exports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// Two exports of different formats in one file are refused, with the row where the second one begins,
// and not counted as rows that cannot be parsed.
func TestFormatsInOneFile(t *testing.T) {
	t.Parallel()
	notes := []string{`"plain"`, `"say ""hi"""`, `"a, b"`}
	csv := func(n int) string {
		return "n,idfa,note\n" + rowsFrom(0, n, func(i int) string { return fmt.Sprintf("%d,%s,%s\n", i, uuid(i), notes[i%len(notes)]) })
	}
	hardNotes := []string{`"said ""hi"", left"`, `C:\new\table`, `"comma, and ""x\"", end"`, `ends in \`, `"""quoted"""`, `semi;colon | pipe`, `"a \""b\"" c"`}
	hard := func(n int) string {
		return "n,note,idfa,country\n" + rowsFrom(0, n, func(i int) string { return fmt.Sprintf("%d,%s,%s,DE\n", i, hardNotes[i%len(hardNotes)], uuid(i)) })
	}
	corpus := func(name string) string {
		data, err := os.ReadFile(filepath.Join(writersDir, name))
		must(t, err)
		return string(data)
	}
	texts := []string{"plain", "said 'hi', left", "line, two", "semi;colon | pipe", "tab"}
	idOrNone := func(i int, id string) string {
		if i%9 == 8 {
			return ""
		}
		return id
	}
	two := func(n int) string {
		return "n,idfa\n" + rowsFrom(0, n, func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) })
	}
	record := func(i int) string {
		return fmt.Sprintf(`{"n": %d, "idfa": %q, "note": "say \"hi\", or"}`+"\n", i, uuid(i))
	}
	records := func(n int) string { return rowsFrom(90_000, n, record) }
	short := rowsFrom(90_000, 100, func(i int) string { return fmt.Sprintf(`{"idfa":%q}`+"\n", uuid(i)) })
	for name, c := range map[string]struct {
		data, want string
	}{
		"NDJSON behind CSV": {csv(100) + records(100), "from row 101 on, its rows are records of NDJSON"},
		"NDJSON behind CSV with backslashes": {hard(300) + rowsFrom(300, 300, func(i int) string {
			return fmt.Sprintf(`{"n":%d,"note":"said \"hi\", a","idfa":%q}`+"\n", i, uuid(i))
		}), "from row 301 on, its rows are records of NDJSON"},
		"NDJSON behind CSV of another dialect": {corpus("duckdb.csv") + corpus("duckdb.ndjson"), "from row 43 on, its rows are records of NDJSON"},
		"NDJSON behind CSV with rows without ids": {"n,note,idfa,country\n" + rowsFrom(0, 300, func(i int) string {
			return fmt.Sprintf("%d,%q,%s,DE\n", i, texts[i%len(texts)], idOrNone(i, uuid(i)))
		}) + rowsFrom(0, 300, func(i int) string {
			return fmt.Sprintf(`{"n":%d,"note":%q,"idfa":%s,"country":"DE"}`+"\n", i, texts[i%len(texts)], strings.ReplaceAll(fmt.Sprintf("%q", idOrNone(i, uuid(i))), `""`, "null"))
		}), ", its rows are records of NDJSON"},
		"one record behind CSV":               {csv(5) + records(1), "from row 6 on, its rows are records of NDJSON"},
		"more NDJSON than CSV":                {csv(3) + records(500), "from row 4 on, its rows are records of NDJSON"},
		"NDJSON in the middle":                {csv(5000) + records(50) + strings.SplitAfterN(csv(5000), "\n", 2)[1], "from row 5001 on, its rows are records of NDJSON"},
		"NDJSON behind CSV of two columns":    {two(100) + short, "from row 101 on, its rows are records of NDJSON"},
		"NDJSON, with columns of the header":  {two(100) + rowsFrom(1, 100, func(i int) string { return fmt.Sprintf(`{"n":%d,"idfa":%q}`+"\n", i, uuid(i)) }), "row 101"},
		"CSV behind NDJSON":                   {records(100) + csv(100), "from row 101 on, its lines are no JSON"},
		"CSV in the middle":                   {records(3000) + csv(50) + records(3000), "from row 3001 on, its lines are no JSON"},
		"one row of CSV behind NDJSON":        {records(5) + fmt.Sprintf("7,%s,x\n", uuid(1)), "from row 6 on, its lines are no JSON"},
		"a list behind NDJSON":                {records(300) + rowsFrom(1, 100, func(i int) string { return uuid(i) + "\n" }), "from row 301 on, its lines are no JSON"},
		"a long list of NDJSON, then a list":  {records(20_000) + rowsFrom(1, 11, func(i int) string { return uuid(i) + "\n" }), "from row 20001 on, its lines are no JSON"},
		"CSV behind NDJSON without line ends": {records(100) + strings.TrimSuffix(csv(30), "\n"), "from row 101 on, its lines are no JSON"},
	} {
		for _, part := range []int64{0, 1 << 40} {
			o, src := export(t, c.data, exports.Options{})
			_, _, err := readType(t, o, src, usher.IDFA, part)
			if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(permanent(t, err).Hint, "submit a job for each of the exports that were put together here") {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
		}
	}
	for name, data := range map[string]string{
		"a record in CSV":          csv(500) + records(1) + strings.SplitAfterN(csv(500), "\n", 2)[1],
		"ten records in CSV":       csv(5000) + records(10) + strings.SplitAfterN(csv(5000), "\n", 2)[1],
		"lines that are cut":       records(500) + strings.Repeat(`{"n": 7, "idfa": "6D92078A-`+"\n", 100) + records(500),
		"lines without ids":        records(500) + strings.Repeat("# page 2\n", 100) + records(500),
		"ten ids in NDJSON":        records(5000) + rowsFrom(1, 10, func(i int) string { return uuid(i) + "\n" }) + records(500),
		"ids here and there":       strings.Repeat(records(20)+uuid(1)+"\n", 100),
		"a few at the end, of 100": records(2000) + uuid(1) + "\n",
	} {
		o, src := export(t, data, exports.Options{})
		if _, _, err := readType(t, o, src, usher.IDFA, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
