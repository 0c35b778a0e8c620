package memorytest

import (
	"crypto/sha1" //nolint:gosec // exports have such digests
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"usher"
)

// Pair is an export of one day and one of the next.
type Pair struct {
	Name     string
	One, Two []byte
	Job      usher.Job // how both are read: its profile, input and source

	// Want is a part of the difference that the second export is held for. "": it is none.
	Want string
	// Refused says that a job refuses the second export, whatever the first one was, and that Want is a
	// part of its message. With Either, a job may refuse it, and may as well find the difference.
	Refused, Either bool
}

// pairs are made of tables.
type pairs struct {
	tb  testing.TB
	all []Pair
}

// in adds a pair in a format.
func (p *pairs) in(format string, pair Pair, one, two table) {
	p.tb.Helper()
	pair.Name += " in " + format
	pair.One, pair.Two = one.as(p.tb, format), two.as(p.tb, format)
	p.add(pair)
}

func (p *pairs) add(pair Pair) {
	if pair.Job.Profile == nil {
		pair.Job.Profile = &usher.Profile{Type: usher.AAID}
	}
	p.all = append(p.all, pair)
}

// always returns a function that returns a text.
func always(text string) func(string) string { return func(string) string { return text } }

// before returns a function that puts a text before an id.
func before(text string) func(string) string { return func(id string) string { return text + id } }

// customer returns the id of a customer in another system, which is a UUID as well.
func customer(i int) string { return uuid(100_000 + i) }

// reading returns a job that says how its export is read.
func reading(source usher.Source) usher.Job { return usher.Job{Source: &source} }

// Changes returns the pairs of which the second export would change what is uploaded.
func Changes(tb testing.TB) []Pair {
	tb.Helper()
	p := &pairs{tb: tb}
	for _, format := range formats {
		p.otherColumn(format)
		p.otherValues(format)
		p.otherKinds(format)
		p.besideIDs(format)
	}
	p.otherFiles()
	return p.all
}

// otherColumn adds pairs whose ids are in another column.
func (p *pairs) otherColumn(format string) {
	day := customers("gaid", 200)
	withCustomer := day.with(0, "customer_uuid", customer)
	p.in(format, Pair{
		Name: "drop", Either: true,
		Want: `the ids are read from column "customer_uuid", and in the last export they were read from column "gaid", which is not there any more`,
	}, withCustomer, withCustomer.without(2))
	p.in(format, Pair{Name: "rename", Want: `"aaid"`}, day, day.renamed("aaid"))
	p.in(format, Pair{Name: "better name", Want: `"gaid", and in the last export they were read from column "device_id", which is still there`},
		day.renamed("device_id"), day.renamed("device_id").with(3, "gaid", customer))
	moved := day.with(3, "device_gaid", func(int) string { return "" })
	for i := range moved.rows {
		if i%7 == 0 {
			moved.rows[i][1], moved.rows[i][3] = "", moved.rows[i][1]
		}
	}
	p.in(format, Pair{Name: "split", Either: true, Want: "have no id"}, day, moved)
	mixed := day.renamed("device_id").with(3, "platform", func(i int) string { return []string{"android", "ios"}[i%2] })
	p.in(format, Pair{Name: "split by platform", Job: reading(usher.Source{TypeColumn: "platform"}), Refused: true, Want: "platform"},
		mixed, mixed.renamed("gaid").without(3).with(3, "idfa", func(i int) string { return strings.ToUpper(customer(i)) }))
	switch format {
	case "ndjson", "json", "avro", "parquet":
		p.in(format, Pair{Name: "nested", Want: `"device.gaid"`}, day, day.renamed("device.gaid"))
	default:
		p.in(format, Pair{
			Name: "insert", Job: reading(usher.Source{Column: "2"}),
			Want: `the ids are read from column "customer_uuid", and in the last export they were read from column "gaid", which is still there; "customer_uuid" is new`,
		}, day, day.with(1, "customer_uuid", customer))
		plain := day.headerless()
		p.in(format, Pair{Name: "reorder without a header", Want: "from column 1, and in the last export they were read from column 2"}, plain, plain.moved(1, 0, 2))
		p.in(format, Pair{Name: "insert without a header", Job: reading(usher.Source{Column: "2"}), Want: "2 columns have ids, and in the last export it was 1"},
			plain, plain.with(1, "", customer))
		p.in(format, Pair{Name: "header lost", Want: `it has no header, and the last export had one: nothing says that its column 2 is still "gaid"`}, day, plain)
		p.in(format, Pair{Name: "header found", Want: "it has a header, by which the ids are in column"}, plain, day)
	}
}

// otherValues adds pairs in which some ids have become something else.
func (p *pairs) otherValues(format string) {
	day := customers("gaid", 200)
	const none = "have a value that is no device id"
	for _, c := range []struct {
		name, want string
		change     func(id string) string
	}{
		{"emptied", "have no id; the last export had no such rows", always("")},
		{"words", "have a placeholder", always("unknown")},
		{"zeroed", "have an id of zeros", always("00000000-0000-0000-0000-000000000000")},
		{"half hashed", "have 32 digits as MD5 hashes do", md5Of},
		{"half hashed with SHA-1", "have a SHA-1 hash", sha1Of},
		{"half hashed with SHA-256", "have a SHA-256 hash", sha256Of},
		{"prefix", none, before("gaid:")},
		{"another prefix", none, before("urn:uuid:")},
		{"shortened", none, func(id string) string { return id[:30] }},
		{"other ids", none, func(id string) string { return id[:8] + "-4711" }},
		{"macros", "have a macro", always("{{gaid}}")},
	} {
		p.in(format, Pair{Name: c.name, Want: c.want, Either: true}, day, day.every(7, 1, c.change))
	}
	p.in(format, Pair{Name: "all with a prefix", Refused: true, Want: "gaid: before an id"}, day, day.every(1, 1, before("gaid:")))
	p.in(format, Pair{Name: "all hashed", Job: usher.Job{Input: usher.InputAuto}, Want: "most of its ids are MD5 hashes, and those of the last export were AAIDs"}, day, day.every(1, 1, md5Of))
	p.in(format, Pair{Name: "all hashed, under raw", Either: true, Want: "have 32 digits as MD5 hashes do"}, day, day.every(1, 1, md5Of))
	p.in(format, Pair{Name: "other kind", Want: "most of its ids are IDFAs"}, day, day.every(1, 1, strings.ToUpper))
	p.in(format, Pair{Name: "some of the other kind", Want: "are written like IDFAs"}, day, day.every(7, 1, strings.ToUpper))
	p.in(format, Pair{Name: "version 7", Refused: true, Want: "UUIDs of version 7"}, day, day.every(1, 1, func(id string) string { return id[:14] + "7" + id[15:] }))
}

// otherKinds adds pairs of the other kinds of ids.
func (p *pairs) otherKinds(format string) {
	apple := customers("idfa", 200).every(1, 1, strings.ToUpper)
	idfas := usher.Job{Profile: &usher.Profile{Type: usher.IDFA}}
	p.in(format, Pair{Name: "AAIDs for IDFAs", Job: idfas, Want: "most of its ids are AAIDs"}, apple, apple.every(1, 1, strings.ToLower))
	p.in(format, Pair{Name: "half hashed IDFAs", Job: idfas, Want: "have 32 digits as MD5 hashes do", Either: true}, apple, apple.every(7, 1, md5Of))

	android := customers("android_id", 200).every(1, 1, func(id string) string { return md5Of(id)[:16] })
	androids := usher.Job{Profile: &usher.Profile{Type: usher.AndroidID}}
	p.in(format, Pair{Name: "changed by a spreadsheet", Job: androids, Want: "have what a spreadsheet makes of an id", Either: true}, android, android.every(7, 1, always("1.23457E+15")))
	p.in(format, Pair{Name: "hashed ANDROID_IDs", Job: androids, Want: "have 32 digits as MD5 hashes do", Either: true}, android, android.every(7, 1, md5Of))
	p.in(format, Pair{Name: "AAIDs among ANDROID_IDs", Job: androids, Want: "have an id of another kind", Either: true}, android, android.every(7, 1, func(id string) string { return uuid(len(id)) }))
	p.in(format, Pair{Name: "decimal ANDROID_IDs", Job: androids, Refused: true, Want: "are digits alone"}, android, android.every(1, 1, func(id string) string {
		return strings.Map(func(r rune) rune { return '1' + r%9 }, id)
	}))

	digests := customers("gaid_md5", 200).every(1, 1, md5Of)
	hashed := usher.Job{Input: usher.InputMD5}
	p.in(format, Pair{Name: "raw ids among digests", Job: hashed, Want: "have an id of another kind", Either: true}, digests, digests.every(7, 1, func(id string) string { return uuid(int(id[0])) }))
	p.in(format, Pair{Name: "SHA-256 among digests", Job: hashed, Want: "have a SHA-256 hash", Either: true}, digests, digests.every(7, 1, sha256Of))
}

// besideIDs adds pairs in which columns beside the ids have changed.
func (p *pairs) besideIDs(format string) {
	day := customers("gaid", 200)
	typed := day.with(3, "platform", func(i int) string { return []string{"android", "ios"}[i%2] })
	byType := reading(usher.Source{TypeColumn: "platform"})
	p.in(format, Pair{Name: "recoded type", Job: byType, Want: `column platform has "A", which was not there before`}, typed, typed.every(10, 3, always("A")))
	p.in(format, Pair{Name: "type emptied", Job: byType, Want: "are of another type of ids, or of a type that usher does not know"}, typed, typed.every(8, 3, always("")))
	p.in(format, Pair{Name: "type dropped", Job: byType, Refused: true, Want: "platform"}, typed, typed.without(3))
	p.in(format, Pair{Name: "type added", Refused: true, Want: "platform"}, day, typed)

	agreed := day.with(3, "consent", func(i int) string { return []string{"yes", "no", "yes", "yes"}[i%4] })
	byConsent := reading(usher.Source{Only: []string{"consent=yes"}})
	p.in(format, Pair{Name: "consent recoded", Job: byConsent, Want: "are left out by source.only, and in the last export it was 25 %"}, agreed, agreed.every(10, 3, always("granted")))
	p.in(format, Pair{Name: "consent dropped", Job: byConsent, Refused: true, Want: "consent"}, agreed, agreed.without(3))
	p.in(format, Pair{Name: "all consent recoded", Job: byConsent, Refused: true, Want: "consent"}, agreed, agreed.every(1, 3, always("1")))
	p.in(format, Pair{Name: "consent added", Refused: true, Want: "consent"}, day, agreed)
	p.in(format, Pair{Name: "deletions added", Refused: true, Want: "deleted_at"}, day, day.with(3, "deleted_at", func(i int) string { return []string{"", "", "2026-11-01"}[i%3] }))
	p.in(format, Pair{Name: "a log of changes", Refused: true, Want: "op"}, day, day.with(0, "op", func(i int) string { return []string{"I", "U", "D"}[i%3] }))
	p.in(format, Pair{Name: "kinds added", Refused: true, Want: "id_type"}, day, day.with(1, "id_type", func(i int) string { return []string{"gaid", "cookie_id"}[i%2] }))
}

// otherFiles adds pairs of another format, of another sheet, and with rows that are damaged.
func (p *pairs) otherFiles() {
	day := customers("gaid", 200)
	for i, format := range formats {
		other := formats[(i+2)%len(formats)]
		was, is := nameOfFormat(format), nameOfFormat(other)
		p.add(Pair{Name: format + ", then " + other, One: day.as(p.tb, format), Two: day.as(p.tb, other), Want: fmt.Sprintf("its format is %s, and that of the last export was %s", is, was)})
	}
	optout := sheet{"Optout", day.every(2, 1, strings.ToLower)}
	book := workbook(p.tb, sheet{"Customers", day}, optout)
	const want = `the ids are read from the sheet "%s", and in the last export they were read from the sheet "Customers"`
	p.add(Pair{Name: "sheets moved", One: book, Two: workbook(p.tb, optout, sheet{"Customers", day}), Either: true, Want: fmt.Sprintf(want, "Optout")})
	p.add(Pair{Name: "sheet renamed", One: book, Two: workbook(p.tb, sheet{"Customers old", day}, optout), Want: fmt.Sprintf(want, "Customers old")})
	p.add(Pair{Name: "sheet removed", One: book, Two: workbook(p.tb, optout), Want: fmt.Sprintf(want, "Optout")})
	p.add(Pair{Name: "sheet of a job removed", Job: reading(usher.Source{Sheet: "Customers"}), One: book, Two: workbook(p.tb, optout), Refused: true, Want: "no sheet of the name"})

	large := customers("gaid", 3000)
	longer := large.clone()
	for i := 2975; i < 3000; i++ {
		longer.rows[i] = append(longer.rows[i], "x")
	}
	for _, delimiter := range []rune{',', ';'} {
		p.add(Pair{Name: "the last rows differ, " + string(delimiter), One: large.csv(delimiter), Two: longer.csv(delimiter), Want: "25 of its 3,000 rows (0.833 %) cannot be parsed; the last export had no such rows"})
	}
}

// nameOfFormat returns the name by which usher calls a format of tables.
func nameOfFormat(format string) string {
	if format == "semicolons" {
		return "csv"
	}
	return format
}

func sha1Of(text string) string {
	sum := sha1.Sum([]byte(text)) //nolint:gosec // as above
	return hex.EncodeToString(sum[:])
}

func sha256Of(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Honest returns so many pairs of exports that change as those of a growing company do.
func Honest(tb testing.TB, n int) []Pair {
	tb.Helper()
	random, p := rand.New(rand.NewPCG(40, 2)), &pairs{tb: tb} //nolint:gosec // the same ones each time
	for i := range n {
		format := formats[random.IntN(len(formats))]
		one := customers("gaid", 150+random.IntN(100))
		two, what := grown(random, one)
		data, how := written(tb, random, two, format)
		pair := Pair{Name: fmt.Sprintf("%d: %s, %s", i, format, strings.Join(append(what, how...), ", ")), One: one.as(tb, format), Two: data}
		if random.IntN(4) == 0 {
			pair.Job = reading(usher.Source{Column: "gaid"})
		}
		p.add(pair)
	}
	return p.all
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
func written(tb testing.TB, random *rand.Rand, two table, format string) (data []byte, how []string) {
	tb.Helper()
	data = two.as(tb, format)
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
		return gzipped(tb, data), append(how, "gzip")
	case 3:
		return zstandard(tb, data), append(how, "zstd")
	}
	return data, how
}
