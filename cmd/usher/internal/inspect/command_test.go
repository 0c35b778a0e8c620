package inspect

import (
	"encoding/json"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/internal/inspection"
)

func TestQuotedWordsAreOneWordToAShell(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"a.csv": "a.csv", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, ";": "';'", "$(x)": "'$(x)'",
	} {
		if got := quoted(word); got != want {
			t.Errorf("quoted(%q) = %s, want %s", word, got, want)
		}
	}
}

// The printed command, parsed by a shell and by a command's flags, sets the flags that the
// user gave, and no others.
func TestSubmitLineSetsTheSameFlags(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string]command.SourceFlags{
		"nothing":   {},
		"defaults":  {Format: "auto", Delimiter: "auto", Quote: "auto", Escape: "auto", IncompleteLastRow: "refuse", Encoding: "auto", Compression: "auto"},
		"all":       {Column: "Geräte-ID", TypeColumn: "os", Format: "csv", Delimiter: ";", Encoding: "utf-8", Compression: "gzip", Quote: "none", Escape: "backslash", Sheet: "Blatt 1", IncompleteLastRow: "drop", DoneMarker: "_SUCCESS", Skip: usher.Skip{Lines: 3}, NoCut: true},
		"tab":       {Delimiter: "\t"},
		"control A": {Delimiter: "\x01"},
		"backslash": {Delimiter: `\`},
		"quote":     {Delimiter: "'", Skip: usher.Skip{Prefix: "it's $(not) \"a\" `row`\\"}},
		"dashes":    {Column: "--column", Skip: usher.Skip{Prefix: "--"}},
		"prefix":    {Skip: usher.Skip{Prefix: "auto"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, file := range []string{"export.csv", "my export*.csv", "-x.csv", "s3://bucket/a b?.csv"} {
				i := inspector{source: flags}
				line := i.submitLine(file, &inspection.Report{Profile: usher.Profile{Type: usher.AAID}, Input: usher.InputMD5, DoneMarker: flags.DoneMarker})
				checkSubmitLine(t, line, file, flags)
			}
		})
	}
}

func checkSubmitLine(t *testing.T, line, file string, flags command.SourceFlags) {
	t.Helper()
	out, err := exec.Command("sh", "-c", `printf '%s\0' `+line).Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	words := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var got command.SourceFlags
	var args []string
	cmd := &cobra.Command{RunE: func(_ *cobra.Command, rest []string) error { args = rest; return nil }}
	got.AddFlags(cmd)
	cmd.Flags().String("segment", "", "")
	profile, input := cmd.Flags().String("profile", "", ""), cmd.Flags().String("input", "", "")
	cmd.Flags().Bool("wait", false, "")
	cmd.SetArgs(words[2:])
	if err := cmd.Execute(); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if strings.HasPrefix(file, "-") {
		file = "./" + file
	}
	if len(args) != 2 || args[1] != file || *profile != "aaid" || *input != "md5" || !reflect.DeepEqual(withoutDefaults(*got.Source()), withoutDefaults(*flags.Source())) {
		t.Errorf("%s\nis read as %+v of %q, want %+v of %q", line, got, args, flags, file)
	}
}

// withoutDefaults returns the source with defaults replaced by zero values.
func withoutDefaults(s usher.Source) usher.Source {
	for _, field := range []*string{&s.Format, &s.Delimiter, &s.Quote, &s.Escape, &s.Encoding, &s.Compression, &s.IncompleteLastRow} {
		if *field == "auto" || *field == "refuse" {
			*field = ""
		}
	}
	return s
}

// A column that says which rows are of iOS and which of Android is in the command: without it, a
// job would hash all ids by the profile.
func TestSubmitLineNamesMixedColumn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		given, os, want string
		android         int
	}{
		{want: "os", os: "os", android: 2},
		{os: "os"},
		{given: "system", want: "system", os: "os", android: 2},
	} {
		report := inspection.Report{Profile: usher.Profile{Type: usher.IDFA}, Input: usher.InputRaw}
		columns := `[{"column":"` + test.os + `","ios":3,"android":` + strconv.Itoa(test.android) + `}]`
		if err := json.Unmarshal([]byte(columns), &report.TypeColumns); err != nil {
			t.Fatal(err)
		}
		i := inspector{source: command.SourceFlags{TypeColumn: test.given}}
		line, word := i.submitLine("a.csv", &report), " --type-column "+test.want+" "
		if got := strings.Contains(line, word); test.want != "" && !got || test.want == "" && strings.Contains(line, "--type-column") {
			t.Errorf("with %+v the command is %s", test, line)
		}
	}
}
