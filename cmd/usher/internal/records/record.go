package records

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/decisions"
)

// WriteJob prints a job's record. For rules.evaluate it also prints a summary of the
// decisions.
func WriteJob(ctx context.Context, w io.Writer, q *queues.Queue, r usher.Record) error {
	if err := writeRecord(w, r); err != nil || r.Kind != usher.RulesEvaluate {
		return err
	}
	e, found, err := decisions.New(q, nil).FindEvaluation(ctx, r.ID)
	if err != nil || !found {
		return err
	}
	fmt.Fprintf(w, "%s by rules %s: 'usher rules run %s' shows the decisions\n", Summary(&e), RulesOf(&e), e.ID)
	for _, job := range e.Jobs {
		fmt.Fprintf(w, "  job %s\n", job)
	}
	return nil
}

// writeRecord prints a job's record as text.
func writeRecord(w io.Writer, r usher.Record) error {
	facts := terminal.Table{}
	facts.Add("job", r.ID)
	facts.Add("kind", string(r.Kind))
	facts.Add("state", string(r.State))
	if r.Why != nil && *r.Why != "" {
		facts.Add("why", *r.Why)
	}
	if e := r.Error; e != nil {
		facts.Add("error", fmt.Sprintf("%s: %s", e.Class, e.Message))
		facts.Add("hint", command.WithFlags(e.Hint))
	}
	facts.Add("submitted", terminal.When(w, r.Submitted))
	addTime(w, &facts, "started", r.Started)
	addTime(w, &facts, "finished", r.Finished)
	facts.Add("run", fmt.Sprintf("%d, %s, %s", r.Run, readable.Count(int64(r.Attempts), "attempt"), Crashes(r.Crashes)))
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
	if line := ReplayLine(r); line != "" {
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

// JobText returns a recorded job's JSON in one line.
func JobText(job json.RawMessage) string {
	var line bytes.Buffer
	if len(job) == 0 || json.Compact(&line, job) != nil {
		return "–"
	}
	return line.String()
}
