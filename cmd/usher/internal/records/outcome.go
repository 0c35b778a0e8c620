package records

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// ReplayLine returns the command that replays a failed job, or "" if a replay cannot
// help, because the job is invalid or past its deadline. If the job's error names a field of
// its source, the command that changes this field comes first.
func ReplayLine(r usher.Record) string {
	if r.State != usher.Failed || r.Error != nil && (r.Error.Class == usher.InvalidJob || r.Error.Class == usher.Deadline) {
		return ""
	}
	replay := "usher dead replay --id " + r.ID
	if r.Error != nil {
		if field := sourceField.FindString(r.Error.Hint); field != "" {
			return "to change a field: usher dead edit --id " + r.ID + " --set " + field + "=…; when that or the export is fixed: " + replay
		}
	}
	return "when the cause is fixed: " + replay
}

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
	if w.Count > 1 {
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
	var job struct {
		DryRun bool `json:"dryRun"`
	}
	if json.Unmarshal(r.Job, &job) == nil && job.DryRun {
		accepted, sent = "would be sent", "not sent: a dry run"
	}
	if err := WriteTally(out, r.Tally, accepted); err != nil {
		return err
	}
	calls := fmt.Sprintf("%s, %s %s", readable.Count(r.Batches, "request"), readable.Bytes(r.Bytes), sent)
	if r.Kind == usher.SegmentRemove { // a call for each id; its batches are only checkpoints
		calls = fmt.Sprintf("%s %s", readable.Count(r.Tally.Accepted+r.Tally.Refused.Sum(), "call"), sent)
	}
	line := fmt.Sprintf("%s, about %s", calls, readable.Count(r.Distinct, "distinct id"))
	if r.Kind.Mirrors() {
		line = fmt.Sprintf("%s, %s; %s removed, %s refreshed", calls, readable.Count(r.Distinct, "distinct id"), readable.Number(r.Removed), readable.Number(r.Refreshed))
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
