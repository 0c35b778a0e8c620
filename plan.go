package usher

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Plan says how an export is read and cut. The worker that takes the job makes it, and
// every part has a copy, so that all parts agree. The comments name the formats that use
// a field, if not all do.
type Plan struct {
	Format       Format        `json:"format"`
	Compression  string        `json:"compression"` // none, gzip, zstd, zip, bzip2, xz, lz4
	Encoding     string        `json:"encoding"`    // utf-8, utf-16le, utf-16be
	Delimiter    string        `json:"delimiter,omitempty"`
	Quote        string        `json:"quote,omitempty"`   // csv: double, none
	Escape       string        `json:"escape,omitempty"`  // csv: double, backslash, backslash_in_quotes
	Assumed      bool          `json:"assumed,omitempty"` // csv: the source does not declare the escape
	Quoted       bool          `json:"quoted,omitempty"`  // csv: the source declares the quote
	Skip         Skip          `json:"skip,omitzero"`
	Sheet        string        `json:"sheet,omitempty"`       // xlsx
	Columns      int           `json:"columns,omitempty"`     // csv: the number that each row has; 0: any
	CRLF         bool          `json:"crlf,omitempty"`        // csv: the rows end in CR LF
	ShortestID   int           `json:"shortest,omitempty"`    // text, csv: the length of the shortest id in the samples
	MostIDs      int           `json:"mostIds,omitempty"`     // text, csv, ndjson, json: the largest number of ids in a sampled row; a row that cannot be parsed and has more is source_broken; 0: it is not checked
	Column       int           `json:"column,omitempty"`      // csv, parquet, xlsx: 0-based index of the column of ids
	Path         string        `json:"path,omitempty"`        // ndjson, parquet: dotted path
	TypeColumn   int           `json:"typeColumn,omitempty"`  // csv: 1-based number of the column of types; 0: none
	TypePath     string        `json:"typePath,omitempty"`    // ndjson, parquet: dotted path of the types
	Header       string        `json:"header,omitempty"`      // the cell of the first row if it is a header
	TypeHeader   string        `json:"typeHeader,omitempty"`  // csv, xlsx: the header of the column of types
	HeaderSum    uint64        `json:"headerSum,omitempty"`   // csv, xlsx: checksum of the header's cells, by which a repeated header is recognized
	HeaderLen    int           `json:"headerLen,omitempty"`   // csv, xlsx: length of the header's cells in bytes
	Chosen       bool          `json:"chosen,omitempty"`      // text, csv, ndjson, json, xlsx: usher chose the column, so rows whose id is in another column and other headers are source_broken
	WordColumns  []Words       `json:"wordColumns,omitempty"` // csv, xlsx: columns whose words distinguish a row from another header
	OtherIDs     []int         `json:"otherIds,omitempty"`    // csv, xlsx: 0-based indexes of the other columns that may hold ids
	UnrelatedIDs []int         `json:"apart,omitempty"`       // csv, xlsx: further columns, whose names say that they hold ids of something other than a device
	Checks       []ColumnCheck `json:"checks,omitempty"`      // csv, ndjson, json, avro, xlsx, parquet: columns that are looked at in every row; those of source.only come first
	Decided      []string      `json:"decided,omitempty"`     // ndjson, json, avro: fields that may say no by their names and are not in Checks, because the job or the samples say that they do not
	GapType      IDType        `json:"gaps,omitempty"`        // csv, ndjson, json, avro, xlsx, parquet: an id of this type in another column is source_broken if the chosen column has none in that row
	OtherPaths   []string      `json:"otherPaths,omitempty"`  // ndjson, json, parquet: the other paths that may hold ids
	Why          string        `json:"why,omitempty"`         // why the column was chosen, for people
	ByValues     bool          `json:"byValues,omitempty"`    // xlsx: the sheet has no header and the column was chosen by its values, so another column of ids is source_broken
	Type         IDType        `json:"type,omitempty"`        // the type that the job wants; "": any
	Input        Input         `json:"input"`                 // raw or md5, as decided for InputAuto
	Removes      bool          `json:"removes,omitempty"`     // the job takes ids out of something, so that rows that say no are only told
	Files        int           `json:"files,omitempty"`       // number of files in a folder or an archive; otherwise 0

	IncompleteLastRow string `json:"incompleteLastRow,omitempty"` // drop, or "" to refuse

	Hyphens bool `json:"hyphens,omitempty"` // the ids have hyphens, so that 32 hexadecimal digits without them are a digest

	Size  int64  `json:"size"`  // bytes; -1: unknown
	Stamp string `json:"stamp"` // mtime or ETag, or those of all files; a change is source_broken; "": unknown, so each attempt starts from the beginning
	Parts []Part `json:"-"`

	// Beside is what Understood says of the other columns. Readers do not need it.
	Beside Beside `json:"-"`

	// Warnings are the evidence against the job's profile that was found in samples of
	// up to 64 files. The readers of parts look for evidence in the other files.
	Warnings []Warning `json:"warnings,omitempty"`
}

// ColumnCheck is a column beside that of the ids whose cell is looked at in every row.
type ColumnCheck struct {
	Name    string   `json:"name"`              // its header or dotted path; "" if it has none
	Number  int      `json:"number,omitempty"`  // from 1; 0 in NDJSON, JSON and Avro
	Says    string   `json:"says"`              // CheckOnly, CheckType, or what its name promises, such as consent
	Values  []string `json:"values,omitempty"`  // of CheckOnly: the values of rows that are taken, in lower case
	Has     []string `json:"has,omitempty"`     // of CheckOnly: values of a sample, if these are few words, for people
	Instead string   `json:"instead,omitempty"` // the entry of source.only for the values of the sample that clearly say yes; "" if none do
	Refuse  bool     `json:"refuse,omitempty"`  // a row with an id whose cell is against the job is source_broken; otherwise such rows are counted for a warning
}

// What a ColumnCheck may say, besides categories of words that say no.
const (
	CheckOnly = "only" // the job takes only rows with some values
	CheckType = "type" // the type of the row's id
)

// Label names the column: by its header, its path or its number.
func (c ColumnCheck) Label() string {
	if c.Name == "" {
		return strconv.Itoa(c.Number)
	}
	return c.Name
}

// Withheld returns the names of the columns of source.only, in their order, as Tally.Withheld has
// them.
func (p *Plan) Withheld() []string {
	var names []string
	for _, c := range p.Checks {
		if c.Says == CheckOnly {
			names = append(names, c.Label())
		}
	}
	return names
}

// Words are the words that the sampled rows have in a column other than that of the ids.
type Words struct {
	Column int      `json:"column"`           // 0-based index
	Hashes []uint32 `json:"hashes,omitempty"` // hashes of the words; empty: the column has none
	States bool     `json:"states,omitempty"` // one of the words is a state, such as active, so any other state is a value, too
}

// Understood is how an export was read, as shown to people. It has no values of rows: what
// looks like a device id in a name is masked.
type Understood struct {
	Format      Format           `json:"format"`      // text, csv, ndjson, json, parquet, avro, xlsx
	Encoding    string           `json:"encoding"`    // utf-8, utf-16le, utf-16be
	Compression string           `json:"compression"` // none, gzip, zstd, zip, bzip2, xz, lz4
	Delimiter   string           `json:"delimiter"`   // csv; otherwise ""
	Quote       string           `json:"quote"`       // csv: double, none; otherwise ""
	Escape      string           `json:"escape"`      // csv: double, backslash, backslash_in_quotes; otherwise ""
	Skip        Skip             `json:"skip"`
	Sheet       string           `json:"sheet,omitempty"` // xlsx
	Header      bool             `json:"header"`          // whether the first row is a header
	Column      UnderstoodColumn `json:"column"`
	Kind        string           `json:"kind,omitempty"` // of the ids: idfa, aaid, android_id or md5; "": not decided
	TypeColumn  string           `json:"typeColumn"`     // as the source names it; "": none
	Files       int              `json:"files"`          // number of files in a folder or an archive; otherwise 1
	Beside      Beside           `json:"beside,omitzero"`

	// Withheld says how many ids a mirror has left out because of its except and holdout.
	Withheld []UnderstoodWithheld `json:"withheld,omitempty"`
}

// UnderstoodWithheld are the ids that a mirror has left out for one reason.
type UnderstoodWithheld struct {
	Reason string `json:"reason"` // as in the tally: except:segment/5, holdout:autumn
	Count  int64  `json:"count"`
	// The generation of the excepted target, and when it was made.
	Generation int64      `json:"generation,omitempty"`
	At         *time.Time `json:"at,omitempty"`
}

// UnderstoodColumn is the column of device ids.
type UnderstoodColumn struct {
	Name   string `json:"name"`   // its header or dotted path; "" if it has none
	Number int    `json:"number"` // from 1; 0 in NDJSON and JSON, where members have no order
	Why    string `json:"why"`
}

// Beside is what an export has beside its column of ids, in its samples. It has no ids: what
// looks like one is masked.
type Beside struct {
	Columns    []string `json:"columns,omitempty"`    // names or dotted paths of the other columns, at most MaxColumns
	IDColumns  int      `json:"idColumns,omitempty"`  // number of columns with ids, if the columns have no names
	TypeName   string   `json:"typeName,omitempty"`   // header of the column of types
	TypeValues []string `json:"typeValues,omitempty"` // values of the column of types
	OnlyValues []string `json:"onlyValues,omitempty"` // values of the columns of source.only, as COLUMN=VALUE
}

// MaxColumns is the number of columns that Beside names.
const MaxColumns = 100

// Part is a byte range of an export. It may begin and end at any byte: a row belongs to
// the part with its first byte. In a Parquet export it is a range of row groups, counted
// from 0. From 0 to -1 is the whole export.
type Part struct {
	From int64 `json:"from"`
	To   int64 `json:"to"` // -1: the end

	// Files are the files of a folder that the part reads, in this order: one file with
	// the range From to To, or several whole files. It is empty if the export is one file.
	Files []File `json:"files,omitempty"`
}

// File is a file of a folder.
type File struct {
	Name  string `json:"name"` // relative to the folder
	Size  int64  `json:"size"` // bytes
	Stamp string `json:"stamp"`
}

// Checkpoint is the progress of a part: the longest unbroken sequence of acknowledged
// batches from the start, not the newest acknowledged batch.
type Checkpoint struct {
	Batches  int64     `json:"batches"` // batches acknowledged without a gap
	Rows     int64     `json:"rows"`    // rows read up to the end of the last of these batches
	Bytes    int64     `json:"bytes"`   // bytes of their request bodies
	Tally    Tally     `json:"tally"`   // the outcome of these rows
	Warnings []Warning `json:"warnings,omitempty"`
	Samples  []Sample  `json:"samples,omitempty"` // Row counts from the start of the part
	Sketch   []byte    `json:"sketch,omitempty"`  // a sketch of the distinct digests, see package pipeline
	Repeats  bool      `json:"repeats,omitempty"` // repeated ids were sent again and count as accepted
	Matched  []string  `json:"matched,omitempty"` // the values of source.only that rows of the part have, as COLUMN=VALUE; set at the end of the part
	Refusal  Refusal   `json:"refusal,omitzero"`  // only in the checkpoint of a single part
}

// Refusal is the platform's last refusal of ids of a part. It is part of the checkpoint,
// so that the next worker decides like the one that stopped.
type Refusal struct {
	Code    string `json:"code,omitempty"` // the platform's code
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	GivenUp int    `json:"givenUp,omitempty"` // consecutive batches, up to the checkpoint, in which ids were counted as refused without being sent
}

// Append adds the checkpoint of the next part to c. merge is pipeline.MergeSketch; nil
// omits the sketches.
func (c *Checkpoint) Append(next Checkpoint, merge func(into, from []byte) []byte) {
	for _, s := range next.Samples {
		s.Row += c.Tally.Read
		c.Samples = AddSamples(c.Samples, s)
	}
	c.Batches, c.Rows, c.Bytes = c.Batches+next.Batches, c.Rows+next.Rows, c.Bytes+next.Bytes
	c.Tally.Add(next.Tally)
	c.Repeats = c.Repeats || next.Repeats
	c.Matched = MergeMatched(c.Matched, next.Matched)
	c.Warnings = AddWarnings(c.Warnings, next.Warnings...)
	if merge != nil {
		c.Sketch = merge(c.Sketch, next.Sketch)
	}
}

// MergeMatched returns the values that are in one of two lists, sorted.
func MergeMatched(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// CheckOnlyValues returns the error for an export that was read to its end, and in which a value of
// source.only did not occur, or of which no row was taken. checks are those of its plan.
func CheckOnlyValues(checks []ColumnCheck, whole *Checkpoint) error {
	t := &whole.Tally
	for _, c := range checks {
		if c.Says != CheckOnly || t.Read == 0 {
			continue
		}
		for _, value := range c.Values {
			if match := c.Label() + "=" + value; value != "" && !slices.Contains(whole.Matched, match) {
				hint, has := "correct the value in source.only: usher inspect FILE shows the values of the column", ""
				if len(c.Has) > 0 {
					has = "; it has " + strings.Join(c.Has, ", ")
				}
				if c.Instead != "" {
					hint = "have the column written as before; or set source.only to " + onlyWith(checks, whole.Matched)
				}
				return Refuse(SourceBroken, hint, "read export: no row has the value %q in column %s, which source.only names%s", value, c.Label(), has)
			}
		}
	}
	return t.checkTaken()
}

// checkTaken returns the error for an export of which source.only leaves nothing that can be sent.
func (t *Tally) checkTaken() error {
	withheld := t.Withheld.Sum()
	if withheld == 0 || withheld+t.Suppressed+t.Junk.Sum()+t.Invalid.Sum() < t.Read {
		return nil
	}
	reason, n := t.mostDropped()
	if n == 0 {
		return Refuse(SourceBroken, "correct source.only: usher inspect FILE shows the values of its columns",
			"read export: source.only leaves nothing to take: it leaves out %d of %d rows", withheld, t.Read)
	}
	hint := "usher inspect FILE shows what these rows have"
	if reason == "invalid."+LooksHashed {
		hint = "set input to md5, because these rows have MD5 hashes instead of ids"
	}
	return Refuse(SourceBroken, hint,
		"read export: source.only leaves out %d of %d rows, and none of the others has an id that can be sent: %d count as %s", withheld, t.Read, n, reason)
}

// onlyWith returns the value of source.only in which each column of whose values one did not occur has the
// entry that its sample asks for.
func onlyWith(checks []ColumnCheck, matched []string) string {
	var list []string
	for _, c := range checks {
		absent := func(value string) bool { return value != "" && !slices.Contains(matched, c.Label()+"="+value) }
		switch {
		case c.Says != CheckOnly:
		case c.Instead != "" && slices.ContainsFunc(c.Values, absent):
			list = append(list, c.Instead)
		default:
			list = append(list, c.Label()+"="+strings.Join(c.Values, "|"))
		}
	}
	if len(list) == 1 && !strings.ContainsAny(list[0], " |") {
		return list[0]
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // unreachable: strings have no errors
	}
	return string(text)
}

// mostDropped returns the reason for which most rows are junk or invalid, with their number. Rows of another
// type count only if there are no others, because another job takes them.
func (t *Tally) mostDropped() (reason string, n int64) {
	dropped := Tally{Junk: t.Junk, Invalid: t.Invalid}.Dropped()
	const otherType = "invalid." + WrongType
	for _, name := range slices.Sorted(maps.Keys(dropped)) {
		if name == otherType && len(dropped) > 1 {
			continue
		}
		if dropped[name] > n {
			reason, n = name, dropped[name]
		}
	}
	return reason, n
}

// WindowRows is the number of rows within which de-duplication is exact, counted from the
// start of a part. In a part with at most that many rows all accepted ids are distinct.
const WindowRows = 1 << 20
