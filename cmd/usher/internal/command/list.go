package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/terminal"
)

// A List is a command that prints rows: as a table, or with --json as an array.
type List[S, T any] struct {
	About
	On Session[S]
	// Load returns the rows. A list that is too long to be held has Each instead, which calls visit
	// with one row after the other; they are printed as they come.
	Load func(ctx context.Context, c *Call, s S) ([]T, error)
	Each func(ctx context.Context, c *Call, s S, visit func(row T) error) error

	Columns []Column
	Row     func(row *T, times terminal.Times) []string // the cells of a row
	Red     func(row *T) bool                           // whether the last cell of a row is drawn in red; nil: never
	None    string                                      // said on stderr if there are no rows; "": the headers are printed
	After   func(c *Call) error                         // prints what follows the table; nil: nothing
	Lines   bool                                        // --json prints each row on one line

	Page func(c *Call) int    // how many rows the table has at most, 0 for all; nil: all
	More func(last *T) string // said on stderr if there are more rows than Page; nil: nothing
}

// Command returns the list as a command.
func (l List[S, T]) Command() *cobra.Command {
	c := &Call{}
	return build(&l.About, l.On, c, func(ctx context.Context, s S) error {
		each := l.Each
		if each == nil {
			each = func(ctx context.Context, c *Call, s S, visit func(row T) error) error {
				rows, err := l.Load(ctx, c, s)
				for i := 0; i < len(rows) && err == nil; i++ {
					err = visit(rows[i])
				}
				return err
			}
		}
		visitAll := func(visit func(row T) error) error { return each(ctx, c, s, visit) }
		if c.JSON {
			return l.writeJSON(c, visitAll)
		}
		return l.writeTable(c, visitAll)
	})
}

// writeJSON prints an array.
func (l *List[S, T]) writeJSON(c *Call, each func(visit func(row T) error) error) error {
	array := terminal.NewArray(c.Out(), l.Lines)
	if err := each(func(row T) error { return array.Add(row) }); err != nil {
		return errors.Join(err, array.Flush())
	}
	return array.Close()
}

// tableRows is the number of rows for which the widths of columns are computed together if rows are
// printed as they come.
const tableRows = 1000

func (l *List[S, T]) writeTable(c *Call, each func(visit func(row T) error) error) error {
	times, page := c.Times(), 0
	if l.Page != nil {
		page = l.Page(c)
	}
	table := newTable(l.Columns)
	count := 0
	var last T
	err := each(func(row T) error {
		if count++; page > 0 && count > page {
			return nil
		}
		last = row
		table.Add(l.Row(&row, times)...)
		if l.Red != nil && l.Red(&row) {
			table.Redden()
		}
		if l.Each == nil || len(table.Rows) < tableRows {
			return nil
		}
		err := table.Write(c.Out())
		table.Rows = nil
		return err
	})
	if err != nil {
		return err
	}
	if count == 0 && l.None != "" {
		fmt.Fprintln(c.Errs(), l.None)
	} else if count == 0 || len(table.Rows) > 0 {
		if err := table.Write(c.Out()); err != nil {
			return err
		}
	}
	if page > 0 && count > page && l.More != nil {
		fmt.Fprintln(c.Errs(), l.More(&last))
	}
	if l.After != nil {
		return l.After(c)
	}
	return nil
}

// A Column is a column of a list's table.
type Column struct {
	Header string
	Right  bool // aligned to the right
	// Cut and Drop say in which order texts are cut, and columns are left out, if the table is too
	// wide: 1 is first, 0 is never. If no column has a Cut, all texts but that of the first column
	// may be cut; if none has a Drop, all columns but the first two may be left out.
	Cut, Drop int
	Named     bool // the texts are "NAME: WHAT", of which NAME is cut first; one column of a list
}

// newTable returns a table of columns without rows. If no column has a header, the table has none.
func newTable(columns []Column) *terminal.Table {
	table := &terminal.Table{}
	headers := false
	for i, c := range columns {
		headers = headers || c.Header != ""
		table.Header = append(table.Header, c.Header)
		if c.Right {
			table.Right = append(table.Right, i+1)
		}
		if c.Named {
			table.Named = i + 1
		}
	}
	if !headers {
		table.Header = nil
	}
	table.Cut = ranked(columns, func(c Column) int { return c.Cut })
	table.Drop = ranked(columns, func(c Column) int { return c.Drop })
	return table
}

// ranked returns the numbers of the columns that have a rank, in the order of their ranks.
func ranked(columns []Column, rank func(Column) int) []int {
	var numbers []int
	for want := range columns {
		for i := range columns {
			if rank(columns[i]) == want+1 {
				numbers = append(numbers, i+1)
			}
		}
	}
	return numbers
}

// A View is a command that prints one value: as text, or with --json as it is.
type View[S, R any] struct {
	About
	On    Session[S]
	Load  func(ctx context.Context, c *Call, s S) (R, error)
	Print func(c *Call, r R) error // prints the text

	// Failure returns the error with which the command ends when it has printed the value; nil: none.
	Failure func(c *Call, r R) error
}

// Command returns the view as a command.
func (v View[S, R]) Command() *cobra.Command {
	c := &Call{}
	return build(&v.About, v.On, c, func(ctx context.Context, s S) error {
		r, err := v.Load(ctx, c, s)
		if err != nil {
			return err
		}
		return finish(c, r, v.Print, v.Failure)
	})
}

// finish prints a value and returns the error with which the command ends.
func finish[R any](c *Call, r R, print, verdict func(c *Call, r R) error) error {
	if c.JSON {
		print = func(c *Call, r R) error { return terminal.WriteJSON(c.Out(), r) }
	}
	if err := print(c, r); err != nil || verdict == nil {
		return err
	}
	return verdict(c, r)
}
