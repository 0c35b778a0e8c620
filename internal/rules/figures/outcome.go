package figures

import (
	"fmt"
	"math"
	"slices"

	"usher/internal/rules/calendar"
)

// Outcomes are numbers from outside, such as installs and revenue, as far as they are known at a
// time.
type Outcomes struct {
	Rows []OutcomeRow
	// Complete are the days of a name that were delivered as complete: on them, what has no row
	// is 0.
	Complete []OutcomeDay
	Signed   map[string]bool // the names that ever had a negative value
	// AllSigned says that it is not known which names had a negative value, so that each may have.
	AllSigned bool
	// Delivered are all names that were ever delivered, sorted; nil: not known.
	Delivered []string
}

// OutcomeRow is a number of a campaign, or of one of its creatives, on a day.
type OutcomeRow struct {
	Date, Campaign, Creative, Name string
	Value                          float64 // NaN: it is missing, although its day is complete
}

// OutcomeDay is a complete day of a name. Creatives says that its rows are of creatives.
type OutcomeDay struct {
	Date, Name string
	Creatives  bool
}

// outcomeField is the first field of an outcome. The following ones are those of Columns.outcomes.
const outcomeField = columns

// IsOutcome reports whether the field is an outcome.
func (f Field) IsOutcome() bool { return f >= outcomeField }

// Outcome returns the field of an outcome with a name.
func (c *Columns) Outcome(name string) Field {
	for i, known := range c.outcomes {
		if known == name {
			return outcomeField + Field(i)
		}
	}
	c.outcomes = append(c.outcomes, name)
	return outcomeField + Field(len(c.outcomes)-1)
}

// outcome has the sums of an outcome over a window, by place.
type outcome struct {
	name     string
	sums     []float64
	days     []int32  // by which the number of known days differs from complete
	complete int32    // days
	signed   bool     // a number that is missing may be negative
	others   []string // if nobody has ever delivered it: the names that were delivered; otherwise nil
}

func (o *outcome) grow() {
	o.sums, o.days = append(o.sums, 0), append(o.days, 0)
}

// outcomeOf returns the outcome of a field.
func (s *Sums) outcomeOf(f Field) *outcome { return s.outcomes[f-outcomeField] }

// OutcomeDays returns the number of days on which an outcome is known.
func (s *Sums) OutcomeDays(f Field, at int) int {
	o := s.outcomeOf(f)
	return int(o.complete + o.days[at])
}

// NeverDelivered reports whether nobody has ever delivered an outcome, and returns the names that were.
func (s *Sums) NeverDelivered(f Field) (delivered []string, never bool) {
	o := s.outcomeOf(f)
	return o.others, o.others != nil
}

// outcomeRange returns the bounds of an outcome: as those of a field of the report, with the days on
// which the outcome is known. Without a lower bound, what is known says nothing.
func (s *Sums) outcomeRange(f Field, at, minDays int) (low, high float64) {
	o, days := s.outcomeOf(f), s.OutcomeDays(f, at)
	isWhole := days >= s.all
	if s.countsRows(minDays) {
		isWhole = days >= max(s.Required(minDays), 1)
	}
	switch {
	case s.IsEmpty() && days == 0, !isWhole && (s.countsRows(minDays) || o.signed):
		return math.NaN(), math.NaN()
	case !isWhole:
		return o.sums[at], math.Inf(1)
	}
	return o.sums[at], o.sums[at]
}

// outcomeTotal returns the bounds of the sum of an outcome over all campaigns; see Total.
func (s *Sums) outcomeTotal(f Field, minDays int, recent *Sums, scope Scope) (low, high float64) {
	isComplete := s.outcomeOf(f).complete >= int32(s.all) && !s.countsRows(minDays)
	for at := range s.days {
		if !scope.has(at) {
			continue
		}
		least, most := s.outcomeRange(f, at, minDays)
		if math.IsNaN(least) && s.countsRows(minDays) {
			continue
		}
		if least < most && s.days[at] == 0 && !recent.canLack(at) && s.OutcomeDays(f, at) == 0 {
			continue // it cannot lack a number
		}
		isComplete = isComplete || least == most
		low, high = low+least, high+most
	}
	switch {
	case s.IsEmpty() && !isComplete, math.IsNaN(low), !isComplete && (s.countsRows(minDays) || s.outcomeOf(f).signed):
		return math.NaN(), math.NaN()
	case !isComplete:
		return low, math.Inf(1)
	}
	return low, high
}

// LackingOutcomes returns how many campaigns lack an outcome on some days, and how many there are.
func (s *Sums) LackingOutcomes(f Field, minDays int, scope Scope) (lacking, all int) {
	for at := range s.days {
		if !scope.has(at) {
			continue
		}
		all++
		if low, high := s.outcomeRange(f, at, minDays); low != high { // true for NaN
			lacking++
		}
	}
	return lacking, all
}

// OutcomeNeed are the outcomes that a run reads.
type OutcomeNeed struct {
	Names    []string
	From, To string // YYYY-MM-DD, both included
}

// OutcomeNeeds returns the outcomes that conditions read, with the days of all of their windows.
func (f *Figures) OutcomeNeeds() OutcomeNeed {
	from, to, seen := calendar.Day(math.MaxInt), calendar.Day(0), map[string]bool{}
	need := OutcomeNeed{}
	for l := range f.levels {
		for i := range f.levels[l].windows {
			w := &f.levels[l].windows[i]
			for _, o := range w.outcomes {
				if o == nil {
					continue
				}
				from, to = min(from, w.from), max(to, w.to)
				if !seen[o.name] {
					seen[o.name] = true
					need.Names = append(need.Names, o.name)
				}
			}
		}
	}
	if len(need.Names) > 0 {
		need.From, need.To = from.String(), to.String()
	}
	return need
}

// outcomeDay is a day of an outcome.
type outcomeDay struct {
	day  calendar.Day
	name string
}

// AddOutcomes adds outcomes, once.
func (f *Figures) AddOutcomes(o *Outcomes) error {
	f.changes++
	complete, err := f.addComplete(o.Complete)
	if err != nil {
		return err
	}
	hasOwn := map[OutcomeRow]bool{} // whether a campaign has a row of its own
	for _, row := range o.Rows {
		if row.Creative == "" {
			row.Value = 0
			hasOwn[row] = true
		}
	}
	hasHole := map[OutcomeRow]bool{} // whether a campaign misses the number of a creative
	for _, row := range o.Rows {
		day, err := calendar.ParseDay(row.Date)
		if err != nil {
			return fmt.Errorf("outcome %s of campaign %s: %w", row.Name, row.Campaign, err)
		}
		c, isComplete := complete[outcomeDay{day, row.Name}]
		if row.Creative == "" {
			f.addOutcome(CampaignLevel, row, day, isComplete)
			continue
		}
		f.addOutcome(CreativeLevel, row, day, isComplete && c.Creatives)
		campaign := OutcomeRow{Date: row.Date, Campaign: row.Campaign, Name: row.Name}
		switch isMissing := math.IsNaN(row.Value); {
		case hasOwn[campaign], isMissing && hasHole[campaign]:
		case isMissing: // the sum of the campaign is a lower bound
			hasHole[campaign] = true
			campaign.Value = math.NaN()
			f.addOutcome(CampaignLevel, campaign, day, isComplete)
		default:
			f.addPart(row, day)
		}
	}
	f.noteSigned(o)
	f.noteDelivered(o.Delivered)
	return nil
}

// addComplete counts complete days.
func (f *Figures) addComplete(days []OutcomeDay) (map[outcomeDay]OutcomeDay, error) {
	complete := map[outcomeDay]OutcomeDay{}
	for _, c := range days {
		day, err := calendar.ParseDay(c.Date)
		if err != nil {
			return nil, fmt.Errorf("complete day of outcome %s: %w", c.Name, err)
		}
		complete[outcomeDay{day, c.Name}] = c
		f.eachOutcome(CampaignLevel, c.Name, day, func(to *outcome) { to.complete++ })
		if c.Creatives {
			f.eachOutcome(CreativeLevel, c.Name, day, func(to *outcome) { to.complete++ })
		}
	}
	return complete, nil
}

// addPart adds the row of a creative to its campaign, which is the sum of its creatives, whether
// these are all or not.
func (f *Figures) addPart(row OutcomeRow, day calendar.Day) {
	at := f.levels[CampaignLevel.Index()].place(entity{campaign: row.Campaign})
	f.eachOutcome(CampaignLevel, row.Name, day, func(to *outcome) { to.sums[at] += row.Value })
}

// noteDelivered notes which outcomes nobody has ever delivered.
func (f *Figures) noteDelivered(names []string) {
	for l := range f.levels {
		for i := range f.levels[l].windows {
			for _, to := range f.levels[l].windows[i].outcomes {
				if to != nil && names != nil && !slices.Contains(names, to.name) {
					to.others = names
				}
			}
		}
	}
}

// noteSigned notes which outcomes may be negative.
func (f *Figures) noteSigned(known *Outcomes) {
	for l := range f.levels {
		for i := range f.levels[l].windows {
			for _, to := range f.levels[l].windows[i].outcomes {
				if to != nil {
					to.signed = to.signed || known.AllSigned || known.Signed[to.name]
				}
			}
		}
	}
}

// addOutcome adds a row at a level. isComplete says that the day is one on which what has no row is 0.
func (f *Figures) addOutcome(l Level, row OutcomeRow, day calendar.Day, isComplete bool) {
	at := f.levels[l.Index()].place(entity{row.Campaign, row.Creative})
	f.eachOutcome(l, row.Name, day, func(to *outcome) {
		switch {
		case math.IsNaN(row.Value) && isComplete:
			to.days[at]--
		case math.IsNaN(row.Value):
		case isComplete:
			to.sums[at] += row.Value
		default:
			to.sums[at] += row.Value
			to.days[at]++
		}
	})
}

// eachOutcome calls visit with an outcome of each window of a level that has a day.
func (f *Figures) eachOutcome(l Level, name string, day calendar.Day, visit func(*outcome)) {
	windows := f.levels[l.Index()].windows
	for i := range windows {
		if w := &windows[i]; day < w.from || day > w.to {
			continue
		}
		for _, o := range windows[i].outcomes {
			if o != nil && o.name == name {
				visit(o)
			}
		}
	}
}

// replaceOutcome replaces an outcome of a place by that of a test.
func (s *Sums) replaceOutcome(at int, name string, value float64) {
	for _, o := range s.outcomes {
		if o == nil || o.name != name {
			continue
		}
		o.sums[at], o.days[at] = value, int32(max(s.all, 1))-o.complete
		if s.Window.Kind == Lifetime {
			o.days[at] = math.MaxInt32 / 2 // as many as any min_days
		}
	}
}
