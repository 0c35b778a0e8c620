package main

import (
	"fmt"
	"io"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
	"usher/pipeline"
)

// inspectReport is what inspect found, as --json prints it.
type inspectReport struct {
	File        string `json:"file"`
	Bytes       int64  `json:"bytes"`
	Compression string `json:"compression"`
	Encoding    string `json:"encoding"`
	Format      string `json:"format"`
	Delimiter   string `json:"delimiter"`
	Column      int    `json:"column"` // csv: from 1 on; else 0
	Header      string `json:"header"` // "" for none
	Path        string `json:"path"`   // ndjson, parquet
	Parts       int    `json:"parts"`
	Files       int    `json:"files"`      // of an archive or a folder; else 0
	DoneMarker  string `json:"doneMarker"` // of a folder: as asked for, or the usual one where that is there; else ""

	TypeColumn  string       `json:"typeColumn"`  // as asked for, "" for none
	TypeColumns []typeColumn `json:"typeColumns"` // what might be it
	Cells       int          `json:"cells"`       // of a sample of the column
	Lists       int          `json:"lists"`       // of these, those of several ids

	UUIDBytes     bool          `json:"uuidBytes"`     // parquet: the ids are 16 bytes each, which have no letter case
	Profile       usher.Profile `json:"profile"`       // as asked for, or what fits the sample best
	ProfileUntold bool          `json:"profileUntold"` // nothing tells idfa from aaid: say which
	Input         usher.Input   `json:"input"`
	Types         []typeCount   `json:"types"`    // of the sample
	Profiles      []profileTry  `json:"profiles"` // of the sample

	Whole    bool           `json:"whole"` // false: --limit came before the end
	Rows     int64          `json:"rows"`
	Tally    usher.Tally    `json:"tally"`    // accepted: would be sent
	Distinct int64          `json:"distinct"` // an estimate
	Requests int64          `json:"requests"`
	Upload   int64          `json:"uploadBytes"` // of digests
	Samples  []usher.Sample `json:"samples"`

	Verdict string `json:"verdict"`
	Submit  string `json:"submit"`
}

// understood takes over how the export was understood.
func (r *inspectReport) understood(plan *usher.Plan) {
	r.Compression, r.Encoding, r.Format = plan.Compression, plan.Encoding, plan.Format
	r.Delimiter, r.Path = plan.Delimiter, plan.Path
	if r.Header = plan.Header; isDeviceID(r.Header) {
		r.Header = hashing.Mask([]byte(r.Header)) // a first row that was declared a header
	}
	if plan.Format == "csv" {
		r.Column = plan.Column + 1
	}
	r.Whole, r.Samples = true, []usher.Sample{}
}

// typeColumn is a column that might be source.typeColumn, and what a sample of it
// says.
type typeColumn struct {
	Column  string `json:"column"`
	IOS     int    `json:"ios"`
	Android int    `json:"android"` // AAID and ANDROID_ID, too
	Other   int    `json:"other"`
}

// surveyed takes over what the export has beside what a job reads.
func (r *inspectReport) surveyed(s *exports.Survey, chosen string) {
	r.Files, r.Cells, r.Lists, r.UUIDBytes = s.Files, s.Cells, s.Lists, s.Bytes
	r.TypeColumn, r.TypeColumns = chosen, []typeColumn{}
	for _, c := range s.Types {
		r.TypeColumns = append(r.TypeColumns, typeColumn{
			Column: c.Column, IOS: c.Rows[usher.RowIOS],
			Android: c.Rows[usher.RowAndroid] + c.Rows[usher.RowAAID] + c.Rows[usher.RowAndroidID],
			Other:   c.Rows[usher.RowOther],
		})
	}
}

// inFolder reports whether the export is a folder's files.
func inFolder(plan *usher.Plan) bool { return len(plan.Parts) > 0 && len(plan.Parts[0].Files) > 0 }

// inFolder takes over what a folder has, where the export is one.
func (r *inspectReport) inFolder(plan *usher.Plan, marker string) {
	if !inFolder(plan) {
		return
	}
	names := map[string]bool{}
	for _, part := range plan.Parts {
		for _, f := range part.Files {
			names[f.Name] = true
		}
	}
	r.Files, r.DoneMarker = len(names), marker
}

// rowTypes says which columns tell the types of rows, and what to do about it.
func (r *inspectReport) rowTypes(facts *grid) {
	for _, c := range r.TypeColumns {
		all := int64(c.IOS + c.Android + c.Other)
		what := fmt.Sprintf("column %q says ios %s, android %s of a sample", c.Column, percent(int64(c.IOS), all), percent(int64(c.Android), all))
		switch {
		case r.TypeColumn != "":
		case c.IOS > 0 && c.Android > 0:
			what += fmt.Sprintf("; with --type-column %s each row goes by its own type, else all go by the profile", quoted(c.Column))
		default:
			what += ": all rows are of one system"
		}
		facts.add("rows by type", what)
	}
	if r.TypeColumn != "" {
		facts.add("type column", fmt.Sprintf("%s: what is not of the profile counts as wrong_type; in a campaign's target it goes by its own type", r.TypeColumn))
	}
	if r.Lists > 0 {
		facts.add("lists", percent(int64(r.Lists), int64(r.Cells))+" of a sample of its cells hold several ids, each of which is a row")
	}
}

// estimate is about how many rows there are to read; 0 where that is not known.
func (r *inspectReport) estimate(limit int64) int64 {
	rows := estimateRows(r.File, r.Bytes)
	if limit > 0 {
		return min(rows, limit)
	}
	return rows
}

// add adds a part's end.
func (r *inspectReport) add(c usher.Checkpoint) {
	for i := range c.Samples {
		c.Samples[i].Row += r.Rows
	}
	r.Samples = usher.AddSamples(r.Samples, c.Samples...)
	r.Rows += c.Rows
	r.Tally.Add(c.Tally)
	r.Requests += c.Batches
	if c.Tally.Accepted > 0 {
		r.Upload += c.Tally.Accepted*(hashing.HexLen+1) - c.Batches // no comma after a request's last digest
	}
}

// judge says how a job would end.
func (r *inspectReport) judge() {
	const limit = 90 // the default of upload.max_reject_percent
	switch rejected := r.Tally.RejectPercent(); {
	case r.Tally.Read == 0:
		r.Verdict = "there are no rows in it"
	case r.Tally.Accepted == 0:
		r.Verdict = "no row has an id of this profile: a job would end too_many_rejects; see what the other profiles make of it"
	case rejected > limit:
		r.Verdict = fmt.Sprintf("%.1f %% of the rows are invalid: a job would end too_many_rejects, whose limit is %d %% unless the job says otherwise", rejected, limit)
	default:
		r.Verdict = fmt.Sprintf("a job would send %s in %s of up to %s, %s of digests",
			plural(r.Tally.Accepted, "id"), plural(r.Requests, "request"), number(pipeline.DefaultBatchIDs), bytesText(r.Upload))
	}
}

// write prints the report for people.
func (r *inspectReport) write(w io.Writer) error {
	facts := grid{}
	facts.add("file", fmt.Sprintf("%s, %s", r.File, bytesText(r.Bytes)))
	facts.add("is", r.shape())
	facts.add("ids in", r.place())
	if r.DoneMarker != "" {
		facts.add("whole by", r.DoneMarker+": a job with this done marker ends source_missing where that is not there")
	}
	facts.add("types", r.typesText())
	r.rowTypes(&facts)
	facts.add("read as", fmt.Sprintf("profile %s, input %s%s", r.Profile, r.Input, r.untold()))
	if err := facts.write(w); err != nil {
		return err
	}
	tries := grid{header: []string{"PROFILE", "OF THE FIRST", "ACCEPTED", "LEFT OUT"}, right: []int{2, 3}}
	for _, p := range r.Profiles {
		t := usher.Tally{Junk: p.Junk, Invalid: p.Invalid}
		tries.add(p.Profile.String(), plural(p.Rows, "row"), percent(p.Accepted, p.Rows), strings.Trim(reasons(t), " ()"))
	}
	if err := tries.write(w); err != nil {
		return err
	}
	if err := writeTally(w, r.Tally, "would be sent"); err != nil {
		return err
	}
	if err := writeSamples(w, r.Samples); err != nil {
		return err
	}
	whole := ""
	if !r.Whole {
		whole = " (of the rows that --limit let in)"
	}
	_, err := fmt.Fprintf(w, "about %s; %s%s\n", plural(r.Distinct, "distinct id"), r.Verdict, whole)
	if err == nil && r.Tally.Accepted > 0 {
		_, err = fmt.Fprintln(w, r.Submit)
	}
	if err != nil {
		return fmt.Errorf("print report: %w", err)
	}
	return nil
}

// shape is the export's form in words.
func (r *inspectReport) shape() string {
	words := []string{r.Format}
	if r.Delimiter != "" {
		words = append(words, fmt.Sprintf("delimiter %q", r.Delimiter))
	}
	if r.Format != "parquet" { // which is no text
		words = append(words, r.Encoding)
	}
	if r.Compression != "none" {
		words = append(words, r.Compression)
	}
	if r.Files > 0 {
		words = append(words, plural(int64(r.Files), "file"))
	}
	return strings.Join(append(words, plural(int64(r.Parts), "part")), ", ")
}

// place is where in a record the ids are.
func (r *inspectReport) place() string {
	switch {
	case r.Path != "":
		return "path " + r.Path
	case r.Column > 0 && r.Header != "":
		return fmt.Sprintf("column %d, %q", r.Column, r.Header)
	case r.Column > 0:
		return fmt.Sprintf("column %d, no header", r.Column)
	case r.Header != "":
		return fmt.Sprintf("every line, below %q", r.Header)
	}
	return "every line, no header"
}

// untold says what to do where the profile is no more than a guess.
func (r *inspectReport) untold() string {
	why := ""
	switch {
	case !r.ProfileUntold:
		return ""
	case r.UUIDBytes:
		why = ", because 16 bytes have no letter case"
	}
	return ": nothing in it tells idfa from aaid" + why + "; give --profile"
}

func (r *inspectReport) typesText() string {
	if len(r.Types) == 0 {
		return "none"
	}
	var all int64
	for _, t := range r.Types {
		all += t.Rows
	}
	var words []string
	for _, t := range r.Types {
		words = append(words, t.Type+" "+percent(t.Rows, all))
	}
	return strings.Join(words, ", ") + " of a sample"
}
