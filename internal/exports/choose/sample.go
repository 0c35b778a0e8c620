package choose

import (
	"iter"
	"slices"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
)

// Sample has the rows of an export, or of one of its files, by which its columns are looked at. The
// column of ids is known.
type Sample struct {
	From    places.Origin
	Columns []Column
	At      int  // the column of ids, of Columns; -1 if no row of the sample has it
	Named   bool // the columns have names
	All     bool // the export has no other rows

	// Rows returns the values of the column of ids, row by row, and those of another one that stand beside each of
	// them. A row has one of both, or as many as its arrays have; without an id, it has an empty one. nil: there are
	// no other columns.
	Rows func(other int) iter.Seq2[[]string, [][]string]
	// Unread are the columns that may have several values for an id, which the reader does not read beside it.
	Unread []int
	// Types are the values of source.typeColumn; nil: it names none.
	Types iter.Seq[string]
}

// Complete completes a plan whose column of ids is known: what is beside it, and which columns are looked
// at in every row. It adds to the evidence, and refuses an export whose sample shows that other ids
// are meant or that rows say no. chosen is whether the column was chosen, and not named by the job.
func (s Search) Complete(sample *Sample, chosen bool, plan *usher.Plan) (err error) {
	if chosen {
		if err := s.refuseGaps(sample); err != nil {
			return err
		}
		s.watchGaps(plan, sample.Columns[sample.At].Name)
	}
	s.Examine(sample)
	plan.Beside = sample.beside(plan.TypeHeader)
	plan.Checks, err = s.Checks(sample)
	plan.Beside.OnlyValues = OnlyValues(plan.Checks)
	return err
}

// idsWith returns the values of the column of ids, with those of another one beside each.
func (s *Sample) idsWith(other int) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		if s.Rows == nil {
			return
		}
		for ids, beside := range s.Rows(other) {
			for i, id := range ids {
				if id != "" && !yield(id, beside[i]) {
					return
				}
			}
		}
	}
}

// pairs returns the values of the column of ids that have one of another column beside them.
func (s *Sample) pairs(other int) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for id, beside := range s.idsWith(other) {
			if len(beside) == 1 && !yield(id, beside[0]) {
				return
			}
		}
	}
}

// cells returns the values of the column of ids and of another one, row by row: "" for a row that has
// none or several.
func (s *Sample) cells(other int) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if s.Rows == nil {
			return
		}
		for ids, beside := range s.Rows(other) {
			id, cell := "", ""
			if len(ids) == 1 {
				id = ids[0]
			}
			if len(ids) == 1 && len(beside[0]) == 1 {
				cell = beside[0][0]
			}
			if !yield(id, cell) {
				return
			}
		}
	}
}

// beside returns what is beside the column of ids. Without names, the columns with ids are counted.
// typeName is the name of the column of types, if it is given by its number.
func (s *Sample) beside(typeName string) usher.Beside {
	b := usher.Beside{TypeName: hashing.MaskIDs(typeName)}
	for i := range s.Columns {
		switch c := &s.Columns[i]; {
		case !s.Named:
			b.IDColumns += one(c.HoldsIDs())
		case i != s.At && c.Name != "" && len(b.Columns) < usher.MaxColumns:
			b.Columns = append(b.Columns, hashing.MaskIDs(c.Name))
		}
	}
	if s.Types != nil {
		b.TypeValues = typeValues(s.Types)
	}
	return b
}

// OnlyValues returns the sampled values of the columns of source.only, as COLUMN=VALUE.
func OnlyValues(checks []usher.ColumnCheck) []string {
	var values []string
	for _, c := range checks {
		for _, value := range c.Has {
			values = append(values, hashing.MaskIDs(c.Label())+"="+value)
		}
	}
	slices.Sort(values)
	return values
}

// typeValues returns the different values of a column of types in order, none if they are too
// many or too long to be types.
func typeValues(all iter.Seq[string]) []string {
	const most, longest = 20, 32
	var values []string
	for value := range all {
		if value = names.HeaderText([]byte(value)); slices.Contains(values, value) {
			continue
		}
		if len(values) == most || len(value) > longest || hashing.MaskIDs(value) != value {
			return nil
		}
		values = append(values, value)
	}
	slices.Sort(values)
	return values
}
