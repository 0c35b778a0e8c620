package inspect

import (
	"fmt"
	"io"
	"strings"

	"usher"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/exports"
	"usher/internal/inspection"
	"usher/internal/readable"
)

// addRowTypes adds the columns with the rows' types, and how the rows are counted by them.
func addRowTypes(r *inspection.Report, facts *terminal.Table) {
	for _, c := range r.TypeColumns {
		all := int64(c.IOS + c.Android + c.Other)
		what := fmt.Sprintf("column %q: ios %s, android %s of %s", c.Column, jobs.Percent(int64(c.IOS), all), jobs.Percent(int64(c.Android), all), sampleText(r))
		if r.TypeColumn == "" {
			what += "; all of its rows have the same system"
		}
		facts.Add("rows by type", what)
	}
	if r.TypeColumnFound {
		facts.Add("", "the counts below are by this column, as with --type-column "+r.TypeColumn)
	}
	if r.TypeColumn != "" {
		facts.Add("", "rows of other types than the profile's count as wrong_type; in a campaign's target they are hashed by their own type")
	}
	if r.Lists > 0 {
		facts.Add("lists", jobs.Percent(int64(r.Lists), int64(r.Cells))+" of the cells of "+sampleText(r)+" have several ids, each of which counts as a row")
	}
}

// writeReport prints the report as text.
func writeReport(w io.Writer, r *inspection.Report) error {
	facts := terminal.Table{}
	facts.Add("file", fmt.Sprintf("%s, %s", r.File, readable.Bytes(r.Bytes)))
	jobs.AddUnderstood(&facts, r.Understood, readable.Count(r.Parts, "part"))
	if r.DoneMarker != "" {
		facts.Add("marker", r.DoneMarker+": a job with this done marker fails as source_missing if the file is missing")
	}
	facts.Add("types", typesText(r))
	addRowTypes(r, &facts)
	facts.Add("read as", fmt.Sprintf("profile %s, input %s%s", r.Profile, r.Input, profileHint(r)))
	if err := facts.Write(w); err != nil {
		return err
	}
	if err := writeSayings(w, r); err != nil {
		return err
	}
	if r.Without != nil {
		if _, err := fmt.Fprintf(w, "counted are the rows that the command below uploads; without its flags, a job is refused: %s\n", withoutURL(r.Without.Message)); err != nil {
			return fmt.Errorf("print report: %w", err)
		}
	}
	if err := jobs.WriteWarnings(w, warningsOf(r)); err != nil {
		return err
	}
	tries := terminal.Table{Header: []string{"PROFILE", "OF THE FIRST", "ACCEPTED", "DROPPED"}, Right: []int{2, 3}}
	for _, p := range r.Profiles {
		t := usher.Tally{Junk: p.Junk, Invalid: p.Invalid}
		tries.Add(p.Profile.String(), readable.Count(p.Rows, "row"), jobs.Percent(p.Accepted, p.Rows), strings.Trim(jobs.Reasons(t), " ()"))
	}
	if err := tries.Write(w); err != nil {
		return err
	}
	if err := jobs.WriteOfflineTally(w, r.Tally, "would be sent"); err != nil {
		return err
	}
	if err := jobs.WriteSamples(w, r.Samples); err != nil {
		return err
	}
	whole := ""
	switch {
	case r.Refused:
		whole = " before it sends anything; the counts are of all rows"
	case r.Error != nil && r.Error.Class != usher.TooManyRejects:
		whole = "; the counts are of the rows before the error"
	case !r.Whole:
		whole = " (of the rows up to --limit)"
	}
	_, err := fmt.Fprintf(w, "about %s; %s%s\n", readable.Count(r.Distinct, "distinct id"), r.Verdict, whole)
	if err == nil && r.Tally.Accepted > 0 && r.Submit != "" {
		return writeCommands(w, r)
	}
	if err != nil {
		return fmt.Errorf("print report: %w", err)
	}
	return nil
}

// withoutURL returns a message about an export without the words before it that name the export.
func withoutURL(message string) string {
	if _, text, found := strings.Cut(message, `": `); found && strings.HasPrefix(message, `read source "`) {
		return text
	}
	return message
}

// warningsOf returns the warnings that nothing else of the report says.
func warningsOf(r *inspection.Report) []usher.Warning {
	var warnings []usher.Warning
	unmarked := wrongForm(r) != ""
	for _, warning := range r.Warnings {
		switch {
		case r.Refused && warning.Code == usher.WarnSaysNo: // the table of columns says it
		case unmarked && warning.Code == usher.WarnLetterCase: // it is said where the command is
		default:
			warning.Description = inFlags(warning.Description)
			warnings = append(warnings, warning)
		}
	}
	return warnings
}

// writeSayings prints the columns that say no of rows, or of which kind their ids are, and those that are not
// asked.
func writeSayings(w io.Writer, r *inspection.Report) error {
	if err := writeSaying(w, r); err != nil || len(r.Unasked) == 0 {
		return err
	}
	if _, err := fmt.Fprintf(w, "not asked whether a row says no: %s\n", unaskedText(r.Unasked)); err != nil {
		return fmt.Errorf("print report: %w", err)
	}
	return nil
}

func writeSaying(w io.Writer, r *inspection.Report) error {
	if len(r.Says) == 0 {
		return nil
	}
	table := terminal.Table{Header: []string{"COLUMN", "VALUE", "ROWS OF THE SAMPLE", "SEEMS TO SAY"}, Right: []int{3}}
	for _, c := range r.Says {
		for at, v := range c.Values {
			name := ""
			if at == 0 {
				name = c.Column
			}
			table.Add(name, v.Value, readable.Number(int64(v.Rows)), sayingWords(c.Says, v.Says))
		}
	}
	return table.Write(w)
}

// unaskedText lists the first columns that are not asked.
func unaskedText(columns []string) string {
	const most = 12
	shown := columns[:min(len(columns), most)]
	text := readable.Printable(strings.Join(shown, ", "))
	if more := len(columns) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more (--json has them)", more)
	}
	return text
}

// sayingWords says in words what a value of a column says.
func sayingWords(category, says string) string {
	switch {
	case category == usher.CheckType && says == "":
		return ""
	case category == usher.CheckType && says == "no":
		return "another kind of id"
	case category == usher.CheckType:
		return "this kind of id"
	case category == "operation" && says == "no":
		return "leave out: deleted"
	}
	return exports.AnswerText(says)
}

// profileHint returns what to do if the profile is only a guess, or "".
func profileHint(r *inspection.Report) string {
	why := ""
	switch {
	case !r.ProfileGuessed:
		return ""
	case r.UUIDBytes:
		why = ", because 16 bytes have no letter case"
	}
	return ": the export does not show whether its ids are idfa or aaid" + why + "; use --profile"
}

func typesText(r *inspection.Report) string {
	if len(r.Types) == 0 {
		return "none"
	}
	var all int64
	for _, t := range r.Types {
		all += t.Rows
	}
	var words []string
	for _, t := range r.Types {
		words = append(words, t.Type+" "+jobs.Percent(t.Rows, all))
	}
	return strings.Join(words, ", ") + " of " + sampleText(r)
}

// sampleText names the sample of the report.
func sampleText(r *inspection.Report) string {
	if r.Files > 1 {
		return "a sample of the first file with rows"
	}
	return "a sample"
}
