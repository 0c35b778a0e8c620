package exports_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
		{"limit_ad_tracking", "false", "true", true, "limit_ad_tracking=false"},
		{"att_status", "authorized", "denied", true, "att_status=authorized"},
		{"att_status", "3", "2", true, "att_status=3"},
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
		{"id_type", "idfa", "idfv", true, ""},
		{"id_type", "idfa", "cookie_id", true, ""},
		{"os", "iOS", "Tizen", true, ""},
		{"country", "DE", "NO", false, ""},
		{"newsletter_sent", "3", "0", false, ""},
		{"gender", "f", "m", false, ""},
	}
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
