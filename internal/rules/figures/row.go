package figures

import (
	"fmt"
	"math"
	"strings"

	"usher/internal/readable"
)

// Row is a row of a report: the figures of a campaign, or of one of its creatives,
// on a day.
type Row struct {
	Date     string // YYYY-MM-DD
	Campaign string
	Creative string          // empty: the row is the campaign's
	Currency string          // of the amounts; empty: not known
	Values   [Fields]float64 // NaN: the report does not have it
}

// Merge returns the one row of a day for which the report has two. Numbers in which they
// differ are unknown, and so are amounts in different currencies.
func (row Row) Merge(other *Row) Row {
	for f := range Fields {
		if row.Values[f] != other.Values[f] || f.IsAmount() && row.Currency != other.Currency {
			row.Values[f] = math.NaN()
		}
	}
	return row
}

// level returns the level of the row.
func (row *Row) level() Level {
	if row.Creative != "" {
		return CreativeLevel
	}
	return CampaignLevel
}

// OutcomePrefix begins the names of outcomes in conditions.
const OutcomePrefix = "outcome."

// valuesOf returns the values of a row by the names of its fields, and outcomes by theirs. The other
// values are NaN.
func valuesOf(named map[string]float64) (values [Fields]float64, outcomes map[string]float64, err error) {
	for c := range values {
		values[c] = math.NaN()
	}
	outcomes = map[string]float64{}
	for name, value := range named {
		if bare, is := strings.CutPrefix(name, OutcomePrefix); is {
			outcomes[bare] = value
			continue
		}
		field, known := fieldNamed(name)
		if !known {
			return values, nil, fmt.Errorf("metric %q is not a field of the report%s", name, suggestField(name))
		}
		values[field] = value
	}
	return values, outcomes, nil
}

// fieldNamed returns the field of a report with that name.
func fieldNamed(name string) (Field, bool) {
	for f, known := range Names() {
		if known == name {
			return Field(f), true
		}
	}
	return 0, false
}

func suggestField(name string) string {
	if near := readable.Nearest(name, Names()); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}
