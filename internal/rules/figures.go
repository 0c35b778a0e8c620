package rules

import (
	"fmt"
	"iter"
	"math"
	"time"
)

// Figures are report rows summed by window, for one run of a set. They hold the
// columns that the set's conditions read and no rows, so their size depends on the
// number of creatives, not on that of days. They are not safe for concurrent use.
type Figures struct {
	set    *Set
	at     time.Time
	day    int // the running day
	levels [2]levelFigures
}

// levelFigures are the figures of all campaigns, or of all creatives.
type levelFigures struct {
	index   map[entity]int
	windows []windowSums // by the slots of the level
}

// entity is a campaign, or one of its creatives.
type entity struct{ campaign, creative string }

// windowSums are the sums over one window, by entity.
type windowSums struct {
	from, to int
	columns  [columns][]float64 // NaN: UNKNOWN; nil: no condition reads the column
	report   []int              // the newest day with a row; 0: no row
}

// slot is a window that a set's conditions read, and the columns they read.
type slot struct {
	window   Window
	previous bool
	reads    [columns]bool
}

// levelOf returns the index of a level in arrays.
func levelOf(l Level) int {
	if l == CreativeLevel {
		return 1
	}
	return 0
}

// NewFigures returns empty figures for a run at a time, whose date in the account's
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

// At returns the time of the run.
func (f *Figures) At() time.Time { return f.at }

// Need is a period whose reports a run reads.
type Need struct {
	Level    Level
	From, To string // YYYY-MM-DD, both included
}

// Needs returns at most one period a level. For campaigns, the run reads one report
// of all campaigns; for creatives, a report of each campaign for which Set.Reads
// returns true.
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

// days yields all days of all windows.
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

// Add adds a report row to every window that contains its date. Rows may come in
// any order, but each must be added once. A row without a creative is one of a
// campaign.
func (f *Figures) Add(row Row) error {
	day, err := parseDay(row.Date)
	if err != nil {
		return fmt.Errorf("report row of campaign %s: %w", row.Campaign, err)
	}
	values := f.extend(row.Values, day)
	l := levelOf(row.level())
	level := &f.levels[l]
	at := level.place(entity{row.Campaign, row.Creative}, f.set.slots[l])
	for i := range level.windows {
		if w := &level.windows[i]; day >= w.from && day <= w.to {
			w.add(at, day, &values)
		}
	}
	return nil
}

// add adds the values of a day to those of an entity.
func (w *windowSums) add(at, day int, values *[columns]float64) {
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

func (row Row) level() Level {
	if row.Creative != "" {
		return CreativeLevel
	}
	return CampaignLevel
}

// extend returns a row's values with the derived columns of its day.
func (f *Figures) extend(values [Fields]float64, day int) (all [columns]float64) {
	copy(all[:], values[:])
	begin, end := midnight(day, f.set.Zone), midnight(day+1, f.set.Zone)
	passed := min(max(f.at.Sub(begin), 0), end.Sub(begin))
	if end.Sub(f.at) <= time.Nanosecond { // f.at is Set.EndOf the day
		passed = end.Sub(begin)
	}
	all[hours] = passed.Hours()
	all[budgetDue] = values[Budget] * float64(passed) / float64(end.Sub(begin))
	return all
}

// place returns the index of an entity. A new one gets room in every column.
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

// places returns the indices of a creative's campaign and of the creative itself,
// by level; -1: it has no figures.
func (f *Figures) places(c Creative) [2]int {
	places := [2]int{-1, -1}
	for l, e := range [2]entity{{campaign: c.Campaign}, {c.Campaign, c.Code}} {
		if at, known := f.levels[l].index[e]; known {
			places[l] = at
		}
	}
	return places
}

// SetToday replaces a campaign's figures of the running day, such as those of a
// budget engine's event, in rules whose window is today. Fields without a value
// keep those of the report. A name that is not a field of the report is an error.
func (f *Figures) SetToday(campaign string, values map[string]float64) error {
	row, err := rowOf(values)
	if err != nil {
		return err
	}
	f.replace(CampaignLevel, entity{campaign: campaign}, row, func(s slot) bool { return s.window.kind == today && !s.previous })
	return nil
}

// rowOf returns the values of a row by the names of its fields. The others are NaN.
func rowOf(values map[string]float64) (row [Fields]float64, err error) {
	for c := range row {
		row[c] = math.NaN()
	}
	for name, value := range values {
		field, known := fieldNamed(name)
		if !known {
			return row, fmt.Errorf("metric %q is not a field of the report%s", name, suggestField(name))
		}
		row[field] = value
	}
	return row, nil
}

func suggestField(name string) string {
	list := fieldNames()
	if near := nearest(name, list[:Fields]); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// replace replaces the figures of an entity by those of the running day that are
// not NaN, in the slots for which wanted returns true.
func (f *Figures) replace(l Level, e entity, values [Fields]float64, wanted func(slot) bool) {
	level, slots := &f.levels[levelOf(l)], f.set.slots[levelOf(l)]
	at := level.place(e, slots)
	for i := range level.windows {
		if !wanted(slots[i]) {
			continue
		}
		extended := f.extend(values, f.day)
		if slots[i].window.kind == lastDays {
			extended[hours] *= float64(slots[i].window.days)
		}
		for c, column := range level.windows[i].columns {
			if column != nil && !math.IsNaN(extended[c]) {
				column[at] = extended[c]
			}
		}
		level.windows[i].report[at] = f.day
	}
}
