package jobs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// Consequence says what a job has changed: +1, −20,327, now 5. It returns "" for a job that has not ended, and for
// one of which that is not known.
func Consequence(r *usher.Record) string {
	c := r.Consequence
	switch {
	case c != nil && r.IsDryRun():
		return "would be " + readable.Change(c.Added, c.Removed) + ", then " + readable.Number(c.Now)
	case c != nil:
		return readable.Change(c.Added, c.Removed) + ", now " + readable.Number(c.Now)
	case r.New != nil:
		return fmt.Sprintf("+%s of %s accepted", readable.Number(*r.New), readable.Number(r.Tally.Accepted))
	}
	return ""
}

// Line says in a line what became of a job, for lists: its target, what it has changed, or its Remark, and the rows
// that were rejected, by reason.
func Line(r *usher.Record) string {
	line := readable.Printable(r.Label())
	what := Remark(*r)
	if what == "" {
		what = Consequence(r)
	}
	if rejected := r.Tally.Rejected(); r.State.Ended() && len(rejected) > 0 {
		what = strings.TrimPrefix(what+"; rejected "+byReason(rejected), "; ")
	}
	return strings.TrimSuffix(line+": "+what, ": ")
}

// byReason lists numbers of rows: empty 3, shape 12.
func byReason(counts usher.Counts) string {
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, reason+" "+readable.Number(counts[reason]))
	}
	return strings.Join(list, ", ")
}

// AddConsequence adds what a job has changed to facts, if that is known.
func AddConsequence(facts *terminal.Table, name string, r *usher.Record) {
	if changed := Consequence(r); changed != "" {
		facts.Add(name, changed)
		if isLarge(r) {
			facts.Redden()
		}
	}
}

// isLarge reports whether a mirror has removed so much that people should look.
func isLarge(r *usher.Record) bool { return r.Consequence != nil && r.Consequence.Large }

// cell is the Line of a job in a table.
func cell(r *usher.Record) string { return readable.Line(Line(r), 300) }
