package choose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
)

// Saying is a column that says no of rows, or of which kind their ids are, for people who inspect an
// export.
type Saying struct {
	Column string        `json:"column"` // as the source names it
	Says   string        `json:"says"`   // type, or consent, att, optOut, status, operation, usPrivacy, unclear
	Values []SayingValue `json:"values"` // of a sample, the most frequent first
	Named  bool          `json:"named"`  // source.only, source.disregard or source.typeColumn names it
	Only   string        `json:"only"`   // the entry of source.only that leaves out the rows that say no; "" if there is none
}

// SayingValue is a value of a Saying.
type SayingValue struct {
	Value string `json:"value"` // in lower case; what looks like an id is masked
	Rows  int    `json:"rows"`
	Says  string `json:"says"` // yes, no, or "" for neither, and for a column whose name does not show which
}

// Sayings returns the columns that say no, or neither yes nor no, of rows, or of which kind ids are. at is the column of ids, and
// typed that of source.typeColumn, -1 for none.
func (s Search) Sayings(columns []Column, at, typed int) []Saying {
	var list []Saying
	markRepeated(columns)
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
		answers := answersOf(says, c.Name, s.Type, c.Values)
		for _, value := range byCount(c.Values) {
			found.Values = append(found.Values, SayingValue{Value: shownValue(value), Rows: c.Values[value], Says: answerWord(answers(value))})
		}
		open := names.Asks(says, c.Name) && slices.ContainsFunc(found.Values, func(v SayingValue) bool { return v.Says == "" && !names.IsTime(v.Value) })
		refuses := slices.ContainsFunc(byCount(c.Values), func(value string) bool { return answers(value).MayBeNo() })
		if !refuses && !open && !found.Named {
			continue
		}
		if says != usher.CheckType && says != names.SaysOperation {
			found.Only = onlyOf(says, c, c.Values)
		}
		list = append(list, found)
	}
	return list
}

// answersOf returns a function that says what a value of a column with certain values says. A blank cell of
// a column of opt-outs says that there is none, unless other cells say so.
func answersOf(says, name string, wanted usher.IDType, counts map[string]int) func(value string) names.Answer {
	if says == usher.CheckType {
		otherType := names.OtherTypeThan(wanted, name)
		return func(value string) names.Answer {
			switch {
			case otherType([]byte(value)):
				return names.No
			case value == "":
				return names.UnknownAnswer
			}
			return names.Yes
		}
	}
	answerOf, blank := names.Answers(says, name), names.UnknownAnswer
	if says == names.SaysOptOut {
		blank = names.Yes
		for value := range counts {
			if answerOf([]byte(value)) == names.Yes {
				blank = names.UnknownAnswer
			}
		}
	}
	return func(value string) names.Answer {
		if answer := answerOf([]byte(value)); answer != names.NoAnswer {
			return answer
		}
		return blank
	}
}

// answerWord is an answer as SayingValue has it.
func answerWord(a names.Answer) string {
	switch a { // the others say neither
	case names.Yes:
		return "yes"
	case names.No:
		return "no"
	}
	return ""
}

// valuesThat returns the values that give an answer, the most frequent first.
func valuesThat(answer names.Answer, says, name string, counts map[string]int) []string {
	of := answersOf(says, name, "", counts)
	return slices.DeleteFunc(byCount(counts), func(value string) bool { return of(value) != answer })
}

// onlyOf returns the entry of source.only that takes the rows whose value says yes; "" if there are none,
// or too many values to name.
func onlyOf(says string, c *Column, counts map[string]int) string {
	allowed := valuesThat(names.Yes, says, c.Name, counts)
	if len(allowed) == 0 || len(allowed) > maxAllowed {
		return ""
	}
	return fieldText(c) + "=" + strings.Join(allowed, "|")
}

// unanswered finds the columns of consents and opt-outs in which rows with an id say neither yes nor no: a cell
// is blank, or has a word that usher does not know. A column that says no of other rows refuses the export,
// with all its values.
func (s Search) unanswered(sample *Sample) (found []finding) {
	for i := range sample.Columns {
		c := &sample.Columns[i]
		if s.Removes || i == sample.At || s.disregards(sample.Columns, i) || hashing.MaskIDs(c.Name) != c.Name {
			continue
		}
		says, isDecided := c.says(), true
		if says == "" {
			says, isDecided = c.undecided(), false
		}
		if !names.Asks(says, c.Name) {
			continue
		}
		a := s.sampled(usher.ColumnCheck{Name: c.Name, Number: c.Number, Says: says}, c, sample.idsWith(i))
		if f := s.open(&a, isDecided); f.n > 0 && (a.rows == 0 || !isDecided) {
			found = append(found, f)
		}
	}
	return append(found, s.unread(sample)...)
}

// unread finds the columns of consents and opt-outs that have lists beside the ids, which are not read.
func (s Search) unread(sample *Sample) (found []finding) {
	for _, i := range sample.Unread {
		c := &sample.Columns[i]
		if s.Removes || s.disregards(sample.Columns, i) || !names.Asks(names.Says(c.Name), c.Name) {
			continue
		}
		n := max(sample.Columns[sample.At].Filled, 1)
		found = append(found, finding{code: usher.WarnUnanswered, n: n, all: n, text: fmt.Sprintf(
			"sampled rows with an id may have several values in column %s, which are not read beside it, and are uploaded: write the one that decides to a column of its own, or set source.disregard to %s if the column does not decide",
			c.Label(), listOf(s.Disregard, fieldText(c)))})
	}
	return found
}

// open returns the finding for rows that a column does not decide. If nothing of it is decided, as in a column of
// counts, that is every row whose value does not say yes.
func (s Search) open(a *against, isDecided bool) finding {
	answers, column := answersOf(a.Says, a.Name, "", a.counts), fieldText(a.column)
	unknown, dates := map[string]int{}, false
	n := 0
	for value, rows := range a.counts {
		switch answer := answers(value); {
		case slices.Contains(a.mixed, value):
			unknown[value] = rows
			n += rows
		case isDecided && names.IsTime(value):
			dates = true // the day of the consent
		case answer == names.UnknownAnswer, answer.MayBeNo() && !isDecided:
			unknown[value] = rows
			n += rows
		}
	}
	says := "say neither yes nor no"
	if !isDecided {
		says = "have values of which usher cannot tell whether they say no"
	}
	remedy := "name the values that may be uploaded in source.only, as " + column + "=VALUE|VALUE, or set source.disregard"
	if only := onlyOf(a.Says, a.column, a.counts); len(a.mixed) > 0 {
		remedy = "leave those that say no out of the export, or set source.disregard"
	} else if only != "" {
		remedy = "set source.only to " + listOf(s.Only, only) + " to leave them out, or source.disregard"
	} else if dates {
		remedy = "leave them out of the export, or set source.disregard"
	}
	return finding{code: usher.WarnUnanswered, n: n, all: a.all, text: fmt.Sprintf(
		"sampled rows with an id %s in column %s (%s), and are uploaded: %s to %s if the column does not decide",
		says, a.column.Label(), listed(unknown, func(string) string { return "" }), remedy, listOf(s.Disregard, column))}
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

// listedCounts lists values with their counts and what they say, for people: authorized 80 (upload), denied 15
// (leave out).
func listedCounts(says, name string, counts map[string]int) string {
	if says == usher.CheckType {
		return listed(counts, func(string) string { return "" })
	}
	answers := answersOf(says, name, "", counts)
	return listed(counts, func(value string) string { return " (" + AnswerText(answerWord(answers(value))) + ")" })
}

// listed lists the most frequent values with their counts, and a remark on each.
func listed(counts map[string]int, remark func(value string) string) string {
	const most = 8
	var list []string
	for i, value := range byCount(counts) {
		if i == most {
			list = append(list, "…")
			break
		}
		list = append(list, fmt.Sprintf("%s %d%s", shownValue(value), counts[value], remark(value)))
	}
	return strings.Join(list, ", ")
}

// AnswerText says what to do with a row, by the word of a SayingValue.
func AnswerText(says string) string {
	switch says {
	case "yes":
		return "upload"
	case "no":
		return "leave out"
	}
	return "not known"
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
