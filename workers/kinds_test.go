package workers_test

import (
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"usher"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// meant is an export that is read exactly, and that says more than its syntax: which column has the ids, of
// which kind they are, and which rows say no.
type meant struct {
	name    string
	file    string           // its name; "": it is a table, as CSV, NDJSON and JSON
	header  string           // of a table, separated by commas
	row     func(int) string // of a table, separated by commas; of a file, a line of it
	rows    int              // 0: 40
	profile usher.IDType     // "": aaid
	input   usher.Input
	source  string // as JSON; "": {}

	says     string // a part of the refusal; "": it is read
	warns    string // the code of a warning, if it is read
	accepted int64  // ids, after what the hint says is done, if it sets a field; -1: it sets none
}

// phone returns the AAID of a phone.
func phone(i int) string {
	return fmt.Sprintf("%08x-a246-4ba4-ae5b-76104861e7dc", uint32(i+1)*2654435761)
}

func md5Of(text string) string {
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// every returns one for each nth row, from the nth on, and other for the others.
func every(n, i int, one, other string) string {
	if i%n == n-1 {
		return one
	}
	return other
}

// below returns the header as the first line, and then the others.
func below(header string, i int, line string) string {
	if i == 0 {
		return header
	}
	return line
}

func meantExports() []meant {
	beside := func(column, yes, no, says string, accepted int64) meant {
		return meant{
			name: column + " with " + no, header: "n,gaid," + column, says: says, accepted: accepted,
			row: func(i int) string { return fmt.Sprintf("%d,%s,%s", i, phone(i), every(4, i, no, yes)) },
		}
	}
	ids := func(name, column, warns string, accepted int64, cell func(i int) string) meant {
		return meant{name: name, header: "n," + column, warns: warns, accepted: accepted, row: func(i int) string { return fmt.Sprintf("%d,%s", i, cell(i)) }}
	}
	android := func(m meant, says string) meant {
		m.profile, m.says = usher.AndroidID, says
		return m
	}
	hex16 := func(i int) string { return md5Of(strconv.Itoa(i))[:16] }
	list := []meant{
		{name: "a name that says another thing", header: "n,session_uuid,country", row: func(i int) string { return fmt.Sprintf("%d,%s,DE", i, phone(i)) }, says: "session_uuid", accepted: 40},
		{name: "a path that says another thing", file: "a.ndjson", row: func(i int) string { return fmt.Sprintf(`{"n":%d,"meta":{"uuid":%q}}`, i, phone(i)) }, says: "meta.uuid", accepted: 40},
		{name: "a digest of the row", header: "n,row_md5", row: func(i int) string { return fmt.Sprintf("%d,%s", i, md5Of(phone(i))) }, input: usher.InputMD5, says: "row_md5", accepted: 40},
		{name: "the id of a trace", header: "n,trace,country", row: func(i int) string { return fmt.Sprintf("%d,%s,DE", i, hex16(i)) }, profile: usher.AndroidID, says: "trace", accepted: 40},

		ids("some are hashed", "gaid", "proportion", 30, func(i int) string { return every(4, i, md5Of(phone(i)), phone(i)) }),
		ids("some have a label", "gaid", "wrapped_ids", 30, func(i int) string { return every(4, i, "gaid:"+phone(i), phone(i)) }),
		ids("some are empty", "gaid", "proportion", 30, func(i int) string { return every(4, i, "", phone(i)) }),
		{name: "the last rows have one more column", file: "a.csv", rows: 3000, accepted: 2974, row: func(i int) string {
			return below("n,gaid", i, fmt.Sprintf("%d,%s%s", i, phone(i), []string{"", ",new"}[i/2975]))
		}},
		ids("a digest that looks like a UUID", "gaid", "proportion", 39, func(i int) string { return every(40, i, "fe8b852300324dc899519c8e0cc8a82b", phone(i)) }),

		{name: "version 7", header: "n,gaid", row: func(i int) string { return fmt.Sprintf("%d,0192%s-7%s", i, phone(i)[4:13], phone(i)[15:]) }, says: "version 7", accepted: 40},
		ids("an id of documentation", "gaid", "proportion", 39, func(i int) string { return every(40, i, "550e8400-e29b-41d4-a716-446655440000", phone(i)) }),
		android(ids("an id of documentation of Android", "android_id", "proportion", 39, func(i int) string { return every(40, i, "1234567890abcdef", hex16(i)) }), ""),

		{name: "kinds beside the ids", header: "customer,id_type,id_value", row: func(i int) string {
			return fmt.Sprintf("%d,%s,%s", i, []string{"gaid", "idfv", "cookie_id", "gaid"}[i%4], phone(i))
		}, says: "id_value", accepted: 20},
		beside("id_type", "gaid", "idfv", "names another kind of id in 10 of 40 sampled rows with an id", 30),
		beside("os", "Android", "Tizen", "names another kind of id in 10 of 40", 30),
		{name: "kinds in arrays", file: "a.ndjson", row: func(i int) string {
			return fmt.Sprintf(`{"n":%d,"identities":[{"type":"gaid","gaid":%q},{"type":"idfv","gaid":%q}]}`, i, phone(i), phone(1000+i))
		}, says: "names another kind of id in 40 of 80", accepted: 40},

		{name: "labels among rows that are left out", header: "n,gaid,consent", source: `{"only":["consent=yes"]}`, says: "40 of 40 sampled values of column", accepted: -1, row: func(i int) string {
			return fmt.Sprintf("%d,gaid:%s,%s", i, phone(i), every(4, i, "no", "yes"))
		}},

		beside("lat", "0", "1", "says no in 10 of 40", 30),
		beside("lat", "52.51", "48.13", "", 40),
		beside("att_status", "authorized", "denied", "says no in 10 of 40", 30),
		beside("consent", "true", "false", "says no in 10 of 40", 30),
		beside("ad_user_data", "GRANTED", "DENIED", "says no in 10 of 40", 30),
		beside("opted_out", "f", "t", "says no in 10 of 40", 30),
		beside("status", "active", "deleted", "says no in 10 of 40", 30),
		beside("status", "paid", "shipped", "", 40),
		beside("deleted_at", "", "2026-11-01 10:00:00", "says no in 10 of 40", 30),
		beside("op", "I", "D", "has deletions in 10 of 40", 30),
		beside("us_privacy", "1YNN", "1YYN", "says no in 10 of 40", 30),
		beside("Einwilligung", "ja", "nein", "says no in 10 of 40", 30),

		{name: "blanks", file: "a.txt", row: func(i int) string { return fmt.Sprintf("%-9d %s", i, phone(i)) }, says: "separated by blanks", accepted: -1},
		{name: "R's write.table", file: "a.txt", row: func(i int) string { return every(1, i, fmt.Sprintf("\"%d\" %d %q", i, i, phone(i)), "") }, says: "separated by blanks", accepted: 40},
		{name: "YAML", file: "a.yaml", row: func(i int) string { return fmt.Sprintf("- customer: %d\n  gaid: %s", i, phone(i)) }, says: "it is YAML", accepted: -1},
		{name: "LDIF", file: "a.ldif", row: func(i int) string { return fmt.Sprintf("dn: cn=%d,dc=x\ngaid: %s\n", i, phone(i)) }, says: "it is LDIF", accepted: -1},
		{name: "pg_dump without its beginning", file: "a.sql", row: func(i int) string { return every(40, i, "\\.\n\n--\n", fmt.Sprintf("%d\t%s", i, phone(i))) }, says: `a line of it is \.`, accepted: -1},
		{name: "Ctrl-Z", file: "a.csv", row: func(i int) string { return every(40, i, "\x1a", below("n,gaid", i, fmt.Sprintf("%d,%s", i, phone(i)))) }, says: "it ends in Ctrl-Z", accepted: -1},
		{name: "NUL", file: "a.csv", row: func(i int) string { return fmt.Sprintf("%d,%s\x00", i, phone(i)) }, says: "is NUL", accepted: -1},
		{name: "Airbyte", file: "a.csv", row: func(i int) string {
			return every(1, i, fmt.Sprintf(`%s,2026-03-01,"{""customer"":%d,""gaid"":""%s""}"`, phone(5000+i), i, phone(i)), "")
		}, says: "has JSON", accepted: -1},
		{name: "NaN", file: "a.ndjson", row: func(i int) string { return fmt.Sprintf(`{"gaid":%q,"v":NaN}`, phone(i)) }, says: "it has NaN as a value", accepted: -1},

		android(ids("exponents", "android_id", "spreadsheet", 39, func(i int) string { return every(40, i, "1.2E+15", hex16(i)) }), ""),
		android(ids("rounded", "android_id", "", -1, func(i int) string { return fmt.Sprintf("%d0", 123456789012345+i*7919) }), "are digits alone"),
		android(ids("a zero lost", "android_id", "", -1, func(i int) string { return hex16(i)[:15] }), "have 15 characters"),
		android(ids("totals", "android_id", "unlikely_ids", 39, func(i int) string { return every(40, i, "20", hex16(i)) }), ""),
		android(ids("words", "android_id", "unlikely_ids", 38, func(i int) string { return every(20, i, "DE", hex16(i)) }), ""),

		{name: "commented out", file: "a.csv", row: func(i int) string {
			return below("n,gaid", i, every(7, i, "#", "")+fmt.Sprintf("%d,%s", i, phone(i)))
		}, says: `begin with "#"`, accepted: 34},
		{name: "some of another case", header: "n,idfa", profile: usher.IDFA, warns: "letter_case", accepted: 40, row: func(i int) string {
			return fmt.Sprintf("%d,%s", i, every(20, i, phone(i), strings.ToUpper(phone(i))))
		}},
		{name: "all are hashed", header: "n,gaid", rows: 640, warns: "looks_hashed", row: func(i int) string { return fmt.Sprintf("%d,%s", i, md5Of(phone(i))) }},
	}
	for _, around := range []string{"'%s", `=%s`, "0x%s", "urn:uuid:%s", "gaid:%s"} {
		list = append(list, meant{name: around, header: "n,gaid", says: "before an id", accepted: -1, row: func(i int) string { return fmt.Sprintf("%d,"+around, i, phone(i)) }})
	}
	return list
}

// files returns the export in each of its formats, by name.
func (m *meant) files(t *testing.T) map[string]string {
	t.Helper()
	n := m.rows
	if n == 0 {
		n = 40
	}
	var lines []string
	for i := range n {
		lines = append(lines, m.row(i))
	}
	text := strings.Join(lines, "\n") + "\n"
	if m.file != "" {
		return map[string]string{m.file: text}
	}
	var objects []string
	names := strings.Split(m.header, ",")
	for _, line := range lines {
		var fields []string
		for i, cell := range strings.Split(line, ",") {
			fields = append(fields, fmt.Sprintf("%q:%q", names[i], cell))
		}
		objects = append(objects, "{"+strings.Join(fields, ",")+"}")
	}
	return map[string]string{
		"a.csv": m.header + "\n" + text, "a.ndjson": strings.Join(objects, "\n") + "\n", "a.json": "[" + strings.Join(objects, ",\n") + "]\n",
		"a.tsv": strings.ReplaceAll(m.header+"\n"+text, ",", "\t"),
	}
}

// TestMeaningWithoutRace inspects exports of each kind that says more than its syntax, and runs jobs on them:
// both say the same, also when the field is set that the hint names, and then the right ids are taken.
func TestMeaningWithoutRace(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	for i, m := range meantExports() {
		profile := usher.Profile{Type: m.profile}
		if m.profile == "" {
			profile.Type = usher.AAID
		}
		for name, data := range m.files(t) {
			line := corpusLine{File: filepath.Join(strconv.Itoa(i), name)}
			if err := os.MkdirAll(filepath.Join(b.Dir, strconv.Itoa(i)), 0o700); err != nil {
				t.Fatal(err)
			}
			b.File(line.File, data)
			fields := map[string]any{}
			if m.source != "" {
				if err := json.Unmarshal([]byte(m.source), &fields); err != nil {
					t.Fatal(err)
				}
			}
			got := line.compare(t, b, json.RawMessage(cmp.Or(m.source, "{}")), profile, m.input)
			what := m.name + ", " + name
			if !strings.Contains(got.Refusal, m.says) || (m.says == "") != (got.Refusal == "") {
				t.Errorf("%s: refused with %q, want %q", what, got.Refusal, m.says)
				continue
			}
			if m.warns != "" && !slices.ContainsFunc(got.Warnings, func(w usher.Warning) bool { return string(w.Code) == m.warns }) {
				t.Errorf("%s: warnings %+v, want %s", what, got.Warnings, m.warns)
			}
			for follows := 0; follows < 2 && got.Refusal != "" && addFields(fields, got.Refusal); follows++ {
				text, err := json.Marshal(fields)
				if err != nil {
					t.Fatal(err)
				}
				got = line.compare(t, b, text, profile, m.input)
			}
			if m.accepted < 0 && (len(fields) == 0 || m.source != "") {
				continue
			}
			if got.Refusal != "" || got.Tally.Accepted != m.accepted {
				t.Errorf("%s: %d accepted, want %d; %s", what, got.Tally.Accepted, m.accepted, got.Refusal)
			}
		}
	}
}

// setsField matches a field of the source in a hint, and its value or the first word that describes it.
var setsField = regexp.MustCompile(`source\.([A-Za-z]+) to (\["[^\]]*\]|"[^"]*"|[\pL\pN_.=|-]+)`)

// addFields adds the fields that the hint of a refusal sets first, and reports whether it sets any. What it
// says for other cases, behind "or" and of lists, is left out.
func addFields(fields map[string]any, refusal string) bool {
	_, hint, _ := strings.Cut(refusal, "\n")
	for part := range strings.SplitSeq(hint, ";") {
		part, _, _ = strings.Cut(strings.TrimPrefix(part, " or "), " or ")
		if strings.HasPrefix(part, " if they are lists") {
			continue
		}
		found := false
		for _, m := range setsField.FindAllStringSubmatch(part, -1) {
			name, text := m[1], m[2]
			if slices.Contains([]string{"the", "one", "a"}, text) {
				continue
			}
			if unquoted, err := strconv.Unquote(text); err == nil {
				text = unquoted
			}
			found = true
			switch name {
			case "only", "disregard":
				list := []string{text}
				_ = json.Unmarshal([]byte(text), &list) // or it is one entry
				fields[name] = list
			case "anyVersion":
				fields[name] = true
			case "skip":
				if lines, err := strconv.Atoi(text); err == nil {
					fields[name] = lines
					break
				}
				fallthrough
			default:
				fields[name] = text
			}
		}
		if found {
			return true
		}
	}
	return false
}
