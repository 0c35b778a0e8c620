package inspection

import (
	"fmt"
	"slices"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
	"usher/internal/readable"
	"usher/pipeline"
)

// Report is the result of an inspection, as printed by --json.
type Report struct {
	File        string       `json:"file"`
	Bytes       int64        `json:"bytes"`
	Compression string       `json:"compression"`
	Encoding    string       `json:"encoding"`
	Format      usher.Format `json:"format"`
	Delimiter   string       `json:"delimiter"`
	Column      int          `json:"column"` // csv: from 1; otherwise 0
	Header      string       `json:"header"` // "" if there is no header
	Path        string       `json:"path"`   // ndjson, parquet
	Parts       int          `json:"parts"`
	Files       int          `json:"files"`      // of an archive or a folder; otherwise 0
	DoneMarker  string       `json:"doneMarker"` // of a folder: the given one, or _SUCCESS if it exists; otherwise ""

	Understood *usher.Understood `json:"understood"` // as in a job's record
	Warnings   []usher.Warning   `json:"warnings"`   // evidence against the profile

	TypeColumn      string       `json:"typeColumn"`      // the column that says of which type each row is, or ""
	TypeColumnFound bool         `json:"typeColumnFound"` // the column was not given
	TypeColumns     []TypeColumn `json:"typeColumns"`     // candidates
	Cells           int          `json:"cells"`           // in the sample of the column
	Lists           int          `json:"lists"`           // cells with several ids

	Says    []exports.Saying `json:"says"`    // columns that say no of rows, or of which kind their ids are
	Unasked []string         `json:"unasked"` // the other columns that are not asked whether they say no; at most usher.MaxColumns

	UUIDBytes      bool          `json:"uuidBytes"`     // parquet: the ids are 16 bytes each, which have no letter case
	Profile        usher.Profile `json:"profile"`       // the given one, or the one that fits the sample best
	ProfileGuessed bool          `json:"profileUntold"` // the profile is a guess: the ids may be idfa or aaid
	Input          usher.Input   `json:"input"`
	Types          []typeCount   `json:"types"`    // of the sample
	Profiles       []profileTry  `json:"profiles"` // of the sample

	Refused  bool           `json:"refused"` // a job would refuse the export before it sends anything; the counts are of the rows as if it did not
	Whole    bool           `json:"whole"`   // false: --limit or an error was reached before the end
	Rows     int64          `json:"rows"`
	Tally    usher.Tally    `json:"tally"`    // accepted: would be sent
	Distinct int64          `json:"distinct"` // exact for one part of at most usher.WindowRows rows, otherwise an estimate
	Requests int64          `json:"requests"`
	Upload   int64          `json:"uploadBytes"` // of digests
	Samples  []usher.Sample `json:"samples"`

	Verdict string          `json:"verdict"`
	Error   *usher.JobError `json:"error"` // with which a job would end after these rows; null: it would read on
	// Without is the error with which a job would end that has none of the flags that Submit adds for
	// columns that say no of rows, or of which kind their ids are; null: it adds none.
	Without *usher.JobError `json:"without"`
	Submit  string          `json:"submit"`
	// SubmitOther is the command for the rows of the other system, or "".
	SubmitOther string `json:"submitOther"`

	// Sum is a hash of what was read, uncompressed. Exports with the same rows in the same order have the
	// same one, whatever their names.
	Sum string `json:"-"`

	removes bool // Options.Removes
}

// wanted returns what a job of the report's profile and input takes from the export.
func (r *Report) wanted() exports.Wanted {
	return exports.Wanted{Type: r.Profile.Type, Input: r.Input, Removes: r.removes}
}

// setPlan sets how the export is read.
func (r *Report) setPlan(source *usher.Source, plan *usher.Plan) {
	r.Understood, r.Warnings = exports.Understood(source, plan), usher.AddWarnings([]usher.Warning{}, plan.Warnings...)
	r.Bytes, r.Parts, r.Files = plan.Size, len(plan.Parts), plan.Files
	r.Compression, r.Encoding, r.Format = plan.Compression, plan.Encoding, plan.Format
	r.Delimiter, r.Path, r.Header = plan.Delimiter, hashing.MaskIDs(plan.Path), hashing.MaskIDs(plan.Header)
	if plan.Format == usher.FormatCSV {
		r.Column = plan.Column + 1
	}
	r.Unasked = slices.DeleteFunc(append([]string{}, plan.Beside.Columns...), func(name string) bool {
		return slices.ContainsFunc(plan.Checks, func(c usher.ColumnCheck) bool { return hashing.MaskIDs(c.Name) == name })
	})
}

// TypeColumn is a candidate for source.typeColumn with the counts of a sample.
type TypeColumn struct {
	Column  string `json:"column"`
	IOS     int    `json:"ios"`
	Android int    `json:"android"` // including AAID and ANDROID_ID
	Other   int    `json:"other"`
}

// setSurvey sets what the export has besides the data that a job reads.
func (r *Report) setSurvey(s *exports.Survey, chosen string) {
	r.Cells, r.Lists, r.UUIDBytes = s.Cells, s.Lists, s.Bytes
	r.TypeColumn, r.TypeColumns = chosen, []TypeColumn{}
	r.Says = append([]exports.Saying{}, s.Says...)
	for _, c := range s.Types {
		r.TypeColumns = append(r.TypeColumns, TypeColumn{
			Column: c.Column, IOS: c.Rows[usher.RowIOS],
			Android: c.Rows[usher.RowAndroid] + c.Rows[usher.RowAAID] + c.Rows[usher.RowAndroidID],
			Other:   c.Rows[usher.RowOther],
		})
	}
}

// Mixed returns the column that says which rows are of iOS and which of Android: the report's, or
// the first candidate. It returns the zero value if all rows are of one system.
func (r *Report) Mixed() TypeColumn {
	for _, c := range r.TypeColumns {
		if c.IOS > 0 && c.Android > 0 && (r.TypeColumn == "" || r.TypeColumn == c.Column) {
			return c
		}
	}
	return TypeColumn{}
}

// rejectLimit is the default of upload.max_reject_percent.
const rejectLimit = 90

// NeedsRejectLimit reports whether a job would fail only because most rows are of another type
// than the profile's, as a column says.
func (r *Report) NeedsRejectLimit() bool {
	return r.TypeColumn != "" && r.Tally.RejectPercent() > rejectLimit && r.rejected() <= rejectLimit
}

// rejected returns the percentage of rows that are rejected, without those that are of another type
// by a column.
func (r *Report) rejected() float64 {
	percent := r.Tally.RejectPercent()
	if r.TypeColumn != "" && r.Tally.Accepted > 0 {
		percent -= 100 * float64(r.Tally.Invalid[usher.WrongType]) / float64(r.Tally.Read)
	}
	return percent
}

// inFolder reports whether the export is a folder.
func inFolder(plan *usher.Plan) bool { return len(plan.Parts) > 0 && len(plan.Parts[0].Files) > 0 }

// estimate returns the estimated number of rows to read, or 0.
func (r *Report) estimate(limit int64) int64 {
	rows := EstimateRows(r.File, r.Bytes)
	if limit > 0 {
		return min(rows, limit)
	}
	return rows
}

// add adds the counts of a part.
func (r *Report) add(c usher.Checkpoint) {
	for i := range c.Samples {
		c.Samples[i].Row += r.Rows
	}
	r.Samples = usher.AddSamples(r.Samples, c.Samples...)
	r.Warnings = usher.AddWarnings(r.Warnings, c.Warnings...)
	r.Rows += c.Rows
	r.Tally.Add(c.Tally)
	r.Requests += c.Batches
	if c.Tally.Accepted > 0 {
		r.Upload += c.Tally.Accepted*(hashing.HexLen+1) - c.Batches // no comma after a request's last digest
	}
}

// setVerdict sets the verdict: how a job would end, and the error with which it would fail.
func (r *Report) setVerdict() {
	const malformedLimit = 1 // the default of upload.max_malformed_percent
	rejected, malformed := r.rejected(), r.Tally.MalformedPercent()
	switch {
	case r.Error != nil:
		r.Verdict = fmt.Sprintf("a job would fail with %s", r.Error.Class)
	case r.Tally.Read == 0:
		r.fail("the export has no rows", "write the export again if it should have rows")
	case malformed > malformedLimit:
		r.fail(fmt.Sprintf("%.3g %% of the rows cannot be parsed", malformed),
			fmt.Sprintf("the default limit is %d %%; --rejects writes these rows to a file", malformedLimit))
	case r.Tally.Accepted == 0:
		r.fail("no row has an id of this profile", "compare the other profiles")
	case rejected > rejectLimit:
		r.fail(fmt.Sprintf("%.1f %% of the rows are invalid", rejected), fmt.Sprintf("the default limit is %d %%", rejectLimit))
	default:
		r.Verdict = fmt.Sprintf("a job would send %s in %s of up to %s, %s of digests",
			readable.Count(r.Tally.Accepted, "id"), readable.Count(r.Requests, "request"), readable.Number(pipeline.DefaultBatchIDs), readable.Bytes(r.Upload))
	}
}

// fail sets the verdict that a job would fail because of what its rows are.
func (r *Report) fail(what, hint string) {
	r.Error = &usher.JobError{Class: usher.TooManyRejects, Message: what, Hint: hint}
	r.Verdict = fmt.Sprintf("%s: a job would fail with %s; %s", what, r.Error.Class, hint)
}
