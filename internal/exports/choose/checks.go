package choose

import (
	"cmp"
	"encoding/json"
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
	markRepeated(columns)
	list, err := s.onlyChecks(from, columns)
	if err != nil {
		return nil, err
	}
	var found []usher.ColumnCheck
	var refused []against
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
		if a := s.sampled(check, &columns[i], sample.idsWith(i)); a.rows > 0 && check.Refuse {
			refused = append(refused, a)
		} else if says != usher.CheckType {
			check.Instead = onlyOf(says, &columns[i], a.counts)
		}
		found = append(found, check)
	}
	if err := s.refuse(from, refused); err != nil {
		return nil, err
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

// says returns the category of a column that says no: its name promises it, and the sampled cells are of
// that kind. Nearly all or half of them are words that usher knows, or they are a few short words, of which
// it may know none. It is "" for any other column, such as one of numbers, ids or free text.
func (c *Column) says() string {
	category := names.Says(c.Name)
	if category == names.SaysConsent && isATT(c) {
		category = names.SaysATT
	}
	if category == "" || category == names.SaysStatus { // any word is a state
		return category
	}
	found := c.answersTo(category)
	switch {
	case found.known >= 19*found.others:
		return category
	case found.numbers && !c.hasCodes(), c.IDs > 0:
		return ""
	case found.known >= found.others, found.isFew && category != names.SaysOperation, found.leaving:
		return category
	}
	return ""
}

// undecided returns the category of a column of consents or opt-outs by its name, whose values do not show what
// they say: numbers, ids or free text. It is "" for latitudes and other measured numbers, and for consent strings,
// of which there is a warning of their own.
func (c *Column) undecided() string {
	category := names.Says(c.Name)
	if !names.Asks(category, c.Name) || c.says() != "" || names.IsConsentString(c.Name) {
		return ""
	}
	for value := range c.Values {
		whole, _, found := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(value, "-"), ",", "."), ".")
		if found && len(whole) <= len("180") && isNumber(value) && names.WholeNumber(value) == value {
			return ""
		}
	}
	return category
}

// answered counts the sampled cells of a column by what they say.
type answered struct {
	known, others int  // cells of words that are known, and of any others that are not blank
	numbers       bool // some of the others are numbers
	isFew         bool // the others are a few words, or the day of the consent
	leaving       bool // some are events of opt-outs in a log
}

func (c *Column) answersTo(category string) answered {
	found, answer := answered{others: c.MoreValues}, names.Answers(category, c.Name)
	words, times, dates := 0, 0, 0
	for value, n := range c.Values {
		switch answer([]byte(value)) {
		case names.NoAnswer:
		case names.UnknownAnswer:
			found.others += n
			words++
			times += one(names.IsTime(value))
			found.numbers = found.numbers || isNumber(value)
		default:
			found.known += n
			dates += one(names.IsTime(value))
			found.leaving = found.leaving || category == names.SaysOperation && names.IsLeaving(value)
		}
	}
	isDated := (category == names.SaysOptOut || category == names.SaysUnclear) && dates > words // for each row that says no
	if isDated || names.IsOfTimes(category, c.Name) {
		found.known, found.others = found.known+c.MoreValues, found.others-c.MoreValues
	}
	found.isFew = c.MoreValues == 0 && words <= maxAllowed || times > 0 && times == words
	return found
}

// hasCodes reports whether the sampled values are 1 and 2, and perhaps 0, as for yes, not asked and no. Numbers of
// newsletters have others.
func (c *Column) hasCodes() bool {
	hasYes := false
	for value := range c.Values {
		number := names.WholeNumber(value)
		if value != "" && value != "-1" && !slices.Contains([]string{"0", "1", "2"}, number) && !hashing.IsPlaceholder([]byte(value)) {
			return false
		}
		hasYes = hasYes || number == "1"
	}
	return c.MoreValues == 0 && hasYes
}

// isNumber reports whether a value that is no known word is a number, of which columns of latitudes and
// counts have many. -1 is the usual code for what is not known.
func isNumber(value string) bool {
	return value != "-1" && !names.IsTime(value) && strings.Trim(value, "+-.,0123456789") == ""
}

// isATT reports whether a column has the numbers of Apple's authorization status.
func isATT(c *Column) bool {
	if !names.IsAuthorization(c.Name) {
		return false
	}
	for value := range c.Values {
		if number := names.WholeNumber(value); number == "2" || number == "3" {
			return true
		}
	}
	return false
}

// against returns the function that finds rows against the job.
func (s Search) against(check usher.ColumnCheck) func(cell []byte) bool {
	if check.Says == usher.CheckType {
		return names.OtherTypeThan(s.Type, check.Name)
	}
	return names.SaysNo(check.Says, check.Name)
}

// against is a column that refuses an export, because of rows with an id.
type against struct {
	usher.ColumnCheck

	column *Column
	rows   int            // of the sample that are against the job
	all    int            // of the sample
	counts map[string]int // values of the sample
	mixed  []string       // the values in counts that join several cells beside one id, some of which say no
}

// sampled counts the rows of the sample that have an id, and those that are against the job by a column. Of several
// cells beside an id, one that is not against it is enough, as the reader has it; none is a blank cell.
func (s Search) sampled(check usher.ColumnCheck, c *Column, ids iter.Seq2[string, []string]) against {
	found := against{ColumnCheck: check, column: c, counts: map[string]int{}}
	isAgainst := s.against(check)
	for id, cells := range ids {
		if rows.IsGap([]byte(id)) {
			continue
		}
		no, value := 0, ""
		for _, cell := range cells {
			no += one(isAgainst([]byte(cell)))
		}
		if len(cells) > 0 {
			value = Folded([]byte(cells[0]))
		}
		if no > 0 && no < len(cells) {
			value = Folded([]byte(strings.Join(cells, ", ")))
			if !slices.Contains(found.mixed, value) {
				found.mixed = append(found.mixed, value)
			}
		}
		found.all++
		found.counts[value]++
		found.rows += one(no > 0 && no == len(cells))
	}
	return found
}

// refuse returns the error for an export that columns refuse.
func (s Search) refuse(from places.Origin, list []against) error {
	if len(list) == 0 {
		return nil
	}
	var texts []string
	for i := range list {
		texts = append(texts, list[i].describe())
	}
	return from.Broken(s.hint(list), "%s", strings.Join(texts, "; "))
}

// describe says what rows of a column say.
func (a *against) describe() string {
	text := fmt.Sprintf("column %s says no in %d of %d sampled rows with an id", a.column.Label(), a.rows, a.all)
	switch a.Says {
	case names.SaysUnclear:
		return fmt.Sprintf("column %s says yes or no in %d of %d sampled rows with an id, and its name does not show which: %s",
			a.column.Label(), a.rows, a.all, listed(a.counts, func(string) string { return "" }))
	case usher.CheckType:
		text = fmt.Sprintf("column %s names another kind of id in %d of %d sampled rows with an id", a.column.Label(), a.rows, a.all)
	case names.SaysOperation:
		text = fmt.Sprintf("it is a log of changes: column %s has deletions in %d of %d sampled rows with an id", a.column.Label(), a.rows, a.all)
	}
	return text + ": " + listedCounts(a.Says, a.Name, a.counts)
}

// hint says how to take only the rows that columns allow: all of them at once.
func (s Search) hint(list []against) string {
	var hints, only, columns, unknown, unnamed []string
	log := false
	for _, a := range list {
		column := fieldText(a.column)
		if a.Says == usher.CheckType {
			hints = append(hints, "set source.typeColumn to "+fieldValue(a.column)+", or source.disregard to "+listOf(s.Disregard, column)+" if the column does not say which ids these are")
			continue
		}
		log = log || a.Says == names.SaysOperation
		columns = append(columns, column)
		if entry := cmp.Or(onlyOf(a.Says, a.column, a.counts), a.Instead); entry != "" && len(a.mixed) == 0 {
			only = append(only, entry)
			unknown = append(unknown, valuesThat(names.UnknownAnswer, a.Says, a.Name, a.counts)...)
		} else {
			unnamed = append(unnamed, column)
		}
	}
	these := "the column does not decide"
	if len(columns) > 1 {
		these = "these columns do not decide"
	}
	disregard := "source.disregard to " + listOf(s.Disregard, columns...) + " if " + these
	switch {
	case len(columns) == 0:
	case len(unnamed) > 0 && !log:
		hints = append(hints, "leave the rows that say no out of the export; or name the values that may be uploaded in source.only, as "+unnamed[0]+"=VALUE|VALUE; or set "+disregard)
	case log && len(only) == len(columns):
		hints = append(hints, "export the present state instead of the changes; or set source.only to "+listOf(s.Only, only...)+" if the log has each id once")
	case log:
		hints = append(hints, "export the present state instead of the changes; or set "+disregard)
	default:
		others := "these rows out"
		if len(unknown) > 0 {
			others = "all other rows out, also those with " + strings.Join(shownValues(unknown), ", ") + ", which usher does not know"
		}
		hints = append(hints, "set source.only to "+listOf(s.Only, only...)+" to leave "+others+", or "+disregard)
	}
	return strings.Join(hints, "; and ")
}

// shownValues are values as people see them, the first few.
func shownValues(values []string) []string {
	const most = 5
	var shown []string
	for i, value := range values {
		if i == most {
			return append(shown, "…")
		}
		shown = append(shown, shownValue(value))
	}
	return shown
}

// listOf returns the value of a field that is a list: what the job has, and more. One entry stands alone.
func listOf(has []string, more ...string) string {
	list := append(slices.Clone(has), more...)
	if len(list) == 1 {
		return quoted(list[0])
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // unreachable: strings have no errors
	}
	return string(text)
}

// HintOf says how to take only the rows that a column of a plan allows, of whose values only those are known that the
// sample had.
func HintOf(plan *usher.Plan, check usher.ColumnCheck) string {
	var s Search
	column := func(c usher.ColumnCheck) *Column {
		same := 0
		for _, name := range append(slices.Clone(plan.Beside.Columns), plan.Header) {
			same += one(names.Same(name, c.Name))
		}
		return &Column{Name: c.Name, Number: c.Number, repeated: same > 1}
	}
	for _, own := range plan.Checks {
		if own.Says == usher.CheckOnly {
			s.Only = append(s.Only, fieldText(column(own))+"="+strings.Join(own.Values, "|"))
		}
	}
	return s.hint([]against{{ColumnCheck: check, column: column(check)}})
}

// maxAllowed is the largest number of values that a hint names.
const maxAllowed = 12

// fieldText is how source.only and source.disregard name a column.
func fieldText(c *Column) string { return strings.Trim(fieldValue(c), `"'`) }

// quoted returns a text as both JSON and a shell have it, if it is no plain word.
func quoted(text string) string {
	if strings.ContainsAny(text, " ()|;&<>$'*?#!`") {
		return `"` + text + `"`
	}
	return text
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
