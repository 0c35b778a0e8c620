package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"usher"
	"usher/queues"
)

// writeJob prints a job's record, and of one that evaluated rules what they
// decided.
func writeJob(ctx context.Context, w io.Writer, q *queues.Queue, r usher.Record) error {
	if err := writeRecord(w, r); err != nil || r.Kind != usher.RulesEvaluate {
		return err
	}
	e, found, err := q.Evaluated(ctx, r.ID)
	if err != nil || !found {
		return err
	}
	fmt.Fprintf(w, "%s by rules %s: 'usher rules run %s' shows the decisions\n", summary(&e), rulesOf(&e), e.ID)
	for _, job := range e.Jobs {
		fmt.Fprintf(w, "  job %s\n", job)
	}
	return nil
}

// writeRecord prints a job's record for people.
func writeRecord(w io.Writer, r usher.Record) error {
	facts := grid{}
	facts.add("job", r.ID)
	facts.add("kind", string(r.Kind))
	facts.add("state", string(r.State))
	if r.Why != nil && *r.Why != "" {
		facts.add("why", *r.Why)
	}
	if e := r.Error; e != nil {
		facts.add("error", fmt.Sprintf("%s: %s", e.Class, e.Message))
		facts.add("hint", e.Hint)
	}
	facts.add("submitted", clockTime(r.Submitted))
	addTime(&facts, "started", r.Started)
	addTime(&facts, "finished", r.Finished)
	facts.add("run", fmt.Sprintf("%d, %s, %s", r.Run, plural(int64(r.Attempts), "attempt"), crashes(r.Crashes)))
	if r.Parts.Total > 1 {
		facts.add("parts", fmt.Sprintf("%d of %d done", r.Parts.Done, r.Parts.Total))
	}
	if r.Edited != nil {
		facts.add("edited", editText(r.Edited))
	}
	facts.add("asked", jobText(r.Job))
	if err := facts.write(w); err != nil {
		return err
	}
	if err := writeCounts(w, r); err != nil {
		return err
	}
	for _, warning := range r.Warnings {
		if _, err := fmt.Fprintln(w, warningText(warning)); err != nil {
			return fmt.Errorf("print warning: %w", err)
		}
	}
	if err := writeSamples(w, r.Samples); err != nil {
		return err
	}
	if line := replayLine(r); line != "" {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return fmt.Errorf("print record: %w", err)
		}
	}
	return nil
}

func addTime(facts *grid, name string, t *time.Time) {
	if t != nil {
		facts.add(name, clockTime(*t))
	}
}

func crashes(n int) string {
	if n == 1 {
		return "1 crash"
	}
	return fmt.Sprintf("%d crashes", n)
}

// jobText is a job's JSON in one line, as it is on record: without inline ids.
func jobText(job json.RawMessage) string {
	var line bytes.Buffer
	if len(job) == 0 || json.Compact(&line, job) != nil {
		return "–"
	}
	return line.String()
}

// writeSamples prints rows that were dropped, masked.
func writeSamples(w io.Writer, samples []usher.Sample) error {
	if len(samples) == 0 {
		return nil
	}
	table := grid{header: []string{"ROW", "DROPPED AS", "MASKED"}, right: []int{1}}
	few := fewSamples(samples)
	for _, s := range few {
		table.add(number(s.Row), s.Reason, s.Masked)
	}
	more := ""
	if len(few) < len(samples) {
		more = " (--json has more)"
	}
	if _, err := fmt.Fprintf(w, "samples of rows that were dropped%s:\n", more); err != nil {
		return fmt.Errorf("print samples: %w", err)
	}
	return table.write(w)
}

// fewSamples are the first three of each reason: enough to see what it is, and
// the report stays on a screen. JSON has them all.
func fewSamples(all []usher.Sample) []usher.Sample {
	const most = 3
	seen := map[string]int{}
	var few []usher.Sample
	for _, s := range all {
		if seen[s.Reason]++; seen[s.Reason] <= most {
			few = append(few, s)
		}
	}
	return few
}
