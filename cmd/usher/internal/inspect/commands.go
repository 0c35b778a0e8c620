package inspect

import (
	"fmt"
	"io"
	"strings"

	"usher"
	"usher/internal/inspection"
	"usher/internal/readable"
)

// setCommands sets the commands that upload the export: one for the profile, and one for the
// rows of the other system if a column names both.
func (i *inspector) setCommands(file string, report *inspection.Report) {
	profile := report.Profile.String()
	if report.ProfileGuessed {
		profile = "PROFILE"
	}
	report.Submit = i.submitLine(file, report, profile, report.NeedsRejectLimit())
	mixed := report.Mixed()
	if mixed.Column == "" || mixed.Column != report.TypeColumn {
		return
	}
	rows := mixed.IOS
	if report.Profile.Type == usher.IDFA {
		rows = mixed.Android
	}
	const least = 5 // a fifth of the rows, because shares of a sample are not exact
	report.SubmitOther = i.submitLine(file, report, string(otherProfile(report)), rows*least < mixed.IOS+mixed.Android+mixed.Other)
}

// otherProfile returns the profile for the rows of the system that is not the profile's.
func otherProfile(report *inspection.Report) usher.IDType {
	if report.Profile.Type != usher.IDFA {
		return usher.IDFA
	}
	if sampled(report, usher.AndroidID) > sampled(report, usher.AAID) {
		return usher.AndroidID
	}
	return usher.AAID
}

// sampled returns how many values of the sample look like ids of a type.
func sampled(report *inspection.Report, of usher.IDType) int64 {
	for _, t := range report.Types {
		if t.Type == string(of) {
			return t.Rows
		}
	}
	return 0
}

// submitLine returns the shell command that uploads the export. It has the user's flags, and
// those for settings that a job does not detect: with a profile alone, a job would hash the
// ids of the other system as if they were of the profile's. manyRejects permits any number of
// rows of the other system.
func (i *inspector) submitLine(file string, report *inspection.Report, profile string, manyRejects bool) string {
	words := []string{"usher", "submit", "segment.add", "--segment", "ID", "--profile", profile}
	if report.Input != usher.InputRaw {
		words = append(words, "--input", string(report.Input))
	}
	source := i.source
	source.DoneMarker = report.DoneMarker
	if source.TypeColumn == "" {
		source.TypeColumn = report.TypeColumn
	}
	words = append(words, source.Words()...)
	if manyRejects {
		words = append(words, "--max-reject-percent", "100")
	}
	if strings.HasPrefix(file, "-") {
		file = "./" + file // not a flag
	}
	words = append(words, file, "--wait")
	for n := range words {
		words[n] = readable.ShellWord(words[n])
	}
	return strings.Join(words, " ")
}

// writeCommands prints the commands, and what stands for ID and PROFILE in them.
func writeCommands(w io.Writer, r *inspection.Report) error {
	what, profile, list := "it", "", " (usher api segments list):\n"
	system, of := systemOf(r.Profile.Type)
	if r.SubmitOther != "" {
		what = "the ids of " + system
	}
	if r.ProfileGuessed {
		profile, of = "PROFILE by the profile, and ", "the profile's type"
	}
	text := wrongForm(r) + "to upload " + what + ", replace " + profile + "ID by the id of a segment of " + of + list + r.Submit + "\n"
	if r.SubmitOther != "" {
		system, of = systemOf(otherProfile(r))
		text += "and the ids of " + system + ", into a segment of " + of + ":\n" + r.SubmitOther + "\n"
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("print commands: %w", err)
	}
	return nil
}

// wrongForm returns a line that says that many ids look like those of the other system, which
// the command would hash in the wrong form, or "". It says more than the warning letter_case.
func wrongForm(r *inspection.Report) string {
	ios, android := sampled(r, usher.IDFA), sampled(r, usher.AAID)
	others, system := android, "Android"
	if r.Profile.Type != usher.IDFA {
		others, system = ios, "iOS"
	}
	for i := range r.Warnings {
		if r.Warnings[i].Code == usher.WarnLetterCase && ios > 0 && android > 0 {
			return readable.Number(others) + " of " + readable.Count(ios+android, "id") + " in " + sampleText(r) + " look like " + system +
				" ids: split the export first, because the command below uploads them in the wrong form\n"
		}
	}
	return ""
}

// systemOf returns the system of a type of ids, and the type of the segments that take them.
func systemOf(t usher.IDType) (system, segments string) {
	if t == usher.IDFA {
		return "iOS", "type IDFA"
	}
	return "Android", "type ANDROID_ID"
}
