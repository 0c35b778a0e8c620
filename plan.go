package usher

// Plan says how an export is read and cut. The worker that takes the job decides it, and
// every part has a copy, so that all parts agree.
type Plan struct {
	Format      string   `json:"format"`      // text, csv, ndjson, json, parquet, avro, xlsx
	Compression string   `json:"compression"` // none, gzip, zstd, zip, bzip2, xz, lz4
	Encoding    string   `json:"encoding"`    // utf-8, utf-16le, utf-16be
	Delimiter   string   `json:"delimiter,omitempty"`
	Quote       string   `json:"quote,omitempty"`   // csv: double, none
	Escape      string   `json:"escape,omitempty"`  // csv: double, backslash, backslash_in_quotes
	Assumed     bool     `json:"assumed,omitempty"` // csv: the source does not declare the escape
	Quoted      bool     `json:"quoted,omitempty"`  // csv: the source declares the quote
	Skip        Skip     `json:"skip,omitzero"`
	Sheet       string   `json:"sheet,omitempty"`      // xlsx
	Columns     int      `json:"columns,omitempty"`    // csv: the number that each row has; 0: any
	CRLF        bool     `json:"crlf,omitempty"`       // csv: the rows end in CR LF
	Shortest    int      `json:"shortest,omitempty"`   // text, csv: the length of the shortest id of the samples
	Column      int      `json:"column,omitempty"`     // 0-based index of the wanted column; of csv, parquet and xlsx
	Path        string   `json:"path,omitempty"`       // ndjson, parquet: dotted path
	TypeColumn  int      `json:"typeColumn,omitempty"` // csv: 1-based number of the column of types; 0: none
	TypePath    string   `json:"typePath,omitempty"`   // ndjson, parquet: dotted path of the types
	Header      string   `json:"header,omitempty"`     // the cell of the first row if it is a header
	TypeHeader  string   `json:"typeHeader,omitempty"` // csv, xlsx: the same of the column of types
	HeaderSum   uint64   `json:"headerSum,omitempty"`  // csv, xlsx: of the cells of the header, to know it when it is repeated
	HeaderLen   int      `json:"headerLen,omitempty"`  // csv, xlsx: bytes of the cells of the header
	Chosen      bool     `json:"chosen,omitempty"`     // text, csv, ndjson, json, xlsx: usher chose the column, so rows whose id stands elsewhere and other headers are source_broken
	Telling     []Words  `json:"telling,omitempty"`    // csv, xlsx: columns whose words tell a row from another header
	OtherIDs    []int    `json:"otherIds,omitempty"`   // csv, xlsx: 0-based indexes of the other columns that may hold ids
	Apart       []int    `json:"apart,omitempty"`      // csv, xlsx: further columns whose names say ids of something else
	Gaps        IDType   `json:"gaps,omitempty"`       // csv, ndjson, json, avro, xlsx, parquet: ids of this type in another column, where the chosen one has none, are source_broken
	OtherPaths  []string `json:"otherPaths,omitempty"` // ndjson, json, parquet: the other paths that may hold ids
	Why         string   `json:"why,omitempty"`        // why the column was chosen, for people
	ByValues    bool     `json:"byValues,omitempty"`   // avro, xlsx: no name has decided, so another column of ids is source_broken
	Type        IDType   `json:"type,omitempty"`       // that the job wants; "": any
	Input       Input    `json:"input"`                // raw or md5, as decided for InputAuto
	Files       int      `json:"files,omitempty"`      // of a folder or an archive; otherwise 0

	IncompleteLastRow string `json:"incompleteLastRow,omitempty"` // drop, or "" to refuse

	Size  int64  `json:"size"`  // bytes; -1: unknown
	Stamp string `json:"stamp"` // mtime or ETag, or those of all files; a change is source_broken; "": unknown, so each attempt starts from the beginning
	Parts []Part `json:"-"`

	// Warnings are the evidence against the job's profile that was found in samples, of
	// up to 64 files. The reader of a part finds that of the others.
	Warnings []Warning `json:"warnings,omitempty"`
}

// Words are the words that the sampled rows have in a column beside the ids.
type Words struct {
	Column int      `json:"column"`           // 0-based index
	Hashes []uint32 `json:"hashes,omitempty"` // none: the column has no words
	States bool     `json:"states,omitempty"` // one of the words is a state, such as active, so that any other state is a value
}

// Understood is how an export was read, as shown to people. It has no values of rows: what
// looks like a device id in a name is masked.
type Understood struct {
	Format      string           `json:"format"`      // text, csv, ndjson, json, parquet, avro, xlsx
	Encoding    string           `json:"encoding"`    // utf-8, utf-16le, utf-16be
	Compression string           `json:"compression"` // none, gzip, zstd, zip, bzip2, xz, lz4
	Delimiter   string           `json:"delimiter"`   // csv; otherwise ""
	Quote       string           `json:"quote"`       // csv: double, none; otherwise ""
	Escape      string           `json:"escape"`      // csv: double, backslash, backslash_in_quotes; otherwise ""
	Skip        Skip             `json:"skip"`
	Sheet       string           `json:"sheet,omitempty"` // xlsx
	Header      bool             `json:"header"`          // whether the first row is a header
	Column      UnderstoodColumn `json:"column"`
	TypeColumn  string           `json:"typeColumn"` // as the source names it; "": none
	Files       int              `json:"files"`      // of a folder or an archive; otherwise 1
}

// UnderstoodColumn is the column of device ids.
type UnderstoodColumn struct {
	Name   string `json:"name"`   // of the header, or a dotted path; "" if there is none
	Number int    `json:"number"` // from 1; 0 in NDJSON and JSON, where members have no order
	Why    string `json:"why"`
}

// Part is a byte range of an export. It may begin and end at any byte: a row belongs to
// the part with its first byte. In a Parquet export it is a range of row groups, counted
// from 0. From 0 to -1 is the whole export.
type Part struct {
	From int64 `json:"from"`
	To   int64 `json:"to"` // -1: the end

	// Files are the files of a folder that the part reads, in this order: one file with
	// the range From to To, or several whole files. An export of one file has none.
	Files []File `json:"files,omitempty"`
}

// File is a file of a folder.
type File struct {
	Name  string `json:"name"` // in the folder
	Size  int64  `json:"size"` // bytes
	Stamp string `json:"stamp"`
}

// Checkpoint is the progress of a part: the longest unbroken sequence of acknowledged
// batches from the start, not the newest acknowledged batch.
type Checkpoint struct {
	Batches  int64     `json:"batches"` // acknowledged, from the first
	Rows     int64     `json:"rows"`    // read up to the end of the last of these batches
	Bytes    int64     `json:"bytes"`   // of their request bodies
	Tally    Tally     `json:"tally"`   // of those rows
	Warnings []Warning `json:"warnings,omitempty"`
	Samples  []Sample  `json:"samples,omitempty"` // Row counts from the start of the part
	Sketch   []byte    `json:"sketch,omitempty"`  // of the distinct digests, see package pipeline
	Repeats  bool      `json:"repeats,omitempty"` // repeated ids were sent again and count as accepted
	Refusal  Refusal   `json:"refusal,omitzero"`  // of a single part only
}

// Refusal is the platform's last refusal of ids of a part. It is part of the checkpoint,
// so that the next worker decides like the one that stopped.
type Refusal struct {
	Code    string `json:"code,omitempty"` // of the platform
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	GivenUp int    `json:"givenUp,omitempty"` // consecutive batches up to the checkpoint with ids that were counted as refused without being sent
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
	c.Warnings = AddWarnings(c.Warnings, next.Warnings...)
	if merge != nil {
		c.Sketch = merge(c.Sketch, next.Sketch)
	}
}

// WindowRows is the number of rows within which de-duplication is exact, counted from the
// start of a part. In a part with at most that many rows all accepted ids are distinct.
const WindowRows = 1 << 20
