package choose

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// Checks returns the columns that are looked at in every row, since the samples may miss a row that
// decides: those of source.only, those that say no by name and values, and those that say which
// type an id is of. If a sampled row with an id says no, or is of another kind of id than the wanted
// one, the export is refused, unless the job takes ids out of something or names the column.
func (s Search) Checks(sample *Sample) ([]usher.ColumnCheck, error) {
	from, columns, at := sample.From, sample.Columns, sample.At
	list, err := s.onlyChecks(from, columns)
	if err != nil {
		return nil, err
	}
	var found []usher.ColumnCheck
	for i := range columns {
		if i == at || s.disregards(columns, i) || hashing.MaskIDs(columns[i].Name) != columns[i].Name {
			continue
		}
		says := columns[i].says()
		if says == "" && s.Type != "" && !s.Mixed && saysTypesOf(columns, i, at) {
			says = usher.CheckType
		}
		if says == "" {
			continue
		}
		check := usher.ColumnCheck{Name: columns[i].Name, Number: columns[i].Number, Says: says, Refuse: !s.Removes}
		if err := s.refuseSampled(from, check, columns, i, sample.pairs(i)); err != nil {
			return nil, err
		}
		found = append(found, check)
	}
	slices.SortStableFunc(found, func(a, b usher.ColumnCheck) int {
		return cmp.Compare(one(a.Says == usher.CheckType && !names.IsTypeName(a.Name)), one(b.Says == usher.CheckType && !names.IsTypeName(b.Name)))
	})
	return s.Limit(from, append(list, found...))
}

// Limit refuses more columns than can be looked at in every row. A job that takes ids out goes
// without those beyond: it only counts the rows that say no.
func (s Search) Limit(from places.Origin, list []usher.ColumnCheck) ([]usher.ColumnCheck, error) {
	if n := len(list); n > rows.MaxChecks && !s.Removes {
		return nil, from.Broken("leave those that decide nothing out of the export, or name them in source.disregard",
			"%d of its columns say no of rows or name kinds of ids, and usher looks at %d at most in every row", n, rows.MaxChecks)
	}
	return list[:min(len(list), rows.MaxChecks)], nil
}

// saysTypesOf reports whether a column says of which type the ids of the column at another index are.
// device_id_type does not if there are a column device_id and another one with the ids.
func saysTypesOf(columns []Column, types, at int) bool {
	c := &columns[types]
	if !c.saysTypes() && (c.Filled > 0 || !names.IsTypeName(c.Name)) {
		return false
	}
	of := names.BeforeLastWord(names.LastSegment(c.Name))
	return of == "" || !slices.ContainsFunc(columns, func(other Column) bool {
		return names.Canonical(names.LastSegment(other.Name)) == of && (at < 0 || other.Name != columns[at].Name)
	})
}

// says returns the category of a column that says no: its name promises it, and nearly all of its
// sampled cells are words that such columns have. It is "" for any other column.
func (c *Column) says() string {
	category := names.Says(c.Name)
	if category == "" {
		return ""
	}
	if category == names.SaysConsent && isATT(c) {
		category = names.SaysATT
	}
	all, known := c.MoreValues, 0
	for value, n := range c.Values {
		switch names.AnswerOf(category, []byte(value)) {
		case names.NoAnswer:
		case names.UnknownAnswer:
			all += n
		default:
			all, known = all+n, known+n
		}
	}
	if category == names.SaysOptOut && c.MoreValues > 0 && isTimes(c.Values) { // a date for each row that says no
		known += c.MoreValues
	}
	if category == names.SaysStatus { // any word is a state
		known += c.MoreValues
	}
	if 20*known < 19*all {
		return ""
	}
	return category
}

// isATT reports whether a column has the numbers of Apple's authorization status.
func isATT(c *Column) bool {
	_, denied := c.Values["2"]
	_, authorized := c.Values["3"]
	return (denied || authorized) && names.IsAuthorization(c.Name)
}

// isTimes reports whether all values are times.
func isTimes(values map[string]int) bool {
	for value := range values {
		if value != "" && !names.IsTime(value) {
			return false
		}
	}
	return true
}

// against returns the function that finds rows against the job.
func (s Search) against(check usher.ColumnCheck) func(cell []byte) bool {
	if check.Says == usher.CheckType {
		return names.OtherTypeThan(s.Type)
	}
	return names.SaysNo(check.Says)
}

// refuseSampled returns the error for an export whose samples have a row with an id that is against
// the job by a column.
func (s Search) refuseSampled(from places.Origin, check usher.ColumnCheck, columns []Column, at int, pairs iter.Seq2[string, string]) error {
	against, rowsAgainst, all := s.against(check), 0, 0
	counts := map[string]int{}
	for id, cell := range pairs {
		if rows.IsGap([]byte(id)) {
			continue
		}
		all++
		counts[Folded([]byte(cell))]++
		if against([]byte(cell)) {
			rowsAgainst++
		}
	}
	if rowsAgainst == 0 || !check.Refuse {
		return nil
	}
	return from.Broken(s.Hint(check, &columns[at], counts), "%s: %s", describe(check, &columns[at], rowsAgainst, all), listedCounts(counts))
}

// describe says what rows of a column say.
func describe(check usher.ColumnCheck, c *Column, n, all int) string {
	switch check.Says {
	case usher.CheckType:
		return fmt.Sprintf("column %s names another kind of id in %d of %d sampled rows with an id", c.Label(), n, all)
	case names.SaysOperation:
		return fmt.Sprintf("it is a log of changes: column %s has deletions in %d of %d sampled rows with an id", c.Label(), n, all)
	}
	return fmt.Sprintf("column %s says no in %d of %d sampled rows with an id", c.Label(), n, all)
}

// Saying is a column that says no of rows, or of which kind their ids are, for people who inspect an
// export.
type Saying struct {
	Column string        `json:"column"` // as the source names it
	Says   string        `json:"says"`   // type, or consent, att, optOut, status, operation, usPrivacy
	Values []SayingValue `json:"values"` // of a sample, the most frequent first
	Named  bool          `json:"named"`  // source.only, source.disregard or source.typeColumn names it
	Only   string        `json:"only"`   // the entry of source.only that leaves the rows that say no out; "" if there is none
}

// SayingValue is a value of a Saying.
type SayingValue struct {
	Value string `json:"value"` // in lower case; what looks like an id is masked
	Rows  int    `json:"rows"`
	Says  string `json:"says"` // yes, no, or "" for neither
}

// Sayings returns the columns that say no, or of which kind ids are. at is the column of ids, and
// typed that of source.typeColumn, -1 for none.
func (s Search) Sayings(columns []Column, at, typed int) []Saying {
	var list []Saying
	for i := range columns {
		c := &columns[i]
		says := c.says()
		if says == "" && s.Type != "" && saysTypesOf(columns, i, at) {
			says = usher.CheckType
		}
		if i == at || says == "" || len(c.Values) == 0 {
			continue
		}
		found := Saying{Column: fieldText(c), Says: says, Named: i == typed || s.disregards(columns, i)}
		against, refuses := s.against(usher.ColumnCheck{Says: says}), false
		for _, value := range byCount(c.Values) {
			v := SayingValue{Value: shownValue(value), Rows: c.Values[value]}
			switch {
			case against([]byte(value)):
				v.Says, refuses = "no", true
			case value != "":
				v.Says = "yes"
			}
			found.Values = append(found.Values, v)
		}
		if !refuses && !found.Named {
			continue
		}
		if allowed := allowedValues(c.Values, against); says != usher.CheckType && says != names.SaysOperation && len(allowed) > 0 {
			found.Only = fieldText(c) + "=" + strings.Join(allowed, "|")
		}
		list = append(list, found)
	}
	return list
}

// allowedValues returns the values that are not against a job; none if there are too many to name.
func allowedValues(counts map[string]int, against func([]byte) bool) []string {
	var allowed []string
	for _, value := range byCount(counts) {
		if !against([]byte(value)) {
			allowed = append(allowed, value)
		}
	}
	if len(allowed) > maxAllowed {
		return nil
	}
	return allowed
}

// Hint says how to take only the rows that a column allows. counts are its values.
func (s Search) Hint(check usher.ColumnCheck, c *Column, counts map[string]int) string {
	allowed, column := allowedValues(counts, s.against(check)), fieldText(c)
	switch {
	case check.Says == usher.CheckType:
		return "set source.typeColumn to " + fieldValue(c) + ", or source.disregard to " + quoted(column) + " if the column does not say which ids these are"
	case len(allowed) == 0:
		return "leave the rows that say no out of the export, or set source.disregard to " + quoted(column) + " if the column does not decide"
	case check.Says == names.SaysOperation:
		return "export the present state instead of the changes; or set source.only to " + quoted(column+"="+strings.Join(allowed, "|")) + " if the log has each id once"
	}
	return "set source.only to " + quoted(column+"="+strings.Join(allowed, "|")) + " to leave these rows out, or source.disregard to " + quoted(column) + " if the column does not decide"
}

// maxAllowed is the largest number of values that a hint names.
const maxAllowed = 12

// fieldText is how source.only and source.disregard name a column.
func fieldText(c *Column) string { return strings.Trim(fieldValue(c), `"`) }

// quoted returns a text as both JSON and a shell have it, if it is no plain word.
func quoted(text string) string {
	if strings.ContainsAny(text, " ()|;&<>$'*?#!`") {
		return `"` + text + `"`
	}
	return text
}

// byCount returns the values with counts, the most frequent first.
func byCount(counts map[string]int) []string {
	var values []string
	for value := range counts {
		values = append(values, value)
	}
	slices.SortFunc(values, func(a, b string) int { return cmp.Or(-cmp.Compare(counts[a], counts[b]), cmp.Compare(a, b)) })
	return values
}

// listedCounts lists values with their counts, for people: authorized 80, denied 15.
func listedCounts(counts map[string]int) string {
	const most = 8
	var list []string
	for i, value := range byCount(counts) {
		if i == most {
			list = append(list, "…")
			break
		}
		list = append(list, fmt.Sprintf("%s %d", shownValue(value), counts[value]))
	}
	return strings.Join(list, ", ")
}

// shownValue is a value of a column of states as people see it. It holds no id.
func shownValue(value string) string {
	const most = 40
	switch value = hashing.MaskIDs(value); {
	case value == "":
		return "(empty)"
	case len(value) > most:
		return strings.ToValidUTF8(value[:most], "") + "…"
	}
	return value
}

// one returns 1 for true.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// WithChecks returns the first checks, and those of more whose names they do not have.
func WithChecks(list, more []usher.ColumnCheck) []usher.ColumnCheck {
	for _, c := range more {
		known := slices.ContainsFunc(list, func(own usher.ColumnCheck) bool { return own.Name == c.Name && own.Says == c.Says })
		if !known {
			list = append(list, c)
		}
	}
	return list
}
