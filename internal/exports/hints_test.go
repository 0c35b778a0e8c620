package exports_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// hinted is an export that is refused, or of which the plan warns, with a hint that has it read.
type hinted struct {
	name string
	file string // its name; "": export.csv
	data string
	says string // a part of the message, in the words of the file

	rows []string // that are read if the hint is followed; nil: those of hintedIDs
}

// hintedIDs are the ids of the exports.
var hintedIDs = randomIDs(40, 40, randomAAID)

// eachID joins a line for each id.
func eachID(line func(i int, id string) string) string {
	var b strings.Builder
	for i, id := range hintedIDs {
		b.WriteString(line(i, id) + "\n")
	}
	return b.String()
}

// wrappedIDs is an export whose ids have something around them.
func wrappedIDs(format string) string {
	return "n,gaid\n" + eachID(func(i int, id string) string { return fmt.Sprintf("%d,"+format, i, id) })
}

// gzippedText is a text, compressed.
func gzippedText(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return out.String()
}

// withoutSome returns the ids without every seventh one, from the fourth on.
func withoutSome() []string {
	var out []string
	for i, id := range hintedIDs {
		if i%7 != 3 {
			out = append(out, id)
		}
	}
	return out
}

var hintedExports = []hinted{
	{name: "a column of blanks", file: "x.txt", data: eachID(func(_ int, id string) string { return "NULL   " + id }), says: "separated by blanks: 40 of 40"},
	{name: "numbers below a title", file: "x.txt", data: "Customers\n" + eachID(func(i int, id string) string { return fmt.Sprintf("%d      %s", i, id) }), says: "separated by blanks"},
	{name: "fixed width, with names", file: "x.txt", data: "n         gaid\n" + eachID(func(i int, id string) string { return fmt.Sprintf("%-9d %s", i, id) }), says: "separated by blanks"},
	{name: "fixed width", file: "x.txt", data: eachID(func(i int, id string) string { return fmt.Sprintf("%-9d %s  DE", i*37, id) }), says: "separated by blanks"},
	{name: "ids behind words of any number", file: "x.txt", data: eachID(func(i int, id string) string { return strings.Repeat("Ann ", 1+i%3) + id }), says: "separated by blanks"},
	{name: "R's write.table", file: "x.txt", data: `"n" "gaid"` + "\n" + eachID(func(i int, id string) string { return fmt.Sprintf("\"%d\" %d %q", i+1, i, id) }), says: "separated by blanks"},
	{name: "uniq -c", file: "x.txt", data: eachID(func(i int, id string) string { return fmt.Sprintf("%7d %s", i+1, id) }), says: "separated by blanks"},
	{name: "YAML", file: "x.yaml", data: eachID(func(i int, id string) string { return fmt.Sprintf("- customer: %d\n  gaid: %s", i, id) }), says: "it is YAML, which usher does not read: 40 of 40 sampled lines with an id have gaid: before it"},
	{name: "YAML in braces", file: "x.yaml", data: "---\n" + eachID(func(i int, id string) string { return fmt.Sprintf("- {customer: %d, gaid: '%s'}", i, id) }), says: "it is YAML"},
	{name: "LDIF", file: "x.ldif", data: eachID(func(i int, id string) string { return fmt.Sprintf("dn: cn=%d,dc=x\ncn: %d\ngaid: %s\n", i, i, id) }), says: "it is LDIF"},
	{name: "properties", file: "x.txt", data: eachID(func(i int, id string) string { return fmt.Sprintf("name=%d\ngaid=%s", i, id) }), says: "gaid= before it"},

	{name: "an apostrophe", data: wrappedIDs("'%s"), says: "have ' before an id"},
	{name: "a formula", data: wrappedIDs(`="%s"`), says: `have =" before and " behind an id`},
	{name: "a formula in quotes", data: wrappedIDs(`"=""%s"""`), says: `have =" before and " behind an id`},
	{name: "0x", data: wrappedIDs("0x%s"), says: "have 0x before an id"},
	{name: "urn:uuid:", data: wrappedIDs("urn:uuid:%s"), says: "have urn:uuid: before an id"},
	{name: "a label", data: wrappedIDs("gaid:%s"), says: "40 of 40 sampled values of column 2 (gaid) are no ids: they have gaid: before an id"},
	{name: "a constructor", data: wrappedIDs(`UUID("%s")`), says: "behind an id"},
	{name: "some labels", data: "n,gaid\n" + eachID(func(i int, id string) string { return fmt.Sprintf("%d,%s%s", i, []string{"gaid:", "", ""}[i%3], id) }), says: "14 of 40 sampled values of column 2 (gaid) have gaid: before an id"},

	{name: "PHP's fputcsv", data: "n,note,gaid\n" + eachID(func(i int, id string) string {
		return fmt.Sprintf("%d,%s,%s", i, []string{`"say \"hi\" or ""no"", if so"`, `"a ""b"" c"`, "none"}[i%3], id)
	}), says: `both "" and \" for a quote, as PHP's fputcsv writes them`},
	{name: "Ctrl-Z", data: "n,gaid\r\n" + strings.ReplaceAll(eachID(func(i int, id string) string { return fmt.Sprintf("%d,%s", i, id) }), "\n", "\r\n") + "\x1a", says: "it ends in Ctrl-Z"},
	{name: "Ctrl-Z behind a large export", data: "n,gaid\n" + strings.Repeat("0,\n", 100_000) + eachID(func(i int, id string) string { return fmt.Sprintf("%d,%s", i, id) }) + "\x1a", says: "it ends in Ctrl-Z"},
	{name: "NUL within", data: "n,gaid\n" + eachID(func(i int, id string) string { return fmt.Sprintf("%d,%s\x00", i, id) }), says: "byte 45 of it is NUL"},
	{name: "NUL at the end", data: "n,gaid\n" + eachID(func(i int, id string) string { return fmt.Sprintf("%d,%s", i, id) }) + strings.Repeat("\x00", 512), says: "its last 512 bytes are NUL"},
	{name: "Airbyte", data: "_airbyte_raw_id,_airbyte_extracted_at,_airbyte_data\n" + eachID(func(i int, id string) string {
		return fmt.Sprintf(`%s,2026-03-01,"{""customer"":%d,""gaid"":""%s""}"`, randomIDs(uint64(i), 1, randomAAID)[0], i, id)
	}), says: "its column 3 (_airbyte_data) has JSON, in which the ids are gaid"},
	{name: "JSON in a column", data: "n;properties\n" + eachID(func(i int, id string) string { return fmt.Sprintf(`%d;"{""idfv"":""%s"",""gaid"":""%s""}"`, i, id, id) }), says: "its column 2 (properties) has JSON"},
	{name: "COPY", data: "COPY public.c (n, gaid) FROM stdin;\n" + eachID(func(i int, id string) string { return fmt.Sprintf("%d\t%s", i, id) }) + "\\.\n\n\n--\n-- PostgreSQL database dump complete\n--\n", says: "its first line is the command COPY"},
	{name: "rows of pg_dump", data: eachID(func(i int, id string) string { return fmt.Sprintf("%d\t%s", i, id) }) + "\\.\n\n\n--\n-- PostgreSQL database dump complete\n--\n", says: `a line of it is \.`},
	{name: "MongoDB", file: "x.ndjson", data: eachID(func(i int, id string) string {
		return fmt.Sprintf(`{"_id":{"$oid":"%024x"},"gaid":{"$uuid":%q}}`, i, id)
	}), says: "they look like ids in column gaid.$uuid"},
	{name: "NaN", file: "x.ndjson", data: eachID(func(i int, id string) string {
		return fmt.Sprintf(`{"gaid":%q,"v":%s}`, id, []string{"1", "NaN", "-Infinity"}[i%3])
	}), says: "it has NaN as a value"},
	{name: "NaN in a document", file: "x.json", data: "[" + strings.TrimSuffix(eachID(func(_ int, id string) string { return fmt.Sprintf(`{"v": NaN, "gaid": %q},`, id) }), ",\n") + "]\n", says: "it has NaN as a value"},
	{name: "bytes behind gzip", file: "x.csv.gz", data: gzippedText("gaid\n"+eachID(func(_ int, id string) string { return id })) + "<html>502 Bad Gateway</html>", says: "its gzip data is whole, and bytes that are none follow it"},

	{name: "commented out", data: "n,gaid\n" + eachID(func(i int, id string) string {
		return fmt.Sprintf("%s%d,%s", []string{"", "", "", "#", "", "", ""}[i%7], i, id)
	}), says: `6 of 40 sampled rows with an id begin with "#"`, rows: withoutSome()},
	{name: "commented out by slashes", data: "n;gaid\n" + eachID(func(i int, id string) string {
		return fmt.Sprintf("%s%d;%s", []string{"", "", "", "//", "", "", ""}[i%7], i, id)
	}), says: `begin with "//"`, rows: withoutSome()},
	{name: "perhaps commented out", data: "tag,gaid\n" + eachID(func(i int, id string) string {
		return fmt.Sprintf("%ssale,%s", []string{"", "", "", "#", "", "", ""}[i%7], id)
	}), says: "begin with #, and are read", rows: withoutSome()},
	{name: "a mark as a text among blanks", data: "tag,gaid\n" + eachID(func(i int, id string) string {
		return fmt.Sprintf("%s,%s", []string{"", "", "", "#", "", "", ""}[i%7], id)
	}), says: "begin with #, and are read", rows: withoutSome()},
}

// TestHints follows the hint that usher gives for each export, and reads it again.
func TestHints(t *testing.T) {
	t.Parallel()
	for _, c := range hintedExports {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "export.csv")
			if c.file != "" {
				file = filepath.Join(dir, c.file)
			}
			must(t, os.WriteFile(file, []byte(c.data), 0o600))
			src := &usher.Source{URL: file}
			o := opener(t, dir, exports.Options{})
			message, hint := saidOf(t, o, src)
			if !strings.Contains(message, c.says) {
				t.Fatalf("says %q\nhint: %s", message, hint)
			}
			follow(t, hint, src, file)
			want := c.rows
			if want == nil {
				want = hintedIDs
			}
			got, _, err := readType(t, o, src, usher.AAID, 0)
			if got = uuidsOf(got); err != nil || !slices.Equal(got, want) {
				t.Errorf("%d rows, want %d, %v\nhint: %s\nsource: %+v", len(got), len(want), err, hint, src)
			}
		})
	}
}

// saidOf returns the error of planning or reading an export and its hint, or the last warning.
func saidOf(t *testing.T, o *exports.Opener, src *usher.Source) (message, hint string) {
	t.Helper()
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.AAID}, 0)
	if err == nil && len(plan.Warnings) > 0 {
		message = plan.Warnings[len(plan.Warnings)-1].Description
		_, hint, _ = strings.Cut(message, ": ")
		return message, hint
	}
	if err == nil {
		_, _, err = readType(t, o, src, usher.AAID, 0)
	}
	p := permanent(t, err)
	return p.Error(), p.Hint
}

// uuidsOf returns the rows that are ids.
func uuidsOf(rows []string) []string {
	return slices.DeleteFunc(slices.Clone(rows), func(row string) bool { return len(row) != 36 })
}

var (
	shellCommand = regexp.MustCompile(`\b((?:sed|awk|grep|tr|gzip|python3|perl|head|iconv) .*?FILE.*? > [A-Za-z.]+)`)
	settings     = regexp.MustCompile(`source\.([a-zA-Z]+) to ("[^"]*"|'[^']*'|\w+)`)
)

// follow does what a hint says: it runs the command in it, or sets the fields of the source.
func follow(t *testing.T, hint string, src *usher.Source, file string) {
	t.Helper()
	if command := shellCommand.FindString(hint); command != "" {
		at := strings.LastIndex(command, " > ")
		made := filepath.Join(filepath.Dir(file), "made-"+strings.TrimSuffix(command[at+3:], "."))
		script := strings.ReplaceAll(command[:at], "FILE", "'"+file+"'") + " > '" + made + "'"
		if out, err := exec.CommandContext(t.Context(), "sh", "-c", script).CombinedOutput(); err != nil && !strings.Contains(script, "gzip") {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		src.URL = made
		hint = hint[strings.Index(hint, command)+len(command):]
	}
	for _, m := range settings.FindAllStringSubmatch(strings.Split(hint, ";")[0], -1) {
		value := m[2]
		if unquoted, err := strconv.Unquote(value); err == nil {
			value = unquoted
		}
		value = strings.Trim(value, "'")
		switch m[1] {
		case "delimiter":
			src.Delimiter = value
		case "column":
			src.Column = value
		case "sheet":
			src.Sheet = value
		case "escape":
			src.Escape = value
		case "skip":
			if n, err := strconv.Atoi(value); err == nil {
				src.Skip = usher.Skip{Lines: n}
			} else {
				src.Skip = usher.Skip{Prefix: value}
			}
		default:
			t.Fatalf("the hint sets source.%s", m[1])
		}
	}
}

// TestForeignFormats checks that formats that are not read are named, with a command that writes
// CSV.
func TestForeignFormats(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ data, says, hint string }{
		{"ARROW1\x00\x00\xff\xff\xff\xff", "it is an Arrow file", `open_file("FILE")`},
		{"\xff\xff\xff\xff\x78\x01\x00\x00\x10\x00\x00\x00", "it is an Arrow stream", `open_stream("FILE")`},
		{"FEA1\x00\x00\x00\x00", "it is a Feather file", `read_table("FILE")`},
		{"X\n\x00\x00\x00\x03\x00\x04\x01\x00", "it is an RDS file of R", `readRDS("FILE")`},
		{gzippedText("X\n\x00\x00\x00\x03\x00\x04\x01\x00" + strings.Repeat("x", 100)), "it is an RDS file of R", `readRDS("FILE")`},
		{gzippedText("RDX3\nX\n\x00\x00\x00\x03"), "it is a workspace of R", `load("FILE")`},
	} {
		o, src := export(t, c.data, exports.Options{})
		message, hint := saidOf(t, o, src)
		if !strings.Contains(message, c.says) || !strings.Contains(hint, c.hint) {
			t.Errorf("%q: %s\nhint: %s", c.data, message, hint)
		}
	}
}
