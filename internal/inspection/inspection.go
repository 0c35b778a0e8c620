package inspection

import (
	"context"
	"errors"

	"usher"
	"usher/internal/exports"
	"usher/pipeline"
)

// Options of an inspection.
type Options struct {
	File     string        // the export's name in the report
	Profile  usher.Profile // zero: the profile that fits a sample best
	Input    usher.Input
	Limit    int64                   // rows; 0: all
	Progress func(rows, total int64) // called with the rows read and an estimate of all rows, or 0
}

// Inspect reads an export like a job, without sending anything.
func Inspect(ctx context.Context, opener *exports.Opener, source *usher.Source, i Options) (*Report, error) {
	plan, err := opener.Plan(ctx, source, 0)
	if err != nil {
		return nil, err
	}
	survey, err := opener.Survey(ctx, source, plan)
	if err != nil {
		return nil, err
	}
	report := &Report{File: i.File, Bytes: plan.Size, Parts: len(plan.Parts)}
	report.setSurvey(&survey, source.TypeColumn)
	report.setFolder(&plan, doneMarker(ctx, opener, source, &plan))
	if err := i.readSample(ctx, opener, source, &plan, report); err != nil {
		return nil, err
	}
	if err := i.count(ctx, opener, source, plan, report); err != nil {
		return nil, err
	}
	report.judge()
	return report, nil
}

// doneMarker returns the file that marks a folder as complete: the given one, or
// _SUCCESS if it exists, or "".
func doneMarker(ctx context.Context, opener *exports.Opener, source *usher.Source, plan *usher.Plan) string {
	const usual = "_SUCCESS"
	if source.DoneMarker != "" || !inFolder(plan) {
		return source.DoneMarker
	}
	marked := *source
	marked.DoneMarker = usual
	if _, err := opener.Plan(ctx, &marked, 0); err != nil {
		return ""
	}
	return usual
}

// readSample reports what a sample contains, and decides profile and input.
func (i *Options) readSample(ctx context.Context, opener *exports.Opener, source *usher.Source, plan *usher.Plan, report *Report) error {
	sample, err := opener.Sample(ctx, source, *plan)
	if err != nil {
		return err
	}
	defer sample.Release()
	report.setPlan(plan)
	report.Types = typesIn(sample, report.UUIDBytes)
	profile := i.Profile
	if profile.Type == "" {
		likely, told := likelyType(report.Types, plan.Header+plan.Path)
		profile, report.ProfileUntold = usher.Profile{Type: likely}, !told
	}
	if plan.Input = i.Input; plan.Input == usher.InputAuto {
		plan.Input = pipeline.DecideInput(profile, sample)
	}
	report.Profile, report.Input = profile, plan.Input
	report.Profiles, err = tryProfiles(sample, plan)
	return err
}

// count runs the whole export through a dry run of the pipeline, part by part.
func (i *Options) count(ctx context.Context, opener *exports.Opener, source *usher.Source, plan usher.Plan, report *Report) error {
	total := report.estimate(i.Limit)
	left := &countedRows{limit: i.Limit, counted: func(rows int64) { i.Progress(rows, total) }}
	var sketch []byte
	var buffers pipeline.Buffers
	for _, part := range plan.Parts {
		if left.used() {
			report.Whole = false
			break
		}
		reader, err := opener.Open(ctx, source, plan, part)
		if err != nil {
			return err
		}
		left.blocks = reader
		c, err := pipeline.Upload(ctx, left, pipeline.Options{
			Profile: report.Profile, Input: plan.Input, Header: plan.Header,
			MaxRejectPercent: 100, DryRun: true, Buffers: &buffers,
		})
		if err = errors.Join(err, reader.Close()); err != nil {
			return err
		}
		report.add(c)
		sketch = pipeline.MergeSketch(sketch, c.Sketch)
	}
	if left.cut {
		report.Whole = false
	}
	report.Distinct = min(pipeline.Distinct(sketch), report.Tally.Accepted) // the estimate may exceed the exact number
	return nil
}
