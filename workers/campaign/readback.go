package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/workers"
)

// readBack is step 6: it reads the creatives' entries, then the statuses, and finds the
// creatives of the intent that are still open. This order makes the claims of recording
// safe: if nobody has written the entry since, the statuses show every change that it
// names.
//
// It assumes an intent, but no lock. A crash afterwards leaves nothing new.
func (c *statusChange) readBack(ctx context.Context) (state, error) {
	if err := c.readEntries(ctx, slices.Collect(maps.Keys(c.intent().Before))); err != nil {
		return unlocking, err
	}
	var err error
	if c.shown, err = c.readStatuses(ctx); err != nil {
		return unlocking, err
	}
	c.open = c.openCreatives()
	if err := c.dropOpen(); err != nil {
		return unlocking, err
	}
	switch {
	case len(c.open) == 0 || c.noMorePosts:
		return recording, nil
	case c.locks.held():
		c.dropKeptActive()
		return sending, nil
	}
	return admitting, nil
}

// dropOpen removes from the intent the open creatives that the job may not change any more: the stop switch
// is on, what the rule decided is outdated, or a person keeps rules from them. It leaves those whose change
// may still show. If a POST of an earlier delivery may still arrive, it returns an error to wait for that.
func (c *statusChange) dropOpen() error {
	var dropped []string
	var why []usher.Warning
	for _, code := range slices.Concat(c.open, c.neverPosted()) {
		keptBy, isKept := c.keptWarning("creative "+code, code)
		switch {
		case c.answered[code], c.lost != nil && slices.Contains(c.lostCreatives, code):
			continue
		case c.stopped != nil, c.refusal.Code != "":
		case isKept:
			why = append(why, keptBy)
		default:
			continue
		}
		dropped = append(dropped, code)
	}
	if len(dropped) == 0 {
		return nil
	}
	if lateFor := c.lateFor(); lateFor > 0 && !c.sent {
		return workers.Wait(lateFor, "nothing more is changed, and a change whose response was lost may still arrive")
	}
	switch {
	case c.stopped != nil:
		why = []usher.Warning{warning(usher.WarnStopped, "the stop switch is on (%s): %s left as before", c.stopped.reason, strings.Join(dropped, ", "))}
	case c.refusal.Code != "":
		why = []usher.Warning{c.refusal}
	}
	c.job.AddWarnings(why...)
	isDropped := func(code string) bool { return slices.Contains(dropped, code) }
	c.intent().Changing = slices.DeleteFunc(c.intent().Changing, isDropped)
	c.open = slices.DeleteFunc(c.open, isDropped)
	return nil
}

// neverPosted returns the creatives of the intent that the last reading does not show, and for which this delivery
// has not come to a POST because of the stop switch. Of the intent of an earlier delivery it returns none: a crash
// may have come after a POST.
func (c *statusChange) neverPosted() []string {
	if c.stopped == nil || !c.intended {
		return nil
	}
	intent := c.intent()
	return slices.DeleteFunc(c.missingCreatives(), func(code string) bool {
		return !slices.Contains(intent.Changing, code) || slices.Contains(intent.Posted, code)
	})
}

// dropKeptActive removes from the intent the open creatives that keep_active would hold now: since an
// earlier delivery wrote the intent, another run may have paused others. After a lost response it removes
// nothing, because the change may still show.
func (c *statusChange) dropKeptActive() {
	intent := c.intent()
	if !intent.Lost.IsZero() {
		return
	}
	may := c.withoutKeptActive(c.open)
	intent.Changing = slices.DeleteFunc(intent.Changing, func(code string) bool {
		return slices.Contains(c.open, code) && !slices.Contains(may, code)
	})
	c.open = may
}

// readEntries reads the entries of creatives.
func (c *statusChange) readEntries(ctx context.Context, creatives []string) (err error) {
	c.entries, err = c.job.Lease.Entries(ctx, creatives)
	return err
}

// superseded reports whether a newer job has set a creative, according to its entry.
func (c *statusChange) superseded(code string) bool {
	return c.entries[code].Order > c.job.Work.Order
}

// readStatuses reads the statuses of the campaign's creatives. It does not end
// when the Redis lock is lost, because what was posted must be read back.
func (c *statusChange) readStatuses(ctx context.Context) ([]rtb.CreativeStatus, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, callTime, errNoAnswer{})
	defer cancel()
	list, err := c.job.Platform.Campaigns.Status(ctx, c.campaign())
	if err != nil {
		return nil, fmt.Errorf("read statuses of campaign %s: %w", c.campaign(), err)
	}
	return list, nil
}

// openCreatives returns the creatives of the intent that must still be changed. It omits
// a creative that somebody else has changed, and one that a newer job has set since. Of the intent of
// an earlier run, none is.
func (c *statusChange) openCreatives() (open []string) {
	intent := c.intent()
	if intent.Recorded || intent.Run != 0 {
		return nil
	}
	for _, s := range c.shown {
		code := s.CreativeCode
		asBefore := s.ApprovalStatus != c.wanted && s.ApprovalStatus == intent.Before[code]
		if asBefore && !c.changedBack(s) && slices.Contains(intent.Changing, code) && !c.superseded(code) {
			open = append(open, code)
		}
	}
	return open
}

// missingCreatives returns the creatives that the job may have changed and that the last reading does not
// show: the platform's answer may be partial, or somebody has removed them. Of those whose change is on
// record, it returns none.
func (c *statusChange) missingCreatives() (missing []string) {
	intent, isShown := c.intent(), c.shownCodes()
	if !intent.Recorded {
		missing = slices.DeleteFunc(slices.Clone(intent.Changing), func(code string) bool { return isShown[code] || c.audited[code] })
	}
	for _, code := range slices.Sorted(maps.Keys(intent.Restoring)) {
		if !isShown[code] && !slices.Contains(missing, code) {
			missing = append(missing, code)
		}
	}
	return missing
}

// shownCodes returns the creatives that the last reading shows.
func (c *statusChange) shownCodes() map[string]bool {
	codes := map[string]bool{}
	for _, s := range c.shown {
		codes[s.CreativeCode] = true
	}
	return codes
}

// changedBack reports whether a creative has its old status although it has been changed since
// the intent was written. So it is with one that an earlier attempt has paused and a person has
// resumed: the person's change counts. latestUpdate does not say what was changed, see doc.go.
func (c *statusChange) changedBack(s rtb.CreativeStatus) bool {
	updated := c.intent().Updated[s.CreativeCode]
	return s.ApprovalStatus == c.intent().Before[s.CreativeCode] && updated != "" && s.LatestUpdate != updated
}

// outcome is the outcome of an intent for its creatives.
type outcome struct {
	open      []string                       // not changed so far
	missing   []string                       // perhaps changed by this job, and not shown
	changed   []string                       // changed by this job
	refused   []string                       // refused by the platform
	foreign   bool                           // somebody else has changed a creative meanwhile
	outdated  bool                           // another job has written an entry since the reading
	overtaken map[string]usher.CreativeEntry // to be restored, with the entry whose status they get
	audits    []usher.Audit
}

// record is steps 6 and 7: it claims the changes of this job and writes the
// audits.
//
// It assumes a reading since the last POST. If another job has written an entry
// since that reading, the job reads again: the other job may have changed the
// creative after the reading. A crash afterwards leaves some of the claims and
// audits; the redelivery repeats them, which is idempotent.
func (c *statusChange) record(ctx context.Context) (state, error) {
	o := outcome{overtaken: map[string]usher.CreativeEntry{}}
	if err := c.recordCreatives(ctx, &o); err != nil {
		return unlocking, err
	}
	if c.handler.RuleStore != nil && len(o.audits) > 0 {
		if err := c.handler.RuleStore.Remember(ctx, o.audits...); err != nil {
			return unlocking, err
		}
	}
	if c.lost != nil && containsAll(o.changed, c.lostCreatives) {
		c.intent().Lost = c.lostBefore // the POST has arrived, so it cannot arrive later
	}
	if o.outdated {
		return readingBack, nil
	}
	c.intent().Posted = slices.DeleteFunc(c.intent().Posted, func(code string) bool { return !slices.Contains(o.open, code) && !slices.Contains(o.missing, code) })
	// Nothing is restored before everything is on record.
	c.overtaken = o.overtaken
	switch {
	case len(o.overtaken) == 0 || c.noMoreRestores || c.lost != nil && !c.looking:
		err := c.verdict(&o)
		if err == nil && c.intent().Run != 0 {
			anew := workers.Wait(0, "has recorded what run %d changed, and begins anew", c.intent().Run)
			c.job.Work.Progress.Intent = nil
			return unlocking, anew
		}
		if err == nil && len(o.refused) == 0 && !o.foreign {
			c.claimCampaign(ctx)
		}
		return unlocking, err
	case c.locks.held():
		return restoring, nil
	}
	return admitting, nil
}

// recordCreatives records the outcome for each creative of the reading, and for those that it lacks.
func (c *statusChange) recordCreatives(ctx context.Context, o *outcome) error {
	for _, s := range c.shown {
		if err := c.recordCreative(ctx, s, o); err != nil {
			return err
		}
	}
	return c.recordMissing(ctx, o)
}

func containsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(s string) bool { return !slices.Contains(list, s) })
}

// recordCreative records the outcome for one creative.
func (c *statusChange) recordCreative(ctx context.Context, s rtb.CreativeStatus, o *outcome) error {
	code, intent := s.CreativeCode, c.intent()
	before, selected := intent.Before[code]
	changing := slices.Contains(intent.Changing, code)
	entry, restoring := intent.Restoring[code]
	switch {
	case !selected:
		return nil
	case restoring:
		return c.recordRestored(ctx, s, entry, o)
	case intent.Run != 0 && s.ApprovalStatus != c.wanted:
		return nil // this run decides anew
	case s.ApprovalStatus == c.wanted || !changing && before == c.wanted:
		return c.recordWanted(ctx, s, changing, o)
	case !changing, intent.Recorded:
		return nil // left out, or already on record
	case c.warned[code].Code != "":
		o.refused = append(o.refused, code)
	case slices.Contains(c.open, code):
		o.open = append(o.open, code)
		return nil
	case c.changedBack(s) && !c.superseded(code):
		return c.recordChangedBack(ctx, s, o)
	case s.ApprovalStatus == before:
		c.warnSuperseded(code)
		if !c.answered[code] {
			return nil
		}
	default:
		o.foreign = true
		c.job.Warnf(usher.WarnChangedMeanwhile, "creative %s is %s now: somebody else changed it, so it is left as it is", code, s.ApprovalStatus)
	}
	return c.auditLeft(ctx, s, before, o)
}

// recordMissing records the creatives that the reading lacks. Only of those that were posted the audit says
// that the job wanted to change them: what a crash has cut off may never have been sent. Such an entry does
// not prevent that of the change, once the creative is shown again. Nobody reads back after a last look, and
// a person who replays the job does not wait for them once more, so that both warn.
func (c *statusChange) recordMissing(ctx context.Context, o *outcome) error {
	intent := c.intent()
	o.missing = c.missingCreatives()
	for _, code := range o.missing {
		if c.looking || intent.Run != 0 {
			c.job.Warnf(usher.WarnChangedMeanwhile, "creative %s is not among those that the platform shows of the campaign: it may have been set to %s, and whether it was is not known", code, c.wanted)
		}
		if !slices.Contains(intent.Posted, code) {
			continue
		}
		if err := c.auditLeft(ctx, rtb.CreativeStatus{CreativeCode: code, ApprovalStatus: string(usher.Unknown)}, intent.Before[code], o); err != nil {
			return err
		}
	}
	if intent.Run != 0 {
		o.missing = nil
	}
	return nil
}

// auditLeft writes the audit of a creative that the job has not changed. If this delivery has
// recorded a change of it before, another one has come after that, and is not this job's.
func (c *statusChange) auditLeft(ctx context.Context, s rtb.CreativeStatus, before string, o *outcome) error {
	if c.audited[s.CreativeCode] {
		return nil
	}
	return c.writeAudit(ctx, c.newAudit(s, before), o)
}

// recordWanted records a creative that has the wanted status, or had it when the intent
// was written. It makes the job the newest one of the creative and, if the job was to
// change it, claims the change.
func (c *statusChange) recordWanted(ctx context.Context, s rtb.CreativeStatus, changing bool, o *outcome) error {
	code, intent, now := s.CreativeCode, c.intent(), stateOf(s)
	asked := changing && s.ApprovalStatus == c.wanted
	entry, err := c.claim(ctx, code, now, asked, o)
	switch {
	case err != nil:
		return err
	case !asked:
		return c.recordKeptPaused(ctx, s, &entry, o)
	case !entry.ChangedBy(c.job.Work.Order, now):
		if entry.Order > c.job.Work.Order {
			c.warnSuperseded(code)
		}
		return nil
	}
	o.changed = append(o.changed, code)
	left, audited := intent.Left[code]
	audited = audited && (intent.Recorded || c.audited[code]) // otherwise its audit may be missing
	if audited && left == now {
		return nil
	}
	if intent.Left == nil {
		intent.Left = map[string]usher.CreativeState{}
	}
	intent.Left[code] = now
	a := c.newAudit(s, intent.Before[code])
	a.Late, a.TakesBack = audited, intent.TakesBack[code]
	if err := c.writeAudit(ctx, a, o); err != nil {
		return err
	}
	c.audited[code] = true
	return nil
}

// recordChangedBack records a creative that has its old status again, by a change that is not
// this job's. It makes the job the newest one of the creative: if an older job has made the
// change, that one or this one restores what this job wanted.
func (c *statusChange) recordChangedBack(ctx context.Context, s rtb.CreativeStatus, o *outcome) error {
	code := s.CreativeCode
	if _, err := c.claim(ctx, code, stateOf(s), false, o); err != nil {
		return err
	}
	if _, restores := o.overtaken[code]; restores || o.outdated {
		return nil
	}
	o.foreign = true
	c.job.Warnf(usher.WarnChangedMeanwhile, "creative %s was changed after this job had read it, and is %s: it is left as it is", code, s.ApprovalStatus)
	return c.auditLeft(ctx, s, s.ApprovalStatus, o)
}

// recordRestored records a creative that was to be restored to the status of an
// entry.
func (c *statusChange) recordRestored(ctx context.Context, s rtb.CreativeStatus, restored usher.CreativeEntry, o *outcome) error {
	code, now := s.CreativeCode, stateOf(s)
	asked := now.Status == restored.Wanted
	entry, err := c.claim(ctx, code, now, asked, o)
	if err != nil {
		return err
	}
	if !asked || !entry.ChangedBy(c.job.Work.Order, now) {
		return nil
	}
	o.changed = append(o.changed, code)
	return c.writeAudit(ctx, c.newRestoreAudit(s, restored), o)
}

// claim claims a creative in the state that the last reading shows, and returns its new
// entry. If another job has written the entry since the reading, claim notes that and
// returns a zero entry.
func (c *statusChange) claim(ctx context.Context, code string, now usher.CreativeState, asked bool, o *outcome) (usher.CreativeEntry, error) {
	entry, err := c.job.Lease.ClaimChange(ctx, code, c.wanted, c.entries[code], now, asked)
	if errors.Is(err, usher.ErrEntryChanged) {
		o.outdated = true
		return usher.CreativeEntry{}, nil
	}
	if err == nil {
		c.noteOvertaken(code, entry, now, o)
	}
	return entry, err
}

// noteOvertaken notes a creative that does not have the status that its newest job
// wanted, if this job must restore it: this job has made the change, or this job is the
// newest one and an older job has made the change. A change that no job has claimed was
// made by somebody else, or by a job that has yet to read back.
func (c *statusChange) noteOvertaken(code string, entry usher.CreativeEntry, now usher.CreativeState, o *outcome) {
	if now.Status == entry.Wanted || entry.Left != now || c.warned[code].Code != "" {
		return
	}
	order := c.job.Work.Order
	if entry.ChangedOrder == order || entry.Order == order && entry.ChangedOrder < order {
		o.overtaken[code] = entry
	}
}

// claimCampaign ends older jobs that wait on the campaign, if this one was for all of its
// creatives, also for those that wait for approval. Otherwise each of them finds out itself
// what is superseded.
func (c *statusChange) claimCampaign(ctx context.Context) {
	if c.decisions != nil || len(c.job.Work.Job.Creatives) > 0 {
		return
	}
	if err := c.job.Lease.ClaimCampaign(ctx); err != nil {
		c.job.Log.Warn("noting that the campaign was set failed; older jobs on it take longer", "campaign", c.campaign(), "error", err)
	}
}

// verdict returns the error that settles the job. If a POST may still arrive, or the platform
// does not show a creative, the job is retried, to read back once more.
func (c *statusChange) verdict(o *outcome) error {
	intent, lateFor := c.intent(), c.lateFor()
	switch {
	case len(o.open)+len(o.overtaken) > 0 && c.lost != nil:
		return c.lost.err // the POST had no effect on these creatives
	case len(o.open) > 0:
		return errors.New("the platform accepted the change but still shows " + strings.Join(o.open, ", ") + " as before")
	case len(o.overtaken) > 0:
		return workers.Wait(lockDelay, "restores what an older job has changed after a newer one")
	case len(o.missing) > 0:
		if lateFor <= 0 { // all others are on record: what becomes of them from now on is not this job's
			intent.Changing = slices.DeleteFunc(intent.Changing, func(code string) bool { return !slices.Contains(o.missing, code) })
		}
		return errors.New("the platform does not show " + strings.Join(o.missing, ", ") + ", which may have been changed, among the creatives of campaign " + c.campaign())
	case lateFor > 0:
		intent.Recorded = true
		return workers.Wait(lateFor, "reads back once more at %s: a change whose response was lost may still arrive", c.job.Now().Add(lateFor).UTC().Format(time.RFC3339))
	case len(o.changed) == 0 && len(o.refused) > 0:
		w := c.warned[o.refused[0]]
		return &usher.Permanent{Class: usher.Refused, Code: string(w.Code),
			Hint: "the platform does not allow this change of status; see the record's warnings",
			Err:  errors.New("set status of campaign " + c.campaign() + " to " + c.wanted + ": " + w.Description)}
	}
	return nil
}

// writeAudit stores an audit and adds it to the outcome, for the store of rules.
func (c *statusChange) writeAudit(ctx context.Context, a usher.Audit, o *outcome) error {
	if err := c.job.Lease.Audit(ctx, a); err != nil {
		return err
	}
	o.audits = append(o.audits, a)
	return nil
}

// newAudit returns the audit of a creative that the job was to change.
func (c *statusChange) newAudit(s rtb.CreativeStatus, before string) usher.Audit {
	a := c.creativeAudit(s)
	a.Before, a.Wanted = before, c.wanted
	if d, found := c.decisions[s.CreativeCode]; found {
		a.Rule, a.Reason, a.Cause, a.Metrics, a.Values = d.Rule, d.Condition(), d.Cause, d.Metrics, d.Values // it no longer waits for approval
	}
	return a
}

// newRestoreAudit returns the audit of a creative that the job has restored.
func (c *statusChange) newRestoreAudit(s rtb.CreativeStatus, restored usher.CreativeEntry) usher.Audit {
	a := c.creativeAudit(s)
	a.Reason = "restored: the change of an older job came after job " + restored.Job
	a.Before, a.Wanted, a.Restores = restored.Left.Status, restored.Wanted, restored.Job
	return a
}

// creativeAudit returns the fields that all audits of a creative have. If the job is a
// rule's, they include the evaluation, so that the rule knows that it owns the creative.
func (c *statusChange) creativeAudit(s rtb.CreativeStatus) usher.Audit {
	a := c.baseAudit()
	a.Run = cmp.Or(c.intent().Run, a.Run)
	a.Creative, a.After = s.CreativeCode, s.ApprovalStatus
	if d, found := c.decisions[s.CreativeCode]; found {
		a.Evaluation, a.AsOf, a.LatestUpdate = c.job.Work.Job.Evaluation, c.evaluation.AsOf, s.LatestUpdate
		a.Approved = c.evaluation.ApprovedAt(&d)
	}
	return a
}

// A rule resumes only what it has paused and nobody has touched since. The platform shows the
// time of the last change, so that a change by others is noticed. But a job that pauses what a
// rule has already paused changes nothing there: it is recorded here.

// lastChange returns the last change of a creative that rules remember; nil if there is none.
func (c *statusChange) lastChange(ctx context.Context, creative string) (*usher.Change, error) {
	if c.memory == nil {
		memory, err := c.handler.RuleStore.Memory(ctx, []string{c.campaign()})
		if err != nil {
			return nil, fmt.Errorf("read what rules remember of campaign %s: %w", c.campaign(), err)
		}
		if c.memory = memory[c.campaign()]; c.memory == nil {
			c.memory = map[string][]usher.Change{}
		}
	}
	changes := c.memory[creative]
	if len(changes) == 0 {
		return nil, nil
	}
	return &changes[len(changes)-1], nil
}

// recordKeptPaused records that the job wants a creative paused, if a rule has paused it: the
// rule may then not resume it. It does nothing for the jobs of rules, and if a newer job has
// set the creative.
func (c *statusChange) recordKeptPaused(ctx context.Context, s rtb.CreativeStatus, entry *usher.CreativeEntry, o *outcome) error {
	if c.handler.RuleStore == nil || c.decisions != nil || c.wanted != rtb.Inactive || s.ApprovalStatus != rtb.Inactive || entry.Order != c.job.Work.Order {
		return nil
	}
	last, err := c.lastChange(ctx, s.CreativeCode)
	if err != nil || last == nil || last.Rule == "" || last.After != s.ApprovalStatus || last.LatestUpdate != s.LatestUpdate {
		return err
	}
	a := c.newAudit(s, s.ApprovalStatus)
	a.Keeps, a.LatestUpdate = true, s.LatestUpdate
	return c.writeAudit(ctx, a, o)
}

// readKeptPaused returns the creatives that a rule must not resume, with the job that wants
// them paused since the rule has decided. It returns none if the job is not a rule's resume.
func (c *statusChange) readKeptPaused(ctx context.Context) (map[string]string, error) {
	kept := map[string]string{}
	if c.wanted != rtb.Active {
		return kept, nil
	}
	for creative := range c.decisions {
		last, err := c.lastChange(ctx, creative)
		if err != nil {
			return nil, err
		}
		if last != nil && last.Keeps {
			kept[creative] = last.Job
		}
	}
	return kept, nil
}
