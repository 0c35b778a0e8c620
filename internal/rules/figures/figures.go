package figures

import (
	"fmt"
	"iter"
	"math"
	"time"

	"usher/internal/rules/calendar"
)

// Figures are report rows summed by window, for one run at a time. They hold the columns
// that conditions read and no rows, so their size depends on the number of creatives, not
// on that of days. They are not safe for concurrent use.
type Figures struct {
	at         time.Time
	files      []file
	levels     [2]level
	currencies []string // of rows
	isReported bool
	changes    int
}

// file is a rule file whose columns the figures have.
type file struct {
	Columns
	day   calendar.Day // the running day in its zone
	first [2]int       // its first window, by level
}

// level has the figures of all campaigns, or of all creatives.
type level struct {
	index   map[entity]int
	windows []Sums // file by file, by their places in its Columns
}

// entity is a campaign, or one of its creatives.
type entity struct{ campaign, creative string }

// New returns empty figures for a run at a time, whose date in the zone of a rule file is
// its running day. They have the columns of files, in that order.
func New(at time.Time, files ...Columns) *Figures {
	f := &Figures{at: at}
	for l := range f.levels {
		f.levels[l].index = map[entity]int{}
	}
	for _, columns := range files {
		f.addFile(columns)
	}
	return f
}

func (f *Figures) addFile(c Columns) {
	added := file{Columns: c, day: calendar.DayOf(f.at.In(c.Zone))}
	for l := range f.levels {
		level := &f.levels[l]
		added.first[l] = len(level.windows)
		for _, window := range c.windows[l] {
			sums := Sums{reading: window, outcomes: make([]*outcome, len(c.outcomes))}
			for _, f := range window.isRead {
				sums.outcomes[f-outcomeField] = &outcome{name: c.outcomes[f-outcomeField]}
			}
			sums.from, sums.to = window.Window.Span(added.day, window.Previous)
			if window.Window.Kind != Lifetime {
				sums.all = calendar.Count(sums.from, sums.to, c.Zone)
				sums.hours = f.passed(sums.from.Begin(c.Zone), (sums.to + 1).Begin(c.Zone)).Hours()
			}
			level.windows = append(level.windows, sums)
		}
	}
	f.files = append(f.files, added)
}

// Changes returns how often the figures changed.
func (f *Figures) Changes() int { return f.changes }

// At returns the time of the run.
func (f *Figures) At() time.Time { return f.at }

// Day returns the running day in the zone of a file.
func (f *Figures) Day(file int) calendar.Day { return f.files[file].day }

// MonthHours returns the hours of the running day's month in the zone of a file.
func (f *Figures) MonthHours(file int) float64 {
	return f.files[file].day.MonthHours(f.files[file].Zone)
}

// Windows returns the windows of a file at a level, by their places in its Columns.
func (f *Figures) Windows(file int, l Level) []Sums {
	first := f.files[file].first[l.Index()]
	return f.levels[l.Index()].windows[first : first+len(f.files[file].windows[l.Index()])]
}

// Len returns the number of campaigns or creatives that have figures.
func (f *Figures) Len(l Level) int { return len(f.levels[l.Index()].index) }

// IsReported reports whether rows of campaigns were added, not only numbers of events.
func (f *Figures) IsReported() bool { return f.isReported }

// Need is a period whose reports a run reads.
type Need struct {
	Level    Level
	From, To string // YYYY-MM-DD, both included
}

// Needs returns at most one period a level. For campaigns, a run reads one report of all
// campaigns; for creatives, a report of each campaign whose creatives it decides on.
func (f *Figures) Needs() []Need {
	var needs []Need
	for _, l := range []Level{CampaignLevel, CreativeLevel} {
		if from, to := span(f.levels[l.Index()].windows); to > 0 {
			needs = append(needs, Need{l, from.String(), to.String()})
		}
	}
	return needs
}

// span returns the first and the last day of windows; the last is 0 if there are none.
func span(windows []Sums) (from, to calendar.Day) {
	from = math.MaxInt
	for _, w := range windows {
		from, to = min(from, w.from, w.to), max(to, w.to) // a month on its first day is empty
	}
	return from, to
}

// Days yields all days of all windows.
func (f *Figures) Days() iter.Seq[calendar.Day] {
	return func(yield func(calendar.Day) bool) {
		from, to := span(f.levels[0].windows)
		other, last := span(f.levels[1].windows)
		for day := min(from, other); day <= max(to, last); day++ {
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
	day, err := calendar.ParseDay(row.Date)
	if err != nil {
		return fmt.Errorf("report row of campaign %s: %w", row.Campaign, err)
	}
	l := row.level()
	f.changes++
	f.isReported = f.isReported || l == CampaignLevel
	at := f.levels[l.Index()].place(entity{row.Campaign, row.Creative})
	for n := range f.files {
		values := f.extend(f.files[n].Zone, row.Values, day)
		windows := f.Windows(n, l)
		for i := range windows {
			if w := &windows[i]; day >= w.from && day <= w.to {
				w.add(at, day, f.currencyOf(row.Currency), &values)
			}
		}
	}
	return nil
}

// extend returns a row's values with the derived columns of its day in a zone.
func (f *Figures) extend(zone *time.Location, values [Fields]float64, day calendar.Day) (all [columns]float64) {
	copy(all[:], values[:])
	begin, end := day.Begin(zone), (day + 1).Begin(zone)
	passed := f.passed(begin, end)
	all[Hours] = passed.Hours()
	all[BudgetDue] = values[Budget] * float64(passed) / float64(end.Sub(begin))
	return all
}

// passed returns how much of a time has passed.
func (f *Figures) passed(begin, end time.Time) time.Duration {
	if end.Sub(f.at) <= time.Nanosecond { // f.at is the last moment of the day
		return max(end.Sub(begin), 0)
	}
	return max(f.at.Sub(begin), 0)
}

// place returns the place of an entity. A new one gets room in every window.
func (l *level) place(e entity) int {
	at, known := l.index[e]
	if known {
		return at
	}
	at = len(l.index)
	l.index[e] = at
	for i := range l.windows {
		l.windows[i].grow()
	}
	return at
}

// Include gives a campaign, and one of its creatives, a place if it has none, so that what
// its rows lack is known to be missing.
func (f *Figures) Include(campaign, creative string) {
	for l, e := range [2]entity{{campaign: campaign}, {campaign, creative}} {
		if _, known := f.levels[l].index[e]; !known {
			f.levels[l].place(e)
			f.changes++
		}
	}
}

// Places returns the places of a campaign and of one of its creatives among the sums of
// their levels; -1: it has no figures.
func (f *Figures) Places(campaign, creative string) [2]int32 {
	places := [2]int32{-1, -1}
	for l, e := range [2]entity{{campaign: campaign}, {campaign, creative}} {
		if at, known := f.levels[l].index[e]; known {
			places[l] = int32(at)
		}
	}
	return places
}

// Campaigns yields the place and the code of each campaign, in no order.
func (f *Figures) Campaigns() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for e, at := range f.levels[CampaignLevel.Index()].index {
			if !yield(at, e.campaign) {
				return
			}
		}
	}
}

// Creatives yields the place and the campaign of each creative, in no order.
func (f *Figures) Creatives() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for e, at := range f.levels[CreativeLevel.Index()].index {
			if !yield(at, e.campaign) {
				return
			}
		}
	}
}

// SetToday replaces a campaign's figures of the running day, such as those of a
// budget engine's event, in rules whose window is today. Fields without a value
// keep those of the report. A name that is not a field of the report is an error.
func (f *Figures) SetToday(campaign string, values map[string]float64) error {
	return f.set(entity{campaign: campaign}, values, func(w Window, previous bool) bool { return w.Kind == Today && !previous })
}

// Set replaces the figures of a campaign, or of one of its creatives if creative is not
// empty, in the windows for which wanted returns true, as if rows had been added. A field
// without a value is not changed. A name that is not a field of the report is an error.
func (f *Figures) Set(campaign, creative string, values map[string]float64, wanted func(w Window, previous bool) bool) error {
	f.isReported = true
	return f.set(entity{campaign, creative}, values, wanted)
}

func (f *Figures) set(e entity, named map[string]float64, wanted func(w Window, previous bool) bool) error {
	values, outcomes, err := valuesOf(named)
	if err != nil {
		return err
	}
	f.changes++
	l := (&Row{Creative: e.creative}).level()
	at := f.levels[l.Index()].place(e)
	for n, file := range f.files {
		extended := f.extend(file.Zone, values, file.day)
		windows := f.Windows(n, l)
		for i := range windows {
			if w := &windows[i]; wanted(w.Window, w.Previous) {
				w.replace(at, file.day, file.Zone, &extended)
				for name, value := range outcomes {
					w.replaceOutcome(at, name, value)
				}
			}
		}
	}
	return nil
}
