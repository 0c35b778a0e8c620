package exports_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"

	"usher"
	"usher/internal/exports"
)

// withheldRows returns the rows as read, with * for those that source.only leaves out.
func withheldRows(rows []string) []string {
	shown := slices.Clone(rows)
	for i, row := range shown {
		if usher.WithheldBy([]byte(row)) >= 0 {
			shown[i] = "*" + row[1:]
		}
	}
	return shown
}

// source.only takes rows by the values of columns, in every format, wherever the columns stand.
func TestOnly(t *testing.T) {
	t.Parallel()
	header := []string{"n", "idfa", "att_status", "status"}
	rows := [][]string{
		{"1", uuid(1), "authorized", "active"}, {"2", uuid(2), "denied", "active"}, {"3", uuid(3), " Authorized ", "deleted"},
		{"4", uuid(4), "AUTHORIZED", "active"}, {"5", uuid(5), "", "active"}, {"6", "", "denied", ""},
	}
	for name, c := range map[string]struct {
		only []string
		want []string
	}{
		"one":            {[]string{"att_status=authorized", "status=active|deleted|"}, []string{uuid(1), "*0", uuid(3), uuid(4), "*0", "*0"}},
		"two":            {[]string{"att_status=authorized", "status=active"}, []string{uuid(1), "*0", "*1", uuid(4), "*0", "*0"}},
		"empty counts":   {[]string{"att_status=authorized|", "status=active|deleted"}, []string{uuid(1), "*0", uuid(3), uuid(4), uuid(5), "*0"}},
		"another order":  {[]string{"status=active|", "att_status=authorized|denied"}, []string{uuid(1), uuid(2), "*0", uuid(4), "*1", ""}},
		"a similar name": {[]string{"ATT-Status=authorized", "Status=active|deleted|"}, []string{uuid(1), "*0", uuid(3), uuid(4), "*0", "*0"}},
	} {
		for format, data := range tableOf(t, header, rows) {
			o, src := export(t, data, exports.Options{})
			src.Only = c.only
			got, plan, err := readType(t, o, src, usher.IDFA, 0)
			if err != nil || !slices.Equal(withheldRows(got), c.want) {
				t.Errorf("%s, %s: %q, want %q, %v", name, format, withheldRows(got), c.want, err)
			}
			if len(plan.Withheld()) != 2 {
				t.Errorf("%s, %s: withheld by %q", name, format, plan.Withheld())
			}
		}
	}
}

// The column of types may be one of source.only.
func TestOnlyTypes(t *testing.T) {
	t.Parallel()
	var rows [][]string
	var want []string
	for i := range 9000 { // several pieces of CSV
		os := []string{"ios", "android"}[i%2]
		rows = append(rows, []string{os, uuid(i)})
		if want = append(want, uuid(i)); os != "ios" {
			want[i] = "*0"
		}
	}
	for format, data := range tableOf(t, []string{"os", "idfa"}, rows) {
		o, src := export(t, data, exports.Options{})
		src.TypeColumn, src.Only = "os", []string{"os=ios"}
		got, _, err := readTyped(t, o, src, 0)
		if shown := withheldRows(got); err != nil || !slices.Equal(shown, want) {
			t.Errorf("%s: %d of %d rows, the first ones %q, %v", format, len(got), len(want), shown[:min(len(shown), 3)], err)
		}
	}
}

// The reader says which values of source.only the rows have, in all parts and files.
func TestMatched(t *testing.T) {
	t.Parallel()
	rows := rowsFrom(1, 20_000, func(i int) string {
		return uuid(i) + "," + []string{"ja", "nein"}[i/19_000] + "," + []string{"web", "app", `"s,h"`}[i%3] + "\n"
	})
	o, src := export(t, "idfa,zustimmung,channel\n"+rows, exports.Options{})
	src.Only = []string{"zustimmung=ja|yes", "channel=APP|s,h|fax"}
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 100_000)
	must(t, err)
	var whole usher.Checkpoint
	taken := 0
	for _, part := range plan.Parts {
		r, err := o.Open(t.Context(), src, plan, part)
		must(t, err)
		for {
			b, err := r.Next(t.Context())
			if err != nil {
				break
			}
			for line := range strings.Lines(string(b.Data)) {
				if usher.WithheldBy([]byte(strings.TrimSuffix(line, "\n"))) < 0 {
					taken++
				}
			}
			b.Release()
		}
		whole.Append(usher.Checkpoint{Matched: r.Matched()}, nil)
	}
	if want := []string{"channel=app", "channel=s,h", "zustimmung=ja"}; !slices.Equal(whole.Matched, want) {
		t.Errorf("matched %q, want %q", whole.Matched, want)
	}
	want := 0
	for i := 1; i <= 20_000; i++ {
		if i < 19_000 && i%3 > 0 {
			want++
		}
	}
	if taken != want {
		t.Errorf("took %d rows, want %d", taken, want)
	}
	whole.Tally.Read = 20_000
	if err := usher.CheckOnlyValues(plan.Checks, &whole); class(err) != usher.SourceBroken || !strings.Contains(err.Error(), `"yes" in column zustimmung`) {
		t.Errorf("the whole export: %v", err)
	}
}

// A message about rows of which none is taken says what the others are.
func TestNothingToTake(t *testing.T) {
	t.Parallel()
	checks := []usher.ColumnCheck{{Name: "consent", Number: 2, Says: usher.CheckOnly, Values: []string{""}}}
	for want, tally := range map[string]usher.Tally{
		"leaves out 60 of 60 rows": {Read: 60, Withheld: usher.Counts{"consent": 60}},
		"leaves out 10 of 60 rows, and none of the others has an id that can be sent: 40 count as invalid.wrong_type": {
			Read: 60, Withheld: usher.Counts{"consent": 10}, Invalid: usher.Counts{usher.WrongType: 40}, Suppressed: 10,
		},
		"leaves out 10 of 60 rows, and none of the others has an id that can be sent: 20 count as invalid.looks_hashed": {
			Read: 60, Withheld: usher.Counts{"consent": 10}, Invalid: usher.Counts{usher.WrongType: 25, usher.LooksHashed: 20}, Junk: usher.Counts{usher.Empty: 5},
		},
	} {
		if err := usher.CheckOnlyValues(checks, &usher.Checkpoint{Tally: tally}); class(err) != usher.SourceBroken || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// If the values of a column are written in another way, the message has those of the sample, and the hint the
// entries that take the same rows.
func TestOtherValues(t *testing.T) {
	t.Parallel()
	var rows [][]string
	for i := range 60 {
		rows = append(rows, []string{uuid(i), []string{"1", "0"}[i%4/3], []string{"f", "t"}[i%5/4]})
	}
	for format, data := range tableOf(t, []string{"idfa", "marketing_consent", "deleted"}, rows) {
		o, src := export(t, data, exports.Options{})
		src.Only = []string{"marketing_consent=yes", "deleted=no"}
		plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
		must(t, err)
		err = usher.CheckOnlyValues(plan.Checks, &usher.Checkpoint{Tally: usher.Tally{Read: 60, Withheld: usher.Counts{"marketing_consent": 60}}})
		if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), `no row has the value "yes" in column marketing_consent, which source.only names; it has 1, 0`) {
			t.Fatalf("%s: %v", format, err)
		}
		if hint := permanent(t, err).Hint; !strings.HasSuffix(hint, `set source.only to ["marketing_consent=1","deleted=f"]`) {
			t.Errorf("%s: hint %s", format, hint)
		}
	}
}

// All columns that the source names and the export does not have are named at once, and those that seem to be
// meant, if there is one for each.
func TestOtherHeader(t *testing.T) {
	t.Parallel()
	var rows [][]string
	for i := range 60 {
		rows = append(rows, []string{fmt.Sprint(i), []string{"iOS", "Android"}[i%2], uuid(i), []string{"ja", "nein"}[i%4/3], []string{"nein", "ja"}[i%5/4]})
	}
	for format, data := range tableOf(t, []string{"Kundennummer", "Plattform", "Geräte-ID", "Werbeeinwilligung", "Gelöscht"}, rows) {
		o, src := export(t, data, exports.Options{})
		src.TypeColumn, src.Only = "platform", []string{"marketing_consent=yes", "deleted=no"}
		_, _, err := readType(t, o, src, usher.IDFA, 0)
		if want := `it has no columns "platform" (source.typeColumn), "marketing_consent" (source.only), "deleted" (source.only)`; class(err) != usher.SourceBroken || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", format, err)
			continue
		}
		hint := permanent(t, err).Hint
		if want := `have its header written as before; or set source.typeColumn to Plattform and source.only to ["Werbeeinwilligung=ja","Gelöscht=nein"]`; hint != want && format != "parquet" {
			t.Errorf("%s: hint %s", format, hint)
		}
		src.TypeColumn, src.Only = "Plattform", []string{"Werbeeinwilligung=ja", "Gelöscht=nein"}
		if _, _, err := readType(t, o, src, usher.IDFA, 0); err != nil {
			t.Errorf("%s, as the hint says: %v", format, err)
		}
	}
}

// A plain list has no columns that source.only could name.
func TestOnlyOfList(t *testing.T) {
	t.Parallel()
	o, src := export(t, "idfa\n"+id1+"\n"+id2+"\n", exports.Options{})
	src.Only = []string{"consent=yes"}
	if _, _, err := read(t, o, src, 0); class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "source.only") {
		t.Errorf("read with %v", err)
	}
}

// The files of a folder may write the name of a column in different cases.
func TestMatchedInFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.csv"), []byte("idfa,consent\n"+id1+",yes\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "b.csv"), []byte("Consent,idfa\nja,"+id2+"\n"), 0o600))
	o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/", Only: []string{"consent=yes|ja"}}
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
	must(t, err)
	var whole usher.Checkpoint
	for _, part := range plan.Parts {
		r, err := o.Open(t.Context(), src, plan, part)
		must(t, err)
		for err == nil {
			_, err = r.Next(t.Context())
		}
		whole.Append(usher.Checkpoint{Matched: r.Matched(), Tally: usher.Tally{Read: 1, Accepted: 1}}, nil)
	}
	if err := usher.CheckOnlyValues(plan.Checks, &whole); err != nil {
		t.Errorf("%v; matched %q", err, whole.Matched)
	}
}

// A value of a column that only looks like a row that is withheld is none.
func TestForgedRows(t *testing.T) {
	t.Parallel()
	o, src := export(t, `{"idfa":"\u00000"}`+"\n"+`{"idfa":"`+id1+`"}`+"\n", exports.Options{})
	if rows, _, err := read(t, o, src, 0); err != nil || !slices.Equal(rows, []string{"?", id1}) {
		t.Errorf("%q, %v", rows, err)
	}
}

// sayingCase is a column that says no of some rows.
type sayingCase struct {
	name     string
	yes, no  string // cells
	refused  bool
	onlyHint string
}

func sayingCases() []sayingCase {
	return []sayingCase{
		{"lat", "0", "1", true, "lat=0"},
		{"lat", "52.51", "48.13", false, ""},
		{"consent_refused", "false", "true", true, ""},
		{"no_consent", "", "1", true, ""},
		{"consent_refused_at", "", "2026-11-01", true, ""},
		{"not_deleted", "1", "0", true, ""},
		{"opt_out_revoked", "nein", "ja", true, ""},
		{"no_consent_reason", "telephone", "letter", false, ""},
		{"no_of_orders", "1", "0", false, ""},
		{"last_login_failed", "false", "true", false, ""},
		{"limit_ad_tracking", "false", "true", true, "limit_ad_tracking=false"},
		{"att_status", "authorized", "denied", true, "att_status=authorized"},
		{"att_status", "3", "2", true, "att_status=3"},
		{"att_status", "3.0", "2.0", true, "att_status=3.0"},
		{"opted_out", "0.0", "1.0", true, "opted_out=0.0"},
		{"lat", "0.00", "1.00", true, "lat=0.00"},
		{"consent", "1.0", "0.0", true, "consent=1.0"},
		{"consent", "true", "false", true, "consent=true"},
		{"ad_user_data", "GRANTED", "DENIED", true, "ad_user_data=granted"},
		{"opted_out", "f", "t", true, "opted_out=f"},
		{"status", "active", "deleted", true, "status=active"},
		{"status", "paid", "shipped", false, ""},
		{"deleted_at", "", "2026-11-01 10:00:00", true, "deleted_at="},
		{"op", "I", "D", true, ""},
		{"us_privacy", "1YNN", "1YYN", true, "us_privacy=1ynn"},
		{"Einwilligung", "ja", "nein", true, "Einwilligung=ja"},
		{"désinscrit", "non", "oui", true, "désinscrit=non"},
		{"consentimiento", "sí", "no", true, "consentimiento=sí"},
		{"consenso", "sì", "no", true, "consenso=sì"},
		{"descadastrado", "não", "sim", true, "descadastrado=não"},
		{"toestemming", "ja", "nee", true, "toestemming=ja"},
		{"zgoda", "tak", "nie", true, "zgoda=tak"},
		{"onay", "evet", "hayır", true, "onay=evet"},
		{"doui", "hai", "iie", true, "doui=hai"},
		{"tracking_status", "authorized", "restricted", true, "tracking_status=authorized"},
		{"Abmeldedatum", "", "02.01.2026", true, "Abmeldedatum="},
		{"silinme_tarihi", "", "2026-01-02", true, "silinme_tarihi="},
		{"marketing", "yes", "no", true, "marketing=yes"},
		{"marketing_ok", "Y", "N", true, "marketing_ok=y"},
		{"ok_to_contact", "yes", "no", true, "ok_to_contact=yes"},
		{"lat", "52.520008", "48.137154", false, ""},
		{"lat", "52.520008", "1", false, ""},
		{"archived", "no", "archived", true, "archived=no"},
		{"opt_out", "opted-in", "Opted out", true, "opt_out=opted-in"},
		{"subscribed", "2026-10-01", "no", true, ""},
		{"newsletter", "2", "0", false, ""},
		{"consent_note", "see the letter of the customer who was asked on the telephone", "no", false, ""},
		{"marketing", "spring", "summer", false, ""},
		{"checksum_ok", "Y", "N", false, ""},
		{"tracking_id", "1", "0", false, ""},
		{"id_type", "idfa", "idfv", true, ""},
		{"id_type", "idfa", "cookie_id", true, ""},
		{"os", "iOS", "Tizen", true, ""},
		{"ifa_type", "idfa", "rida", true, ""},
		{"atts", "3", "2", true, "atts=3"},
		{"LOEVM", "", "X", true, "LOEVM="},
		{"status", "active", "Held", true, "status=active"},
		{"country", "DE", "NO", false, ""},
		{"newsletter_sent", "3", "0", false, ""},
		{"gender", "f", "m", false, ""},
	}
}

// A message about sampled rows counts all of them that have an id, up to the last one of the file, in every
// format.
func TestSampledRows(t *testing.T) {
	t.Parallel()
	for column, c := range map[string]struct{ yes, no, want string }{
		"consent":    {"yes", "no", "says no in %d of %d sampled rows with an id: yes %d (upload), no %d (leave out)"},
		"id_type":    {"idfa", "idfv", "names another kind of id in %d of %d sampled rows with an id: idfa %d, idfv %d"},
		"no_consent": {"0", "1", "says yes or no in %[2]d of %[2]d sampled rows with an id, and its name does not show which: 0 %[3]d, 1 %[4]d"},
		"op":         {"u", "d", "has deletions in %d of %d sampled rows with an id: u %d (upload), d %d (leave out)"},
	} {
		for _, empty := range []int{-1, 0, 4, 9} { // the row without an id
			var rows [][]string
			no, all := 0, 0
			for i := range 10 {
				row := []string{fmt.Sprint(i), uuid(i), c.yes}
				if i%3 == 0 { // 0, 3, 6, 9
					row[2] = c.no
				}
				if i == empty {
					row[1] = ""
				} else {
					no, all = no+one(i%3 == 0), all+1
				}
				rows = append(rows, row)
			}
			tables := tableOf(t, []string{"n", "idfa", column}, rows)
			tables["csv, no line end"] = strings.TrimSuffix(tables["csv"], "\n")
			tables["csv, CR LF"] = strings.ReplaceAll(tables["csv"], "\n", "\r\n")
			tables["ndjson, no line end"] = strings.TrimSuffix(tables["ndjson"], "\n")
			tables["csv, gzip"], tables["ndjson, gzip"] = gzipped(t, tables["csv"]), gzipped(t, tables["ndjson"])
			tables["csv, zip"], tables["utf-16"] = zipped(t, member{"a.csv", tables["csv"], 8, 0}), utf16le("\ufeff"+tables["csv"])
			for format, data := range tables {
				o, src := export(t, data, exports.Options{})
				_, _, err := readType(t, o, src, usher.IDFA, 0)
				if want := fmt.Sprintf(c.want, no, all, all-no, no); class(err) != usher.SourceBroken || !strings.Contains(err.Error(), want) {
					t.Errorf("%s, %s, row %d without an id: %v, want %s", column, format, empty, err, want)
				}
			}
		}
	}
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// A column that says no of a row with an id is refused in every format: in the samples before
// anything is read, and far behind them at that row. The hint works, and so does disregarding
// the column; a job that takes ids out reads all rows.
func TestSayingColumns(t *testing.T) {
	t.Parallel()
	for _, c := range sayingCases() {
		for _, far := range []bool{false, true} {
			n := 40
			if far && (testing.Short() || !c.refused) {
				continue
			} else if far {
				n = 12_000
			}
			rows := make([][]string, n)
			for i := range rows {
				cell := c.yes
				if !far && i%4 == 3 || far && i == 9000 {
					cell = c.no
				}
				rows[i] = []string{fmt.Sprint(i), uuid(i), cell}
			}
			for format, data := range tableOf(t, []string{"n", "idfa", c.name}, rows) {
				if far && (format == "tabs" || format == "json") {
					continue
				}
				t.Run(fmt.Sprint(c.name, c.no, format, far), func(t *testing.T) {
					t.Parallel()
					checkSaying(t, c, data, n, far)
				})
			}
		}
	}
}

func checkSaying(t *testing.T, c sayingCase, data string, n int, far bool) {
	t.Helper()
	o, src := export(t, data, exports.Options{})
	_, _, err := readType(t, o, src, usher.IDFA, 0)
	if !c.refused {
		if err != nil {
			t.Errorf("read with %v", err)
		}
		return
	}
	if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.name) {
		t.Fatalf("read with %v", err)
	}
	hint := permanent(t, err).Hint
	if !strings.Contains(hint, "source.disregard to "+c.name) && !strings.Contains(hint, "present state") {
		t.Errorf("hint %q", hint)
	}
	if c.onlyHint != "" && !far {
		if !strings.Contains(hint, "set source.only to "+c.onlyHint) {
			t.Errorf("hint %q", hint)
		}
		src.Only = []string{c.onlyHint}
		rows, _, err := readType(t, o, src, usher.IDFA, 0)
		withheld := 0
		for _, row := range rows {
			if usher.WithheldBy([]byte(row)) == 0 {
				withheld++
			}
		}
		if err != nil || len(rows) != n || withheld != n/4 {
			t.Errorf("as the hint says: %d rows, %d withheld, %v", len(rows), withheld, err)
		}
		src.Only = nil
	}
	src.Disregard = []string{c.name}
	if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != n {
		t.Errorf("disregarded: %d rows, %v", len(rows), err)
	}
	src.Disregard = nil
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA, Removes: true}, 0)
	must(t, err)
	if rows, err := readPart(t, o, src, plan, plan.Parts[0]); err != nil || len(rows) != n {
		t.Errorf("a job that removes: %d rows, %v", len(rows), err)
	}
}

// A column that says no of some rows does so whatever other values it has, in every format: in the samples,
// and far behind them. The hint takes only the rows that clearly say yes.
func TestUnknownValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, yes, no, others, only string }{
		{"marketing_consent", "yes", "no", "pending", "marketing_consent=yes"},
		{"marketing_consent", "yes", "no", "partial,email only,,n/a", "marketing_consent=yes"},
		{"Werbeeinwilligung", "erteilt", "widerrufen", "ausstehend", "Werbeeinwilligung=erteilt"},
		{"consent", "1", "0", "-1", "consent=1"},
		{"consent", "1", "0", "2", "consent=1"},
		{"consent", "", "no", "pending,partial", ""},
		{"deleted", "no", "archived", "in review", "deleted=no"},
		{"deleted", "no", "yes", "in review,", "deleted=no"},
		{"deleted", "", "2026-11-01", "soon", "deleted="},
		{"opted_out", "f", "t", "asked,not asked", "opted_out=f"},
		{"status", "active", "deleted", "gold,new", "status=active"},
		{"status", "", "deleted", "gold,silver", ""},
		{"att_status", "authorized", "denied", "not asked", "att_status=authorized"},
		{"us_privacy", "1YNN", "1YYN", "later", "us_privacy=1ynn"},
	} {
		others := strings.Split(c.others, ",")
		for _, far := range []bool{false, true} {
			if far && testing.Short() {
				continue
			}
			n := 48
			if far {
				n = 12_000
			}
			rows, yes := make([][]string, n), 0
			for i := range rows {
				cell := others[i/4%len(others)]
				switch {
				case i%4 < 2 && (c.yes != "" || c.only != ""):
					cell = c.yes
					yes++
				case i%4 == 3 && !far, far && i == 9003:
					cell = c.no
				}
				rows[i] = []string{fmt.Sprint(i), uuid(i), cell}
			}
			for format, data := range tableOf(t, []string{"n", "idfa", c.name}, rows) {
				name := fmt.Sprint(c, format, far)
				o, src := export(t, data, exports.Options{})
				_, _, err := readType(t, o, src, usher.IDFA, 0)
				if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.name) || !strings.Contains(err.Error(), "says no") {
					t.Errorf("%s: read with %v", name, err)
					continue
				}
				hint := permanent(t, err).Hint
				if far {
					continue
				}
				if c.only == "" {
					if strings.Contains(hint, "set source.only to") || !strings.Contains(hint, "in source.only, as "+c.name+"=VALUE|VALUE") {
						t.Errorf("%s: hint %s", name, hint)
					}
					continue
				}
				if !strings.Contains(hint, "set source.only to "+c.only+" to leave all other rows out") {
					t.Errorf("%s: hint %s", name, hint)
				}
				src.Only = []string{c.only}
				got, _, err := readType(t, o, src, usher.IDFA, 0)
				if taken := n - strings.Count(strings.Join(withheldRows(got), " "), "*"); err != nil || taken != yes {
					t.Errorf("%s: %d rows are taken, want %d, %v", name, taken, yes, err)
				}
			}
		}
	}
}

// A column of the times of opt-outs says no in each cell that is filled, however the time is written, and however
// many there are: more than usher counts.
func TestTimesOfOptOuts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, time, blank, only string }{
		{"deleted_at", "2026-01-01T10:00:%02dZ", "", "deleted_at="},
		{"deleted_at", "2026-01-01 10:00:%02d", "NULL", "deleted_at=null"},
		{"deleted_at", "2026-01-01 10:00:%02d", `\N`, `deleted_at=\n`},
		{"deleted_at", "460%02d", "", "deleted_at="},
		{"deleted_at", "%02d days ago", "NaT", "deleted_at=nat"},
		{"unsubscribed_date", "01-JAN-26 10.00.%02d AM", "never", "unsubscribed_date=never"},
		{"deleted", "2026-01-01T10:00:%02dZ", "-", "deleted=-"},
		{"deleted", "2026-01-01 10:00:%02d UTC", "N/A", "deleted=n/a"},
	} {
		var rows [][]string
		for i := range 200 {
			cell := c.blank
			if i%5 < 2 { // of 80 rows
				cell = fmt.Sprintf(c.time, i/4)
			}
			rows = append(rows, []string{fmt.Sprint(i), uuid(i), cell})
		}
		for format, data := range tableOf(t, []string{"n", "idfa", c.name}, rows) {
			o, src := export(t, data, exports.Options{})
			_, _, err := readType(t, o, src, usher.IDFA, 0)
			if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "says no in 80 of 200 sampled rows") {
				t.Errorf("%v, %s: %v", c, format, err)
				continue
			}
			if hint := permanent(t, err).Hint; !strings.HasPrefix(hint, "set source.only to "+c.only+" to leave these rows out") {
				t.Errorf("%v, %s: hint %s", c, format, hint)
			}
			src.Only = []string{c.only}
			if got, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || strings.Count(strings.Join(withheldRows(got), " "), "*") != 80 {
				t.Errorf("%v, %s, as the hint says: %v", c, format, err)
			}
		}
	}
}

// All columns that say no are named at once, with what takes the rows that all of them allow, beside what the
// job has.
func TestSeveralSayingColumns(t *testing.T) {
	t.Parallel()
	var rows [][]string
	for i := range 40 {
		rows = append(rows, []string{uuid(i), []string{"yes", "no"}[i%2], []string{"no", "yes"}[i/2%2], []string{"active", "blocked"}[i/4%2]})
	}
	for format, data := range tableOf(t, []string{"idfa", "marketing_consent", "deleted", "status"}, rows) {
		o, src := export(t, data, exports.Options{})
		_, _, err := readType(t, o, src, usher.IDFA, 0)
		for _, column := range []string{"marketing_consent", "deleted", "status"} {
			if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), column) {
				t.Fatalf("%s: %v", format, err)
			}
		}
		want := `set source.only to ["marketing_consent=yes","deleted=no","status=active"] to leave`
		if format != "csv" && format != "tabs" && format != "xlsx" { // whose columns are in the order of their names
			want = `set source.only to ["deleted=no","marketing_consent=yes","status=active"] to leave`
		}
		if hint := permanent(t, err).Hint; !strings.HasPrefix(hint, want) {
			t.Errorf("%s: hint %s", format, hint)
		}
		src.Only, src.Disregard = []string{"deleted=no"}, []string{"status"}
		_, _, err = readType(t, o, src, usher.IDFA, 0)
		hint := permanent(t, err).Hint
		if !strings.HasPrefix(hint, `set source.only to ["deleted=no","marketing_consent=yes"] to leave`) || !strings.Contains(hint, `source.disregard to ["status","marketing_consent"]`) {
			t.Errorf("%s, with one of them: hint %s", format, hint)
		}
		src.Only = []string{"deleted=no", "marketing_consent=yes"}
		if got, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || strings.Count(strings.Join(withheldRows(got), " "), "*") != 30 {
			t.Errorf("%s, as the hint says: %q, %v", format, got, err)
		}
	}
}

// The kind of an id may stand beside it in the same list: as the key of a map, or as a field of an
// element. An export with other kinds is refused; with the column of types, only the wanted ones are
// taken.
func TestKindsBesideIDs(t *testing.T) {
	t.Parallel()
	type element struct {
		Type  string `parquet:"type"`
		Value string `parquet:"value"`
	}
	type lists struct {
		N    int               `parquet:"n"`
		Map  map[string]string `parquet:"ids"`
		List []element         `parquet:"identities,list"`
	}
	var table []lists
	var records strings.Builder
	for i := range 60 {
		table = append(table, lists{i, map[string]string{"gaid": lowerUUID(i), "idfv": uuid(1000 + i)}, []element{{"gaid", lowerUUID(i)}, {"idfv", uuid(1000 + i)}}})
		fmt.Fprintf(&records, `{"n":%d,"identities":[{"type":"gaid","value":%q},{"type":"cookie_id","value":%q}]}`+"\n", i, lowerUUID(i), lowerUUID(1000+i))
	}
	columns := parquetOf(t, table, 25)
	for _, c := range []struct{ data, column, types string }{
		{columns, "ids.key_value.value", "ids.key_value.key"},
		{columns, "identities.list.element.value", "identities.list.element.type"},
		{records.String(), "identities.value", "identities.type"},
	} {
		o, src := export(t, c.data, exports.Options{})
		if _, _, err := readType(t, o, src, usher.AAID, 0); class(err) != usher.SourceBroken {
			t.Errorf("%s: read with %v", c.column, err)
		}
		src.Column = c.column
		_, _, err := readType(t, o, src, usher.AAID, 0)
		if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "another kind") || !strings.Contains(permanent(t, err).Hint, "source.typeColumn") {
			t.Fatalf("%s, named: %v", c.column, err)
		}
		src.TypeColumn = c.types
		rows, types, err := readTyped(t, o, src, 0)
		if err != nil || len(rows) != 120 {
			t.Fatalf("%s by type: %d rows, %v", c.column, len(rows), err)
		}
		for i, row := range rows {
			if wanted := types[i] == usher.RowAAID; wanted != slices.ContainsFunc(table, func(l lists) bool { return l.Map["gaid"] == row }) {
				t.Errorf("%s: %s is of type %d", c.column, row, types[i])
			}
		}
		src.TypeColumn, src.Only = "", []string{c.types + "=gaid"}
		rows, _, err = readType(t, o, src, usher.AAID, 0)
		withheld := 0
		for _, row := range rows {
			if usher.WithheldBy([]byte(row)) == 0 {
				withheld++
			}
		}
		if err != nil || len(rows) != 120 || withheld != 60 {
			t.Errorf("%s, only gaid: %d rows, %d withheld, %v", c.column, len(rows), withheld, err)
		}
	}
}

// A file whose name says that its ids are those of people who said no is refused beside others.
func TestFilesThatSayNo(t *testing.T) {
	t.Parallel()
	customers, others := "idfa\n"+uuid(1)+"\n", "idfa\n"+uuid(2)+"\n"
	for name, refused := range map[string]bool{
		"unsubscribed.csv": true, "optouts-2026-11.csv": true, "opt_out.csv": true, "removed.csv": true, "deleted_ids.csv": true, "suppression.csv": true,
		"abgemeldet.csv": true, "subscribers.csv": false, "part-2.csv": false, "orders.csv": false,
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "customers.csv"), []byte(customers), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(others), 0o600))
		packed := filepath.Join(t.TempDir(), "all.zip")
		must(t, os.WriteFile(packed, []byte(zipped(t, member{"customers.csv", customers, 8, 0}, member{name, others, 8, 0})), 0o600))
		for _, url := range []string{dir + "/", packed} {
			o, src := opener(t, filepath.Dir(url), exports.Options{}), &usher.Source{URL: url}
			_, _, err := readType(t, o, src, usher.IDFA, 0)
			if refused != (class(err) == usher.SourceBroken) || !refused && err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if !refused {
				continue
			}
			if _, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA, Removes: true}, 0); err != nil {
				t.Errorf("%s, by a job that removes: %v", name, err)
			}
			src.Disregard = []string{"file:" + name}
			if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 2 {
				t.Errorf("%s, disregarded: %d rows, %v", name, len(rows), err)
			}
		}
		o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/customers*.csv"}
		if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 1 {
			t.Errorf("%s, left out: %d rows, %v", name, len(rows), err)
		}
	}
}

// Folders in an archive may say no as files do.
func TestFoldersThatSayNo(t *testing.T) {
	t.Parallel()
	for folder, refused := range map[string]bool{"unsubscribed": true, "2026/opt-outs": true, "consent_refused": true, "deleted=true": true, "deleted=false": false, "new": false} {
		packed := filepath.Join(t.TempDir(), "all.zip")
		data := zipped(t, member{"customers/a.csv", "idfa\n" + uuid(1) + "\n", 8, 0}, member{folder + "/a.csv", "idfa\n" + uuid(2) + "\n", 8, 0}, member{folder + "/b.csv", "idfa\n" + uuid(3) + "\n", 8, 0})
		must(t, os.WriteFile(packed, []byte(data), 0o600))
		o, src := opener(t, filepath.Dir(packed), exports.Options{}), &usher.Source{URL: packed}
		_, _, err := readType(t, o, src, usher.IDFA, 0)
		if !refused {
			if err != nil {
				t.Errorf("%s: %v", folder, err)
			}
			continue
		}
		if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "the name of its folder "+folder+" says") || !strings.Contains(permanent(t, err).Hint, `"file:`+folder+`"`) {
			t.Fatalf("%s: %v", folder, err)
		}
		src.Disregard = []string{"file:" + folder}
		if rows, plan, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 3 || len(plan.Warnings) > 0 {
			t.Errorf("%s, disregarded: %d rows, %v, %v", folder, len(rows), plan.Warnings, err)
		}
	}
}

// An export that is nothing but a file, a folder or a sheet of a name that says no is read with a warning.
func TestNamesThatSayNo(t *testing.T) {
	t.Parallel()
	list := "idfa\n" + uuid(1) + "\n"
	archive := zipped(t, member{"optouts/a.csv", list, 8, 0}, member{"optouts/b.csv", "idfa\n" + uuid(2) + "\n", 8, 0})
	for _, c := range []struct{ url, file, data, want, disregard string }{
		{"", "unsubscribed.csv", list, `the name of its file "unsubscribed.csv" says`, "file:unsubscribed.csv"},
		{"", "2026-03-opt-out-list.csv", list, `the name of its file "2026-03-opt-out-list.csv" says`, "file:2026-03-opt-out-list.csv"},
		{"", "do_not_sell/2026-03.csv", list, `the name of its folder "do_not_sell" says`, "file:do_not_sell"},
		{"deleted/", "deleted/a.csv", list, `the name of its folder "deleted" says`, "file:deleted"},
		{"daily/*.csv", "daily/blocked.csv", list, `*.csv: the name of its file "blocked.csv" says`, "file:blocked.csv"},
		{"", "all.zip", archive, `the name of its folder "optouts" says`, "file:optouts"},
		{"", "customers.csv", list, "", ""},
	} {
		dir := t.TempDir()
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, c.file)), 0o700))
		must(t, os.WriteFile(filepath.Join(dir, c.file), []byte(c.data), 0o600))
		o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/" + c.file}
		if c.url != "" {
			src.URL = dir + "/" + c.url
		}
		checkWarned(t, o, src, c.want, func() { src.Disregard = []string{c.disregard} })
	}
	for name, want := range map[string]string{"Unsubscribed": `the name of its sheet "Unsubscribed" says`, "Customers": ""} {
		o, src := export(t, bookOf(t, sheet{name: name, rows: [][]string{{"idfa"}, {uuid(1)}}}), exports.Options{})
		checkWarned(t, o, src, want, func() { src.Sheet = name })
	}
}

// checkWarned checks that an export is read with a warning, that a job that removes has none, and that it
// goes away.
func checkWarned(t *testing.T, o *exports.Opener, src *usher.Source, want string, goAway func()) {
	t.Helper()
	_, plan, err := readType(t, o, src, usher.IDFA, 0)
	if warned := len(plan.Warnings) == 1 && plan.Warnings[0].Code == usher.WarnSaysNo && strings.HasPrefix(plan.Warnings[0].Description, want); err != nil || warned != (want != "") || want == "" && len(plan.Warnings) > 0 {
		t.Errorf("%s: %+v, want %s, %v", src.URL, plan.Warnings, want, err)
	}
	if want == "" {
		return
	}
	if plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA, Removes: true}, 0); err != nil || len(plan.Warnings) > 0 {
		t.Errorf("%s, by a job that removes: %+v, %v", src.URL, plan.Warnings, err)
	}
	goAway()
	if plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0); err != nil || len(plan.Warnings) > 0 {
		t.Errorf("%s, disregarded: %+v, %v", src.URL, plan.Warnings, err)
	}
}

// Consent strings are told and not decoded.
func TestConsentStrings(t *testing.T) {
	t.Parallel()
	rows := rowsFrom(1, 20, func(i int) string { return uuid(i) + ",CQABCgAQABCgAAHABBENBPFgAAAAAAAAAAAAAAAAAAAA\n" })
	o, src := export(t, "idfa,tcf_string\n"+rows, exports.Options{})
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
	if err != nil || len(plan.Warnings) != 1 || plan.Warnings[0].Code != "consent_string" {
		t.Errorf("%+v, %v", plan.Warnings, err)
	}
}

// A hint gives the number of a column whose name another one has, or has a line break.
func TestNamesThatAreNotEnough(t *testing.T) {
	t.Parallel()
	for header, far := range map[string]bool{"idfa,consent,consent": true, "idfa,consent,Consent": false, "idfa,n,\"consent\nemail\"": true} {
		n := 40
		if far && !testing.Short() {
			n = 12_000
		}
		rows := rowsFrom(0, n, func(i int) string {
			return uuid(i) + ",yes," + []string{"yes", "no"}[one(i == n-4 && n == 40 || i == 9000)] + "\n"
		})
		o, src := export(t, header+"\n"+rows, exports.Options{})
		_, _, err := readType(t, o, src, usher.IDFA, 0)
		if class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, `source.disregard to 3 `) || strings.Contains(permanent(t, err).Hint, "consent") {
			t.Errorf("%q: %v", header, err)
			continue
		}
		if hint := permanent(t, err).Hint; n == 40 && !strings.HasPrefix(hint, "set source.only to 3=yes to leave") {
			t.Errorf("%q: hint %s", header, hint)
		}
		src.Only = []string{"3=yes"}
		if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || strings.Count(strings.Join(withheldRows(rows), " "), "*") != 1 {
			t.Errorf("%q, as the hint says: %v", header, err)
		}
	}
}

// TestLatitudesWithCommas checks that a column of latitudes is none of limited ad tracking where a comma
// separates decimals.
func TestLatitudesWithCommas(t *testing.T) {
	t.Parallel()
	text := "idfa;lat\n"
	for i, cell := range []string{"52,520008", "48,137154", "", "-0,127600", "47,2773"} {
		text += uuid(i+1) + ";" + cell + "\n"
	}
	o, src := export(t, text, exports.Options{})
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
	must(t, err)
	if len(plan.Warnings) > 0 {
		t.Errorf("%+v", plan.Warnings)
	}
}

// Rows that say neither yes nor no in a column of consents or opt-outs are uploaded, and told.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		column string
		cells  []string
		want   string // of the warning; "": none
	}{
		"pending":         {"consent", []string{"yes", "yes", "pending", ""}, "2 of 4 sampled rows with an id say neither yes nor no in column 3 (consent) ((empty) 1, pending 1), and are uploaded: set source.only to consent=yes to leave them out, or source.disregard to consent if the column does not decide"},
		"no known word":   {"consent", []string{"A", "A", "B", "A"}, "4 of 4 sampled rows with an id say neither yes nor no in column 3 (consent) (a 3, b 1), and are uploaded: name the values that may be uploaded in source.only, as consent=VALUE|VALUE, or set source.disregard to consent if the column does not decide"},
		"all empty":       {"opt_in", []string{"", "", "", ""}, "4 of 4 sampled rows"},
		"no date":         {"opt_in_date", []string{"2026-01-02", "2026-01-03", "2026-01-04", ""}, "1 of 4 sampled rows with an id say neither yes nor no in column 3 (opt_in_date) ((empty) 1), and are uploaded: leave them out of the export"},
		"a date each":     {"opt_in_date", []string{"2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"}, ""},
		"opt-outs":        {"opt_out", []string{"no", "no", "maybe", "no"}, "1 of 4 sampled rows with an id say neither yes nor no in column 3 (opt_out) (maybe 1), and are uploaded: set source.only to opt_out=no"},
		"blank opt-outs":  {"unsubscribed_at", []string{"", "", "", ""}, ""},
		"not determined":  {"att_status", []string{"3", "3", "3", ""}, "1 of 4 sampled rows"},
		"marks":           {"consent", []string{"☑", "✓", "✅", "✔"}, ""},
		"codes":           {"consent", []string{"1", "1", "2", "1"}, "1 of 4 sampled rows with an id say neither yes nor no in column 3 (consent) (2 1), and are uploaded: set source.only to consent=1"},
		"state":           {"status", []string{"lead", "prospect", "active", ""}, ""},
		"who":             {"deleted_by", []string{"", "", "agent7 of the team that answers letters by customers", ""}, "1 of 4 sampled rows with an id have values of which usher cannot tell whether they say no in column 3 (deleted_by) (agent7 of the team that answers letters … 1), and are uploaded: set source.only to deleted_by= to leave them out, or source.disregard to deleted_by if the column does not decide"},
		"days":            {"deleted", []string{"", "46023", "46024.5", ""}, "2 of 4 sampled rows with an id have values of which usher cannot tell"},
		"counts":          {"newsletter", []string{"2", "5", "3", "1"}, "3 of 4 sampled rows with an id have values of which usher cannot tell"},
		"decimals":        {"consent", []string{"1.0", "1.00", "1", ""}, "1 of 4 sampled rows"},
		"a purpose alone": {"tracking", []string{"DHL", "UPS", "", "DHL"}, ""},
		"latitudes":       {"lat", []string{"52.51", "52.1", "", "48.2"}, ""},
	} {
		rows := make([][]string, len(c.cells))
		for i, cell := range c.cells {
			rows[i] = []string{fmt.Sprint(i), uuid(i + 1), cell}
		}
		for format, data := range tableOf(t, []string{"n", "idfa", c.column}, rows) {
			o, src := export(t, data, exports.Options{})
			plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
			must(t, err)
			found := slices.DeleteFunc(plan.Warnings, func(w usher.Warning) bool { return w.Code != "unanswered" })
			switch want := c.want; {
			case want == "" && len(found) > 0, want != "" && len(found) != 1:
				t.Errorf("%s, %s: %+v, want %q", name, format, found, want)
			case want != "" && !strings.HasPrefix(strings.NewReplacer("column 1 ", "column 3 ", "column "+c.column, "column 3 ("+c.column+")").Replace(found[0].Description), want):
				t.Errorf("%s, %s: %s, want %s", name, format, found[0].Description, want)
			}
			src.Disregard = []string{c.column}
			plan, err = o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
			if err != nil || len(plan.Warnings) > 0 {
				t.Errorf("%s, %s, disregarded: %+v, %v", name, format, plan.Warnings, err)
			}
		}
	}
}

// A record may lack the flag, have one for all of its ids, or several beside one id.
func TestFlagsOfRecords(t *testing.T) {
	t.Parallel()
	type flags struct {
		IDFA     string `parquet:"idfa"`
		Consents []bool `parquet:"consents,list"`
	}
	type numbers struct {
		IDFA    string  `parquet:"idfa"`
		Consent float64 `parquet:"consent"`
	}
	type large struct { // NUMBER of Oracle and Snowflake
		IDFA    string   `parquet:"idfa"`
		Consent [16]byte `parquet:"consent,decimal(10:38)"`
	}
	type small struct { // as Spark writes them
		IDFA     string `parquet:"idfa"`
		OptedOut int64  `parquet:"opted_out,decimal(2:12)"`
	}
	type times struct {
		IDFA    string            `parquet:"idfa"`
		Deleted *deprecated.Int96 `parquet:"deleted_at"`
	}
	var lists []flags
	var floats []numbers
	var larges []large
	var smalls []small
	var gone []times
	for i := range 40 {
		lists = append(lists, flags{uuid(i), []bool{i%4 > 0}})
		floats = append(floats, numbers{uuid(i), float64(one(i%4 > 0))})
		number := [16]byte{}
		binary.BigEndian.PutUint64(number[8:], uint64(one(i%4 > 0))*10_000_000_000)
		larges = append(larges, large{uuid(i), number})
		smalls = append(smalls, small{uuid(i), int64(one(i%4 == 0)) * 100})
		gone = append(gone, times{IDFA: uuid(i)})
		if i%4 == 0 {
			gone[i].Deleted = &deprecated.Int96{1_000_000_000, 0, uint32(2_461_042 + i)}
		}
	}
	records := func(yes, no string) string {
		return rowsFrom(0, 40, func(i int) string {
			beside := yes
			if i%4 == 0 {
				beside = no
			}
			return fmt.Sprintf(`{"idfa":%q%s}`+"\n", uuid(i), beside)
		})
	}
	for name, c := range map[string]struct {
		data    string
		refusal string
		warning string
	}{
		"absent consent":  {records(`,"consent":true`, ""), "", "10 of 40 sampled rows with an id say neither yes nor no in column consent ((empty) 10), and are uploaded: set source.only to consent=true to leave them out"},
		"absent opt-out":  {records("", `,"opted_out":true`), "says no in 10 of 40 sampled rows with an id: (empty) 30 (upload), true 10 (leave out)", ""},
		"one for several": {records(`,"x":1`, `,"x":1`) + `{"idfa":["` + uuid(50) + `","` + uuid(51) + `"],"opted_out":true}` + "\n", "says no in 2 of 42 sampled rows", ""},
		"several":         {records(`,"consents":[{"granted":true},{"granted":true}]`, `,"consents":[{"granted":true},{"granted":false}]`), "", "10 of 40 sampled rows with an id say neither yes nor no in column consents.granted (true, false 10), and are uploaded: leave those that say no out of the export, or set source.disregard to consents.granted"},
		"several that no": {records(`,"consents":[{"granted":true},{"granted":true}]`, `,"consents":[{"granted":false},{"granted":false}]`), "says no in 10 of 40 sampled rows with an id: true 30 (upload), false 10 (leave out)", ""},
		"a Parquet list":  {parquetOf(t, lists, 40), "", "40 of 40 sampled rows with an id may have several values in column 2 (consents), which are not read beside it"},
		"Parquet numbers": {parquetOf(t, floats, 40), "says no in 10 of 40 sampled rows with an id: 1 30 (upload), 0 10 (leave out)", ""},
		"large decimals":  {parquetOf(t, larges, 40), "says no in 10 of 40 sampled rows with an id: 1 30 (upload), 0 10 (leave out)", ""},
		"small decimals":  {parquetOf(t, smalls, 40), "says no in 10 of 40 sampled rows with an id: 0 30 (upload), 1 10 (leave out)", ""},
		"times of INT96":  {parquetOf(t, gone, 40), "says no in 10 of 40 sampled rows with an id: (empty) 30 (upload), 2026-01-01t00:00:01z 1 (leave out)", ""},
	} {
		o, src := export(t, c.data, exports.Options{})
		plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
		switch {
		case c.refusal != "":
			if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.refusal) {
				t.Errorf("%s: %v, want %s", name, err, c.refusal)
			}
		case err != nil || len(plan.Warnings) != 1 || !strings.HasPrefix(plan.Warnings[0].Description, c.warning):
			t.Errorf("%s: %+v, %v, want %s", name, plan.Warnings, err, c.warning)
		}
	}
}

// A name in source.disregard that the export does not have is told.
func TestUnknownDisregarded(t *testing.T) {
	t.Parallel()
	table := tableOf(t, []string{"n", "idfa", "lat"}, [][]string{{"1", uuid(1), "1"}, {"2", uuid(2), "0"}})
	table["list"] = uuid(1) + "\n" + uuid(2) + "\n"
	for format, data := range table {
		o, src := export(t, data, exports.Options{})
		src.Disregard = []string{"lat", "file:optout.csv", "Lats"}
		plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
		must(t, err)
		want := `it has no column "Lats", which source.disregard names; it has: `
		if format == "list" {
			want = `it has no column "lat", "Lats"`
		}
		if w := plan.Warnings; len(w) != 1 || w[0].Code != "disregard" || !strings.Contains(w[0].Description, want) || !strings.Contains(w[0].Description, `no file "optout.csv"`) {
			t.Errorf("%s: %+v, want %s", format, w, want)
		}
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.csv"), []byte("idfa,lat\n"+uuid(1)+",1\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "unsubscribed.csv"), []byte("idfa,consent\n"+uuid(2)+",no\n"), 0o600))
	o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/", Disregard: []string{"lat", "consent", "file:unsubscribed.csv"}}
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
	if err != nil || len(plan.Warnings) > 0 {
		t.Errorf("a folder of files with different columns: %+v, %v", plan.Warnings, err)
	}
}

// An export with more columns that say no than are looked at is refused, and not read without some.
func TestManySayingColumns(t *testing.T) {
	t.Parallel()
	const n = 33
	names, cells := []string{"idfa"}, []string{uuid(1)}
	for i := range n {
		names, cells = append(names, fmt.Sprintf("shop%d.consent", i)), append(cells, "yes")
	}
	table := tableOf(t, names, [][]string{cells, cells, cells})
	for format, data := range table {
		o, src := export(t, data, exports.Options{})
		_, _, err := readType(t, o, src, usher.IDFA, 0)
		if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "33 of its columns say no of rows") {
			t.Errorf("%s: %v", format, err)
		}
		if _, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA, Removes: true}, 0); err != nil {
			t.Errorf("%s, by a job that removes: %v", format, err)
		}
		src.Disregard = []string{"shop7.consent"}
		if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 3 {
			t.Errorf("%s, one disregarded: %d rows, %v", format, len(rows), err)
		}
	}
}
