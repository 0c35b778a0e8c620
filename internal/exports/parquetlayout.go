package exports

import (
	"context"
	"iter"
	"slices"
	"strconv"

	"usher/internal/exports/layout"
	"usher/internal/exports/watch"

	"usher"
	"usher/hashing"
	"usher/internal/exports/choose"
	"usher/internal/exports/names"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// layoutParquet finds the column of device ids of a Parquet export, and makes parts
// of row groups that have partBytes of text.
func (o *Opener) layoutParquet(ctx context.Context, f *places.File, src *usher.Source, s choose.Search, plan *usher.Plan, partBytes int64) error {
	footer, err := parquet.ReadFooter(ctx, f)
	if err != nil {
		return err
	}
	var at int
	if choose.Declared(src.Column) != "" {
		at, err = findParquetColumn(f.Origin, footer, "column", src)
		plan.Why = choose.WhyNamed
	} else {
		at, plan.Why, err = o.chooseParquetColumn(ctx, f, footer, s)
	}
	if err != nil {
		return err
	}
	if !footer.Columns[at].HoldsText() {
		return f.Broken("set source.column to a column of strings", "source.column names a column of its Parquet data that holds no strings")
	}
	plan.Path, plan.Column = footer.Columns[at].Path, at
	if err := layoutParquetTypes(f.Origin, footer, src, plan, at); err != nil {
		return err
	}
	sample, err := o.sampleParquet(ctx, f, footer, s, plan)
	if err == nil {
		err = s.Complete(sample, choose.Declared(src.Column) == "", plan)
	}
	if err == nil {
		_, err = readable(f, footer, at, plan.Checks)
	}
	if err != nil {
		return err
	}
	if gaps := watch.NewParquetGaps(f, footer, columnsOf(footer), o.memory, plan); gaps != nil {
		if err := gaps.Sampled(ctx, sampledGroups(footer), layout.SampleRows, plan); err != nil {
			return err
		}
	}
	if mayCut(src) {
		plan.Parts = cutGroups(footer.Groups, partBytes, o.options.MaxParts)
	}
	return nil
}

// layoutParquetTypes finds the column of types that the source names. ids is the
// column of ids.
func layoutParquetTypes(from places.Origin, footer *parquet.Footer, src *usher.Source, plan *usher.Plan, ids int) error {
	if choose.Declared(src.TypeColumn) == "" {
		return nil
	}
	at, err := findParquetColumn(from, footer, "typeColumn", src)
	switch {
	case err != nil:
		return err
	case at == ids:
		return choose.SameColumn(from)
	case !footer.Columns[at].HoldsTypes(&footer.Columns[ids]):
		return from.Broken("set source.typeColumn to a column of strings, one a row", "source.typeColumn names a column of its Parquet data that does not hold one string a row")
	}
	plan.TypePath = footer.Columns[at].Path
	if footer.Find(plan.TypePath, -1) != at {
		return from.Broken("write the export with a different name for each column", "several of its columns have the name that source.typeColumn means")
	}
	return nil
}

// findParquetColumn finds the column that a field of the source names: by path, by
// number, or by a similar name.
func findParquetColumn(from places.Origin, footer *parquet.Footer, field string, src *usher.Source) (int, error) {
	wanted := choose.NameOf(src, field)
	columns := columnsOf(footer)
	named := choose.Pick(columns, func(i int) bool { return footer.Columns[i].Path == wanted })
	if n, err := strconv.Atoi(wanted); err == nil && n >= 1 && n <= len(footer.Columns) && len(named) == 0 {
		return n - 1, nil
	}
	if len(named) == 0 {
		named = choose.Pick(columns, func(i int) bool { return names.Same(columns[i].Name, wanted) })
	}
	switch len(named) {
	case 0:
		return -1, choose.MissingColumn(from, src, field, columns)
	case 1:
		return named[0], nil
	default:
		return -1, choose.SeveralNamed(from, field, columns, named)
	}
}

// columnsOf returns the columns of a footer, without counts.
func columnsOf(footer *parquet.Footer) []choose.Column {
	columns := make([]choose.Column, len(footer.Columns))
	for i := range footer.Columns {
		columns[i].Name, columns[i].Number = footer.Columns[i].ShownName(), i+1
	}
	return columns
}

// sampleGroups is the number of row groups that are examined.
const sampleGroups = 8

// chooseParquetColumn finds the column of device ids. It decides by the names if it can.
// Otherwise it examines the first values of all columns of text.
func (o *Opener) chooseParquetColumn(ctx context.Context, f *places.File, footer *parquet.Footer, s choose.Search) (at int, why string, err error) {
	var text []int
	var columns []choose.Column
	for i, c := range columnsOf(footer) {
		if footer.Columns[i].HoldsText() {
			text, columns = append(text, i), append(columns, c)
		}
	}
	if len(text) == 0 {
		return -1, "", f.Broken("write the device ids as strings", "its Parquet data has no column of strings")
	}
	c := s.Choose(columns)
	if c.At >= 0 && c.Known {
		return text[c.At], c.Why, nil
	}
	for i := range columns[:min(len(columns), choose.MaxExamined)] {
		if err := o.examineGroups(ctx, f, footer, text[i], &columns[i]); err != nil {
			return -1, "", err
		}
	}
	if c = s.Choose(columns); c.At < 0 {
		return -1, "", c.Err(f.Origin)
	}
	return text[c.At], c.Why, nil
}

// examineGroups counts the first values of a column, in the first row group that has any.
func (o *Opener) examineGroups(ctx context.Context, f *places.File, footer *parquet.Footer, at int, c *choose.Column) error {
	for _, group := range sampledGroups(footer) {
		err := o.entries(ctx, f, footer, group, at, -1, func(value, _ []byte) { c.Count(value) })
		if err != nil || c.Filled > 0 {
			return err
		}
	}
	return nil
}

// sampledGroups returns a few row groups from all over a file, each as a slice of one.
func sampledGroups(footer *parquet.Footer) [][]parquet.RowGroup {
	var groups [][]parquet.RowGroup
	n := len(footer.Groups)
	for i := range min(n, sampleGroups) {
		at := i * n / min(n, sampleGroups)
		groups = append(groups, footer.Groups[at:at+1])
	}
	return groups
}

// entries calls f with the first values of a column in a row group, and with those of a
// column of types unless types is -1.
func (o *Opener) entries(ctx context.Context, file *places.File, footer *parquet.Footer, group []parquet.RowGroup, at, types int, f func(value, typed []byte)) error {
	columns := []int{at}
	if types >= 0 {
		columns = append(columns, types)
	}
	rows := 0
	return parquet.Each(ctx, file, footer, o.memory, group, columns, func(values [][]byte) bool {
		if rows++; rows > layout.SampleRows {
			return false
		}
		if values[0] != nil {
			f(values[0], values[len(values)-1])
		}
		return true
	})
}

// sampleParquet returns a sample of a Parquet file: its column of ids and those that may be looked at
// in every row. Their names or first values say that they have types or say no, or source.only names
// them.
func (o *Opener) sampleParquet(ctx context.Context, f *places.File, footer *parquet.Footer, s choose.Search, plan *usher.Plan) (*choose.Sample, error) {
	at := plan.Column
	columns := columnsOf(footer)
	candidates := namedChecks(footer, s, at)
	for i := range columns[:min(len(columns), choose.MaxExamined)] {
		if s.Type == "" || s.Mixed || i == at || !footer.Columns[i].HoldsTypes(&footer.Columns[at]) || slices.Contains(candidates, i) || names.MeaningOf(columns[i].Name).IsDevice() || isUnreadList(footer, s, i) {
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
	sample, err := o.readSample(ctx, f, footer, sampledGroups(footer), at, candidates)
	if err != nil || plan.TypePath == "" {
		return sample, err
	}
	var values []string
	for _, group := range sampledGroups(footer) {
		err := o.entries(ctx, f, footer, group, footer.Find(plan.TypePath, -1), -1, func(value, _ []byte) { values = append(values, string(value)) })
		if err != nil {
			return nil, err
		}
	}
	sample.Types = slices.Values(values)
	return sample, nil
}

// namedChecks returns the columns whose names say that they have types or say no, and those that
// source.only names.
func namedChecks(footer *parquet.Footer, s choose.Search, ids int) []int {
	columns := columnsOf(footer)
	return choose.Pick(columns, func(i int) bool {
		return i != ids && footer.Columns[i].HoldsWords(&footer.Columns[ids]) && !isUnreadList(footer, s, i) &&
			(names.IsTypeName(columns[i].Name) || names.Says(columns[i].Name) != "" || s.NamesOnly(columns, i))
	})
}

// isUnreadList reports whether the column at an index is a list that source.disregard names. It is not read, because
// it may differ in length from that of the ids.
func isUnreadList(footer *parquet.Footer, s choose.Search, at int) bool {
	return footer.Columns[at].IsList() && isDisregarded(s, columnsOf(footer), at)
}

// firstEvidence adds the evidence of a file's first row group.
func (o *Opener) firstEvidence(ctx context.Context, f *places.File, footer *parquet.Footer, s choose.Search, plan *usher.Plan) error {
	groups, at := sampledGroups(footer), footer.Find(plan.Path, plan.Column)
	sample, err := o.readSample(ctx, f, footer, groups[:min(len(groups), 1)], at, namedChecks(footer, s, at))
	if err != nil {
		return err
	}
	s.Examine(sample)
	checks, err := s.Checks(sample)
	if err == nil {
		_, err = readable(f, footer, at, checks)
	}
	return err
}

// readSample reads the first values of the column of ids, and of candidates for columns that are looked
// at in every row, in row groups.
func (o *Opener) readSample(ctx context.Context, f *places.File, footer *parquet.Footer, groups [][]parquet.RowGroup, at int, candidates []int) (*choose.Sample, error) {
	columns := columnsOf(footer)
	read := make([][][2]string, len(columns)) // the ids and the cells beside them, by column
	columns[at].Bytes = footer.Columns[at].HoldsBytes()
	for _, group := range groups {
		if err := o.entries(ctx, f, footer, group, at, -1, func(value, _ []byte) { columns[at].Count(value) }); err != nil {
			return nil, err
		}
		for _, i := range candidates {
			err := o.entries(ctx, f, footer, group, at, i, func(value, cell []byte) {
				columns[i].Count(cell)
				read[i] = append(read[i], [2]string{string(value), string(cell)})
			})
			if err != nil {
				return nil, err
			}
		}
	}
	unread := choose.Pick(columns, func(i int) bool { return footer.Columns[i].HoldsListedWords(&footer.Columns[at]) })
	return &choose.Sample{From: f.Origin, Columns: columns, At: at, Named: true, Unread: unread, Rows: func(other int) iter.Seq2[[]string, [][]string] {
		return func(yield func(ids []string, beside [][]string) bool) {
			for i := range read[other] {
				if row := &read[other][i]; !yield(row[:1], [][]string{row[1:]}) {
					return
				}
			}
		}
	}}, nil
}

// ownChecks returns the columns of a file that are looked at in every row: those of the plan that the
// file has and, in a further file of a folder, those whose names say so.
func (o *Opener) ownChecks(ctx context.Context, f *places.File, footer *parquet.Footer, s choose.Search, plan *usher.Plan, further bool) ([]usher.ColumnCheck, error) {
	columns, at := columnsOf(footer), footer.Find(plan.Path, plan.Column)
	var own []usher.ColumnCheck
	for _, c := range plan.Checks {
		isNamed := func(column choose.Column) bool { return hashing.MaskIDs(column.Name) == c.Name } // as a plan names it

		i := c.Number - 1 // several may have the name
		if i < 0 || i >= len(columns) || !isNamed(columns[i]) {
			i = slices.IndexFunc(columns, isNamed)
		}
		if i >= 0 && footer.Columns[i].HoldsWords(&footer.Columns[at]) {
			c.Number = i + 1
			own = append(own, c)
		} else if c.Says == usher.CheckOnly {
			return nil, lacksOnly(f, c)
		}
	}
	named := namedChecks(footer, s, at)
	isKnown := func(i int) bool {
		return isDisregarded(s, columns, i) || slices.ContainsFunc(own, func(c usher.ColumnCheck) bool { return c.Number == i+1 })
	}
	if !further || len(slices.DeleteFunc(slices.Clone(named), isKnown)) == 0 {
		return readable(f, footer, at, own)
	}
	groups := sampledGroups(footer)
	sample, err := o.readSample(ctx, f, footer, groups[:min(len(groups), 1)], at, named)
	if err != nil {
		return nil, err
	}
	checks, err := s.Checks(sample)
	if err == nil {
		checks, err = s.Limit(f.Origin, choose.WithChecks(own, checks))
	}
	if err != nil {
		return nil, err
	}
	return readable(f, footer, at, checks)
}

// readable returns the checks whose columns can be read beside the ids, without those of lists, which are not read
// beside them. It refuses a file in which one that may refuse rows is encrypted or in another file, be it in one row
// group, since a row that says no would not be seen. A column of types may be.
func readable(f *places.File, footer *parquet.Footer, ids int, checks []usher.ColumnCheck) (list []usher.ColumnCheck, err error) {
	for _, c := range checks {
		isBeside := footer.Columns[c.Number-1].HoldsWords(&footer.Columns[ids])
		switch {
		case !isBeside && c.Says != usher.CheckOnly:
		case isBeside && !slices.ContainsFunc(footer.Groups, func(g parquet.RowGroup) bool { return g.Away(c.Number - 1) }):
			list = append(list, c)
		case c.Says == usher.CheckOnly:
			return nil, lacksOnly(f, c)
		case c.Refuse && c.Says != usher.CheckType:
			return nil, f.Broken("write it as one file without encryption, or add "+c.Name+" to source.disregard if it does not decide",
				"its column %s, which says no of rows by its name, is encrypted or lies in another file", (&choose.Column{Name: c.Name, Number: c.Number}).Label())
		}
	}
	return list, nil
}

// lacksOnly is the error for a file without a column that source.only names.
func lacksOnly(f *places.File, c usher.ColumnCheck) error {
	return f.Broken("write all files of the export with this column, or submit a job for each kind of file",
		"it has no column %s that can be read, which source.only names", c.Label())
}

// isDisregarded reports whether source.disregard names the column at an index.
func isDisregarded(s choose.Search, columns []choose.Column, at int) bool {
	return slices.ContainsFunc(s.Disregard, func(name string) bool { return choose.FindNamed(columns, name) == at })
}
