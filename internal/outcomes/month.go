package outcomes

import (
	"maps"
	"slices"
	"time"
)

// Month has the values of a campaign in a month: name → creative, "" for the campaign itself → date
// → versions.
type Month map[string]map[string]map[string]Values

// maxValues is the number of values of the largest Month, which must fit into a message of NATS.
const maxValues = 20_000

// Valid reports whether usher can have written the month: it writes no empty one.
func (m *Month) Valid() bool { return len(*m) > 0 }

// size returns the number of values.
func (m Month) size() int {
	n := 0
	for _, creatives := range m {
		for _, dates := range creatives {
			n += len(dates)
		}
	}
	return n
}

// Counts says what became of the numbers of a delivery.
type Counts struct {
	Stored    int `json:"stored"`    // there was none
	Restated  int `json:"restated"`  // there was another one
	Unchanged int `json:"unchanged"` // there was this one
}

// Add adds the counts of another part of a delivery.
func (c *Counts) Add(other Counts) {
	c.Stored += other.Stored
	c.Restated += other.Restated
	c.Unchanged += other.Unchanged
}

func (c *Counts) count(isNew, isKnown bool) {
	switch {
	case !isNew:
		c.Unchanged++
	case isKnown:
		c.Restated++
	default:
		c.Stored++
	}
}

// Put adds rows of a delivery that are all of the month's campaign and month. It returns what became
// of their numbers, whether anything changed, and those for which there is no room.
func (m *Month) Put(d *Delivery, rows []Row) (counts Counts, changed bool, full []Refusal) {
	if *m == nil {
		*m = Month{}
	}
	size := m.size()
	for _, row := range rows {
		if row.Number == nil && !d.Complete {
			continue // the delivery says nothing of it
		}
		before := (*m)[row.Name][row.Creative][row.Date]
		if len(before) == 0 && size >= maxValues {
			full = append(full, Refusal{row.row, row.Date, row.Campaign, row.Creative, row.Name, "its campaign has too many numbers in this month: deliver fewer columns, or no creatives"})
			continue
		}
		after, isNew := before.add(d.Known, row.Number)
		if row.Number != nil {
			counts.count(isNew, len(before) > 0)
		}
		if !isNew {
			continue
		}
		if changed = true; len(before) == 0 {
			size++
		}
		if (*m)[row.Name] == nil {
			(*m)[row.Name] = map[string]map[string]Values{}
		}
		if (*m)[row.Name][row.Creative] == nil {
			(*m)[row.Name][row.Creative] = map[string]Values{}
		}
		(*m)[row.Name][row.Creative][row.Date] = after
	}
	return counts, changed, full
}

// Coverage says what a complete delivery has rows of.
type Coverage struct {
	days map[[2]string]bool // date and name
	rows map[key]bool
	// campaigns has those with a row on a day, and says whether all of their rows there are of creatives. Its
	// keys have no creative.
	campaigns map[key]bool
}

// CoverageOf returns what the rows of days that a delivery makes complete are of.
func CoverageOf(rows []Row) *Coverage {
	c := &Coverage{days: map[[2]string]bool{}, rows: map[key]bool{}, campaigns: map[key]bool{}}
	for i := range rows {
		row := &rows[i]
		c.days[[2]string{row.Date, row.Name}] = true
		c.rows[row.key()] = true
		of := key{row.Date, row.Campaign, "", row.Name}
		all, found := c.campaigns[of]
		c.campaigns[of] = row.Creative != "" && (all || !found)
	}
	return c
}

// isZero reports whether a number of a campaign, or of a creative of it, is 0 because its day is complete and has no
// row of it. Rows of creatives say nothing of a number of their campaign, nor does a row of the campaign of
// those of its creatives.
func (c *Coverage) isZero(of key) bool {
	if !c.days[[2]string{of.date, of.name}] || c.rows[of] {
		return false
	}
	ofCreatives, found := c.campaigns[key{of.date, of.campaign, "", of.name}]
	return !found || of.creative != "" && ofCreatives
}

// PutZeros makes numbers of a campaign 0 that were known when a complete delivery became known and of which it has no row.
// It returns how many.
func (m Month) PutZeros(known time.Time, campaign string, covered *Coverage) (restated int) {
	zero := 0.0
	for name, creatives := range m {
		for creative, dates := range creatives {
			for date, versions := range dates {
				if _, found := versions.At(known); !found || !covered.isZero(key{date, campaign, creative, name}) {
					continue
				}
				if after, isNew := versions.add(known, &zero); isNew {
					dates[date] = after
					restated++
				}
			}
		}
	}
	return restated
}

// Days says which days of a month are complete: name → date → when that became known.
type Days map[string]map[string][]Completion

// Completion is when a day was delivered as complete. Creatives says that all rows were of creatives.
type Completion struct {
	Known     time.Time `json:"known"`
	Creatives bool      `json:"creatives,omitempty"`
}

// Valid reports whether usher can have written the days: it writes no empty ones.
func (days *Days) Valid() bool { return len(*days) > 0 }

// Put adds the days of a complete delivery, whose rows are all of the month. It reports whether
// anything changed.
func (days *Days) Put(d *Delivery, rows []Row) (changed bool) {
	if *days == nil {
		*days = Days{}
	}
	ofCreatives := map[[2]string]bool{}
	for _, row := range rows {
		at := [2]string{row.Name, row.Date}
		all, known := ofCreatives[at]
		ofCreatives[at] = row.Creative != "" && (all || !known)
	}
	for at, creatives := range ofCreatives {
		name, date := at[0], at[1]
		list := (*days)[name][date]
		if slices.ContainsFunc(list, func(c Completion) bool { return !c.Known.After(d.Known) && (c.Creatives || !creatives) }) {
			continue
		}
		changed = true
		if (*days)[name] == nil {
			(*days)[name] = map[string][]Completion{}
		}
		(*days)[name][date] = append(list, Completion{d.Known.UTC(), creatives})
	}
	return changed
}

// isComplete returns whether a day was known to be complete at a time, and whether for creatives.
func isComplete(list []Completion, when time.Time) (complete, creatives bool) {
	for _, c := range list {
		if when.IsZero() || !c.Known.After(when) {
			complete, creatives = true, creatives || c.Creatives
		}
	}
	return complete, creatives
}

// Names has what is known of each name of an account.
type Names map[string]Name

// Sorted returns the names, of which there may be none.
func (n Names) Sorted() []string {
	return append([]string{}, slices.Sorted(maps.Keys(n))...)
}

// Name is what is known of the name of an outcome.
type Name struct {
	Since time.Time `json:"since"` // when it was delivered first
	Last  time.Time `json:"last"`  // when it was delivered last
	// Negative says that it ever had a negative value, so that what is missing may lower its sum.
	Negative bool `json:"negative,omitempty"`
}

// MaxNames is the number of names of an account.
const MaxNames = 100

// Valid reports whether usher can have written the names: it writes no empty list.
func (n *Names) Valid() bool { return len(*n) > 0 }
