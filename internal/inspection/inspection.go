package inspection

import (
	"context"
	"errors"
	"fmt"
	"io"

	"usher"
	"usher/internal/exports"
	"usher/pipeline"
)

// Options of an inspection.
type Options struct {
	File    string        // the export's name in the report
	Profile usher.Profile // zero: the profile that fits a sample best
	Input   usher.Input
	ByType  bool // if the source names no column of types, use one that has rows of iOS and of Android
	// Complete returns the source of the command that is printed for an export that a job of source
	// refuses, by what the report says of its columns; nil if there is none. It may be nil.
	Complete func(report *Report) *usher.Source
	Removes  bool                    // for a job that takes ids out of audiences, see exports.Wanted
	Limit    int64                   // rows; 0: all
	Rejects  io.Writer               // receives every dropped row as CSV; may be nil
	Progress func(rows, total int64) // called with the rows read and an estimate of all rows, or 0
}

// Inspect reads an export like a job, without sending anything. If a job refuses the export
// after some of its rows, Inspect returns its report on these, with the error.
func Inspect(ctx context.Context, opener *exports.Opener, source *usher.Source, i Options) (*Report, error) {
	report := &Report{File: i.File, removes: i.Removes, Whole: true, Samples: []usher.Sample{}, Says: []exports.Saying{}}
	plan, err := i.plan(ctx, opener, source, report)
	if err != nil {
		return nil, err
	}
	if column := report.Mixed().Column; i.ByType && source.TypeColumn == "" && column != "" {
		typed := *source
		typed.TypeColumn, source = column, &typed
		if plan, err = i.plan(ctx, opener, source, report); err != nil {
			return nil, err
		}
		report.TypeColumnFound = true
	}
	strict, err := opener.Plan(ctx, source, report.wanted(), 0)
	if completed := i.complete(ctx, opener, report, err); completed != nil {
		source, plan, strict, err = completed.source, completed.plan, completed.strict, nil
	}
	switch refused := (*usher.Permanent)(nil); {
	case err == nil:
		strict.Input = plan.Input
		plan = strict
	case !errors.As(err, &refused):
		return nil, err
	default: // because of what the rows say: the report shows them all the same
		report.Refused = true
	}
	refusedBefore := err
	report.setPlan(source, &plan)
	report.DoneMarker = doneMarker(ctx, opener, source, &plan, report.wanted())
	err = i.count(ctx, opener, source, plan, report)
	var refused *usher.Permanent
	if report.Refused && (err == nil || errors.As(err, &refused)) { // a job reads no row
		err = refusedBefore
	}
	switch {
	case errors.As(err, &refused):
		report.Whole = report.Whole && report.Refused
		report.Error = &usher.JobError{Class: refused.Class, Message: err.Error(), Hint: refused.Hint}
	case err != nil:
		return nil, err
	}
	report.Warnings = usher.AddWarnings(report.Warnings, report.Tally.Proportions()...)
	report.setVerdict()
	return report, err
}

// completed is a source that a job reads, with its plan as of plan and as of a job.
type completed struct {
	source       *usher.Source
	plan, strict usher.Plan
}

// complete plans the export again as Options.Complete says, if a job refuses it with err. It returns nil if
// the export is refused all the same.
func (i *Options) complete(ctx context.Context, opener *exports.Opener, report *Report, err error) *completed {
	var refused *usher.Permanent
	if i.Complete == nil || !errors.As(err, &refused) {
		return nil
	}
	before, c := *report, completed{source: i.Complete(report)}
	if c.source == nil {
		return nil
	}
	if c.plan, err = i.plan(ctx, opener, c.source, report); err == nil {
		c.strict, err = opener.Plan(ctx, c.source, report.wanted(), 0)
	}
	if err != nil {
		*report = before
		return nil
	}
	report.Without = &usher.JobError{Class: refused.Class, Message: refused.Error(), Hint: refused.Hint}
	return &c
}

// plan plans the export like a job with the report's profile and input that refuses nothing for what
// rows say. If the caller did not set
// these, plan infers them from a sample and plans the export again.
func (i *Options) plan(ctx context.Context, opener *exports.Opener, source *usher.Source, report *Report) (usher.Plan, error) {
	const most = 3 // the sample of another column may be of another input
	report.Profile, report.Input = i.Profile, i.Input
	for n := 1; ; n++ {
		wanted := report.wanted()
		lenient := wanted
		lenient.Removes = true
		plan, err := opener.Plan(ctx, source, lenient, 0)
		if n > 1 && i.Profile.Type == "" {
			err = withProfileHint(err, wanted.Type)
		}
		if err != nil {
			return plan, err
		}
		if err := i.readSample(ctx, opener, source, &plan, report); err != nil {
			return plan, err
		}
		if n == most || wanted == report.wanted() {
			return plan, nil
		}
	}
}

// withProfileHint adds to the hint of a plan's error that the profile was inferred and can be named.
func withProfileHint(err error, inferred usher.IDType) error {
	var p *usher.Permanent
	if !errors.As(err, &p) {
		return err
	}
	named := *p
	named.Hint = fmt.Sprintf("name the profile, because usher only inferred %s from a sample; otherwise %s", inferred, p.Hint)
	return &named
}

// doneMarker returns the name of the file that marks a folder as complete: the given one,
// _SUCCESS if that exists, or "".
func doneMarker(ctx context.Context, opener *exports.Opener, source *usher.Source, plan *usher.Plan, wanted exports.Wanted) string {
	const usual = "_SUCCESS"
	if source.DoneMarker != "" || !inFolder(plan) {
		return source.DoneMarker
	}
	marked := *source
	marked.DoneMarker = usual
	if _, err := opener.Plan(ctx, &marked, wanted, 0); err != nil {
		return ""
	}
	return usual
}

// readSample reports what a sample contains. It decides the input, and the profile unless it is
// set.
func (i *Options) readSample(ctx context.Context, opener *exports.Opener, source *usher.Source, plan *usher.Plan, report *Report) error {
	sample, err := opener.FirstBlock(ctx, source, *plan)
	if err != nil {
		return err
	}
	defer sample.Release()
	sample.Data = withoutWithheld(sample.Data)
	survey, err := opener.Survey(ctx, source, *plan)
	if err != nil {
		return err
	}
	report.setSurvey(&survey, source.TypeColumn)
	report.Types = typesIn(sample, report.UUIDBytes)
	if report.Profile.Type == "" {
		likely, known := likelyType(report.Types, plan.Header+plan.Path)
		byType := source.TypeColumn != "" && report.Mixed().Column != ""
		report.Profile, report.ProfileGuessed = usher.Profile{Type: likely}, !known && !byType
	}
	if plan.Input = i.Input; plan.Input == usher.InputAuto {
		plan.Input = pipeline.DecideInput(report.Profile, sample)
	}
	report.Input = plan.Input
	report.Profiles, err = tryProfiles(sample, plan)
	return err
}
