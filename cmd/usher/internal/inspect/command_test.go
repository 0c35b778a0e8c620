package inspect

import (
	"encoding/json"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/internal/inspection"
)

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
				line := i.submitLine(file, &inspection.Report{Input: usher.InputMD5, DoneMarker: flags.DoneMarker}, "aaid", false)
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

// If a column says which rows are of iOS and which of Android, there is a command for each system.
// A command whose system has few of the rows permits many rejected rows.
func TestCommandsForMixedExport(t *testing.T) {
	t.Parallel()
	const few = " --max-reject-percent 100"
	for _, test := range []struct {
		profile      usher.IDType
		column       string
		ios, android int
		types        string
		submit       string
		other        string
	}{
		{usher.IDFA, "os", 3, 2, "", "idfa --type-column os", "aaid --type-column os"},
		{usher.AAID, "os", 3, 2, "", "aaid --type-column os", "idfa --type-column os"},
		{usher.AAID, "os", 5, 95, "", "aaid --type-column os", "idfa --type-column os" + few},
		{usher.IDFA, "os", 5, 95, "", "idfa --type-column os" + few, "aaid --type-column os"},
		{usher.IDFA, "os", 3, 2, `[{"type":"android_id","rows":2}]`, "idfa --type-column os", "android_id --type-column os"},
		{usher.IDFA, "os", 3, 0, "", "idfa --type-column os", ""},
		{usher.IDFA, "", 3, 0, "", "idfa", ""},
	} {
		report := inspection.Report{Profile: usher.Profile{Type: test.profile}, Input: usher.InputRaw, TypeColumn: test.column}
		report.TypeColumns = []inspection.TypeColumn{{Column: "os", IOS: test.ios, Android: test.android}}
		report.Tally = usher.Tally{Read: 100, Accepted: 5, Invalid: usher.Counts{usher.WrongType: 95}}
		if !strings.Contains(test.submit, few) {
			report.Tally = usher.Tally{Read: 100, Accepted: 100}
		}
		if test.types != "" {
			if err := json.Unmarshal([]byte(test.types), &report.Types); err != nil {
				t.Fatal(err)
			}
		}
		new(inspector).setCommands("a.csv", &report)
		line := func(profile string) string {
			if profile == "" {
				return ""
			}
			return "usher submit segment.add --segment ID --profile " + profile + " a.csv --wait"
		}
		if report.Submit != line(test.submit) || report.SubmitOther != line(test.other) {
			t.Errorf("with %+v the commands are\n%s\n%s", test, report.Submit, report.SubmitOther)
		}
	}
}
