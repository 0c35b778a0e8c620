package differential_test

import (
	"slices"
	"strings"
	"time"
)

// decision is what a run decides on a creative.
type decision struct {
	action, wants, guard, rule string

	rank int
}

// The ranks of what the rules say of a creative: the highest becomes its decision.
const (
	quiet    = iota + 1
	kept     // a resume is wanted, but not allowed
	unsure   // UNKNOWN
	observed // by a rule that only records
	notified
	resumed // or held
	paused  // already
	heldPause
	askedPause // it waits for approval
	willPause
)

// inOrder returns the rules by priority, then by the names of their files and their order
// in the file, those that are not enabled last. Of other files only those that are enabled
// matter.
func (r *run) inOrder() []*rule {
	var list []*rule
	files := append([]*file{r.file}, r.others...)
	slices.SortFunc(files, func(a, b *file) int { return strings.Compare(a.name, b.name) })
	for _, by := range rulesOf(files) {
		if by.file != r.file && !by.enabled() {
			continue
		}
		one := *by
		if r.isBacktest {
			if by.hasOnlyHours() {
				continue
			}
			one.mode, one.hours = "act", nil
		}
		list = append(list, &one)
	}
	slices.SortStableFunc(list, func(a, b *rule) int {
		if a.enabled() != b.enabled() {
			if a.enabled() {
				return -1
			}
			return 1
		}
		return b.priority - a.priority
	})
	return list
}

func rulesOf(files []*file) []*rule {
	var list []*rule
	for _, f := range files {
		list = append(list, f.rules...)
	}
	return list
}

// isDue reports whether a rule takes creatives in the run.
func (r *run) isDue(by *rule) bool { return by.file == r.file && (r.due == nil || r.due(by)) }

// isDueToday reports whether a rule decides on the running day of a backtest.
func (r *run) isDueToday(by *rule) bool { return by.dueDay == 0 || by.dueDay == r.day }

// table is what all rules say in a run.
type table struct {
	*run
	order     []*rule
	votes     []map[string]string // by rule and creative in scope
	campaigns map[string]string   // by creative
	codes     []string            // of creatives, in order
	decisions map[string]decision
}

// decide returns the decision on each creative.
func (r *run) decide() map[string]decision {
	t := &table{run: r, order: r.inOrder(), campaigns: map[string]string{}, decisions: map[string]decision{}}
	for _, campaign := range r.account.campaigns {
		for _, creative := range r.account.creatives[campaign] {
			if r.only != "" && campaign != r.only {
				continue
			}
			t.campaigns[creative] = campaign
			t.codes = append(t.codes, creative)
		}
	}
	slices.Sort(t.codes)
	for _, by := range t.order {
		votes := map[string]string{}
		for _, creative := range t.codes {
			if r.has(by, t.campaigns[creative], creative) {
				votes[creative] = r.vote(by, t.campaigns[creative], creative)
			}
		}
		t.votes = append(t.votes, votes)
	}
	for k, by := range t.order {
		if r.isDue(by) {
			t.choose(k, by)
		}
	}
	return t.decisions
}

func (t *table) offer(creative string, d decision) {
	if d.rank > t.decisions[creative].rank {
		t.decisions[creative] = d
	}
}

func (t *table) isTaken(creative string) bool {
	a := t.decisions[creative].action
	return a == "pause" || a == "resume"
}

// choose lets a rule take the creatives that it may change.
func (t *table) choose(k int, by *rule) {
	var changes []string
	wants := map[string]decision{}
	for _, creative := range t.codes {
		vote, inScope := t.votes[k][creative]
		if !inScope || t.isTaken(creative) {
			continue
		}
		d := t.single(by, creative, vote)
		if by.enabled() && (d.action == "pause" || d.action == "resume") {
			changes, wants[creative] = append(changes, creative), d
			continue
		}
		t.offer(creative, t.inMode(by, d))
	}
	if !by.enabled() {
		return
	}
	if by.keep > 0 {
		changes = t.keepActive(k, by, changes, wants)
	}
	var of []string
	for _, creative := range changes {
		if campaign := t.campaigns[creative]; !slices.Contains(of, campaign) {
			of = append(of, campaign)
		}
	}
	over := by.maxCreatives > 0 && len(changes) > by.maxCreatives || by.maxCampaigns > 0 && len(of) > by.maxCampaigns ||
		by.maxShare > 0 && t.flat == nil && 100*len(changes) > by.maxShare*t.inScope(by)
	for _, creative := range changes {
		switch d := wants[creative]; {
		case over:
			t.offer(creative, d.hold("cap"))
		case by.mode == "approve":
			t.offer(creative, d.hold("approval"))
		default:
			t.offer(creative, d)
		}
	}
}

// inScope returns how many creatives of the account a rule has in scope.
func (t *table) inScope(by *rule) int {
	n := 0
	for campaign, list := range t.account.creatives {
		for _, creative := range list {
			if t.has(by, campaign, creative) {
				n++
			}
		}
	}
	return n
}

// waits reports whether the decision waits for approval.
func (d decision) waits() bool {
	return d.action == "held" && (d.guard == "cap" || d.guard == "approval")
}

func (d decision) hold(guard string) decision {
	d.wants, d.action, d.guard = d.action, "held", guard
	if d.rank == willPause {
		d.rank = heldPause
		if d.waits() {
			d.rank = askedPause
		}
	}
	return d
}

// single returns what a rule says of a creative by itself.
func (t *table) single(by *rule, creative, vote string) decision {
	d := decision{action: "none", rule: by.name, rank: quiet}
	active := t.status[creative] == "ACTIVE"
	if vote != "pause" && t.hasPassed(by, creative) {
		vote = "resume"
	}
	switch {
	case vote == "unknown":
		d.action, d.rank = "unknown", unsure
	case vote == "pause" && active && t.undone[creative]:
		d.rank, d.guard = paused, "hands_off"
	case vote == "pause" && active:
		d.action, d.rank = "pause", willPause
	case vote == "pause":
		d.rank = paused
	case vote == "resume" && !active:
		d.rank = kept
		switch {
		case t.owner[creative] != by.key():
			d.guard = "hands_off"
		case by.hours != nil && by.pause != nil && by.resume == nil && t.wasPausedInside(by, creative) && !t.hasPassed(by, creative):
			d.guard = "hands_off" // it stays paused
		case t.isWantedPaused(creative):
			d.guard = "pause_wanted"
		default:
			d.action, d.rank = "resume", resumed
		}
	}
	if d.action != "pause" && d.action != "resume" {
		return d
	}
	last, known := t.changed[by.key()+" "+creative]
	switch {
	case known && t.isInCooldown(by, last):
		return d.hold("cooldown")
	case by.maxFlips > 0 && t.flips[t.flipKey(by.key(), creative)] >= by.maxFlips:
		return d.hold("flips")
	}
	return d
}

// hasPassed reports whether a rule has paused a creative, and the time of its until has come.
// In a test case, it paused it long ago.
func (r *run) hasPassed(by *rule, creative string) bool {
	if by.until == "" || r.status[creative] != "INACTIVE" || r.owner[creative] != by.key() {
		return false
	}
	at, known := r.changed[by.key()+" "+creative]
	if !known {
		return true
	}
	day := r.account.dayOf(at)
	if r.isBacktest { // whose runs are a moment before midnight
		day--
	}
	date := time.Unix(int64(day)*86_400, 0).UTC()
	switch by.until {
	case "monday":
		for day++; time.Unix(int64(day)*86_400, 0).UTC().Weekday() != time.Monday; day++ {
		}
	case "next_month":
		day = int(time.Date(date.Year(), date.Month()+1, 1, 0, 0, 0, 0, time.UTC).Unix() / 86_400)
	default:
		day++
	}
	if r.isBacktest {
		return r.day >= day
	}
	return !r.at.Before(r.account.begin(day))
}

// wasPausedInside reports whether a rule paused a creative inside its hours. In a test case,
// the hours paused it.
func (r *run) wasPausedInside(by *rule, creative string) bool {
	at, known := r.paused[creative]
	return known && !r.isOutside(by, at)
}

func (t *table) isWantedPaused(creative string) bool {
	for k, by := range t.order {
		if by.enabled() && t.votes[k][creative] == "pause" {
			return true
		}
	}
	return false
}

// inMode returns what a rule that is not enabled says.
func (t *table) inMode(by *rule, d decision) decision {
	if by.enabled() || d.action == "unknown" {
		return d
	}
	changes := d.action == "pause" || d.action == "resume" || changesNumber(d.action)
	switch {
	case changes && by.mode == "notify":
		return decision{action: "notify", wants: d.action, rule: by.name, rank: notified}
	case changes:
		d = d.hold("observe")
	}
	if d.rank = quiet; d.action == "held" {
		d.rank = observed
	}
	return d
}

// keepActive holds pauses that would leave too few creatives ACTIVE, and returns the other
// changes.
func (t *table) keepActive(k int, by *rule, changes []string, wants map[string]decision) []string {
	gone := func(creative string) bool {
		if t.status[creative] != "ACTIVE" || t.decisions[creative].action == "pause" {
			return true
		}
		for later := k + 1; later < len(t.order); later++ {
			if other := t.order[later]; other.enabled() && other.keep == 0 && t.votes[later][creative] == "pause" {
				return true
			}
		}
		return false
	}
	left := map[string]int{}
	for _, creative := range t.codes {
		if !gone(creative) {
			left[t.campaigns[creative]]++
		}
	}
	var may []string
	for _, creative := range changes {
		if wants[creative].action == "pause" {
			after := left[t.campaigns[creative]]
			if !gone(creative) {
				after--
			}
			if after < by.keep {
				t.offer(creative, wants[creative].hold("keep_active"))
				continue
			}
			left[t.campaigns[creative]] = after
		}
		may = append(may, creative)
	}
	return may
}
