package figures

import (
	"slices"
	"time"
)

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
func (f Field) String() string {
	if f.IsOutcome() {
		return "outcome" // Columns.Outcome has its name
	}
	return names()[f]
}

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
	Field   Field // adds up over days
	Least   float64
	Outcome string // the name of an outcome
}

// Name returns the name of the field in conditions.
func (m Minimum) Name() string {
	if m.Field.IsOutcome() {
		return OutcomePrefix + m.Outcome
	}
	return m.Field.String()
}

// Level says whose figures are meant.
type Level string

// The levels.
const (
	CampaignLevel Level = "campaign" // those of a campaign, for all of its creatives; the default
	CreativeLevel Level = "creative" // those of each creative
	AccountLevel  Level = "account"  // the sums over all campaigns in scope, for all of their creatives
)

// Index returns the place of the level in arrays by level. The figures of an account are those of its
// campaigns.
func (l Level) Index() int {
	if l == CreativeLevel {
		return 1
	}
	return 0
}

// Columns are the columns that the conditions of a rule file read: fields, each of them
// summed over a window. The zero Columns are none.
type Columns struct {
	Zone *time.Location // of the account

	windows  [2][]reading // by level
	outcomes []string     // by field, from outcomeField on
	account  bool         // conditions sum campaigns
}

// recentDays are the days by which a campaign counts as running, although it is not active: if it has a row in
// one of them, a day of another window without a row is unknown, and not 0.
var recentDays = Window{Kind: LastDays, Days: 7}

// IsRecent reports whether a window is recentDays.
func (w Window) IsRecent() bool { return w == recentDays }

// ReadAccount adds what sums over campaigns need: which of them have had rows lately.
func (c *Columns) ReadAccount() {
	c.account = true
	c.Add(CampaignLevel, recentDays, false)
}

// reading is a window that conditions read, and the columns they read.
type reading struct {
	Window   Window
	Previous bool // the window before it
	reads    [columns]bool
	isRead   []Field // outcomes that are read
}

// Add adds columns of a window of a level, or of the window before it, and returns the
// place of the window among those of the level. Without fields, it is the window whose
// days are counted.
func (c *Columns) Add(l Level, w Window, previous bool, fields ...Field) int {
	windows := &c.windows[l.Index()]
	at := slices.IndexFunc(*windows, func(known reading) bool { return known.Window == w && known.Previous == previous })
	if at < 0 {
		at = len(*windows)
		*windows = append(*windows, reading{Window: w, Previous: previous})
	}
	for _, f := range fields {
		r := &(*windows)[at]
		switch {
		case !f.IsOutcome():
			r.reads[f] = true
		case !slices.Contains(r.isRead, f):
			r.isRead = append(r.isRead, f)
		}
	}
	return at
}
