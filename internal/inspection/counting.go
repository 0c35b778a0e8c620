package inspection

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strconv"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
	"usher/internal/exports/parquet"
	"usher/internal/exports/unpack"
	"usher/internal/readable"
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
	matched []string // the values of source.only that rows have
}

// count counts the rows of the whole export, or those before the first row that a job refuses.
func (i *Options) count(ctx context.Context, opener *exports.Opener, source *usher.Source, plan usher.Plan, report *Report) error {
	total := report.estimate(i.Limit)
	c := &counting{
		opener: opener, source: source, plan: &plan, report: report, dropped: newRejectWriter(i.Rejects),
		left: &countedRows{limit: i.Limit, counted: func(rows int64) { i.Progress(rows, total) }, sum: sha256.New()},
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
	report.Sum = hex.EncodeToString(c.left.sum.Sum(nil))
	report.Distinct = min(pipeline.Distinct(c.sketch), report.Tally.Accepted) // the estimate may exceed the exact number
	if len(plan.Parts) == 1 && report.Tally.Read <= usher.WindowRows {
		report.Distinct = report.Tally.Accepted // its duplicates are exact
	}
	if refused == nil && report.Whole {
		return usher.CheckOnlyValues(plan.Checks, &usher.Checkpoint{Tally: report.Tally, Matched: c.matched})
	}
	return refused
}

// part counts the rows of a part.
func (c *counting) part(ctx context.Context, part usher.Part) error {
	before := c.left.rows
	counts, err := c.run(ctx, part, c.left, c.dropped.part(c.report.Rows))
	if n, ok := pipeline.RowsBefore(err); ok && n > 0 { // which the pipeline does not count
		again := &countedRows{limit: n, counted: func(int64) {}, sum: sha256.New()}
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
		Profile: c.report.Profile, Input: c.plan.Input, Header: c.plan.Header, Chosen: c.plan.Chosen, Hyphens: c.plan.Hyphens,
		MaxRejectPercent: 100, MaxMalformedPercent: 100, DryRun: true, Buffers: &c.buffers, Rejected: rejected,
		Withheld: c.plan.Withheld(),
	})
	if err == nil {
		counts.Warnings = usher.AddWarnings(counts.Warnings, reader.Warnings()...)
		c.matched = usher.MergeMatched(c.matched, reader.Matched())
	}
	return counts, errors.Join(err, reader.Close())
}

// countedRows counts the rows of an export's blocks and stops at a limit.
type countedRows struct {
	blocks pipeline.Blocks
	limit  int64 // rows; 0: all
	rows   int64 // so far, over all parts
	cut    bool  // the limit was reached before the end

	refused error // the error with which a job refuses the rows that follow

	counted func(rows int64) // called after each block
	sum     hash.Hash        // of the blocks
}

// used reports whether the limit is reached.
func (c *countedRows) used() bool { return c.limit > 0 && c.rows >= c.limit }

// Next returns the next block, truncated at the limit.
func (c *countedRows) Next(ctx context.Context) (*usher.Block, error) {
	if c.used() {
		c.cut = true
		return nil, io.EOF
	}
	b, err := c.blocks.Next(ctx)
	var refused *usher.Permanent
	if errors.As(err, &refused) {
		c.refused = err
		return nil, io.EOF // so that all rows before it count
	}
	if err != nil {
		return nil, err
	}
	if c.limit > 0 {
		c.shorten(b)
	} else {
		c.rows += linesIn(b.Data)
	}
	_, _ = c.sum.Write(b.Data) // never fails
	c.counted(c.rows)
	return b, nil
}

// shorten truncates a block at the limit. Blank lines count as rows only in records.
func (c *countedRows) shorten(b *usher.Block) {
	for at := 0; at < len(b.Data); {
		if c.used() {
			b.Data, c.cut = b.Data[:at], true
			return
		}
		line, _, found := bytes.Cut(b.Data[at:], []byte("\n"))
		if b.Records || len(bytes.TrimSpace(line)) > 0 {
			c.rows++
		}
		at += len(line)
		if found {
			at++
		}
	}
}

func linesIn(data []byte) int64 {
	n := int64(bytes.Count(data, []byte("\n")))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// rejectWriter writes dropped rows as CSV: row,reason,value. Values are masked. A nil
// rejectWriter writes nothing.
type rejectWriter struct {
	csv *readable.CSV
}

func newRejectWriter(w io.Writer) *rejectWriter {
	if w == nil {
		return nil
	}
	r := &rejectWriter{readable.NewCSV(w)}
	_ = r.csv.Write("row", "reason", "value") // flush returns its error
	return r
}

// part returns the function that writes the rejects of a part. before is the number of
// rows of the parts before it.
func (r *rejectWriter) part(before int64) func(row int64, why hashing.Reason, masked string) error {
	if r == nil {
		return nil
	}
	return func(row int64, why hashing.Reason, masked string) error {
		column := "invalid"
		if why.Junk() {
			column = "junk"
		}
		if err := r.csv.Write(strconv.FormatInt(before+row, 10), column+"."+why.String(), masked); err != nil {
			return fmt.Errorf("write rejects: %w", err)
		}
		return nil
	}
}

// flush writes what is buffered.
func (r *rejectWriter) flush() error {
	if r == nil {
		return nil
	}
	if err := r.csv.Flush(); err != nil {
		return fmt.Errorf("write rejects: %w", err)
	}
	return nil
}

// EstimateRows estimates the number of lines of a text file of size bytes from its
// beginning. It returns 0 if the number is unknown.
func EstimateRows(path string, size int64) int64 {
	f, err := os.Open(path) //nolint:gosec // the user names the export
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }() // opened for reading
	return estimateLines(f, size)
}

// estimateLines estimates the number of lines of a text of size bytes from its
// beginning. It returns 0 if the number is unknown, as for compressed data.
func estimateLines(text io.Reader, size int64) int64 {
	head, err := io.ReadAll(io.LimitReader(text, 256<<10))
	lines := int64(bytes.Count(head, []byte("\n")))
	if err != nil || lines == 0 || unpack.DetectCompression(head) != "none" || parquet.IsParquet(head) {
		return 0
	}
	return max(1, lines*size/int64(len(head)))
}
