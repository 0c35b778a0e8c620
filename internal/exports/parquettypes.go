package exports

import (
	"context"
	"iter"
	"slices"

	"usher"
	"usher/internal/exports/column"
	"usher/internal/exports/names"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// parquetTypes adds the evidence of a Parquet file, and returns the columns of types that are
// checked on every row: those whose names or first values say that they have types.
func (o *Opener) parquetTypes(ctx context.Context, f *places.File, footer *parquet.Footer, s column.Search, at int) ([]usher.TypeCheck, error) {
	columns := columnsOf(footer)
	candidates := namedTypes(footer, at)
	for i := range columns[:min(len(columns), maxExamined)] {
		if s.Type == "" || s.Mixed || i == at || !footer.Columns[i].HoldsTypes() || names.IsTypeName(columns[i].Name) || names.MeaningOf(columns[i].Name).IsDevice() {
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
		return i != ids && footer.Columns[i].HoldsTypes() && names.IsTypeName(columns[i].Name)
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
