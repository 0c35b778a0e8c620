package exports

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/unpack"
	"usher/internal/exports/watch"
)

// parquetRows reads a column of a Parquet export. Each entry is a row.
type parquetRows struct {
	reader   *parquet.Reader
	file     *places.File
	typed    bool         // the reader reads a column of types, too
	checks   watch.Checks // of the columns that it reads beside the ids and that of types
	caseless bool         // the ids are bytes, whose letters usher writes
	types    rows.TypeCache

	pool     *rows.Pool
	maxLine  int
	maxRatio int64
	made     int64 // bytes of all blocks

	ctx  context.Context
	rows int64                           // entries so far
	gaps int                             // entries without an id
	look func(ctx context.Context) error // for ids in other columns in their rows; nil: they are not looked for
}

// openParquet reads the row groups of a part.
func (o *Opener) openParquet(ctx context.Context, f *places.File, plan *usher.Plan, part usher.Part, s choose.Search) (*parquetRows, error) {
	footer, err := parquet.ReadFooter(ctx, f)
	if err != nil {
		return nil, err
	}
	if err := checkColumns(f, footer, plan, part); err != nil {
		return nil, err
	}
	to := part.To
	if to < 0 {
		to = int64(len(footer.Groups))
	}
	if part.From > to || to > int64(len(footer.Groups)) {
		return nil, f.Changed()
	}
	if plan.Checks, err = o.ownChecks(ctx, f, footer, s, plan, len(part.Files) > 0); err != nil {
		return nil, err
	}
	if part.From == 0 && plan.Files > fewFiles {
		if err := o.firstEvidence(ctx, f, footer, s, plan); err != nil {
			return nil, err
		}
	}
	groups := footer.Groups[part.From:to]
	p := &parquetRows{
		reader: parquet.NewReader(ctx, f, footer, groups, o.memory, footer.Find(plan.Path, plan.Column), columnsBeside(footer, plan)...),
		file:   f, typed: plan.TypePath != "", checks: watch.NewChecks(f.Origin, plan), pool: o.pool, maxLine: o.options.MaxLine, maxRatio: o.options.MaxRatio, ctx: ctx,
	}
	p.caseless = footer.Columns[footer.Find(plan.Path, plan.Column)].HoldsBytes()
	if gaps := watch.NewParquetGaps(f, footer, columnsOf(footer), o.memory, plan); gaps != nil && len(groups) > 0 {
		p.look = func(ctx context.Context) error { return gaps.Whole(ctx, groups, plan) }
	}
	return p, nil
}

// checkColumns refuses a file without a column that the plan reads.
func checkColumns(f *places.File, footer *parquet.Footer, plan *usher.Plan, part usher.Part) error {
	missing := ""
	if ids := footer.Find(plan.Path, plan.Column); ids < 0 || !footer.Columns[ids].HoldsText() {
		missing = plan.Path
	} else if at := footer.Find(plan.TypePath, -1); plan.TypePath != "" && (at < 0 || !footer.Columns[at].HoldsTypes(&footer.Columns[ids])) {
		missing = plan.TypePath
	}
	switch {
	case missing == "":
		return nil
	case len(part.Files) == 0:
		return f.Changed()
	}
	return f.Broken("write all files of the folder in the same way, or submit a job for each kind",
		"it has no column %s like the first file of its folder; it has: %s", missing, choose.Listed(columnsOf(footer)))
}

func (p *parquetRows) setContext(ctx context.Context) {
	p.ctx = ctx
	p.reader.SetContext(ctx)
}

// Next implements watch.Rows.
func (p *parquetRows) Next() (*usher.Block, error) {
	b := p.pool.Get()
	b.Reset(p.typed)
	for len(b.Space)-len(b.Data) >= p.maxLine+2 {
		err := p.appendEntry(b)
		if errors.Is(err, io.EOF) && len(b.Data) > 0 {
			break
		}
		if err != nil {
			return nil, p.pool.Refuse(b, p.ending(err))
		}
	}
	if p.made += int64(len(b.Data)); p.made > unpack.FreeExpansion && p.made > p.maxRatio*p.reader.Compressed {
		p.pool.Put(b)
		return nil, p.file.Broken("if the export is real, write it as CSV and submit it again",
			"its Parquet data expands to more than %d times its size, as a bomb does", p.maxRatio)
	}
	return &b.Block, nil
}

// ending returns the error that reading ends with: err, or what the end has shown.
func (p *parquetRows) ending(err error) error {
	if !errors.Is(err, io.EOF) || p.look == nil || p.gaps < rows.EnoughIDs {
		return err
	}
	return cmp.Or(p.look(p.ctx), err)
}

// appendEntry appends the rows of the next entry to b.
func (p *parquetRows) appendEntry(b *rows.Block) error {
	value, present, err := p.reader.Next()
	if err != nil {
		return err
	}
	p.rows++
	from := len(b.Data)
	n := p.appendValue(b, value, present)
	if p.checks.Rows == nil {
		return nil
	}
	beside := p.reader.Beside
	if p.typed {
		beside = beside[1:]
	}
	var bits uint32
	for i, value := range beside {
		bits |= p.checks.Rows.Bit(i, value)
	}
	if refused := p.checks.Rows.Apply(b, bits, from, n); refused >= 0 {
		return p.checks.Rows.Refused(refused, fmt.Sprintf("entry %d of its part", p.rows))
	}
	return nil
}

// appendValue appends the rows of an entry to b, and returns their number.
func (p *parquetRows) appendValue(b *rows.Block, value []byte, present bool) int {
	if !present {
		p.gaps++
		b.Data = append(b.Data, '\n')
		p.appendTypes(b, 1)
		return 1
	}
	if rows.HasUUIDShape(value) && bytes.IndexByte(value, '\n') < 0 {
		n := len(b.Data)
		b.Data = b.Data[:n+37]
		rows.PutUUID((*[37]byte)(b.Data[n:]), (*[36]byte)(value))
		p.appendTypes(b, 1)
		return 1
	}
	if len(value) < longestGap && rows.IsGap(value) {
		p.gaps++
	}
	var n int
	b.Data, n = rows.AppendCell(b.Data, value, p.maxLine)
	p.appendTypes(b, n)
	return n
}

// longestGap is longer than any placeholder.
const longestGap = 10

// appendTypes appends the type of the n rows of an entry to b.
func (p *parquetRows) appendTypes(b *rows.Block, n int) {
	if p.typed {
		b.AddTypes(n, p.types.Lookup(p.reader.Beside[0]))
	}
}

func (p *parquetRows) close() { p.reader.Close() }

// columnsBeside returns the indexes of the columns that a reader reads beside the ids: that of their
// types, and those that are checked.
func columnsBeside(footer *parquet.Footer, plan *usher.Plan) []int {
	var at []int
	if plan.TypePath != "" {
		at = append(at, footer.Find(plan.TypePath, -1))
	}
	for _, c := range plan.Checks {
		at = append(at, c.Number-1)
	}
	return at
}
