package memory_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
	"usher/internal/exports/memory"
	"usher/internal/exports/places"
	"usher/internal/inspection"
)

// read reads an export to its end, as a feed does.
func read(t *testing.T, data []byte, job usher.Job) (*usher.Memory, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export")
	must(t, os.WriteFile(path, data, 0o600))
	var src usher.Source
	if job.Source != nil {
		src = *job.Source
	}
	src.URL, job.Source = path, &src
	if job.Profile == nil {
		job.Profile = &usher.Profile{Type: usher.AAID}
	}
	allowed, err := places.Allow([]string{filepath.Dir(path)})
	must(t, err)
	access := places.New(places.Options{Allowed: allowed})
	t.Cleanup(access.Close)
	report, err := inspection.Inspect(t.Context(), exports.New(access, exports.Options{}), &src,
		inspection.Options{Profile: *job.Profile, Input: job.Input, Progress: func(int64, int64) {}})
	if err != nil {
		return nil, err
	}
	return memory.Of(memory.Read{Job: &job, Understood: report.Understood, Tally: &report.Tally, Warnings: report.Warnings}), nil
}

// pair is an export of one day and one of the next.
type pair struct {
	name     string
	one, two []byte
	job      usher.Job
	want     string // part of a difference; "": none
	refused  bool   // a job may refuse the second export instead
}

// differences compares the days of a pair. It returns one for an export that a job refuses.
func (p *pair) differences(t *testing.T) []string {
	t.Helper()
	last, err := read(t, p.one, p.job)
	if err != nil {
		t.Fatalf("%s: day 1: %v", p.name, err)
	}
	now, err := read(t, p.two, p.job)
	var refused *usher.Permanent
	if p.refused && errors.As(err, &refused) {
		return []string{p.want}
	}
	if err != nil {
		t.Fatalf("%s: day 2: %v", p.name, err)
	}
	return memory.Differences(last, now, usher.DefaultMaxShift)
}

// changes are the pairs of which the second export would change what is uploaded.
func changes(t *testing.T) []pair {
	t.Helper()
	day := customers("gaid", 200)
	customer := func(i int) string { return uuid(100_000 + i) }
	sparse := func(text string) func(string) string { return func(string) string { return text } }
	hashed := md5Of
	typed := day.with(3, "platform", func(i int) string { return []string{"android", "ios"}[i%2] })
	byType := usher.Job{Source: &usher.Source{TypeColumn: "platform"}}
	var all []pair
	add := func(p pair) { all = append(all, p) }
	for _, format := range formats {
		as := func(t2 table) []byte { return t2.as(t, format) }
		each := func(name string, one, two table, job usher.Job, want string) {
			add(pair{name: name + " in " + format, one: as(one), two: as(two), job: job, want: want})
		}
		withCustomer := day.with(0, "customer_uuid", customer)
		add(pair{
			name: "drop in " + format, one: as(withCustomer), two: as(withCustomer.without(2)), refused: true,
			want: `the ids are read from column "customer_uuid", and in the last export they were read from column "gaid", which is not there any more`,
		})
		each("rename", day, day.renamed(1, "aaid"), usher.Job{}, `"aaid"`)
		each("better name", day.renamed(1, "device_id"), day.renamed(1, "device_id").with(3, "gaid", customer), usher.Job{}, `"gaid", and in the last export they were read from column "device_id", which is still there`)
		each("emptied", day, day.every(7, 1, sparse("")), usher.Job{}, "have no id; the last export had no such rows")
		each("half hashed", day, day.every(7, 1, hashed), usher.Job{}, "have 32 digits as MD5 hashes do")
		each("prefix", day, day.every(7, 1, func(id string) string { return "gaid:" + id }), usher.Job{}, "have a value that is no device id")
		each("recoded type", typed, typed.every(10, 3, sparse("A")), byType, `column platform has "A", which was not there before`)
		each("other kind", day, day.every(1, 1, strings.ToUpper), usher.Job{}, "most of its ids are IDFAs")
		each("all hashed", day, day.every(1, 1, hashed), usher.Job{Input: usher.InputAuto}, "most of its ids are MD5 hashes, and those of the last export were AAIDs")
	}
	for _, format := range []string{"csv", "semicolons", "xlsx"} {
		byNumber := usher.Job{Source: &usher.Source{Column: "2"}}
		add(pair{
			name: "insert in " + format, one: day.as(t, format), two: day.with(1, "customer_uuid", customer).as(t, format), job: byNumber,
			want: `the ids are read from column "customer_uuid", and in the last export they were read from column "gaid", which is still there; "customer_uuid" is new`,
		})
	}
	for _, format := range []string{"ndjson", "json", "avro", "parquet"} {
		add(pair{
			name: "nested in " + format, one: day.as(t, format), two: day.renamed(1, "device.gaid").as(t, format),
			want: `"device.gaid"`,
		})
	}
	agreed := day.with(3, "consent", func(i int) string { return []string{"yes", "no", "yes", "yes"}[i%4] })
	byConsent := usher.Job{Source: &usher.Source{Only: []string{"consent=yes"}}}
	add(pair{name: "consent recoded", one: agreed.csv(','), two: agreed.every(10, 3, sparse("granted")).csv(','), job: byConsent, want: "are left out by source.only, and in the last export it was 25 %"})
	plain := day.headerless()
	add(pair{name: "reorder without a header", one: plain.csv(','), two: plain.moved(1, 0, 2).csv(','), want: "from column 1, and in the last export they were read from column 2"})
	add(pair{name: "header lost", one: day.csv(','), two: plain.csv(','), want: `it has no header, and the last export had one: nothing says that its column 2 is still "gaid"`})
	add(pair{
		name: "insert without a header", one: plain.csv(','), two: plain.with(1, "", customer).csv(','), job: usher.Job{Source: &usher.Source{Column: "2"}},
		want: "2 columns have ids, and in the last export it was 1",
	})
	add(pair{
		name: "other sheet", one: workbook(t, sheet{"Customers", day}, sheet{"Optout", day.every(2, 1, strings.ToLower)}),
		two:  workbook(t, sheet{"Optout", day}, sheet{"Customers", day}),
		want: `the ids are read from the sheet "Optout", and in the last export they were read from the sheet "Customers"`,
	})
	moved := day.with(3, "device_gaid", func(int) string { return "" })
	for i := range moved.rows {
		if i%7 == 0 {
			moved.rows[i][1], moved.rows[i][3] = "", moved.rows[i][1]
		}
	}
	add(pair{name: "split", one: day.csv(','), two: moved.csv(','), refused: true, want: "have no id"})
	add(pair{name: "other format", one: day.csv(','), two: day.ndjson(t), want: "its format is ndjson, and that of the last export was csv"})
	large := customers("gaid", 3000)
	longer := large.clone()
	for i := 2975; i < 3000; i++ {
		longer.rows[i] = append(longer.rows[i], "x")
	}
	add(pair{name: "the last rows differ", one: large.csv(','), two: longer.csv(','), want: "25 of its 3,000 rows (0.833 %) cannot be parsed; the last export had no such rows"})
	return all
}

func TestChanges(t *testing.T) {
	t.Parallel()
	all := changes(t)
	if len(all) < 60 {
		t.Errorf("%d pairs", len(all))
	}
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			found := p.differences(t)
			if !slices.ContainsFunc(found, func(text string) bool { return strings.Contains(text, p.want) }) {
				t.Errorf("%q, want %q", found, p.want)
			}
			for _, text := range found {
				if hashing.MaskIDs(text) != text {
					t.Errorf("%q has an id", text)
				}
			}
		})
	}
}

// TestHonest compares exports that change as exports of a growing company do.
func TestHonest(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(40, 2))
	for n := range 200 {
		format := formats[random.IntN(len(formats))]
		one := customers("gaid", 150+random.IntN(100))
		two, what := grown(random, one)
		data, how := written(t, random, two, format)
		p := pair{name: fmt.Sprintf("%d: %s, %s", n, format, strings.Join(append(what, how...), ", ")), one: one.as(t, format), two: data}
		if random.IntN(4) == 0 {
			p.job.Source = &usher.Source{Column: "gaid"}
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if found := p.differences(t); len(found) > 0 {
				t.Errorf("%q", found)
			}
		})
	}
}

// grown returns a table as it may be a day later, and what has changed.
func grown(random *rand.Rand, one table) (two table, what []string) {
	two = one.clone()
	more := customers("gaid", len(one.rows)+random.IntN(200))
	two.rows = more.rows[random.IntN(50):]
	if random.IntN(2) == 0 {
		what = append(what, "a column added")
		two = two.with(random.IntN(4), "city", func(i int) string { return []string{"Berlin", "Lyon", "Linz"}[i%3] })
	}
	if random.IntN(2) == 0 {
		what = append(what, "columns moved")
		two = two.moved(random.Perm(len(two.header))...)
	}
	if random.IntN(2) == 0 {
		what = append(what, "some more phones limit tracking")
		two = two.every(50, slices.Index(two.header, "gaid"), func(string) string { return "00000000-0000-0000-0000-000000000000" })
	}
	if random.IntN(2) == 0 {
		what = append(what, "rows shuffled")
		random.Shuffle(len(two.rows), func(i, j int) { two.rows[i], two.rows[j] = two.rows[j], two.rows[i] })
	}
	return two, what
}

// written returns a table in a format, perhaps written in another way, and the way.
func written(t *testing.T, random *rand.Rand, two table, format string) (data []byte, how []string) {
	t.Helper()
	data = two.as(t, format)
	if slices.Contains([]string{"parquet", "avro", "xlsx"}, format) {
		return data, nil
	}
	if random.IntN(2) == 0 && format != "json" {
		data, how = crlf(data), append(how, "CR LF")
	}
	switch random.IntN(5) {
	case 0:
		return append([]byte("\xef\xbb\xbf"), data...), append(how, "a byte order mark")
	case 1:
		return utf16le(data), append(how, "UTF-16")
	case 2:
		return gzipped(t, data), append(how, "gzip")
	case 3:
		return zstandard(t, data), append(how, "zstd")
	}
	return data, how
}

// A reason that is new takes at least ten rows; one that was there before may grow by five points.
func TestLeastRows(t *testing.T) {
	t.Parallel()
	of := func(rows, empty int64) *usher.Memory {
		return &usher.Memory{Rows: rows, Dropped: usher.Counts{"junk.empty": empty}}
	}
	for _, c := range []struct {
		last, now *usher.Memory
		differs   bool
	}{
		{of(100, 0), of(100, 9), false},
		{of(20, 0), of(20, 9), false},
		{of(100, 0), of(100, 10), true},
		{of(2000, 0), of(2000, 19), false},
		{of(100, 1), of(100, 6), false},
		{of(100, 1), of(100, 7), true},
	} {
		if got := memory.Differences(c.last, c.now, usher.DefaultMaxShift); (len(got) > 0) != c.differs {
			t.Errorf("%v, then %v: %q", c.last.Dropped, c.now.Dropped, got)
		}
	}
}
