package rules

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"time"
)

// Figures are report rows summed by window, for one run of a set. They hold the
// columns that conditions read and no rows, so their size depends on the number of
// creatives, not on that of days. They are not safe for concurrent use.
type Figures struct {
	at         time.Time
	files      []fileWindows // first the set of the run, then the others
	levels     [2]levelFigures
	currencies []string // of rows, see currencyNumber
	reported   bool     // rows of campaigns were added, not only numbers of events
	campaignOf campaignPlaces
	ranked     map[rankKey][]float64 // until figures are added
}

// fileWindows are the windows of one set within the figures.
type fileWindows struct {
	set   *Set
	day   int    // the running day in its zone
	first [2]int // its first window, by level
}

// levelFigures are the figures of all campaigns, or of all creatives.
type levelFigures struct {
	index   map[entity]int
	windows []windowSums // set by set, by the slots of the level
}

// entity is a campaign, or one of its creatives.
type entity struct{ campaign, creative string }

// windowSums are the sums over one window, by entity.
type windowSums struct {
	slot
	from, to int
	all      int                // days of the window that exist in the zone
	columns  [columns][]float64 // NaN: UNKNOWN; nil: no condition reads the column
	report   []int              // the newest day with a row; 0: no row
	days     []uint16           // the number of days with a row
	oldest   []int              // the oldest day with a row, of the window ages only; 0: no row
	currency []currencyNumber
}

// requires returns on how many days a window must have a row, by the min_days of a
// rule.
func (w *windowSums) requires(minDays int) int {
	switch {
	case w.window.kind == lifetime && w.previous, w.window.kind == lifetime && minDays == 0:
		return 1
	case w.window.kind == lifetime:
		return minDays
	case minDays > 0:
		return min(minDays, w.all)
	}
	return w.all
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

// NewFigures returns empty figures for a run of a set at a time, whose date in the
// account's zone is the running day. others are the other sets of the account: what
// they want paused is not resumed.
func NewFigures(s *Set, at time.Time, others ...*Set) *Figures {
	f := &Figures{at: at}
	for l := range f.levels {
		f.levels[l].index = map[entity]int{}
	}
	for _, set := range slices.Concat([]*Set{s}, others) {
		f.addSet(set)
	}
	return f
}

// addSet adds the windows of a set.
func (f *Figures) addSet(s *Set) {
	file := fileWindows{set: s, day: dayNumber(f.at.In(s.Zone))}
	for l := range f.levels {
		level := &f.levels[l]
		file.first[l] = len(level.windows)
		for _, slot := range s.slots[l] {
			sums := windowSums{slot: slot}
			sums.from, sums.to = slot.window.span(file.day, slot.previous)
			if slot.window.kind != lifetime {
				sums.all = existingDays(sums.from, sums.to, s.Zone)
			}
			level.windows = append(level.windows, sums)
		}
	}
	f.files = append(f.files, file)
}

// windowsOf returns the windows of a set at a level, by its slots.
func (f *Figures) windowsOf(file, level int) []windowSums {
	first := f.files[file].first[level]
	return f.levels[level].windows[first : first+len(f.files[file].set.slots[level])]
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
			from, to = min(from, w.from, w.to), max(to, w.to) // a month on its first day is empty
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
	l := levelOf(row.level())
	f.reported, f.ranked = f.reported || row.Creative == "", nil
	at := f.levels[l].place(entity{row.Campaign, row.Creative})
	for n := range f.files {
		values := f.extend(f.files[n].set.Zone, row.Values, day)
		windows := f.windowsOf(n, l)
		for i := range windows {
			if w := &windows[i]; day >= w.from && day <= w.to {
				w.add(at, day, f.currencyIndex(row.Currency), &values)
			}
		}
	}
	return nil
}

// add adds the values of a day to those of an entity. A field that one row lacks is
// UNKNOWN, and so are all amounts if rows have several currencies.
func (w *windowSums) add(at, day int, c currencyNumber, values *[columns]float64) {
	first, newer := w.days[at] == 0, day >= w.report[at]
	known := w.currency[at]
	switch {
	case known == unknownCurrency:
		w.currency[at] = c
	case c != unknownCurrency && c != known:
		w.currency[at] = severalCurrencies
	}
	for f, column := range w.columns {
		switch v := values[f]; {
		case column == nil:
		case w.currency[at] == severalCurrencies && Field(f).isAmount():
			column[at] = math.NaN()
		case first:
			column[at] = v
		case !Field(f).newest():
			column[at] += v
		case math.IsNaN(v) || newer && !math.IsNaN(column[at]):
			column[at] = v
		}
	}
	w.report[at] = max(w.report[at], day)
	if w.oldest != nil && (first || day < w.oldest[at]) {
		w.oldest[at] = day
	}
	w.days[at]++
}

func (row Row) level() Level {
	if row.Creative != "" {
		return CreativeLevel
	}
	return CampaignLevel
}

// extend returns a row's values with the derived columns of its day in a zone.
func (f *Figures) extend(zone *time.Location, values [Fields]float64, day int) (all [columns]float64) {
	copy(all[:], values[:])
	begin, end := midnight(day, zone), midnight(day+1, zone)
	passed := min(max(f.at.Sub(begin), 0), end.Sub(begin))
	if end.Sub(f.at) <= time.Nanosecond { // f.at is Set.EndOf the day
		passed = end.Sub(begin)
	}
	all[hours] = passed.Hours()
	all[budgetDue] = values[Budget] * float64(passed) / float64(end.Sub(begin))
	return all
}

// place returns the index of an entity. A new one gets room in every column.
func (l *levelFigures) place(e entity) int {
	at, known := l.index[e]
	if known {
		return at
	}
	at = len(l.index)
	l.index[e] = at
	for i := range l.windows {
		w := &l.windows[i]
		for c, read := range w.reads {
			if read {
				w.columns[c] = append(w.columns[c], math.NaN())
			}
		}
		if w.window.kind == ages {
			w.oldest = append(w.oldest, 0)
		}
		w.report, w.days, w.currency = append(w.report, 0), append(w.days, 0), append(w.currency, unknownCurrency)
	}
	return at
}

// places returns the indices of a creative's campaign and of the creative itself,
// by level; -1: it has no figures.
func (f *Figures) places(c Creative) [2]int32 {
	places := [2]int32{-1, -1}
	for l, e := range [2]entity{{campaign: c.Campaign}, {c.Campaign, c.Code}} {
		if at, known := f.levels[l].index[e]; known {
			places[l] = int32(at)
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
	f.ranked = nil
	at := f.levels[levelOf(l)].place(e)
	for n, file := range f.files {
		extended := f.extend(file.set.Zone, values, file.day)
		windows := f.windowsOf(n, levelOf(l))
		for i := range windows {
			if w := &windows[i]; wanted(w.slot) {
				w.replace(at, file, &extended)
			}
		}
	}
}

// replace replaces the figures of an entity by those of the running day that are not NaN.
func (w *windowSums) replace(at int, file fileWindows, values *[columns]float64) {
	for c, column := range w.columns {
		if column == nil || math.IsNaN(values[c]) {
			continue
		}
		column[at] = values[c]
		if Field(c) == hours && !w.window.running() {
			column[at] = max(midnight(w.to+1, file.set.Zone).Sub(midnight(w.from, file.set.Zone)).Hours(), 0)
		}
	}
	w.report[at], w.days[at] = file.day, uint16(max(w.all, 1))
	if w.window.kind == lifetime {
		w.days[at] = math.MaxUint16 // as many as any min_days
	}
}
