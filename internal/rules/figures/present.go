package figures

import "slices"

// SumsCampaigns reports whether conditions sum campaigns.
func (f *Figures) SumsCampaigns() bool {
	return slices.ContainsFunc(f.files, func(file file) bool { return file.account })
}

// Silent returns those of campaigns that have had no row lately, if conditions sum campaigns: it
// matters whether they are active.
func (f *Figures) Silent(campaigns []string) []string {
	var silent []string
	for _, campaign := range campaigns {
		if f.isSilent(campaign) {
			silent = append(silent, campaign)
		}
	}
	return silent
}

func (f *Figures) isSilent(campaign string) bool {
	at, known := f.levels[CampaignLevel.Index()].index[entity{campaign: campaign}]
	for n := range f.files {
		for i, w := range f.Windows(n, CampaignLevel) {
			if f.files[n].account && w.Window.IsRecent() && !w.Previous && (!known || f.Windows(n, CampaignLevel)[i].days[at] == 0) {
				return true
			}
		}
	}
	return false
}

// SetActive notes that a campaign is active, so that it may lack rows although it has had none lately.
func (f *Figures) SetActive(campaign string) {
	f.eachWindow(campaign, func(w *Sums, at int) {
		if w.active == nil {
			w.active = map[int]bool{}
		}
		w.active[at] = true
	})
}

// LackingBudgets returns those of campaigns that have no row on a day whose budget conditions read.
func (f *Figures) LackingBudgets(campaigns []string) []string {
	var lacking []string
	for _, campaign := range campaigns {
		if at, known := f.levels[CampaignLevel.Index()].index[entity{campaign: campaign}]; known && f.lacksBudget(at) {
			lacking = append(lacking, campaign)
		}
	}
	return lacking
}

func (f *Figures) lacksBudget(at int) bool {
	for n := range f.files {
		windows := f.Windows(n, CampaignLevel)
		for i := range windows {
			if w := &windows[i]; w.budget != nil && w.Missing(at, 0) > 0 {
				return true
			}
		}
	}
	return false
}

// SetBudget sets the budget that a campaign has now, which its days without a row have. It is left out
// if the campaign has rows in another currency.
func (f *Figures) SetBudget(campaign string, budget float64, code string) {
	of := f.currencyOf(code)
	f.eachWindow(campaign, func(w *Sums, at int) {
		if w.currency[at].and(of) == severalCurrencies {
			return
		}
		if w.present == nil {
			w.present = map[int]float64{}
		}
		w.present[at] = budget
	})
}

// eachWindow calls do with each window of campaigns, and the place of one of them in it.
func (f *Figures) eachWindow(campaign string, do func(w *Sums, at int)) {
	f.changes++
	at := f.levels[CampaignLevel.Index()].place(entity{campaign: campaign})
	for n := range f.files {
		windows := f.Windows(n, CampaignLevel)
		for i := range windows {
			do(&windows[i], at)
		}
	}
}
