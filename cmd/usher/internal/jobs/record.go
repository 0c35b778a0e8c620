package jobs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// writeRecord prints a job's record as text, and after it the commands for a job that has failed.
func writeRecord(w io.Writer, r usher.Record, advice string) error {
	facts := terminal.Table{}
	facts.Add("job", r.ID)
	facts.Add("kind", string(r.Kind))
	facts.Add("target", r.Label())
	facts.Add("state", string(r.State))
	AddConsequence(&facts, "changed", &r)
	if r.Why != nil && *r.Why != "" {
		facts.Add("why", *r.Why)
	}
	if e := r.Error; e != nil {
		facts.Add("error", fmt.Sprintf("%s: %s", e.Class, e.Message))
		facts.Add("hint", command.WithFlags(e.Hint))
	}
	if r.Publisher != "" {
		facts.Add("publisher", "token "+r.Publisher+", over HTTP")
	}
	facts.Add("submitted", terminal.When(w, r.Submitted))
	addTime(w, &facts, "started", r.Started)
	addTime(w, &facts, "finished", r.Finished)
	facts.Add("run", fmt.Sprintf("%d, %s, %s", r.Run, readable.Count(r.Attempts, "attempt"), crashesOf(&r)))
	if r.Parts.Total > 1 {
		facts.Add("parts", fmt.Sprintf("%d of %d done", r.Parts.Done, r.Parts.Total))
	}
	if r.Edited != nil {
		facts.Add("edited", EditText(r.Edited))
	}
	facts.Add("request", JobText(r.Job))
	if r.Understood != nil {
		AddUnderstood(&facts, r.Understood)
	}
	if err := facts.Write(w); err != nil {
		return err
	}
	if err := writeCounts(w, r); err != nil {
		return err
	}
	if err := WriteWarnings(w, r.Warnings); err != nil {
		return err
	}
	if err := WriteSamples(w, r.Samples); err != nil {
		return err
	}
	line := advice
	if w := r.WaitsFor; w != nil && w.Job != "" {
		line = "the job that it waits for: usher jobs show " + w.Job
	}
	if line != "" {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return fmt.Errorf("print record: %w", err)
		}
	}
	return nil
}

func addTime(w io.Writer, facts *terminal.Table, name string, t *time.Time) {
	if t != nil {
		facts.Add(name, terminal.When(w, *t))
	}
}

// Crashes returns "1 crash", "2 crashes".
func Crashes(n int) string {
	if n == 1 {
		return "1 crash"
	}
	return fmt.Sprintf("%d crashes", n)
}

// crashesOf returns how often workers crashed, and which parts of a cut job they ran: "4 crashes: 2 of part 7, 1 of
// part 3, 1 other".
func crashesOf(r *usher.Record) string {
	const most = 5
	var list []string
	rest := r.Crashes
	for _, c := range r.CrashedParts[:min(len(r.CrashedParts), most)] {
		list = append(list, fmt.Sprintf("%d of part %d", c.Crashes, c.Part+1))
		rest -= c.Crashes
	}
	if len(list) == 0 {
		return Crashes(r.Crashes)
	}
	if rest > 0 {
		list = append(list, readable.Count(rest, "other"))
	}
	return Crashes(r.Crashes) + ": " + strings.Join(list, ", ")
}

// JobText returns a recorded job's JSON in one line.
func JobText(job json.RawMessage) string {
	var line bytes.Buffer
	if len(job) == 0 || json.Compact(&line, job) != nil {
		return "–"
	}
	return line.String()
}

// LetterID returns the id of a letter's job, or a dash if it is not readable.
func LetterID(l *usher.DeadLetter) string {
	if l.ID == nil {
		return "–"
	}
	return *l.ID
}

// Remark returns the error class, the reason for waiting, or the progress of a job, for
// lists.
func Remark(r usher.Record) string {
	switch {
	case r.Error != nil:
		return string(r.Error.Class)
	case r.Why != nil:
		return *r.Why
	case r.Parts.Total > 1 && !r.State.Ended():
		return fmt.Sprintf("%d of %d parts done", r.Parts.Done, r.Parts.Total)
	}
	return ""
}

// EditText formats an edit in one line.
func EditText(e *usher.Edit) string {
	text := fmt.Sprintf("after run %d by %s at %s: %s", e.Run, e.By, readable.Time(e.At), strings.Join(e.Fields, ", "))
	if e.Reason != "" {
		text += "; reason: " + e.Reason
	}
	return text
}
