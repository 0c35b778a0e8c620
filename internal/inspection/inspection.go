package inspection

import (
	"context"
	"errors"

	"usher"
	"usher/internal/exports"
	"usher/pipeline"
)

// Options is what to find out about an export.
type Options struct {
	File     string        // the export's name in the report
	Profile  usher.Profile // zero: the one that fits a sample best
	Input    usher.Input
	Limit    int64                   // rows; 0: all
	Progress func(rows, total int64) // gets how many rows were read, and how many there are, about; total 0: not known
}

// Inspect reads an export as a job does, and sends nothing.
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
	report.surveyed(&survey, source.TypeColumn)
	report.inFolder(&plan, doneMarker(ctx, opener, source, &plan))
	if err := i.look(ctx, opener, source, &plan, report); err != nil {
		return nil, err
	}
	if err := i.count(ctx, opener, source, plan, report); err != nil {
		return nil, err
	}
	report.judge()
	return report, nil
}

// doneMarker is the marker that a folder is known to be whole by: the one that was
// named, or else the usual one where that is there.
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

// look says what the sample holds, and settles profile and input.
func (i *Options) look(ctx context.Context, opener *exports.Opener, source *usher.Source, plan *usher.Plan, report *Report) error {
	sample, err := opener.Sample(ctx, source, *plan)
	if err != nil {
		return err
	}
	defer sample.Release()
	report.understood(plan)
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

// count runs the whole export, part by part, through what a job runs it
// through, without sending.
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
	report.Distinct = min(pipeline.Distinct(sketch), report.Tally.Accepted) // an estimate, and these are known
	return nil
}
