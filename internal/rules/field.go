package rules

// Field is a number of a report row.
type Field int

// The fields, by the platform's names; see fieldNames.
const (
	Auctions Field = iota
	BidsPlaced
	Won
	Impressions
	Clicks
	Engagements
	UniqueClicks
	UniqueEngagements
	NetMediaSpend
	GrossMediaSpend
	Budget
	MediaMargin
	LifetimeBudget

	// Fields is their number.
	Fields
)

// Columns that are derived from a row and its day.
const (
	hours     = Fields     // of the row's day that have passed
	budgetDue = Fields + 1 // the part of the row's budget that is due by then
	columns   = Fields + 2
)

// fieldNames returns the names of the fields in conditions.
func fieldNames() [columns]string {
	return [columns]string{
		"auctions", "bidsPlaced", "won", "impressions", "clicks", "engagements", "uniqueClicks", "uniqueEngagements",
		"netMediaSpend", "grossMediaSpend", "budget", "mediaMargin", "lifetimeBudget", "hours", "budgetDue",
	}
}

func (f Field) String() string { return fieldNames()[f] }

// fieldNamed returns the field of a report with that name.
func fieldNamed(name string) (Field, bool) {
	for f, known := range fieldNames() {
		if known == name && Field(f) < Fields {
			return Field(f), true
		}
	}
	return 0, false
}

// newest reports whether a window takes the field from its newest row, because
// the field does not add up over days.
func (f Field) newest() bool { return f == MediaMargin || f == LifetimeBudget }

// isAmount reports whether the field is an amount of money.
func (f Field) isAmount() bool {
	return f == NetMediaSpend || f == GrossMediaSpend || f == Budget || f == LifetimeBudget || f == budgetDue
}

// isBudget reports whether the field is a budget. A budget of 0 is none, so nothing is
// calculated with it.
func (f Field) isBudget() bool { return f == Budget || f == LifetimeBudget }

// counts reports whether the field counts events. A ratio to a small count means
// little.
func (f Field) counts() bool { return f <= UniqueEngagements }

// Row is a row of a report: the figures of a campaign, or of one of its creatives,
// on a day.
type Row struct {
	Date     string // YYYY-MM-DD
	Campaign string
	Creative string          // empty: the row is the campaign's
	Currency string          // of the amounts; empty: not known
	Values   [Fields]float64 // NaN: the report does not have it
}
