package usher

// Plan is how an export was understood and cut: decided once a job by whoever
// took it, and written into every part, so that all parts agree.
type Plan struct {
	Format      string `json:"format"`      // text, csv, ndjson, parquet
	Compression string `json:"compression"` // none, gzip, zstd, zip
	Encoding    string `json:"encoding"`    // utf-8, utf-16le, utf-16be
	Delimiter   string `json:"delimiter,omitempty"`
	Column      int    `json:"column,omitempty"`     // csv: 0-based index of the wanted column
	Path        string `json:"path,omitempty"`       // ndjson, parquet: dotted path
	TypeColumn  int    `json:"typeColumn,omitempty"` // csv: 1-based number of the column of types; 0: none
	TypePath    string `json:"typePath,omitempty"`   // ndjson, parquet: dotted path of the types
	Header      string `json:"header,omitempty"`     // the first row's cell, where the first row is a header
	Input       Input  `json:"input"`                // raw or md5: what InputAuto came to

	Size  int64  `json:"size"`  // bytes; -1 where unknown
	Stamp string `json:"stamp"` // mtime or ETag, or of all files: another one later is source_broken; "": nothing tells, each attempt begins anew
	Parts []Part `json:"-"`
}

// Part is a byte range of an export that begins and ends at any byte: rows
// belong to the part in which their first byte lies. Of a Parquet export it is a
// range of row groups, counted from 0. From 0 to -1 is all.
type Part struct {
	From int64 `json:"from"`
	To   int64 `json:"to"` // -1: to the end

	// Files are those of a folder that the part reads, in this order: one, of
	// which From and To are a range, or several whole ones. None means that the
	// export is one file.
	Files []File `json:"files,omitempty"`
}

// File is one of the files of an export that is a folder.
type File struct {
	Name  string `json:"name"` // in the folder
	Size  int64  `json:"size"` // bytes
	Stamp string `json:"stamp"`
}

// Checkpoint is how far a part has come: the longest unbroken run of answered
// batches from the start, never the newest answer.
type Checkpoint struct {
	Batches  int64     `json:"batches"` // answered, from the first on
	Rows     int64     `json:"rows"`    // rows read up to the end of that batch
	Bytes    int64     `json:"bytes"`   // of their request bodies
	Tally    Tally     `json:"tally"`   // of those rows
	Warnings []Warning `json:"warnings,omitempty"`
	Samples  []Sample  `json:"samples,omitempty"` // Row is counted from the part's start
	Sketch   []byte    `json:"sketch,omitempty"`  // of the distinct digests; merges, see pipeline
	Repeats  bool      `json:"repeats,omitempty"` // duplicates were sent again, and count as accepted
	Refusal  Refusal   `json:"refusal,omitzero"`  // of a part only: that of several is none
}

// Refusal is what the platform said when it last refused ids of a part. It is
// part of the checkpoint, so that whoever goes on judges as who stopped would have.
type Refusal struct {
	Code    string `json:"code,omitempty"` // the platform's own
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	GivenUp int    `json:"givenUp,omitempty"` // batches in a row, up to the checkpoint, of which ids were counted as refused untried
}

// Follow adds the checkpoint of the part that comes next, so that c is that of
// both. merge is pipeline.MergeSketch; nil leaves the sketches out.
func (c *Checkpoint) Follow(next Checkpoint, merge func(into, from []byte) []byte) {
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

// WindowRows is how many rows are de-duplicated exactly, counted from a part's
// start: a part of no more has as many distinct ids as it has accepted ones.
const WindowRows = 1 << 20
