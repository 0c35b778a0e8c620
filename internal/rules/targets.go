package rules

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"usher/internal/rules/document"
	"usher/internal/rules/expression"
	"usher/internal/rules/targets"
)

// tableReading is the table of targets while a rule file is read.
type tableReading struct {
	path     string
	lines    []string
	problems []Problem
	// isBroken says that the file has a table that cannot be read: which columns it has is not known.
	isBroken bool
}

// tablePath returns the path of a table of targets, which a rule file names relative to itself.
func tablePath(filename, table string) string {
	if filepath.IsAbs(table) {
		return table
	}
	return filepath.Join(filepath.Dir(filename), filepath.FromSlash(table))
}

// ReadTable reads a table of targets up to one byte more than the largest one. What is no regular file,
// such as a pipe, is refused, because a read of it could block.
func ReadTable(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path) //nolint:gosec // a rule file names it
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return io.ReadAll(io.LimitReader(f, targets.MaxBytes+1))
}

// targets reads the table of targets.
func (r *reader) targets(n ast.Node) {
	r.table.isBroken = true
	name, ok := r.Text(n, "targets")
	if !ok {
		return
	}
	at := document.PlaceOf(n)
	if !strings.HasSuffix(strings.ToLower(name), ".csv") {
		r.Errorf(at, "write the name of a CSV file beside this one, such as targets.csv", "%q is no name of a CSV file", name)
		return
	}
	r.table.path = tablePath(r.Name, name)
	data, err := []byte(nil), errors.New("it cannot be read here")
	if r.readTable != nil {
		data, err = r.readTable(r.table.path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Errorf(at, "put it beside this file, or correct its name: the path is relative to this file", "there is no file %s", r.table.path)
		return
	case err != nil:
		r.Errorf(at, "make it readable for usher", "read targets %s: %v", name, err)
		return
	}
	r.set.Version = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s %x", r.set.Version, sha256.Sum256(data))))[:16]
	r.table.lines = strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	table, faults := targets.Parse(filepath.Base(name), data)
	r.addFaults(faults)
	if table != nil {
		r.set.Targets, r.table.isBroken = table, false
	}
}

// maxTableFaults is the number of faults of a table that are shown.
const maxTableFaults = 20

// addFaults adds the faults of the table, at their lines.
func (r *reader) addFaults(faults []targets.Fault) {
	for i, fault := range faults {
		p := document.Problem{File: r.table.path, Line: fault.Line, Column: 1, Error: !fault.Warning, Message: fault.Message, Hint: fault.Hint}
		if fault.Line <= len(r.table.lines) && len(r.table.lines[fault.Line-1]) < 200 {
			p.Excerpt = r.table.lines[fault.Line-1]
		}
		if i == maxTableFaults {
			p.Message, p.Hint = fmt.Sprintf("%d more lines are wrong", len(faults)-i), ""
			r.table.problems = append(r.table.problems, p)
			return
		}
		r.table.problems = append(r.table.problems, p)
	}
}

// targetNames returns the columns of the table; nil: the file has none.
func (r *reader) targetNames() []string {
	if r.set.Targets == nil {
		return nil
	}
	return slices.Clip(append([]string{}, r.set.Targets.Columns()...))
}

// checkTargets checks the numbers of the columns that conditions read. Others may have notes.
func (r *reader) checkTargets() {
	if r.set.Targets == nil {
		return
	}
	for _, column := range r.set.targetColumns() {
		r.addFaults(r.set.Targets.Check(column))
	}
}

// targetColumns returns the columns of targets that conditions read, each once.
func (s *Set) targetColumns() []string {
	var list []string
	for _, rule := range s.Rules {
		for _, x := range rule.expressions() {
			for _, name := range x.Metrics() {
				if column, is := strings.CutPrefix(name, expression.TargetPrefix); is && !slices.Contains(list, column) {
					list = append(list, column)
				}
			}
		}
	}
	return list
}
