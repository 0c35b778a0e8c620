package exports

import (
	"context"
	"errors"
	"io"

	"usher"
	"usher/internal/exports/csv"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// Options say how much of an export is held and made at once. The zero value of each figure stands for its default.
type Options struct {
	// Unverified has Plan not read compressed exports to their end, where the
	// checksum is: for who sends nothing of them.
	Unverified bool

	MaxLine    int   // bytes of a line, a record or a value; default 64 KiB
	MaxRatio   int64 // decompressed to compressed, past the first 16 MiB; default 200
	MaxWindow  int   // bytes of zstd's window, which is held in memory; default 8 MiB, as zstd -19 needs
	PartBytes  int64 // of a part; default 32 MiB
	MaxParts   int   // of an export; parts grow beyond it; default 1,000
	MaxFiles   int   // of a folder; default 5,000
	BlockBytes int   // of a block's buffer; default 256 KiB, at least twice MaxLine
}

// Opener opens exports. It is safe for concurrent use.
type Opener struct {
	access  *places.Access
	options Options
	blocks  *rows.Pool
	pages   *parquet.Memory
	tell    func(*usher.Check)
}

// New returns an Opener that reads through access, with o's defaults filled in.
// A nil access leaves inline ids only. The caller closes access after all readers.
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
	return &Opener{access: access, options: o, blocks: rows.NewPool(o.BlockBytes), pages: new(parquet.Memory), tell: func(*usher.Check) {}}
}

// Telling is the opener, telling how far each check of a compressed file is: often
// while one goes on, and then nil.
func (o *Opener) Telling(tell func(*usher.Check)) *Opener {
	telling := *o
	telling.tell = tell
	return &telling
}

func positive[T int | int64](n, otherwise T) T {
	if n > 0 {
		return n
	}
	return otherwise
}

// Plan finds out what an export is and cuts it into parts of partBytes bytes, 0
// meaning the default. What the source declares is not sniffed. The plan's
// Input is left to the caller. Errors: source_refused for a place or scheme
// that is not allowed, source_missing for no file in a place that is,
// source_broken for what cannot be read or is ambiguous; anything else, such as
// an I/O error, may be tried again.
func (o *Opener) Plan(ctx context.Context, src *usher.Source, partBytes int64) (usher.Plan, error) {
	if src == nil {
		return usher.Plan{}, errNoSource
	}
	if src.IDs != nil { // none is left where sealing dropped them all
		return planInline(src)
	}
	from := places.OriginOf(src)
	at, err := places.Locate(from, src)
	if err != nil {
		return usher.Plan{}, err
	}
	if at.IsFolder() {
		return o.planFolder(ctx, at, src, partBytes)
	}
	if src.DoneMarker != "" {
		return usher.Plan{}, usher.Refuse(usher.InvalidJob, "end source.url with / or put a * in its last segment, or leave source.doneMarker out",
			"open source %q: it is no folder, which alone has a done marker", string(from))
	}
	f, err := o.access.Open(ctx, from, at, sniffed)
	if err != nil {
		return usher.Plan{}, err
	}
	defer func() { _ = f.Close() }() // only read
	return o.planFile(ctx, f, src, partBytes)
}

// planFile is Plan for a file that is open.
func (o *Opener) planFile(ctx context.Context, f *places.File, src *usher.Source, partBytes int64) (usher.Plan, error) {
	plan, first, err := o.sniff(ctx, f, src)
	if err != nil {
		return usher.Plan{}, err
	}
	plan.Size, plan.Stamp, plan.Parts = f.Size, f.Stamp, whole()
	if plan.Format == "parquet" {
		err := o.layoutParquet(ctx, f, src, &plan, positive(partBytes, o.options.PartBytes))
		return plan, err
	}
	if plan.Compression != "none" && !o.options.Unverified {
		return plan, o.verify(ctx, f, plan.Compression)
	}
	if plan.Compression == "none" && plan.Encoding == "utf-8" && !f.Whole && (src.Cut == nil || *src.Cut) {
		plan.Parts = cut(f.Size, positive(partBytes, o.options.PartBytes), first, o.options.MaxParts)
	}
	return plan, nil
}

var errNoSource = usher.Refuse(usher.InvalidJob, "give source.url or source.ids", "open source: the job has none")

// Open opens a part of an export that Plan understood. An export that is not
// the planned one any more is source_broken.
func (o *Opener) Open(ctx context.Context, src *usher.Source, plan usher.Plan, part usher.Part) (*Reader, error) {
	if src == nil {
		return nil, errNoSource
	}
	if src.IDs != nil { // none is left where sealing dropped them all
		return o.openInline(src, plan)
	}
	if err := checkPlan(src, &plan, part); err != nil {
		return nil, err
	}
	if len(part.Files) > 0 {
		return o.openSeries(ctx, src, plan, part)
	}
	f, err := o.access.OpenSource(ctx, src, stretchOf(&plan, part))
	if err != nil {
		return nil, err
	}
	r, err := o.read(ctx, f, src, plan, part)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return r, nil
}

func (o *Opener) openInline(src *usher.Source, plan usher.Plan) (*Reader, error) {
	if err := checkInline(src); err != nil {
		return nil, err
	}
	if plan.Stamp != inlineStamp(src) {
		return nil, places.OriginOf(src).Broken("submit the job again", "its ids are not those that were planned")
	}
	return &Reader{plan: plan, rows: &inline{ids: src.IDs, blocks: o.blocks, maxLine: o.options.MaxLine}}, nil
}

// checkPlan refuses what Plan never makes: a plan of another version.
func checkPlan(src *usher.Source, plan *usher.Plan, part usher.Part) error {
	seekable := plan.Compression == "none" && plan.Encoding == "utf-8"
	known := seekable || !isCut(part)
	switch plan.Format {
	case "text", "ndjson":
	case "parquet":
		known = known && plan.Compression == "none"
	case "csv":
		known = known && len(plan.Delimiter) == 1 && plan.Column >= 0 && plan.TypeColumn >= 0
	default:
		known = false
	}
	if !known || part.From < 0 || part.To >= 0 && part.To < part.From {
		return places.OriginOf(src).Failed("open", errors.New("its plan or part is none that this version makes"))
	}
	return nil
}

// read sets up the chain that reads a part of f.
func (o *Opener) read(ctx context.Context, f *places.File, src *usher.Source, plan usher.Plan, part usher.Part) (*Reader, error) {
	if err := f.Unchanged(ctx, &plan); err != nil {
		return nil, err
	}
	if plan.Format == "parquet" {
		rows, err := o.openParquet(ctx, f, &plan, part)
		if err != nil {
			return nil, err
		}
		return &Reader{rows: rows, file: f, ctx: &rows.ctx, close: rows.close, plan: plan}, nil
	}
	if plan.Compression == "zip" {
		return o.readArchive(ctx, f, src, plan)
	}
	from, err := o.stream(places.NewInput(ctx, f, max(part.From-1, 0), plan.Size), &plan)
	if err != nil {
		return nil, err
	}
	rows := o.rows(from, f.Origin, &plan, part, plan.Header != "" && part.From == 0)
	return &Reader{rows: rows, file: f, ctx: from.ctx, close: from.close, plan: plan}, nil
}

// readArchive sets up the chain that reads all members of f.
func (o *Opener) readArchive(ctx context.Context, f *places.File, src *usher.Source, plan usher.Plan) (*Reader, error) {
	a, err := o.openArchive(ctx, f)
	if err != nil {
		return nil, err
	}
	r := &Reader{file: f, plan: plan}
	m := &members{opener: o, archive: a, src: src, plan: &r.plan, ctx: ctx}
	r.rows, r.ctx, r.close = m, &m.ctx, m.close
	return r, nil
}

// rows are those of a part, whose text in begins with the byte before it where
// the part does not begin the export. header says that the first row is one.
func (o *Opener) rows(in io.Reader, from places.Origin, plan *usher.Plan, part usher.Part, header bool) rowReader {
	l := rows.NewLines(in, from, o.options.MaxLine, plan.Format != "text", part)
	switch plan.Format {
	case "text":
		return rows.NewText(l, o.blocks, header)
	case "csv":
		return csv.NewReader(l, o.blocks, csv.Layout{
			Delimiter: plan.Delimiter[0], Column: plan.Column, TypeColumn: plan.TypeColumn - 1,
			Cut: isCut(part), First: part.From == 0, Header: header,
		})
	}
	return ndjson.NewReader(l, o.blocks, plan.Path, plan.TypePath)
}

// Sample returns an export's first block, for a look at its values: by whoever
// decides on usher.InputAuto, and by `usher inspect`. It is released like any
// other; an export without rows has an empty one.
func (o *Opener) Sample(ctx context.Context, src *usher.Source, plan usher.Plan) (*usher.Block, error) {
	part := whole()[0]
	if len(plan.Parts) > 0 {
		part.Files = plan.Parts[0].Files // the first of which has rows, if any has
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
