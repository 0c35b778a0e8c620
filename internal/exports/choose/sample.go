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

	// Rows returns the values of the column of ids and those of another one, row by row: one of each,
	// or as many as an array has. nil: there are no other columns.
	Rows func(other int) iter.Seq2[[]string, []string]
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

// pairs returns the values of the column of ids and of another one, of rows that have as many of both.
func (s *Sample) pairs(other int) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if s.Rows == nil {
			return
		}
		for ids, others := range s.Rows(other) {
			if len(ids) != len(others) {
				continue
			}
			for i := range ids {
				if ids[i] != "" && !yield(ids[i], others[i]) {
					return
				}
			}
		}
	}
}

// idsWith returns the values of the column of ids, with those of another one beside each: its own if the row has
// as many of both, otherwise all of the row.
func (s *Sample) idsWith(other int) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		if s.Rows == nil {
			return
		}
		for ids, others := range s.Rows(other) {
			for i, id := range ids {
				cells := others
				if len(others) == len(ids) {
					cells = others[i : i+1]
				}
				if id != "" && !yield(id, cells) {
					return
				}
			}
		}
	}
}

// cells returns the values of the column of ids and of another one, row by row: "" for a row that has
// none or several.
func (s *Sample) cells(other int) iter.Seq2[string, string] {
	only := func(values []string) string {
		if len(values) == 1 {
			return values[0]
		}
		return ""
	}
	return func(yield func(string, string) bool) {
		if s.Rows == nil {
			return
		}
		for ids, others := range s.Rows(other) {
			if !yield(only(ids), only(others)) {
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
