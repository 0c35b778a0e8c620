package exports

import (
	"bytes"
	"errors"

	"usher"
	"usher/internal/exports/column"
	"usher/internal/exports/rows"
)

// typeCheck counts the rows of another type than the wanted one, by a column of types that the
// source does not name. It takes the types from the blocks, so that they change nothing else.
type typeCheck struct {
	rowReader

	plan  *usher.Plan
	other [usher.RowTypes]bool // the types that contradict the wanted one
	rows  int64                // with an id, and of such a type
}

// warner is a rowReader that may have evidence against the job.
type warner interface {
	warnings() []usher.Warning
}

// checkTypes returns a reader that counts rows of another type, or in if the plan has no column
// of types to check.
func checkTypes(in rowReader, plan *usher.Plan) rowReader {
	if plan.TypeCheck == nil {
		return in
	}
	c := &typeCheck{rowReader: in, plan: plan}
	for t := usher.RowOther + 1; t < usher.RowTypes; t++ {
		c.other[t] = !plan.Type.Fits(t)
	}
	return c
}

// Next implements rowReader.
func (c *typeCheck) Next() (*usher.Block, error) {
	b, err := c.rowReader.Next()
	if err == nil {
		c.add(b)
		return b, nil
	}
	var refused *rows.Refused
	if errors.As(err, &refused) {
		c.add(refused.Block)
	}
	return nil, err
}

// add counts the rows of a block, and drops their types.
func (c *typeCheck) add(b *usher.Block) {
	types := b.Types
	b.Types = nil
	for _, t := range types {
		if c.other[t] {
			c.addRows(b.Data, types)
			return
		}
	}
}

// addRows counts rows. A row without an id is no evidence.
func (c *typeCheck) addRows(data []byte, types []usher.RowType) {
	row := 0
	for line := range bytes.Lines(data) {
		if c.other[types[row]] && !rows.IsGap(line) {
			c.rows++
		}
		row++
	}
}

func (c *typeCheck) warnings() []usher.Warning { return column.OtherTypes(c.plan, c.rows) }

// warningsOf returns the evidence that a reader has found itself.
func warningsOf(r rowReader) []usher.Warning {
	if w, ok := r.(warner); ok {
		return w.warnings()
	}
	return nil
}

// typeColumn returns the index of the column of types that is read, -1 if none is.
func typeColumn(plan *usher.Plan) int {
	if plan.TypeCheck != nil {
		return plan.TypeCheck.Number - 1
	}
	return plan.TypeColumn - 1
}

// typePath returns the path of the types that are read in NDJSON, JSON and Avro, "" if none are.
func typePath(plan *usher.Plan) string {
	if plan.TypeCheck != nil {
		return plan.TypeCheck.Name
	}
	return plan.TypePath
}

// ownSearch is the search for the column of types of a file of an export, or of a member of an
// archive.
func ownSearch(src *usher.Source, plan *usher.Plan) column.Search {
	return column.Search{Type: plan.Type, Mixed: declared(src.TypeColumn) != ""}
}
