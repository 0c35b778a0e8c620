package rules

import "math"

// relations are what columns of campaigns, of the account and of other windows need.
type relations struct {
	figures   *Figures
	file      int // of the rule's set
	rule      *Rule
	reported  bool         // the report of all campaigns was read
	campaigns []windowSums // of the set, by slot
	places    []int32      // by creative: its campaign; nil: no condition reads it
	totals    map[total]float64
}

// total is a column of the account.
type total struct {
	slot   int
	column Field
}

// relationsOf returns the relations of a voter.
func (f *Figures) relationsOf(v *voter) *relations {
	r := &relations{figures: f, file: v.file, rule: v.rule, reported: f.reported, campaigns: f.windowsOf(v.file, levelOf(CampaignLevel)), totals: map[total]float64{}}
	if v.rule.Scope.Level == CreativeLevel && v.rule.readsCampaigns() {
		r.places = f.placesOfCampaigns()
	}
	return r
}

// campaignPlaces are the places of the campaigns of creatives, for a number of campaigns
// that have figures.
type campaignPlaces struct {
	campaigns int
	places    []int32 // by creative; -1: its campaign has no figures
}

// placesOfCampaigns returns the place of each creative's campaign. Rules share it.
func (f *Figures) placesOfCampaigns() []int32 {
	campaigns, creatives := f.levels[levelOf(CampaignLevel)].index, f.levels[levelOf(CreativeLevel)].index
	if known := f.campaignOf; known.campaigns == len(campaigns) && len(known.places) == len(creatives) {
		return known.places
	}
	f.campaignOf = campaignPlaces{len(campaigns), make([]int32, len(creatives))}
	for of, at := range creatives {
		f.campaignOf.places[at] = f.places(Creative{Campaign: of.campaign})[0]
	}
	return f.campaignOf.places
}

// readsCampaigns reports whether a condition of the rule reads figures of the creative's
// campaign.
func (rule *Rule) readsCampaigns() bool {
	for _, c := range rule.conditions() {
		for _, column := range c.root.columns() {
			if column.of == ofCampaign {
				return true
			}
		}
	}
	return false
}

// relative returns a column of campaigns, of the account, or of another window, for the
// block. It is UNKNOWN where the window has too few days.
func (e *evaluation) relative(x *expression, out []float64) []float64 {
	minDays := e.relations.rule.MinDays
	switch x.of {
	case ofAccount:
		return fill(out, e.relations.total(total{x.slot, x.column}))
	case ofCampaign:
		w := &e.relations.campaigns[x.slot]
		for i := range out {
			out[i] = w.complete(x.column, int(e.relations.places[e.low+i]), minDays)
		}
	default:
		w := &e.windows[x.slot]
		for i := range out {
			out[i] = w.complete(x.column, e.low+i, minDays)
		}
	}
	return out
}

// total returns a column of the account. It is UNKNOWN if only an event's numbers are
// known.
func (r *relations) total(of total) float64 {
	if !r.reported {
		return math.NaN()
	}
	sum, known := r.totals[of]
	if !known {
		sum = r.campaigns[of.slot].total(of.column, r.rule.MinDays)
		r.totals[of] = sum
	}
	return sum
}

// complete returns the value of an entity, or UNKNOWN if its window has too few days or
// the entity has no figures (-1).
func (w *windowSums) complete(f Field, at, minDays int) float64 {
	if at < 0 || int(w.days[at]) < w.requires(minDays) {
		return math.NaN()
	}
	return w.columns[f][at]
}

// total returns the sum of all entities that have a row. It is UNKNOWN if one of them
// lacks the field, if none has enough days, or if an amount is of several currencies.
func (w *windowSums) total(f Field, minDays int) float64 {
	sum, isComplete, currency := 0.0, false, unknownCurrency
	for at, days := range w.days {
		if days == 0 {
			continue
		}
		isComplete = isComplete || int(days) >= w.requires(minDays)
		sum += w.columns[f][at]
		switch c := w.currency[at]; {
		case currency == unknownCurrency:
			currency = c
		case c != unknownCurrency && c != currency:
			currency = severalCurrencies
		}
	}
	if !isComplete || currency == severalCurrencies && f.isAmount() {
		return math.NaN()
	}
	return sum
}
