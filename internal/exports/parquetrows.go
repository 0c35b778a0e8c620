package exports

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"usher"
	"usher/internal/exports/column"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/unpack"
)

// parquetRows reads a column of a Parquet export. Each entry is a row.
type parquetRows struct {
	reader   *parquet.Reader
	file     *places.File
	typed    bool       // the reader reads a column of types, too
	checks   typeChecks // of the columns that it reads beside the ids otherwise
	caseless bool       // the ids are bytes, whose letters usher writes
	types    rows.TypeCache

	pool     *rows.Pool
	maxLine  int
	maxRatio int64
	made     int64 // bytes of all blocks

	ctx  context.Context
	gaps int                             // entries without an id
	look func(ctx context.Context) error // for ids in other columns in their rows; nil: they are not looked for
}

// openParquet reads the row groups of a part.
func (o *Opener) openParquet(ctx context.Context, f *places.File, plan *usher.Plan, part usher.Part, s column.Search) (*parquetRows, error) {
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
	if plan.TypeChecks, err = o.ownTypeChecks(ctx, f, footer, s, plan, len(part.Files) > 0); err != nil {
		return nil, err
	}
	if part.From == 0 && plan.Files > fewFiles {
		if err := o.firstEvidence(ctx, f, footer, s, plan); err != nil {
			return nil, err
		}
	}
	groups := footer.Groups[part.From:to]
	p := &parquetRows{
		reader: parquet.NewReader(ctx, f, footer, groups, o.memory, footer.Find(plan.Path), columnsBeside(footer, plan)...),
		file:   f, typed: plan.TypePath != "", checks: checksOf(plan), pool: o.pool, maxLine: o.options.MaxLine, maxRatio: o.options.MaxRatio, ctx: ctx,
	}
	p.caseless = footer.Columns[footer.Find(plan.Path)].HoldsBytes()
	if gaps := o.gapsOf(f, footer, plan); gaps != nil && len(groups) > 0 {
		p.look = func(ctx context.Context) error { return gaps.whole(ctx, groups, plan) }
	}
	return p, nil
}

// checkColumns refuses a file without a column that the plan reads.
func checkColumns(f *places.File, footer *parquet.Footer, plan *usher.Plan, part usher.Part) error {
	missing := ""
	if at := footer.Find(plan.Path); at < 0 || !footer.Columns[at].HoldsText() {
		missing = plan.Path
	} else if at := footer.Find(plan.TypePath); plan.TypePath != "" && (at < 0 || !footer.Columns[at].HoldsTypes()) {
		missing = plan.TypePath
	}
	switch {
	case missing == "":
		return nil
	case len(part.Files) == 0:
		return f.Changed()
	}
	return f.Broken("write all files of the folder in the same way, or submit a job for each kind",
		"it has no column %s like the first file of its folder; it has: %s", missing, column.Listed(columnsOf(footer)))
}

func (p *parquetRows) setContext(ctx context.Context) {
	p.ctx = ctx
	p.reader.SetContext(ctx)
}

// Next implements rowReader.
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
	from := len(b.Data)
	p.appendValue(b, value, present)
	if p.checks.counts != nil {
		p.checkTypes(b.Data[from:])
	}
	return nil
}

// checkTypes counts the rows of an entry.
func (p *parquetRows) checkTypes(entry []byte) {
	for i, value := range p.reader.Beside {
		p.checks.counts.Add(p.checks.counts.Contradicts(i, value), entry)
	}
}

// appendValue appends the rows of an entry to b.
func (p *parquetRows) appendValue(b *rows.Block, value []byte, present bool) {
	if !present {
		p.gaps++
		b.Data = append(b.Data, '\n')
		p.appendTypes(b, 1)
		return
	}
	if rows.HasUUIDShape(value) && bytes.IndexByte(value, '\n') < 0 {
		n := len(b.Data)
		b.Data = b.Data[:n+37]
		rows.PutUUID((*[37]byte)(b.Data[n:]), (*[36]byte)(value))
		p.appendTypes(b, 1)
		return
	}
	if len(value) < longestGap && rows.IsGap(value) {
		p.gaps++
	}
	var n int
	b.Data, n = rows.AppendCell(b.Data, value, p.maxLine)
	p.appendTypes(b, n)
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

// parquetTypes adds the evidence of a Parquet file, and returns the columns of types that are
// checked on every row: those whose names or first values say that they have types.
func (o *Opener) parquetTypes(ctx context.Context, f *places.File, footer *parquet.Footer, s column.Search, at int) ([]usher.TypeCheck, error) {
	columns := columnsOf(footer)
	candidates := namedTypes(footer, at)
	for i := range columns[:min(len(columns), maxExamined)] {
		if s.Type == "" || s.Mixed || i == at || !footer.Columns[i].HoldsTypes() || column.IsTypeName(columns[i].Name) || column.MeaningOf(columns[i].Name).IsDevice() {
			continue
		}
		c := columns[i]
		if err := o.examineGroups(ctx, f, footer, i, &c); err != nil {
			return nil, err
		}
		if c.HasOnlyTypes() {
			candidates = append(candidates, i)
		}
	}
	return o.parquetEvidence(ctx, f, footer, sampledGroups(footer), s, at, candidates)
}

// namedTypes returns the columns whose names say that they have types.
func namedTypes(footer *parquet.Footer, ids int) []int {
	columns := columnsOf(footer)
	return column.Pick(columns, func(i int) bool {
		return i != ids && footer.Columns[i].HoldsTypes() && column.IsTypeName(columns[i].Name)
	})
}

// firstEvidence adds the evidence of a file's first row group.
func (o *Opener) firstEvidence(ctx context.Context, f *places.File, footer *parquet.Footer, s column.Search, plan *usher.Plan) error {
	groups, at := sampledGroups(footer), footer.Find(plan.Path)
	_, err := o.parquetEvidence(ctx, f, footer, groups[:min(len(groups), 1)], s, at, namedTypes(footer, at))
	return err
}

// parquetEvidence adds the evidence of row groups of a Parquet file. It examines the column
// of ids and candidates for columns of types, and returns those to check on every row.
func (o *Opener) parquetEvidence(ctx context.Context, f *places.File, footer *parquet.Footer, groups [][]parquet.RowGroup, s column.Search, at int, candidates []int) ([]usher.TypeCheck, error) {
	columns := columnsOf(footer)
	pairs := make([][][]string, len(columns))
	columns[at].Bytes = footer.Columns[at].HoldsBytes()
	for _, group := range groups {
		if err := o.entries(ctx, f, footer, group, at, -1, func(value, _ []byte) { columns[at].Count(value) }); err != nil {
			return nil, err
		}
		for _, i := range candidates {
			if s.Mixed {
				break
			}
			err := o.entries(ctx, f, footer, group, at, i, func(value, typed []byte) {
				columns[i].Count(typed)
				pairs[i] = append(pairs[i], []string{string(value), string(typed)})
			})
			if err != nil {
				return nil, err
			}
		}
	}
	s.Examine(f.Origin, columns, at, func(other int) iter.Seq2[string, string] { return pairsOf(pairs[other], 0, 1) })
	var typed []column.Column
	for _, i := range candidates {
		typed = append(typed, columns[i])
	}
	return s.TypeChecks(typed, -1), nil
}

// ownTypeChecks returns the columns of types of a file that are checked: those of the plan that the
// file has and, in a further file of a folder that lacks one of them, those whose names say that
// they have types. A column whose values are in another file, or encrypted, is not checked.
func (o *Opener) ownTypeChecks(ctx context.Context, f *places.File, footer *parquet.Footer, s column.Search, plan *usher.Plan, further bool) ([]usher.TypeCheck, error) {
	columns := columnsOf(footer)
	isHere := func(i int) bool {
		return footer.Columns[i].HoldsTypes() && !slices.ContainsFunc(footer.Groups, func(g parquet.RowGroup) bool { return g.Away(i) })
	}
	var own []usher.TypeCheck
	for _, c := range plan.TypeChecks {
		if i := column.Find(columns, c.Name); i >= 0 && isHere(i) {
			own = append(own, usher.TypeCheck{Name: c.Name, Number: i + 1})
		}
	}
	at := footer.Find(plan.Path)
	named := slices.DeleteFunc(namedTypes(footer, at), func(i int) bool { return !isHere(i) })
	if !further || s.Type == "" || s.Mixed || len(named) == 0 || len(own) > 0 && len(own) == len(plan.TypeChecks) {
		return own, nil
	}
	s.Evidence = nil
	groups := sampledGroups(footer)
	checks, err := o.parquetEvidence(ctx, f, footer, groups[:min(len(groups), 1)], s, at, named)
	return withChecks(checks, own), err
}

// columnsBeside returns the indexes of the columns that a reader reads beside the ids: that of their
// types, or those that are checked.
func columnsBeside(footer *parquet.Footer, plan *usher.Plan) []int {
	if plan.TypePath != "" {
		return []int{footer.Find(plan.TypePath)}
	}
	var at []int
	for _, c := range plan.TypeChecks {
		at = append(at, c.Number-1)
	}
	return at
}
