package jobs

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// ReplayLine returns the command that replays a failed job, or "" if a replay cannot
// help, because the job is invalid or past its deadline. If the job's error names a field of
// the job, the command that changes this field comes first.
func ReplayLine(r usher.Record) string {
	if r.State != usher.Failed {
		return ""
	}
	replay := "when the cause is fixed: usher dead replay --id " + r.ID
	if r.Error == nil {
		return replay
	}
	set := assignment(r.Error)
	switch {
	case r.Error.Class == usher.Deadline, r.Error.Class == usher.InvalidJob && set == "":
		return ""
	case set == "":
		return replay
	}
	return "to change a field: usher dead edit --id " + r.ID + " --set " + set + "; " + replay
}

// assignment returns the change of the job that an error's hint asks for, as usher dead edit
// takes it, or "". Most invalid jobs cannot be edited: a job whose id belongs to another job, or
// whose inline ids were not kept.
func assignment(e *usher.JobError) string {
	switch hint := e.Hint; {
	case strings.HasPrefix(hint, "use profile "):
		return "profile=…"
	case strings.HasPrefix(hint, "check the segment's id"):
		return "segment=…"
	case strings.HasPrefix(hint, "check the campaign's code"):
		return "campaign=…"
	case strings.HasPrefix(hint, "most rows are of another type"):
		return "maxRejectPercent=100"
	case e.Class == usher.InvalidJob:
		return ""
	}
	field := sourceField.FindString(e.Hint)
	if m := sourceValue.FindStringSubmatch(e.Hint); m != nil && m[1] == field {
		value := m[2]
		if text, err := strconv.Unquote(value); err == nil {
			value = text
		}
		return command.Quoted(field + "=" + value)
	}
	if field != "" {
		return field + "=…"
	}
	return ""
}

// sourceValue matches a field of a job's source and the value that a hint has for it: a text in quotes, a list,
// or a word that ends the clause.
var sourceValue = regexp.MustCompile(`\b(source\.[a-z][A-Za-z]*) to ("[^"]*"|\[".*?"\]|[^\s,;"\[]+)(?:$|[,;]| to leave | if )`)

// sourceField matches a field of a job's source, as hints name it.
var sourceField = regexp.MustCompile(`\bsource\.[a-z][A-Za-z]*`)

// WriteOutcome prints how a job ended, with its tally and warnings.
func WriteOutcome(out io.Writer, r usher.Record) error {
	took := ""
	if r.Started != nil && r.Finished != nil {
		took = " after " + readable.Duration(r.Finished.Sub(*r.Started))
	}
	if _, err := fmt.Fprintf(out, "%s %s %s%s\n", r.Kind, r.ID, terminal.Colour(out, string(r.State)), took); err != nil {
		return fmt.Errorf("print job: %w", err)
	}
	if changed := Consequence(&r); changed != "" {
		line := readable.Printable(r.Label()) + ": " + changed
		if isLarge(&r) {
			line = terminal.Red(out, line)
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return fmt.Errorf("print job: %w", err)
		}
	}
	if err := writeCounts(out, r); err != nil {
		return err
	}
	return WriteWarnings(out, r.Warnings)
}

// WriteWarnings prints warnings, one a line.
func WriteWarnings(out io.Writer, warnings []usher.Warning) error {
	for _, w := range warnings {
		if _, err := fmt.Fprintln(out, warningText(w)); err != nil {
			return fmt.Errorf("print warning: %w", err)
		}
	}
	return nil
}

func warningText(w usher.Warning) string {
	times := ""
	if w.Count > 1 && w.Code != usher.Proportion { // which counts rows, in words
		times = fmt.Sprintf(" (%s times)", readable.Number(w.Count))
	}
	return readable.Printable(fmt.Sprintf("warning %s%s: %s", w.Code, times, command.WithFlags(w.Description)))
}

// writeCounts prints the tally and the requests of jobs that read ids.
func writeCounts(out io.Writer, r usher.Record) error {
	if r.Receipt != nil {
		return writeReceipt(out, r.Receipt)
	}
	if family := r.Kind.Family(); family != "segment" && family != "target" || r.Kind == usher.TargetClear {
		return nil
	}
	if r.Tally.Read == 0 {
		return nil
	}
	accepted, sent := "accepted", "sent"
	if r.IsDryRun() {
		accepted, sent = "would be sent", "not sent: a dry run"
	}
	if err := WriteTally(out, r.Tally, accepted); err != nil {
		return err
	}
	calls := fmt.Sprintf("%s, %s %s", readable.Count(r.Batches, "request"), readable.Bytes(r.Bytes), sent)
	if r.Kind == usher.SegmentRemove { // a call for each id; its batches are only checkpoints
		calls = fmt.Sprintf("%s %s", readable.Count(r.Tally.Accepted+r.Tally.Refused.Sum(), "call"), sent)
	}
	added := ""
	if r.New != nil {
		added = ", " + readable.Number(*r.New) + " new"
	}
	line := fmt.Sprintf("%s, about %s%s", calls, readable.Count(r.Distinct, "distinct id"), added)
	if r.Kind.Mirrors() {
		line = fmt.Sprintf("%s, %s; %s removed, %s refreshed%s", calls, readable.Count(r.Distinct, "distinct id"), readable.Number(r.Removed), readable.Number(r.Refreshed), added)
	}
	if r.NumberOfIDs != (usher.NumberOfIDs{}) {
		line += fmt.Sprintf("; the platform counted %s before, %s after", readable.Number(r.NumberOfIDs.Before), readable.Number(r.NumberOfIDs.After))
	}
	if _, err := fmt.Fprintln(out, line); err != nil {
		return fmt.Errorf("print counts: %w", err)
	}
	return nil
}

// writeReceipt prints what a device.forget did in each target, in digests.
func writeReceipt(out io.Writer, r *usher.Receipt) error {
	table := terminal.Table{Header: []string{"TARGET", "REMOVED", "ABSENT", "PENDING", "UNTIL"}, Right: []int{2, 3, 4}}
	for _, t := range r.Targets {
		table.Add(t.Target, readable.Number(t.Removed), readable.Number(t.Absent), readable.Number(t.Pending), t.Until)
	}
	if err := table.Write(out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%s, of all forms of the ids, %s\n", readable.Count(r.Digests, "digest"), readable.Count(r.Made, "call"))
	if err != nil {
		return fmt.Errorf("print receipt: %w", err)
	}
	return nil
}
