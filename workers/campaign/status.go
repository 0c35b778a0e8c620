package campaign

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
	"usher/internal/rtb"
	"usher/workers"
)

// statusChange is a delivery of campaign.pause or campaign.resume: it sets the status of
// creatives.
type statusChange struct {
	*protocol
	wanted string // the status

	// Set by loading: the decisions of the rule whose job this is, by creative.
	// nil: the job is not a rule's.
	decisions map[string]usher.StoredDecision

	memory map[string][]usher.Change // what rules remember of the creatives; nil: it was not read

	// Set by each reading: the creatives' entries, which are read first, the statuses,
	// and the creatives of the intent that must still be changed.
	entries map[string]usher.CreativeEntry
	shown   []rtb.CreativeStatus
	open    []string

	planned  *usher.Intent // set by reading: the intent that intending saves
	intended bool          // set by intending: this delivery has written the intent

	// Set by admitting, sending, restoring and the last look.
	noMorePosts    bool                     // this delivery does not post the intent any more
	noMoreRestores bool                     // this delivery does not restore creatives any more
	looking        bool                     // this is the last look: nobody restores what a lost POST changes later
	warned         map[string]usher.Warning // by creative: the last warning about it, of a 200 or of a 400 E10059
	answered       map[string]bool          // creatives whose POST was answered with 200 or 400 E10059
	lostCreatives  []string                 // the creatives of the POST whose response was lost
	lostBefore     time.Time                // Intent.Lost before that POST
	stopped        *stoppedError            // the stop switch that ended sending; nil: it was off

	// Set by recording: the creatives to restore, with the entry whose status they get, and those
	// whose change this delivery has written to the audit.
	overtaken map[string]usher.CreativeEntry
	audited   map[string]bool
}

func newStatusChange(p *protocol, wanted string) *statusChange {
	return &statusChange{protocol: p, wanted: wanted, warned: map[string]usher.Warning{}, answered: map[string]bool{}, audited: map[string]bool{}}
}

func (c *statusChange) step(ctx context.Context, s state) (state, error) {
	return states[s].status(c, ctx)
}

// lookAgain prepares a last look: nothing more of the intent is posted, but overtaken
// creatives are restored.
func (c *statusChange) lookAgain() {
	c.noMorePosts, c.noMoreRestores, c.failure, c.looking = true, false, nil, true
}

// lateFor returns how long a POST whose response was lost may still arrive.
func (c *statusChange) lateFor() time.Duration {
	intent := c.intent()
	if intent == nil || intent.Lost.IsZero() {
		return 0
	}
	return c.late - c.job.Now().Sub(intent.Lost)
}

func (c *statusChange) intent() *usher.Intent { return c.job.Work.Progress.Intent }

// admit is step 1, first half: it reads the stop switch. While it is on, the job ends
// without a further change, so that nothing old happens when the switch is released. Only
// a job whose own change must be undone waits.
//
// It assumes nothing. A crash afterwards leaves nothing.
func (c *statusChange) admit(ctx context.Context) (state, error) {
	err := c.checkSwitch(ctx)
	var stopped *stoppedError
	if !errors.As(err, &stopped) {
		return lockingRedis, err
	}
	if c.intent() == nil {
		c.refusal = stopped.warning()
		return dropping, nil
	}
	lateFor := c.lateFor()
	switch {
	case len(c.overtaken) > 0:
		return unlocking, stopped.wait()
	case lateFor > 0:
		return unlocking, workers.Wait(lateFor, "the stop switch is on, and a change whose response was lost may still arrive")
	}
	c.stopped, c.noMorePosts = stopped, true
	return readingBack, nil
}

// read is step 3, first half: it reads the statuses, and decides which creatives change.
//
// It assumes both locks and a record without an intent. A crash afterwards leaves nothing.
func (c *statusChange) read(ctx context.Context) (state, error) {
	var err error
	if c.shown, err = c.readStatuses(ctx); err != nil {
		return unlocking, err
	}
	if c.planned, err = c.newIntent(ctx); err != nil {
		return unlocking, err
	}
	return intending, nil
}

// newIntent decides which creatives change: those that the job selects, except those
// that a newer job has set, those that wait for approval, and those that already have
// the wanted status.
func (c *statusChange) newIntent(ctx context.Context) (*usher.Intent, error) {
	selected, err := c.selectCreatives()
	if err != nil {
		return nil, err
	}
	c.warnNotShown()
	if err := c.readEntries(ctx, selected); err != nil {
		return nil, err
	}
	newer := slices.DeleteFunc(slices.Clone(selected), func(code string) bool { return !c.superseded(code) })
	if len(newer) > 0 {
		c.warnSuperseded(strings.Join(newer, ", "))
	}
	kept, err := c.readKeptPaused(ctx)
	if err != nil {
		return nil, err
	}
	intent := &usher.Intent{Before: map[string]string{}, Wanted: c.wanted, Updated: map[string]string{}}
	for _, s := range c.shown {
		code := s.CreativeCode
		if !slices.Contains(selected, code) || c.superseded(code) {
			continue
		}
		intent.Before[code] = s.ApprovalStatus
		keptBy, isKept := c.keptWarning("creative "+code, code)
		if d, found := c.decisions[code]; found && (!c.unchangedSinceDecision(s) || kept[code] != "") {
			if err := c.unkeep(ctx, &d); err != nil {
				return nil, err
			}
		}
		switch {
		case s.ApprovalStatus == c.wanted:
		case isKept:
			c.job.AddWarnings(keptBy)
		case !c.unchangedSinceDecision(s):
			c.job.Warnf(usher.WarnChangedMeanwhile, "creative %s was changed after the rule had decided: left as it is", code)
		case kept[code] != "":
			c.job.Warnf(usher.WarnChangedMeanwhile, "creative %s was paused by job %s, too, after the rule had decided: left as it is", code, kept[code])
		case s.ApprovalStatus == rtb.Pending:
			c.job.Warnf(usher.WarnPending, "creative %s waits for approval: left out", code)
		default:
			intent.Changing = append(intent.Changing, code)
			intent.Updated[code] = s.LatestUpdate
			if err := c.noteTakesBack(ctx, s, intent); err != nil {
				return nil, err
			}
		}
	}
	intent.Changing = c.withoutKeptActive(intent.Changing)
	return intent, nil
}

// withoutKeptActive returns the creatives that a rule may pause so that its keep_active holds by the
// statuses as they are now, and warns of the others. The run has counted what its own rules pause, and not
// what another run, which decided at the same time, has paused since.
//
// As in a run, pauses by rules without keep_active count first. Of the others, those with the highest
// keep_active are first: whatever the order was in which the run took them, all of them pass then.
func (c *statusChange) withoutKeptActive(creatives []string) []string {
	keep := func(code string) int { return c.decisions[code].KeepActive }
	if c.wanted != rtb.Inactive || c.evaluation.UndoOf != "" || !slices.ContainsFunc(creatives, func(code string) bool { return keep(code) > 0 }) {
		return creatives
	}
	active := map[string]bool{}
	for _, s := range c.shown {
		if s.ApprovalStatus == rtb.Active {
			active[s.CreativeCode] = true
		}
	}
	limited := slices.Sorted(slices.Values(creatives))
	limited = slices.DeleteFunc(limited, func(code string) bool {
		if keep(code) == 0 {
			delete(active, code)
		}
		return keep(code) == 0
	})
	slices.SortStableFunc(limited, func(a, b string) int { return keep(b) - keep(a) })
	held := map[string]bool{}
	for _, code := range limited {
		if active[code] && len(active)-1 < keep(code) {
			held[code] = true
			d := c.decisions[code]
			c.job.Warnf(usher.WarnKeepActive, "creative %s is left as it is: keep_active of rule %s is %d, and others were paused after the rule had decided", code, d.Rule, d.KeepActive)
			continue
		}
		delete(active, code)
	}
	return slices.DeleteFunc(slices.Clone(creatives), func(code string) bool { return held[code] })
}

// noteTakesBack notes in the intent that a rule pauses again what somebody has resumed on the platform
// after a rule had paused it. What a job has resumed is no such change: whoever submitted it was told.
func (c *statusChange) noteTakesBack(ctx context.Context, s rtb.CreativeStatus, intent *usher.Intent) error {
	code := s.CreativeCode
	d, found := c.decisions[code]
	if c.wanted != rtb.Inactive || !found || d.Rule == "" || c.entries[code].Left == stateOf(s) {
		return nil
	}
	last, err := c.lastChange(ctx, code)
	if err != nil || last == nil || last.Rule == "" || !last.Pauses || last.Keeps {
		return err
	}
	if at, err := time.Parse(latestUpdate, s.LatestUpdate); err == nil && at.After(last.At.AddDate(0, 0, -1)) && c.job.Now().Sub(at) > usher.TookBackLife {
		return nil // the rule has left it alone since
	}
	if intent.TakesBack == nil {
		intent.TakesBack = map[string]string{}
	}
	intent.TakesBack[code] = last.After + " → " + s.ApprovalStatus
	return nil
}

// latestUpdate is the form of the platform's times.
const latestUpdate = "2006-01-02T15:04:05"

// selectCreatives returns the creatives that the job selects: those with a decision,
// those that the job names, or all.
func (c *statusChange) selectCreatives() ([]string, error) {
	all := make([]string, len(c.shown))
	for i, s := range c.shown {
		all[i] = s.CreativeCode
	}
	if c.decisions != nil {
		return slices.DeleteFunc(all, func(code string) bool { _, found := c.decisions[code]; return !found }), nil
	}
	named := c.job.Work.Job.Creatives
	if len(named) == 0 {
		return all, nil
	}
	for _, code := range named {
		if !slices.Contains(all, code) {
			return nil, usher.Refuse(usher.NotFound, "the campaign has "+strings.Join(all, ", "),
				"campaign %s has no creative %s", c.campaign(), code)
		}
	}
	return named, nil
}

// warnNotShown warns of the creatives that the job leaves out because the reading lacks them.
func (c *statusChange) warnNotShown() {
	for _, code := range c.decidedNotShown() {
		c.job.Warnf(usher.WarnChangedMeanwhile, "creative %s is no longer among those that the platform shows of the campaign: left out", code)
	}
}

// decidedNotShown returns the creatives that a rule has decided on and that the last reading does not show.
func (c *statusChange) decidedNotShown() []string {
	isShown := c.shownCodes()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c.decisions)), func(code string) bool { return isShown[code] })
}

// unchangedSinceDecision reports whether a creative is in the state that the rule saw.
// If somebody has changed it since, even back to the same status, that change is newer
// than the decision, and the next run decides again.
func (c *statusChange) unchangedSinceDecision(now rtb.CreativeStatus) bool {
	d, found := c.decisions[now.CreativeCode]
	return !found || d.Seen == stateOf(now)
}

func stateOf(s rtb.CreativeStatus) usher.CreativeState {
	return usher.CreativeState{Status: s.ApprovalStatus, LatestUpdate: s.LatestUpdate}
}

func (c *statusChange) warnSuperseded(creatives string) {
	c.job.Warnf(usher.WarnSuperseded, "a newer job has acted on %s: left as it is", creatives)
}

// intend is step 3, second half: it stores the intent in the job's record, unless there is nothing to
// change; then a redelivery reads again.
//
// It assumes a reading. A crash afterwards leaves an intent without a POST; the redelivery
// finds its creatives open, which means not posted yet (openCreatives), and posts them. A delivery that
// fails before a POST drops its intent.
func (c *statusChange) intend(ctx context.Context) (state, error) {
	if err := c.saveIntent(ctx); err != nil {
		c.dropIntent()
		return unlocking, err
	}
	c.open = c.openCreatives()
	return sending, nil
}

func (c *statusChange) saveIntent(ctx context.Context) error {
	c.job.Work.Progress.Intent, c.intended = c.planned, true
	if len(c.planned.Changing) > 0 {
		if err := c.job.Save(); err != nil {
			return err
		}
	}
	// Read again after the intent is saved, because a newer job may have written entries
	// meanwhile.
	return c.readEntries(ctx, c.planned.Changing)
}

// dropIntent removes the intent if this delivery has written it and has sent nothing. The
// next one then begins anew, and whatever was changed meanwhile was not changed back.
func (c *statusChange) dropIntent() {
	if c.intended && !c.sent {
		c.job.Work.Progress.Intent = nil
	}
}

// send is steps 4 and 5: it posts the new status of the creatives that are
// still open, in one call if they are all of the campaign's creatives. They are not if the reading lacks
// one: the call would change it as well.
//
// It assumes both locks, a saved intent, and a reading under the locks. A crash
// afterwards leaves the intent and any of its changes; the redelivery reads
// back and posts what is missing.
func (c *statusChange) send(ctx context.Context) (state, error) {
	c.noMorePosts = true
	var err error
	switch {
	case len(c.open) == 0:
	case len(c.open) == len(c.shown) && len(c.missingCreatives())+len(c.decidedNotShown()) == 0:
		_, err = c.post(ctx, c.open, func(ctx context.Context) ([]usher.Warning, error) {
			return c.job.Platform.Campaigns.SetStatus(ctx, c.campaign(), c.wanted)
		})
	default:
		err = c.postEach(ctx, c.open, func(string) string { return c.wanted })
	}
	var stopped *stoppedError
	if errors.As(err, &stopped) {
		c.stopped = stopped
		return readingBack, nil
	}
	if err != nil {
		c.dropIntent()
	}
	return c.afterSending(err)
}

// afterSending returns the state after sending or restoring, which err has stopped early.
func (c *statusChange) afterSending(err error) (state, error) {
	if err != nil && !c.sent {
		return unlocking, err
	}
	if c.failure == nil {
		c.failure = err
	}
	return readingBack, nil
}

// postEach posts the status of creatives one by one. It stops at an error, and after a
// POST whose response was lost, which must be read back first.
func (c *statusChange) postEach(ctx context.Context, creatives []string, wanted func(code string) string) error {
	for _, code := range creatives {
		lost, err := c.post(ctx, []string{code}, func(ctx context.Context) ([]usher.Warning, error) {
			return c.job.Platform.Creatives.SetStatus(ctx, code, wanted(code))
		})
		if err != nil || lost {
			return err
		}
	}
	return nil
}

// post makes one POST for the creatives and judges its response. A lost response is not an
// error: it is noted in the intent, too.
func (c *statusChange) post(ctx context.Context, creatives []string, do func(context.Context) ([]usher.Warning, error)) (lost bool, err error) {
	warnings, lost, err := c.call(ctx, do)
	if lost {
		intent := c.intent()
		c.lostCreatives, c.lostBefore = creatives, intent.Lost
		if c.lost.mayArrive {
			intent.Lost = c.job.Now()
			c.notePosted(creatives)
		}
		return true, nil
	}
	return false, c.judge(creatives, warnings, err)
}

// judge is step 5: it notes for each creative what a response says about it. It returns
// err, except if err refuses single creatives: E10059 may be a warning or an error.
func (c *statusChange) judge(creatives []string, warnings []usher.Warning, err error) error {
	var fault *rtb.Fault
	var permanent *usher.Permanent
	switch {
	case errors.As(err, &fault) && fault.Code == rtb.CodeStatusRefused:
		warnings, err = fault.Errors, nil
	case errors.As(err, &permanent) && permanent.Class == usher.Refused:
		// Not about the creative: most likely the platform's lock is gone.
		// Not wrapped, because the next attempt takes a new lock.
		err = errors.New(err.Error())
	}
	for _, w := range warnings {
		for _, code := range creatives {
			if len(creatives) == 1 || readable.Mentions(w.Description, code) {
				c.warned[code] = w
			}
		}
		c.job.AddWarnings(w)
	}
	if err == nil {
		for _, code := range creatives {
			c.answered[code] = true
		}
		c.notePosted(creatives)
	}
	return err
}

// notePosted notes in the intent that a POST may have changed creatives.
func (c *statusChange) notePosted(creatives []string) {
	for _, code := range creatives {
		if intent := c.intent(); !slices.Contains(intent.Posted, code) {
			intent.Posted = append(intent.Posted, code)
		}
	}
}

// restore sets overtaken creatives to the status that their newest job wants, by steps 4
// and 5. A delivery restores once; if that is not enough, the job is retried.
//
// It assumes both locks, and that every change so far is on record. A crash
// afterwards leaves Intent.Restoring; the redelivery reads back, records what
// was restored, and restores what is missing.
func (c *statusChange) restore(ctx context.Context) (state, error) {
	c.noMoreRestores = true
	intent, codes := c.intent(), slices.Sorted(maps.Keys(c.overtaken))
	if intent.Restoring == nil {
		intent.Restoring = map[string]usher.CreativeEntry{}
	}
	for _, code := range codes {
		entry := c.overtaken[code]
		intent.Restoring[code] = entry
		if entry.Order == c.job.Work.Order {
			c.job.Warnf(usher.WarnOvertaken, "an older job set creative %s to %s after this job: restored", code, entry.Left.Status)
			continue
		}
		c.job.Warnf(usher.WarnSuperseded, "creative %s was set to %s after the newer job %s, which wanted %s: restored", code, entry.Left.Status, entry.Job, entry.Wanted)
	}
	// After a lost lease, the last look cannot save anything, but must still undo the
	// change of this job.
	if err := c.job.Save(); err != nil && !errors.Is(err, usher.ErrLeaseLost) {
		return unlocking, err
	}
	err := c.postEach(ctx, codes, func(code string) string { return intent.Restoring[code].Wanted })
	var stopped *stoppedError
	if errors.As(err, &stopped) {
		err = stopped.wait()
	}
	return c.afterSending(err)
}

// drop ends the job before it has changed anything.
//
// It assumes that there is no intent. A crash afterwards leaves nothing.
func (c *statusChange) drop(context.Context) (state, error) {
	c.job.AddWarnings(c.refusal)
	return unlocking, nil
}
