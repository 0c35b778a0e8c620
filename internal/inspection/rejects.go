package inspection

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"usher/hashing"
)

// rejectWriter writes dropped rows as CSV: row,reason,value. Values are masked. A nil
// rejectWriter writes nothing.
type rejectWriter struct {
	csv *csv.Writer
}

func newRejectWriter(w io.Writer) *rejectWriter {
	if w == nil {
		return nil
	}
	r := &rejectWriter{csv.NewWriter(w)}
	_ = r.csv.Write([]string{"row", "reason", "value"}) // flush returns its error
	return r
}

// part returns the function that writes the rejects of a part. before is the number of
// rows of the parts before it.
func (r *rejectWriter) part(before int64) func(row int64, why hashing.Reason, masked string) error {
	if r == nil {
		return nil
	}
	return func(row int64, why hashing.Reason, masked string) error {
		column := "invalid"
		if why.Junk() {
			column = "junk"
		}
		if err := r.csv.Write([]string{strconv.FormatInt(before+row, 10), column + "." + why.String(), masked}); err != nil {
			return fmt.Errorf("write rejects: %w", err)
		}
		return nil
	}
}

// flush writes what is buffered.
func (r *rejectWriter) flush() error {
	if r == nil {
		return nil
	}
	r.csv.Flush()
	if err := r.csv.Error(); err != nil {
		return fmt.Errorf("write rejects: %w", err)
	}
	return nil
}
