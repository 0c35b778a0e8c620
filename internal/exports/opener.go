package exports

import (
	"context"
	"errors"
	"io"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/csv"
	"usher/internal/exports/layout"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/watch"
)

// Options are the limits of an Opener. A zero value stands for the default.
type Options struct {
	// Unverified makes Plan skip the check of compressed exports, which reads them
	// to their end, and has a Reader return all rows before one that it refuses. It is for
	// callers that send nothing.
	Unverified bool

	MaxLine    int   // bytes of a line, a record or a value; default 64 KiB
	MaxRatio   int64 // decompressed to compressed, after the first 16 MiB; default 200
	MaxWindow  int   // bytes of zstd's window, which is held in memory; default 8 MiB, as zstd -19 needs
	PartBytes  int64 // of a part; default 32 MiB
	MaxParts   int   // of an export, whose parts grow if necessary; default 1,000
	MaxFiles   int   // of a folder; default 5,000
	BlockBytes int   // of a block's buffer; default 256 KiB, at least twice MaxLine
}

// Opener plans and opens exports. It is safe for concurrent use.
type Opener struct {
	access   *places.Access
	options  Options
	pool     *rows.Pool
	memory   *parquet.Memory
	progress func(*usher.Check)
}

// New returns an Opener that reads through access. If access is nil, it reads
// inline ids only. The caller closes access after all readers are closed.
func New(access *places.Access, o Options) *Opener {
	if access == nil {
		access = places.New(places.Options{})
	}
	o.MaxLine = positive(o.MaxLine, 64<<10)
	o.MaxRatio = positive(o.MaxRatio, 200)
	o.MaxWindow = max(positive(o.MaxWindow, 8<<20), 1<<10)
	o.PartBytes = positive(o.PartBytes, 32<<20)
	o.MaxParts = positive(o.MaxParts, 1000)
	o.MaxFiles = positive(o.MaxFiles, 5000)
	o.BlockBytes = max(positive(o.BlockBytes, 256<<10), 2*(o.MaxLine+8))
	pool := rows.NewPool(o.BlockBytes)
	pool.Partial = o.Unverified
	return &Opener{
		access: access, options: o, pool: pool, memory: new(parquet.Memory), progress: func(*usher.Check) {},
	}
}

func positive[T int | int64](n, otherwise T) T {
	if n > 0 {
		return n
	}
	return otherwise
}

// WithProgress returns an Opener that reports the progress of each check of a
// compressed file: often during the check, and nil after it.
// It reports to slow while a source is slow, and nil after that.
func (o *Opener) WithProgress(report func(*usher.Check), slow func(*usher.SlowSource)) *Opener {
	reporting := *o
	reporting.progress, reporting.access = report, o.access.Metered(slow)
	return &reporting
}

var errNoSource = usher.Refuse(usher.InvalidJob, "give source.url or source.ids", "open source: the job has none")

// Open opens a part of an export that Plan has planned. It is source_broken if the
// export has changed since.
func (o *Opener) Open(ctx context.Context, src *usher.Source, plan usher.Plan, part usher.Part) (*Reader, error) {
	if src == nil {
		return nil, errNoSource
	}
	if src.IDs != nil { // an empty list is valid: sealing may have dropped all ids
		return o.openInline(src, plan)
	}
	if err := checkPlan(src, &plan, part); err != nil {
		return nil, err
	}
	if len(part.Files) > 0 {
		return o.openSeries(ctx, src, plan, part)
	}
	f, err := o.access.OpenSource(ctx, src, firstRange(&plan, part))
	if err != nil {
		return nil, err
	}
	r, err := o.read(ctx, f, src, plan, part, choose.SearchOf(src, &plan, f.Origin))
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	r.watchLetters(watch.NewLetterCase(&plan))
	return r, nil
}

// checkPlan refuses plans that Plan does not make, such as those of another
// version.
func checkPlan(src *usher.Source, plan *usher.Plan, part usher.Part) error {
	valid := plan.Column >= 0 && plan.TypeColumn >= 0 && watch.ValidChecks(plan) && (plan.Format != usher.FormatCSV || len(plan.Delimiter) == 1)
	if !valid || !validPart(plan, part) {
		return places.OriginOf(src).Failed("open", errors.New("its plan or part was not made by this version of usher"))
	}
	return nil
}

// validPart reports whether a plan may have a part.
func validPart(plan *usher.Plan, part usher.Part) bool {
	if part.From < 0 || part.To >= 0 && part.To < part.From {
		return false
	}
	packed := plan.Compression != "none"
	switch plan.Format {
	case usher.FormatText, usher.FormatCSV, usher.FormatNDJSON:
		return !isCut(part) || !packed && plan.Encoding == "utf-8"
	case usher.FormatJSON:
		return !isCut(part)
	case usher.FormatParquet:
		return !packed
	case usher.FormatAvro, usher.FormatXLSX:
		return !packed && !isCut(part)
	}
	return false
}

// read returns a reader of a part of f. s is for the files of a
// large folder or archive, which Plan has not all looked at.
func (o *Opener) read(ctx context.Context, f *places.File, src *usher.Source, plan usher.Plan, part usher.Part, s choose.Search) (*Reader, error) {
	if err := f.Unchanged(ctx, &plan); err != nil {
		return nil, err
	}
	if plan.Format == usher.FormatParquet {
		p, err := o.openParquet(ctx, f, &plan, part, s)
		if err != nil {
			return nil, err
		}
		return &Reader{rows: p.checks.Over(p), file: f, setContext: p.setContext, close: p.close, plan: plan, caseless: p.caseless}, nil
	}
	if plan.Format == usher.FormatAvro {
		return o.readAvro(ctx, f, plan)
	}
	if plan.Format == usher.FormatXLSX {
		return o.readWorkbook(ctx, f, plan)
	}
	if plan.Compression == "zip" {
		return o.readArchive(ctx, f, src, plan, s)
	}
	from, err := o.stream(ctx, places.NewInput(ctx, f, max(part.From-1, 0), plan.Size), &plan)
	if err != nil {
		return nil, err
	}
	text := o.readText(from, f.Origin, &plan, part, plan.Header != "" && part.From == 0)
	return &Reader{rows: text, file: f, setContext: from.setContext, close: from.close, plan: plan}, nil
}

// readText returns a reader of the rows of a part. in begins with the byte before
// the part, except for the first part. If header, the first row is a header.
func (o *Opener) readText(in io.Reader, from places.Origin, plan *usher.Plan, part usher.Part, header bool) watch.Rows {
	checks := watch.NewChecks(from, plan)
	return checks.Over(o.readRows(in, from, plan, part, header, checks))
}

// readRows is readText. The reader counts for checks.
func (o *Opener) readRows(in io.Reader, from places.Origin, plan *usher.Plan, part usher.Part, header bool, checks watch.Checks) watch.Rows {
	lines := rows.NewLines(in, from, o.options.MaxLine, plan.Format != usher.FormatText, part)
	skip, dropLast := plan.Skip, plan.IncompleteLastRow == "drop"
	if part.From > 0 {
		skip.Lines = 0
	}
	records := ndjson.Layout{
		Path: plan.Path, TypePath: plan.TypePath, MostIDs: plan.MostIDs, Skip: skip, DropLast: dropLast, Origin: from,
		OtherPath: watch.OtherPath(plan), Checks: checks.Rows, CheckedAt: checks.Paths(), Late: watch.Late(from, plan),
	}
	if !isCut(part) {
		records.Absent = from.Broken("write this field in all files of the export, with null for none, or submit a job for each kind of file",
			"none of its rows has the field %s", plan.Path)
	}
	fits, fitLen := watch.Fits(plan)
	if plan.Format == usher.FormatNDJSON || plan.Format == usher.FormatJSON {
		records.Filler = watch.Filler(plan) // watch.AvroGaps does it for Avro
	}
	switch plan.Format {
	case usher.FormatJSON:
		document := ndjson.NewDocument(in, from, o.options.BlockBytes/2-8, dropLast)
		return ndjson.NewDocumentReader(document, o.pool, o.options.MaxLine, records)
	case usher.FormatText:
		return rows.NewText(lines, o.pool, rows.List{Header: header, Skip: skip, DropLast: dropLast, ShortestID: plan.ShortestID, MostIDs: plan.MostIDs})
	case usher.FormatXLSX:
		return csv.NewReader(lines, o.pool, csv.Layout{
			Dialect: csv.Dialect{Delimiter: layout.SheetDelimiter[0], Quoted: true}, Column: plan.Column, Checks: checks.Rows, CheckedAt: checks.Columns(),
			TypeColumn: plan.TypeColumn - 1, Name: plan.Header, HeaderSum: plan.HeaderSum, HeaderLen: plan.HeaderLen, NameOf: watch.HeadersBeside(plan.Header),
			Chosen: plan.ByValues, OtherIDs: plan.OtherIDs, WordColumns: plan.WordColumns,
			First: true, Header: header, Skip: skip,
		})
	case usher.FormatCSV:
		return csv.NewReader(lines, o.pool, csv.Layout{
			Dialect: layout.DialectOf(plan), Column: plan.Column, TypeColumn: plan.TypeColumn - 1, Checks: checks.Rows, CheckedAt: checks.Columns(),
			Columns: plan.Columns, CRLF: plan.CRLF, Name: plan.Header, HeaderSum: plan.HeaderSum, HeaderLen: plan.HeaderLen, NameOf: watch.HeadersBeside(plan.Header),
			Chosen: plan.Chosen, OtherIDs: plan.OtherIDs, UnrelatedIDs: plan.UnrelatedIDs, WordColumns: plan.WordColumns, Fits: fits, FitLen: fitLen,
			Cut: isCut(part), First: part.From == 0, Header: header, Skip: skip, DropLast: dropLast, ShortestID: plan.ShortestID, MostIDs: plan.MostIDs,
		})
	}
	return ndjson.NewReader(lines, o.pool, records)
}

// FirstBlock returns the first block of an export. The caller releases it. It is empty
// if the export has no rows.
func (o *Opener) FirstBlock(ctx context.Context, src *usher.Source, plan usher.Plan) (*usher.Block, error) {
	part := whole()[0]
	if len(plan.Parts) > 0 {
		part.Files = plan.Parts[0].Files // the first of them has rows if any file has
	}
	r, err := o.Open(ctx, src, plan, part)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	b, err := r.Next(ctx)
	if errors.Is(err, io.EOF) {
		return &usher.Block{}, nil
	}
	return b, err
}
