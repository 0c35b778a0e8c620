package figures

// Field is a number of a report row.
type Field int

// The fields, by the platform's names; see Names.
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
	Hours     = Fields     // of the row's day that have passed
	BudgetDue = Fields + 1 // the part of the row's budget that is due by then
	columns   = Fields + 2
)

// names returns the names of the columns in conditions.
func names() [columns]string {
	return [columns]string{
		"auctions", "bidsPlaced", "won", "impressions", "clicks", "engagements", "uniqueClicks", "uniqueEngagements",
		"netMediaSpend", "grossMediaSpend", "budget", "mediaMargin", "lifetimeBudget", "hours", "budgetDue",
	}
}

// Names returns the names of the fields of a report, in their order.
func Names() []string {
	all := names()
	return all[:Fields]
}

// String returns the name of the field in conditions.
func (f Field) String() string { return names()[f] }

// AddsUp reports whether a window has the sum of the field over its days. It takes other
// fields from its newest row.
func (f Field) AddsUp() bool { return f != MediaMargin && f != LifetimeBudget }

// IsAmount reports whether the field is an amount of money.
func (f Field) IsAmount() bool {
	return f == NetMediaSpend || f == GrossMediaSpend || f == Budget || f == LifetimeBudget || f == BudgetDue
}

// IsBudget reports whether the field is a budget. A budget of 0 is none, so nothing is
// calculated with it.
func (f Field) IsBudget() bool { return f == Budget || f == LifetimeBudget }

// Counts reports whether the field counts events. A ratio to a small count means
// little.
func (f Field) Counts() bool { return f <= UniqueEngagements }

// Minimum is the smallest sum of a field with which a window is evaluated.
type Minimum struct {
	Field Field // adds up over days
	Least float64
}

// Level says whose figures are meant.
type Level string

// The levels.
const (
	CampaignLevel Level = "campaign" // those of a campaign, for all of its creatives; the default
	CreativeLevel Level = "creative" // those of each creative
)

// Index returns the place of the level in arrays by level.
func (l Level) Index() int {
	if l == CreativeLevel {
		return 1
	}
	return 0
}
