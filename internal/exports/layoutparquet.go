package exports

import (
	"context"
	"errors"
	"io"
	"strconv"

	"usher"
)

// layoutParquet finds the column of device ids of a Parquet export, and the row
// groups that go together in parts of partBytes of text.
func (o *Opener) layoutParquet(ctx context.Context, f *file, src *usher.Source, plan *usher.Plan, partBytes int64) error {
	in, err := readFooter(ctx, f)
	if err != nil {
		return err
	}
	h := &head{origin: f.origin}
	var at int
	wanted := declared(src.Column)
	if wanted != "" {
		at, err = h.leafOf(in, "column", src.Column)
	} else {
		at, err = o.chooseLeaf(ctx, f, h, in)
	}
	if err != nil {
		return err
	}
	if l := &in.leaves[at]; !l.holdsText() {
		return h.broken("set source.column to a column of strings", "the column that source.column names holds no text in its Parquet data")
	}
	plan.Path = in.leaves[at].path
	if declared(src.TypeColumn) != "" {
		types, err := h.leafOf(in, "typeColumn", src.TypeColumn)
		switch {
		case err != nil:
			return err
		case types == at:
			return h.sameColumn()
		case !in.leaves[types].tells():
			return h.broken("set source.typeColumn to a column of strings, one a row", "the column that source.typeColumn names holds none in its Parquet data")
		}
		plan.TypePath = in.leaves[types].path
	}
	if src.Cut == nil || *src.Cut {
		plan.Parts = cutGroups(in.groups, partBytes, o.options.MaxParts)
	}
	return nil
}

// leafOf is the column that the source names: by its path, by its number, else by
// its name loosely.
func (h *head) leafOf(in *footer, field, wanted string) (int, error) {
	if at := in.leafAt(wanted); at >= 0 {
		return at, nil
	}
	if n, err := strconv.Atoi(wanted); err == nil && n >= 1 && n <= len(in.leaves) {
		return n - 1, nil
	}
	at := -1
	for i := range in.leaves {
		if !sameName(in.leaves[i].shownName(), wanted) {
			continue
		}
		if at >= 0 {
			return -1, h.broken("set source."+field+" to the column's number", "it has several columns of the name that source.%s gives", field)
		}
		at = i
	}
	if at < 0 {
		return -1, h.noColumn(field, listed(in.columns()))
	}
	return at, nil
}

// columns are the footer's columns, of whose values nothing is known.
func (f *footer) columns() []column {
	columns := make([]column, len(f.leaves))
	for i := range f.leaves {
		columns[i].name = f.leaves[i].shownName()
	}
	return columns
}

// maxLooked is how many columns are looked into.
const maxLooked = 64

// chooseLeaf finds the column of device ids: by its name alone where that tells,
// else by looking at the first values of each that may be it.
func (o *Opener) chooseLeaf(ctx context.Context, f *file, h *head, in *footer) (int, error) {
	columns := in.columns()
	var able []int
	var named []int
	for i := range in.leaves {
		if !in.leaves[i].holdsText() {
			continue
		}
		able = append(able, i)
		if nameRank(columns[i].name) == 3 {
			named = append(named, i)
		}
	}
	if len(named) == 1 {
		return named[0], nil
	}
	if len(able) == 0 {
		return -1, h.broken("write the device ids as strings", "it has no column of text in its Parquet data")
	}
	candidates := make([]column, 0, len(able))
	for _, i := range able[:min(len(able), maxLooked)] {
		if err := o.look(ctx, f, in, i, &columns[i]); err != nil {
			return -1, err
		}
		candidates = append(candidates, columns[i])
	}
	at := choosePath(candidates)
	if at < 0 {
		return -1, h.ambiguous(columns)
	}
	return able[at], nil
}

// look counts the first values of a column.
func (o *Opener) look(ctx context.Context, f *file, in *footer, at int, c *column) error {
	if len(in.groups) == 0 || in.groups[0].chunks[at].away {
		return nil
	}
	p := o.newParquet(&input{file: f, ctx: ctx}, in, at)
	p.groups = p.groups[:1]
	defer p.ids.close()
	for range sampleRows {
		value, there, err := p.entry()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !there {
			continue
		}
		if p.ids.leaf.physical == parquetFixedByteArray {
			value = p.spell(value)
		}
		c.count(value)
	}
	return nil
}

func (o *Opener) newParquet(in *input, of *footer, column int) *parquet {
	return &parquet{
		ids: newChunkReader(in, of.leaves[column], o.pages), blocks: o.blocks, maxLine: o.options.MaxLine, ratio: o.options.MaxRatio,
		groups: of.groups, column: column,
	}
}

// openParquet reads the row groups of a part.
func (o *Opener) openParquet(ctx context.Context, in *input, plan *usher.Plan, part usher.Part) (*parquet, error) {
	of, err := readFooter(ctx, in.file)
	if err != nil {
		return nil, err
	}
	if err := in.file.alikeParquet(of, plan, part); err != nil {
		return nil, err
	}
	column, to := of.leafAt(plan.Path), part.To
	if to < 0 {
		to = int64(len(of.groups))
	}
	if part.From > to || to > int64(len(of.groups)) {
		return nil, in.file.changed()
	}
	of.groups = of.groups[part.From:to]
	p := o.newParquet(in, of, column)
	if plan.TypePath != "" {
		p.typeAt = of.leafAt(plan.TypePath)
		p.types = newChunkReader(&input{file: in.file, ctx: in.ctx}, of.leaves[p.typeAt], o.pages)
	}
	return p, nil
}

// alikeParquet refuses a file without a column that the plan reads.
func (f *file) alikeParquet(of *footer, plan *usher.Plan, part usher.Part) error {
	missing := ""
	if at := of.leafAt(plan.Path); at < 0 || !of.leaves[at].holdsText() {
		missing = plan.Path
	} else if at := of.leafAt(plan.TypePath); plan.TypePath != "" && (at < 0 || !of.leaves[at].tells()) {
		missing = plan.TypePath
	}
	switch {
	case missing == "":
		return nil
	case len(part.Files) == 0:
		return f.changed()
	}
	return f.broken("write all files of the folder in one way, or submit a job for each kind",
		"it has no column %s like the first file of its folder; it has: %s", missing, listed(of.columns()))
}

// cutGroups makes parts of row groups, counted from 0, that have partBytes of
// text or more.
func cutGroups(groups []rowGroup, partBytes int64, maxParts int) []usher.Part {
	const rowBytes = 37 // about
	var all int64
	for _, g := range groups {
		all += g.rows * rowBytes
	}
	partBytes = max(partBytes, 2*all/int64(maxParts)+1) // two neighbours have more together
	var parts []usher.Part
	from, size := 0, int64(0)
	for i, g := range groups {
		if size > 0 && size+g.rows*rowBytes > partBytes {
			parts = append(parts, usher.Part{From: int64(from), To: int64(i)})
			from, size = i, 0
		}
		size += g.rows * rowBytes
	}
	return append(parts, usher.Part{From: int64(from), To: -1})
}
