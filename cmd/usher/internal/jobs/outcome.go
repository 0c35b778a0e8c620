package jobs

import (
	"context"
	"fmt"
	"io"
	"strings"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/letters"
)

// Advice returns the commands for a failed job, one a line: those that change what its error names and replay
// it, and the one that replays it as it is. It is "" if no replay can help, because the job is invalid or past
// its deadline.
func Advice(r usher.Record) string {
	if r.State != usher.Failed {
		return ""
	}
	var class usher.Class
	var hint string
	if r.Error != nil {
		class, hint = r.Error.Class, r.Error.Hint
	}
	return adviceOn(r.ID, class, hint)
}

// adviceNow is Advice for a job whose dead letter may be gone, or needless.
func adviceNow(ctx context.Context, q *queues.Queue, r usher.Record) (string, error) {
	advice := Advice(r)
	if advice == "" || r.Error == nil {
		return advice, nil
	}
	dead := letters.New(q)
	found, err := dead.Knowing(dead.AllUploads).List(ctx, letters.Filter{ID: r.ID, Kind: r.Kind, Class: r.Error.Class, Since: r.Submitted, Limit: 1})
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "its dead letter was discarded, so that it cannot be replayed: submit the job again, under a new id, if it is still needed", nil
	case found[0].Later != nil && found[0].Later.Needless:
		return found[0].Later.String() + ", so that nothing is left to do; discard the letter with: usher dead discard --id " + r.ID, nil
	}
	return advice, nil
}

// LetterAdvice returns the commands for a dead letter, as Advice does.
func LetterAdvice(l *usher.DeadLetter) string {
	if l.ID == nil {
		return ""
	}
	return adviceOn(*l.ID, l.Class, l.Hint)
}

func adviceOn(id string, class usher.Class, hint string) string {
	selection := "--id " + id
	var lines []string
	for i, remedy := range letters.Remedies(class, hint) {
		if i == 0 {
			lines = append(lines, "to change the job: "+remedy.Commands(selection))
		} else {
			lines = append(lines, "or:                "+remedy.Commands(selection))
		}
	}
	if class == usher.Deadline || class == usher.InvalidJob && len(lines) == 0 {
		return ""
	}
	return strings.Join(append(lines, "when the cause is fixed: usher dead replay "+selection), "\n")
}

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
	if w.Count > 1 && w.Code != usher.WarnProportion { // which counts rows, in words
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
