package outcomes

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"usher/internal/rules/figures"
)

// Stored has what is stored of an account in some days, with all versions.
type Stored struct {
	Months map[string][]Month // by campaign
	Days   []Days
	Names  Names
	// NamesLost says that the names are damaged or lost: which ones had negative values is not known.
	NamesLost bool
}

// Forget takes back that days of a month are complete.
func (s *Stored) Forget(month string) {
	for _, days := range s.Days {
		for _, dates := range days {
			maps.DeleteFunc(dates, func(date string, _ []Completion) bool { return strings.HasPrefix(date, month+"-") })
		}
	}
}

// Facts returns what was known at a time of what a run needs, as package figures takes it. The
// zero time is now.
func (s *Stored) Facts(need figures.OutcomeNeed, when time.Time) *figures.Outcomes {
	facts := &figures.Outcomes{Signed: map[string]bool{}, AllSigned: s.NamesLost}
	if !s.NamesLost {
		facts.Delivered = s.Names.Sorted()
	}
	wanted := func(name, date string) bool {
		return date >= need.From && date <= need.To && slices.Contains(need.Names, name)
	}
	for name, of := range s.Names {
		facts.Signed[name] = of.Negative
	}
	for _, days := range s.Days {
		for name, dates := range days {
			for date, list := range dates {
				if complete, creatives := isComplete(list, when); complete && wanted(name, date) {
					facts.Complete = append(facts.Complete, figures.OutcomeDay{Date: date, Name: name, Creatives: creatives})
				}
			}
		}
	}
	s.Each(func(of Stated, versions Values) {
		v, known := versions.At(when)
		if !known || !wanted(of.Name, of.Date) {
			return
		}
		row := figures.OutcomeRow{Date: of.Date, Campaign: of.Campaign, Creative: of.Creative, Name: of.Name, Value: math.NaN()}
		if v.Number != nil {
			row.Value = *v.Number
		}
		facts.Rows = append(facts.Rows, row)
	})
	return facts
}

// Stated says what a number is of.
type Stated struct{ Date, Campaign, Creative, Name string }

// Each calls visit with the versions of each number.
func (s *Stored) Each(visit func(of Stated, versions Values)) {
	for campaign, months := range s.Months {
		for _, month := range months {
			for name, creatives := range month {
				for creative, dates := range creatives {
					for date, versions := range dates {
						visit(Stated{date, campaign, creative, name}, versions)
					}
				}
			}
		}
	}
}
