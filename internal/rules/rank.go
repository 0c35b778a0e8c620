package rules

import (
	"math"
	"slices"
)

// rankKey identifies a column of ranks. Rules share it.
type rankKey struct {
	metric  string // "": the number of creatives
	file    int
	slot    int
	minDays int
	ahead   float64 // on which projectedSpend depends
}

// ranked returns ranks, or numbers of creatives, for the block.
func (e *evaluation) ranked(x *expression, out []float64) []float64 {
	if e.relations == nil {
		return fill(out, math.NaN()) // an example of figures of one creative
	}
	return e.relations.figures.ranks(e, x)[e.low:e.high]
}

// ranks returns the ranks of all creatives by an expression, or the numbers of the
// creatives of their campaigns. A creative whose window has too few days is not counted
// and its rank is UNKNOWN.
func (f *Figures) ranks(e *evaluation, x *expression) []float64 {
	rule := e.relations.rule
	key := rankKey{file: e.relations.file, slot: rule.slot, minDays: rule.MinDays, ahead: e.ahead}
	if x.op == opRank {
		key.metric = x.args[0].String()
	}
	creatives := f.levels[levelOf(CreativeLevel)].index
	if known := f.ranked[key]; known != nil && len(known) == len(creatives) {
		return known
	}
	values := make([]float64, len(creatives))
	all := evaluation{windows: e.windows, ahead: e.ahead, month: e.month, before: -1, relations: e.relations}
	w := &e.windows[rule.slot]
	for all.low = 0; all.low < len(values); all.low = all.high {
		all.high = min(all.low+blockSize, len(values))
		if x.op == opRank {
			copy(values[all.low:all.high], all.run(x.args[0], 0))
		}
	}
	members := map[string][]int{}
	for of, at := range creatives {
		if int(w.days[at]) < w.requires(rule.MinDays) {
			values[at] = math.NaN()
		} else if !math.IsNaN(values[at]) {
			members[of.campaign] = append(members[of.campaign], at)
		}
	}
	for _, list := range members {
		if x.op == opRank {
			rankAmong(values, list)
			continue
		}
		for _, at := range list {
			values[at] = float64(len(list))
		}
	}
	if f.ranked == nil {
		f.ranked = map[rankKey][]float64{}
	}
	f.ranked[key] = values
	return values
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
