package inspection

import (
	"context"
	"errors"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
	"usher/pipeline"
)

// counting runs an export through a dry run of the pipeline, part by part.
type counting struct {
	opener *exports.Opener
	source *usher.Source
	plan   *usher.Plan
	report *Report

	left    *countedRows
	dropped *rejectWriter
	buffers pipeline.Buffers
	sketch  []byte
}

// count counts the rows of the whole export, or those before the first row that a job refuses.
func (i *Options) count(ctx context.Context, opener *exports.Opener, source *usher.Source, plan usher.Plan, report *Report) error {
	total := report.estimate(i.Limit)
	c := &counting{
		opener: opener, source: source, plan: &plan, report: report, dropped: newRejectWriter(i.Rejects),
		left: &countedRows{limit: i.Limit, counted: func(rows int64) { i.Progress(rows, total) }},
	}
	var refused error
	for _, part := range plan.Parts {
		if c.left.used() {
			report.Whole = false
			break
		}
		if refused = c.part(ctx, part); refused != nil {
			break
		}
	}
	if c.left.cut {
		report.Whole = false
	}
	if err := c.dropped.flush(); err != nil {
		return err
	}
	report.Distinct = min(pipeline.Distinct(c.sketch), report.Tally.Accepted) // the estimate may exceed the exact number
	if len(plan.Parts) == 1 && report.Tally.Read <= usher.WindowRows {
		report.Distinct = report.Tally.Accepted // its duplicates are exact
	}
	return refused
}

// part counts the rows of a part.
func (c *counting) part(ctx context.Context, part usher.Part) error {
	before := c.left.rows
	counts, err := c.run(ctx, part, c.left, c.dropped.part(c.report.Rows))
	if n, ok := pipeline.RowsBefore(err); ok && n > 0 { // which the pipeline does not count
		again := &countedRows{limit: n, counted: func(int64) {}}
		var failed error
		if counts, failed = c.run(ctx, part, again, nil); failed != nil {
			return failed
		}
		c.left.rows = before + again.rows
	}
	c.report.add(counts)
	c.sketch = pipeline.MergeSketch(c.sketch, counts.Sketch)
	return errors.Join(err, c.left.refused)
}

// run runs a part through the pipeline.
func (c *counting) run(ctx context.Context, part usher.Part, rows *countedRows, rejected func(row int64, why hashing.Reason, masked string) error) (usher.Checkpoint, error) {
	reader, err := c.opener.Open(ctx, c.source, *c.plan, part)
	if err != nil {
		return usher.Checkpoint{}, err
	}
	rows.blocks = reader
	counts, err := pipeline.Upload(ctx, rows, pipeline.Options{
		Profile: c.report.Profile, Input: c.plan.Input, Header: c.plan.Header, Chosen: c.plan.Chosen,
		MaxRejectPercent: 100, MaxMalformedPercent: 100, DryRun: true, Buffers: &c.buffers, Rejected: rejected,
	})
	if err == nil {
		counts.Warnings = usher.AddWarnings(counts.Warnings, reader.Warnings()...)
	}
	return counts, errors.Join(err, reader.Close())
}
