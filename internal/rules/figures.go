package rules

import (
	"fmt"
	"iter"
	"math"
	"time"
)

// Figures are report rows summed by window, for one run of a set. It holds the
// columns that the set's conditions read and no rows, so its size is that of
// the creatives, not of the days. It is not safe for concurrent use.
type Figures struct {
	set    *Set
	at     time.Time
	day    int // the running one
	levels [2]levelFigures
}

// levelFigures are the figures of all campaigns, or of all creatives.
type levelFigures struct {
	index   map[entity]int
	windows []windowSums // as the set's slots of this level
}

// entity is a campaign, or one of its creatives.
type entity struct{ campaign, creative string }

// windowSums are the sums over one window, by entity.
type windowSums struct {
	from, to int
	columns  [columns][]float64 // NaN: not known; nil: nobody reads it
	report   []int              // the newest day with a row; 0: there is none
}

// slot is a window that a set's conditions read, and which of its columns.
type slot struct {
	window   Window
	previous bool
	reads    [columns]bool
}

// levelOf is a level's place in arrays.
func levelOf(l Level) int {
	if l == CreativeLevel {
		return 1
	}
	return 0
}

// NewFigures returns the figures of a run at a time: its date in the account's
// zone is the running day.
func NewFigures(s *Set, at time.Time) *Figures {
	f := &Figures{set: s, at: at, day: dayNumber(at.In(s.Zone))}
	for l := range f.levels {
		f.levels[l].index = map[entity]int{}
		for _, slot := range s.slots[l] {
			sums := windowSums{}
			sums.from, sums.to = slot.window.span(f.day, slot.previous)
			f.levels[l].windows = append(f.levels[l].windows, sums)
		}
	}
	return f
}

// At is the run's time.
func (f *Figures) At() time.Time { return f.at }

// Need is the days of which a run reads reports, both included.
type Need struct {
	Level    Level
	From, To string // YYYY-MM-DD
}

// Needs are the days to read: at most one period a level, whatever the windows
// are. Of campaigns it is one report of all; of creatives it is a report of each
// campaign that Reads names.
func (f *Figures) Needs() []Need {
	var needs []Need
	for l, level := range [...]Level{CampaignLevel, CreativeLevel} {
		from, to := math.MaxInt, 0
		for _, w := range f.levels[l].windows {
			from, to = min(from, w.from), max(to, w.to)
		}
		if to > 0 {
			needs = append(needs, Need{level, dayText(from), dayText(to)})
		}
	}
	return needs
}

// days yields every day that a window reads.
func (f *Figures) days() iter.Seq[int] {
	return func(yield func(int) bool) {
		from, to := math.MaxInt, 0
		for _, level := range f.levels {
			for _, w := range level.windows {
				from, to = min(from, w.from), max(to, w.to)
			}
		}
		for day := from; day <= to; day++ {
			if !yield(day) {
				return
			}
		}
	}
}

// Add adds a report row to every window that its date lies in. Rows may come in
// any order; each is added once. A row without a creative is a campaign's.
func (f *Figures) Add(row Row) error {
	day, err := parseDay(row.Date)
	if err != nil {
		return fmt.Errorf("report row of campaign %s: %w", row.Campaign, err)
	}
	values := f.extended(row.Values, day)
	level := &f.levels[0]
	if row.Creative != "" {
		level = &f.levels[1]
	}
	at := level.place(entity{row.Campaign, row.Creative}, f.set.slots[levelOf(rowLevel(row))])
	for i := range level.windows {
		w := &level.windows[i]
		if day < w.from || day > w.to {
			continue
		}
		newer := day >= w.report[at]
		for c, column := range w.columns {
			switch {
			case column == nil || math.IsNaN(values[c]):
			case Field(c).newest():
				if newer {
					column[at] = values[c]
				}
			case math.IsNaN(column[at]):
				column[at] = values[c]
			default:
				column[at] += values[c]
			}
		}
		w.report[at] = max(w.report[at], day)
	}
	return nil
}

func rowLevel(row Row) Level {
	if row.Creative != "" {
		return CreativeLevel
	}
	return CampaignLevel
}

// extended are a row's values with what is made of them and its day.
func (f *Figures) extended(values [Fields]float64, day int) (all [columns]float64) {
	copy(all[:], values[:])
	begin, end := midnight(day, f.set.Zone), midnight(day+1, f.set.Zone)
	passed := min(max(f.at.Sub(begin), 0), end.Sub(begin))
	if end.Sub(f.at) <= time.Nanosecond { // as of a date
		passed = end.Sub(begin)
	}
	all[hours] = passed.Hours()
	all[budgetDue] = values[Budget] * float64(passed) / float64(end.Sub(begin))
	return all
}

// place is where an entity's figures are; a new one gets room in every column.
func (l *levelFigures) place(e entity, slots []slot) int {
	at, known := l.index[e]
	if known {
		return at
	}
	at = len(l.index)
	l.index[e] = at
	for i := range l.windows {
		w := &l.windows[i]
		for c, read := range slots[i].reads {
			if read {
				w.columns[c] = append(w.columns[c], math.NaN())
			}
		}
		w.report = append(w.report, 0)
	}
	return at
}

// places are where a creative's campaign and the creative itself have their
// figures, by level; -1: they have none.
func (f *Figures) places(c Creative) [2]int {
	of := [2]int{-1, -1}
	for l, e := range [2]entity{{campaign: c.Campaign}, {c.Campaign, c.Code}} {
		if at, known := f.levels[l].index[e]; known {
			of[l] = at
		}
	}
	return of
}

// Know takes a campaign's figures of the running day from elsewhere, such as a
// budget engine's event: they replace what the report has of today, field by
// field, in rules whose window is today. A name that is no field of the report
// is an error.
func (f *Figures) Know(campaign string, values map[string]float64) error {
	var row [Fields]float64
	for c := range row {
		row[c] = math.NaN()
	}
	for name, value := range values {
		field, known := fieldNamed(name)
		if !known {
			return fmt.Errorf("metric %q is no field of the report%s", name, f.set.suggestField(name))
		}
		row[field] = value
	}
	f.put(CampaignLevel, entity{campaign: campaign}, row, f.day, func(s slot) bool { return s.window.kind == today && !s.previous })
	return nil
}

// put replaces the figures of an entity, those that are not NaN, in the windows
// that are meant, as of a day.
func (f *Figures) put(l Level, e entity, values [Fields]float64, day int, meant func(slot) bool) {
	level, slots := &f.levels[levelOf(l)], f.set.slots[levelOf(l)]
	at := level.place(e, slots)
	for i := range level.windows {
		if !meant(slots[i]) {
			continue
		}
		extended := f.extended(values, day)
		if slots[i].window.kind == lastDays {
			extended[hours] *= float64(slots[i].window.days)
		}
		for c, column := range level.windows[i].columns {
			if column != nil && !math.IsNaN(extended[c]) {
				column[at] = extended[c]
			}
		}
		level.windows[i].report[at] = day
	}
}
