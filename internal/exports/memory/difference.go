package memory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/internal/readable"
)

// Begins says that a new memory begins with an export, because its job's own fields about reading are not
// those of the last good one's job, so that it is not compared with that one. What the last job has left out
// and this one does not comes first, since it is uploaded now. It is "" if no memory begins. last may be nil.
func Begins(last, now *usher.Memory) string {
	if last == nil || last.Fields == now.Fields {
		return ""
	}
	text := strings.Join(taken(last, now), "")
	text += fmt.Sprintf("the job reads its export by other fields (profile, input, source) than job %s, so the two exports were not compared", last.Job)
	if was, is := Summary(&last.Understood), Summary(&now.Understood); was != is {
		text += fmt.Sprintf(": that one was %s, and this one is %s", was, is)
	}
	return text + "; once this job is done, the next exports are compared with its export"
}

// taken says which rows the last job has left out by a condition that the present one does not have.
func taken(last, now *usher.Memory) (list []string) {
	columnOf := func(only string) string {
		column, _, _ := strings.Cut(only, "=")
		return column
	}
	add := func(column, by string) {
		if slices.ContainsFunc(now.Only, func(only string) bool { return strings.EqualFold(columnOf(only), column) }) {
			return
		}
		rows := "rows"
		if n := last.Dropped[withheld+column]; n > 0 {
			rows = readable.Count(n, "row")
		}
		list = append(list, fmt.Sprintf("job %s left out %s by source.only %s, and this job has no such condition, so that it uploads rows like them; ", last.Job, rows, by))
	}
	for _, only := range last.Only {
		add(columnOf(only), only)
	}
	for _, reason := range slices.Sorted(maps.Keys(last.Dropped)) { // memories of earlier versions have no conditions
		if column, is := strings.CutPrefix(reason, withheld); is && len(last.Only) == 0 {
			add(column, "on "+column)
		}
	}
	return list
}

// Summary says in a few words how an export was read.
func Summary(u *usher.Understood) string {
	kind := cmp.Or(map[string]string{"": "ids", string(usher.InputMD5): "MD5 hashes"}[u.Kind], strings.ToUpper(u.Kind)+"s")
	sheet := ""
	if u.Sheet != "" {
		sheet = fmt.Sprintf(", sheet %q,", u.Sheet)
	}
	return fmt.Sprintf("%s%s with %s in %s", u.Format, sheet, kind, described(&u.Column))
}

// Differences returns what is different in an export from the last good one, a sentence for each
// difference, or none. A share of rows may grow by maxShift points of percent. last may be nil. It
// says nothing if a new memory begins.
func Differences(last, now *usher.Memory, maxShift float64) []string {
	if last == nil || last.Fields != now.Fields {
		return nil
	}
	var list []string
	add := func(text string) {
		if text != "" {
			list = append(list, text)
		}
	}
	was, is := &last.Understood, &now.Understood
	add(formatChange(was, is))
	add(sheetChange(was, is))
	add(columnChange(was, is))
	add(typeColumnChange(was, is))
	add(kindChange(last, now, maxShift))
	for _, reason := range reasonsOf(now.Dropped) {
		add(shareChange(last, now, reason, maxShift))
	}
	add(nothingWithheld(last, now, maxShift))
	return list
}

// DropsMore reports whether a greater share of rows has no id to send than in the last good export, by more
// than a point of percent.
func DropsMore(last, now *usher.Memory) bool {
	return percent(now.Dropped.Sum(), now.Rows) > percent(last.Dropped.Sum(), last.Rows)+usher.ProportionPercent
}

// formatChange compares formats. A list with further columns beside it is CSV.
func formatChange(last, now *usher.Understood) string {
	family := func(format usher.Format) usher.Format {
		if format == usher.FormatText {
			return usher.FormatCSV
		}
		return format
	}
	if family(last.Format) == family(now.Format) {
		return ""
	}
	return fmt.Sprintf("its format is %s, and that of the last export was %s", now.Format, last.Format)
}

func sheetChange(last, now *usher.Understood) string {
	if last.Sheet == now.Sheet || last.Format != now.Format {
		return ""
	}
	return fmt.Sprintf("the ids are read from the sheet %q, and in the last export they were read from the sheet %q", now.Sheet, last.Sheet)
}

// columnChange compares the columns of ids: by their names if there are names, otherwise by their
// numbers.
func columnChange(last, now *usher.Understood) string {
	was, is := &last.Column, &now.Column
	switch {
	case was.Name == "" && is.Name == "":
		return numberChange(last, now)
	case strings.EqualFold(was.Name, is.Name):
		return ""
	case is.Name == "":
		return fmt.Sprintf("it has no header, and the last export had one: nothing says that its %s is still %s", numbered(is), strconv.Quote(was.Name))
	case was.Name == "":
		return fmt.Sprintf("it has a header, by which the ids are in %s, and the last export had none: they were read from its %s", described(is), numbered(was))
	case was.Number > 0 && was.Number == is.Number && !slices.ContainsFunc(now.Beside.Columns, named(was.Name)) && !slices.ContainsFunc(last.Beside.Columns, named(is.Name)):
		return fmt.Sprintf("%s is called %s, and in the last export it was called %s", numbered(is), strconv.Quote(is.Name), strconv.Quote(was.Name))
	}
	return fmt.Sprintf("the ids are read from %s, and in the last export they were read from %s, %s", described(is), described(was), fate(last, now))
}

// fate says what has become of the last export's column of ids.
func fate(last, now *usher.Understood) string {
	text := "which is not there any more"
	if slices.ContainsFunc(now.Beside.Columns, named(last.Column.Name)) {
		text = "which is still there"
	}
	switch name := strconv.Quote(now.Column.Name); {
	case slices.ContainsFunc(last.Beside.Columns, named(now.Column.Name)):
		text += "; " + name + " was there before, and was not read"
	case len(last.Beside.Columns) < usher.MaxColumns:
		text += "; " + name + " is new"
	}
	return text
}

// numberChange compares exports without names of columns.
func numberChange(last, now *usher.Understood) string {
	switch {
	case last.Column.Number != now.Column.Number:
		return fmt.Sprintf("the ids are read from %s, and in the last export they were read from %s; it has no header that could say which of them is meant", numbered(&now.Column), numbered(&last.Column))
	case now.Beside.IDColumns > max(last.Beside.IDColumns, 1):
		return fmt.Sprintf("%s have ids, and in the last export it was %d; it has no header that could say whether %s is still the right one", readable.Count(now.Beside.IDColumns, "column"), last.Beside.IDColumns, numbered(&now.Column))
	}
	return ""
}

// typeColumnChange compares the columns of types, which may be given by their number.
func typeColumnChange(last, now *usher.Understood) string {
	if strings.EqualFold(last.Beside.TypeName, now.Beside.TypeName) {
		return ""
	}
	return fmt.Sprintf("the types of the ids are read from column %s, which is called %q, and in the last export it was called %q", now.TypeColumn, now.Beside.TypeName, last.Beside.TypeName)
}

// kindChange compares the kinds of ids.
func kindChange(last, now *usher.Memory, maxShift float64) string {
	switch {
	case last.Understood.Kind != now.Understood.Kind:
		return fmt.Sprintf("most of its ids are %s, and those of the last export were %s", kindWords(now.Understood.Kind), kindWords(last.Understood.Kind))
	case percent(now.OtherCase, now.Rows)-percent(last.OtherCase, last.Rows) > maxShift+1e-9:
		return fmt.Sprintf("%s of its %s (%.1f %%) are written like %s, and in the last export it was %.1f %%", readable.Number(now.OtherCase), readable.Count(now.Rows, "id"),
			percent(now.OtherCase, now.Rows), kindWords(otherKind(now.Understood.Kind)), percent(last.OtherCase, last.Rows))
	}
	return ""
}

func kindWords(kind string) string {
	return cmp.Or(map[string]string{
		string(usher.IDFA):      "IDFAs, as iPhones have them (in upper-case letters)",
		string(usher.AAID):      "AAIDs, as Android phones have them (in lower-case letters)",
		string(usher.AndroidID): "ANDROID_IDs",
		string(usher.InputMD5):  "MD5 hashes",
	}[kind], "of no known kind")
}

// leastRows is the number of rows from which a new reason is a difference.
const leastRows = 10

// shareChange compares the shares of the rows of a reason.
func shareChange(last, now *usher.Memory, reason string, maxShift float64) string {
	was, is := rowsOf(last.Dropped, reason), rowsOf(now.Dropped, reason)
	before, share := percent(was, last.Rows), percent(is, now.Rows)
	isNew := was == 0 && is >= leastRows && share >= usher.ProportionPercent
	isDamage := reason == malformed && was < leastRows && is >= leastRows
	grew := was > 0 && share-before > maxShift+1e-9
	if !isNew && !isDamage && !grew {
		return ""
	}
	text := fmt.Sprintf("%s of its %s (%.3g %%) %s", readable.Number(is), readable.Count(now.Rows, "row"), share, meaning(reason, now.Understood.TypeColumn != ""))
	if was == 0 {
		text += "; the last export had no such rows"
	} else {
		text += fmt.Sprintf(", and in the last export it was %.3g %%", before)
	}
	if reason == withheld {
		text += newOnlyValues(last, now)
	}
	if reason == invalid+usher.WrongType {
		text += newTypes(&last.Understood, &now.Understood)
	}
	return text
}

// nothingWithheld compares exports of which the last one had rows that source.only leaves out, and this one has
// none: either only the others are written now, or everybody's consent is.
func nothingWithheld(last, now *usher.Memory, maxShift float64) string {
	was, before := rowsOf(last.Dropped, withheld), percent(rowsOf(last.Dropped, withheld), last.Rows)
	if was < leastRows || before <= maxShift || now.Rows == 0 || rowsOf(now.Dropped, withheld) > 0 {
		return ""
	}
	return fmt.Sprintf("none of its %s is left out by source.only, and in the last export it was %s (%.3g %%): see whether the column still says no for those who say no",
		readable.Count(now.Rows, "row"), readable.Number(was), before)
}

// newTypes says which values of the column of types are new.
func newTypes(last, now *usher.Understood) string {
	var added []string
	for _, value := range now.Beside.TypeValues {
		if !slices.ContainsFunc(last.Beside.TypeValues, named(value)) {
			added = append(added, strconv.Quote(value))
		}
	}
	if len(last.Beside.TypeValues) == 0 || len(added) == 0 {
		return ""
	}
	return fmt.Sprintf("; column %s has %s, which was not there before", now.TypeColumn, strings.Join(added, ", "))
}

// newOnlyValues says which columns of source.only leave rows out, and which of their values are new.
func newOnlyValues(last, now *usher.Memory) string {
	var columns, added []string
	for _, reason := range slices.Sorted(maps.Keys(now.Dropped)) {
		if column, found := strings.CutPrefix(reason, withheld); found && !strings.Contains(column, ":") {
			columns = append(columns, fmt.Sprintf("column %s leaves out %s, and before %s", column, readable.Number(now.Dropped[reason]), readable.Number(last.Dropped[reason])))
		}
	}
	before := last.Understood.Beside.OnlyValues
	for _, value := range now.Understood.Beside.OnlyValues {
		column, value, _ := strings.Cut(value, "=")
		known := func(other string) bool { return strings.EqualFold(other, column+"="+value) }
		of := func(other string) bool { return strings.HasPrefix(strings.ToLower(other), strings.ToLower(column)+"=") }
		if slices.ContainsFunc(before, of) && !slices.ContainsFunc(before, known) {
			added = append(added, fmt.Sprintf("column %s has %q, which was not there before", column, value))
		}
	}
	if list := slices.Concat(columns, added); len(list) > 0 {
		return " (" + strings.Join(list, "; ") + ")"
	}
	return ""
}

// described names a column by its name, or by its number.
func described(c *usher.UnderstoodColumn) string {
	if c.Name == "" {
		return numbered(c)
	}
	return "column " + strconv.Quote(c.Name)
}

func numbered(c *usher.UnderstoodColumn) string {
	if c.Number == 0 {
		return "its values"
	}
	return "column " + strconv.Itoa(c.Number)
}

// named returns a function that reports whether a name is the same, in any case.
func named(name string) func(string) bool {
	return func(other string) bool { return strings.EqualFold(name, other) }
}
