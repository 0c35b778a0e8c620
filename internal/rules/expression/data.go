package expression

import (
	"iter"
	"math"
	"slices"

	"usher/internal/rules/figures"
)

// Data are the figures that rules evaluate, and the results that all rules share. More
// figures may be added later.
type Data struct {
	figures   *figures.Figures
	changes   int // of the figures, when the following were computed
	ranks     map[rankKey][]float64
	campaigns []int32 // by creative
	targets   map[targetKey][]int32
}

// NewData returns data with figures.
func NewData(f *figures.Figures) *Data { return &Data{figures: f} }

// refresh drops the shared results if the figures have changed since.
func (d *Data) refresh() {
	if d.changes != d.figures.Changes() {
		*d = Data{figures: d.figures, changes: d.figures.Changes()}
	}
}

// campaignPlaces returns the place of each creative's campaign.
func (d *Data) campaignPlaces() []int32 {
	d.refresh()
	if d.campaigns == nil {
		d.campaigns = make([]int32, d.figures.Len(figures.CreativeLevel))
		for at, campaign := range d.figures.Creatives() {
			d.campaigns[at] = d.figures.Places(campaign, "")[0]
		}
	}
	return d.campaigns
}

// rankKey identifies a column of ranks. Rules share it.
type rankKey struct {
	metric  string // "": the number of creatives
	file    int
	window  int
	minDays int
	ahead   float64 // on which projectedSpend depends
	rule    string  // whose campaigns are ranked; "": creatives are, within their campaign
}

// ranked returns ranks, or numbers of creatives, for the block.
func (e *Evaluation) ranked(x *Expression, out []float64) []float64 {
	if e.data.figures == nil {
		for i := range out {
			out[i] = math.NaN() // an example of figures of one creative
		}
		return out
	}
	e.data.refresh()
	key := rankKey{file: e.File, window: e.Window, minDays: e.MinDays, ahead: e.Ahead}
	if x.Op == Rank {
		key.metric = x.Args[0].String()
	}
	if e.Level == figures.CampaignLevel {
		key.rule = e.Rule
	}
	if e.data.ranks[key] == nil {
		if e.data.ranks == nil {
			e.data.ranks = map[rankKey][]float64{}
		}
		e.data.ranks[key] = e.rankAll(x)
	}
	ranks := e.data.ranks[key][e.low:e.high]
	if e.old == nil {
		return ranks
	}
	for i, rank := range ranks {
		if out[i] = rank; e.old[i] {
			out[i] = math.NaN()
		}
	}
	return out
}

// rankAll returns the ranks of all creatives by an expression, or the numbers of the
// creatives of their campaigns; of a rule on campaigns, those of the campaigns in its scope. A creative whose window has too few days is not counted
// and its rank is UNKNOWN, and so is that of a creative whose number is a range.
func (e *Evaluation) rankAll(x *Expression) []float64 {
	values := make([]float64, e.data.figures.Len(e.Level))
	if x.Op == Rank {
		all := Evaluation{Reader: e.Reader, data: e.data, windows: e.windows, campaigns: e.campaigns, month: e.month}
		all.Before, all.Oldest = -1, 0
		for low, high := range all.Blocks() {
			ranked := all.run(x.Args[0], 0)
			copy(values[low:high], ranked.low)
			for i, most := range ranked.high {
				if most != ranked.low[i] {
					values[low+i] = math.NaN()
				}
			}
		}
	}
	w := &e.windows[e.Window]
	members := map[string][]int{}
	for at, group := range e.groups(x) {
		if group == notRanked || !w.IsComplete(at, e.MinDays) {
			values[at] = math.NaN()
		} else if !math.IsNaN(values[at]) {
			members[group] = append(members[group], at)
		}
	}
	for _, list := range members {
		if x.Op == Rank {
			rankAmong(values, list)
			continue
		}
		for _, at := range list {
			values[at] = float64(len(list))
		}
	}
	return values
}

// The groups of campaigns: those that are ranked together, and the others.
const (
	ranked    = ""
	notRanked = "-"
)

// groups yields all places with the names of the groups in which they are ranked: creatives in
// their campaigns, campaigns in the scope of the rule. These are not ranked by an amount if they
// have several currencies, nor if only an event's numbers are known.
func (e *Evaluation) groups(x *Expression) iter.Seq2[int, string] {
	f := e.data.figures
	if e.Level == figures.CreativeLevel {
		return f.Creatives()
	}
	isKnown := f.IsReported()
	if isKnown && x.Op == Rank && x.Args[0].money().power() != 0 && f.HasSeveralCurrencies() {
		isKnown = !f.HaveSeveralCurrencies(e.File, e.Level, x.Args[0].amountPlaces(Own), e.InScope)
	}
	return func(yield func(int, string) bool) {
		for at, campaign := range f.Campaigns() {
			group := notRanked
			if isKnown && e.InScope(campaign) {
				group = ranked
			}
			if !yield(at, group) {
				return
			}
		}
	}
}

// rankAmong replaces the values at some places by their ranks among each other.
func rankAmong(values []float64, places []int) {
	sorted := make([]float64, 0, len(places))
	for _, at := range places {
		sorted = append(sorted, -values[at])
	}
	slices.Sort(sorted)
	for _, at := range places {
		above, _ := slices.BinarySearch(sorted, -values[at])
		values[at] = float64(above + 1)
	}
}
