package exports_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher"
	"usher/internal/exports"
)

// drawnKind is a kind of ids that a drawn job wants.
type drawnKind struct {
	wanted exports.Wanted
	names  []string // known ones, as the reference lists them
	id     func(*rand.Rand) string
}

var drawnKinds = []drawnKind{
	{exports.Wanted{Type: usher.IDFA}, strings.Fields("idfa advertising_id maid device_id"), randomIDFA},
	{exports.Wanted{Type: usher.AAID}, strings.Fields("gaid aaid gps_adid google_ad_id advertising_id maid device_id"), randomAAID},
	{exports.Wanted{Type: usher.AndroidID}, strings.Fields("android_id device_id"), paddedID},
	{exports.Wanted{Type: usher.IDFA, Input: usher.InputMD5}, strings.Fields("idfa_md5 md5_idfa hashed_idfa idfa_hash maid_md5"), func(r *rand.Rand) string { return fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64()) }},
}

// drawnOthers are names that no job takes for those of device ids: they say something else, or nothing.
var drawnOthers = strings.Fields(`id uuid uid guid value device n country city x note amount customer_uuid customer_id session_key session_id gaid_old
	old_idfa consent_uuid row_md5 md5 trace trace_id order_id household_key crm_uuid parent_guid Schluessel checksum previous_device_id`)

// drawnNo are columns by which rows say no.
var drawnNo = []struct{ name, yes, no string }{
	{"consent", "true", "false"}, {"att_status", "authorized", "denied"}, {"opted_out", "f", "t"}, {"status", "active", "deleted"}, {"deleted_at", "", "2026-11-01"},
	{"ad_user_data", "GRANTED", "DENIED"}, {"Einwilligung", "ja", "nein"}, {"zgoda", "tak", "nie"}, {"namespace", "", "cookie_id"},
}

// spellings are ways to write the same name.
var spellings = []func(string) string{
	strings.Clone,
	strings.ToUpper,
	func(name string) string { return strings.ReplaceAll(name, "_", "-") },
	func(name string) string { return strings.ReplaceAll(name, "_", " ") },
	func(name string) string { // userIdfa
		words := strings.Split(name, "_")
		for i := range words[1:] {
			words[i+1] = strings.ToUpper(words[i+1][:1]) + words[i+1][1:]
		}
		return strings.Join(words, "")
	},
}

// drawnColumn is a column of a drawn export.
type drawnColumn struct {
	name  string
	known bool // its name is one of the kind
	ids   bool // its cells are ids of the kind
	cells []string
}

// drawnExport is an export of columns in any order, with a job that wants a kind of ids.
type drawnExport struct {
	kind    drawnKind
	columns []drawnColumn
	saysNo  string // the column that says no of a row
}

func drawExport(t *rapid.T) drawnExport {
	x := drawnExport{kind: rapid.SampledFrom(drawnKinds).Draw(t, "kind")}
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	n := rapid.IntRange(1, 60).Draw(t, "rows")
	add := func(name string, known, ids bool, cell func(i int) string) {
		c := drawnColumn{name: name, known: known, ids: ids}
		for i := range n {
			c.cells = append(c.cells, cell(i))
		}
		x.columns = append(x.columns, c)
	}
	id := func(int) string { return x.kind.id(random) }
	known := rapid.SampledFrom([]int{0, 1, 1, 1, 2}).Draw(t, "known names")
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(x.kind.names), known, known, rapid.ID).Draw(t, "names") {
		name = rapid.SampledFrom([]string{"", "", "user_", "device_", "primary_"}).Draw(t, "prefix") + name
		add(rapid.SampledFrom(spellings).Draw(t, "spelling")(name), true, true, id)
	}
	others := rapid.SliceOfNDistinct(rapid.SampledFrom(drawnOthers), 2, 5, rapid.ID).Draw(t, "other names")
	for _, name := range others {
		switch rapid.SampledFrom([]string{"ids", "ids", "other ids", "numbers", "words", "blank"}).Draw(t, name) {
		case "ids":
			add(name, false, true, id)
		case "other ids":
			other := rapid.SampledFrom(drawnKinds).Draw(t, "of kind")
			add(name, false, other.wanted == x.kind.wanted, func(int) string { return other.id(random) })
		case "numbers":
			add(name, false, false, func(i int) string { return fmt.Sprint(i + 1) })
		case "words":
			add(name, false, false, func(int) string { return []string{"Berlin", "Lyon", "two words"}[random.IntN(3)] })
		default:
			add(name, false, false, func(int) string { return "" })
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "says no") == 0 {
		no := rapid.SampledFrom(drawnNo).Draw(t, "no")
		at := rapid.IntRange(0, n-1).Draw(t, "row that says no")
		x.saysNo = no.name
		add(no.name, false, false, func(i int) string { return map[bool]string{false: no.yes, true: no.no}[i == at] })
	}
	x.columns = rapid.Permutation(x.columns).Draw(t, "columns")
	return x
}

// files returns the export in all formats.
func (x *drawnExport) files(t *testing.T) map[string]string {
	t.Helper()
	var header []string
	rows := make([][]string, len(x.columns[0].cells))
	for _, c := range x.columns {
		header = append(header, c.name)
		for i, cell := range c.cells {
			rows[i] = append(rows[i], cell)
		}
	}
	files := tableOf(t, header, rows)
	files["csv, gzip"], files["ndjson, utf-16"] = gzipped(t, files["csv"]), utf16le("\ufeff"+files["ndjson"])
	files["semicolons, CR LF"] = strings.ReplaceAll(strings.ReplaceAll(files["csv"], ",", ";"), "\n", "\r\n")
	return files
}

// known returns the columns whose names are known.
func (x *drawnExport) known() (list []drawnColumn) {
	for _, c := range x.columns {
		if c.known {
			list = append(list, c)
		}
	}
	return list
}

// TestWhichColumnOfDrawnExports draws names, values, positions and formats. What is read is what the contract
// says: the cells of the one column whose name is known, whatever the values of the others are. Otherwise the
// export is refused with the columns that have ids, each of which a job may name; and it is refused if a row
// says no, by a column that a job may disregard.
func TestWhichColumnOfDrawnExports(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		x := drawExport(rt)
		files := x.files(t)
		for _, format := range slices.Sorted(maps.Keys(files)) {
			o, src := export(t, files[format], exports.Options{})
			known, column := x.known(), ""
			if len(known) != 1 {
				got, err := x.read(t, o, src)
				if len(known) > 1 && err == nil {
					if !slices.ContainsFunc(known, func(c drawnColumn) bool { return slices.Equal(c.cells, got) }) {
						rt.Fatalf("%s: read another column than those with a known name", format)
					}
					continue
				}
				if column = x.checkRefused(rt, t, format, err); column == "" {
					continue
				}
				src.Column = column
			}
			x.checkRead(rt, t, format, o, src, column)
		}
	})
}

// read reads the export with the job that wants the kind.
func (x *drawnExport) read(t *testing.T, o *exports.Opener, src *usher.Source) ([]string, error) {
	t.Helper()
	plan, err := o.Plan(t.Context(), src, x.kind.wanted, 0)
	if err != nil {
		return nil, err
	}
	return readPart(t, o, src, plan, plan.Parts[0])
}

// checkRefused checks the refusal of an export in which no name, or more than one, is known. It returns
// a column of ids that the job may name, "" if there is none.
func (x *drawnExport) checkRefused(rt *rapid.T, t *testing.T, format string, err error) (column string) {
	t.Helper()
	if class(err) != usher.SourceBroken {
		rt.Fatalf("%s: read with %v", format, err)
	}
	text, several := err.Error()+"; "+permanent(t, err).Hint, len(x.known()) > 1
	if several && x.saysNo != "" && strings.Contains(text, x.saysNo) {
		return "" // one of the names fits best, and the rows under it say no
	}
	for _, c := range x.columns {
		if !c.ids || several && !c.known {
			continue
		}
		if !strings.Contains(text, c.name) {
			rt.Fatalf("%s: column %s has ids, and is not named: %s", format, c.name, text)
		}
		column = c.name
	}
	return column
}

// checkRead checks what is read of an export in which a name is known, or whose job names a column.
func (x *drawnExport) checkRead(rt *rapid.T, t *testing.T, format string, o *exports.Opener, src *usher.Source, column string) {
	t.Helper()
	at := slices.IndexFunc(x.columns, func(c drawnColumn) bool { return c.name == column || column == "" && c.known })
	got, err := x.read(t, o, src)
	if x.saysNo != "" {
		if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), x.saysNo) {
			rt.Fatalf("%s: a row says no by %s: read with %v", format, x.saysNo, err)
		}
		src.Disregard = []string{x.saysNo}
		got, err = x.read(t, o, src)
	}
	if err != nil || !slices.Equal(got, x.columns[at].cells) {
		rt.Fatalf("%s: read %d rows, not those of %s: %v", format, len(got), x.columns[at].name, err)
	}
}
