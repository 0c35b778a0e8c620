package usher

import (
	"strings"
	"time"
)

// Action is a decision about a creative, or about a number of a campaign's
// biddingSettings.
type Action string

// The actions.
const (
	Pause    Action = "pause"    // set it INACTIVE
	Resume   Action = "resume"   // set it ACTIVE
	Decrease Action = "decrease" // make the number smaller
	Increase Action = "increase" // make the number larger
	None     Action = "none"     // do not change anything
	Held     Action = "held"     // a guard prevents what the rule wants, see Decision.Guard
	Notify   Action = "notify"   // report what the rule wants, and do not change it
	Unknown  Action = "unknown"  // metrics are missing, too few or too old
)

// Actions returns all actions, the most important ones first.
func Actions() []Action {
	return []Action{Pause, Resume, Decrease, Increase, Held, Notify, Unknown, None}
}

// Changes reports whether the action changes something.
func (a Action) Changes() bool { return a == Pause || a == Resume || a == Decrease || a == Increase }

// Guard is the reason why a decision is not carried out.
type Guard string

// The guards, in the order in which they are checked.
const (
	GuardObserve        Guard = "observe"         // the rule's mode only records
	GuardDisabled       Guard = "disabled"        // the configuration does not have the action in actions
	GuardNotify         Guard = "notify"          // the rule's mode only notifies; only votes have this guard, since the decision has the action notify
	GuardKept           Guard = "kept"            // a person keeps rules from changing it
	GuardHandsOff       Guard = "hands_off"       // somebody else has paused or changed it
	GuardPending        Guard = "pending"         // the creative awaits approval by the platform
	GuardPauseWanted    Guard = "pause_wanted"    // a rule that is not due wants it paused, so it is not resumed
	GuardDecreaseWanted Guard = "decrease_wanted" // a rule wants the number decreased, so it is not increased
	GuardBound          Guard = "bound"           // the number is at the rule's min or max already
	GuardCooldown       Guard = "cooldown"        // the rule has changed this creative recently
	GuardFlips          Guard = "flips"           // the rule has made as many changes today as it may
	GuardKeepActive     Guard = "keep_active"     // too few creatives of the campaign would stay ACTIVE
	GuardCap            Guard = "cap"             // the rule would exceed its caps
	GuardApproval       Guard = "approval"        // the rule's mode asks for approval
	GuardStop           Guard = "stop"            // the stop switch is on
)

// Approvable reports whether an approval removes the guard.
func (g Guard) Approvable() bool { return g == GuardCap || g == GuardApproval }

// Cause is the key of a rule because of which it wants a creative paused.
type Cause string

// The causes.
const (
	CauseHours     Cause = "active_hours" // it is outside the hours or days, whatever pause_when says
	CauseCondition Cause = "pause_when"
)

// Notice says how a rule reports its findings to people.
type Notice string

// The notices.
const (
	NoticeDigest Notice = "digest" // one line for all findings of a run
	NoticeEach   Notice = "each"   // a line for each creative
)

// Decision is a run's decision about a creative, as printed by preview, backtest and the
// record of a run.
type Decision struct {
	Date     string `json:"date"` // YYYY-MM-DD in the account's zone: the day of the decision
	Campaign string `json:"campaign"`
	Creative string `json:"creative"` // "": the decision is about a number of the campaign
	Rule     string `json:"rule"`     // the rule that decided
	// Level is account if the rule decided on all campaigns in its scope together. All of its
	// decisions in the run are one then.
	Level  string `json:"level,omitempty"`
	Action Action `json:"action"`
	Wants  Action `json:"wants,omitempty"` // held and notify: pause, resume, decrease or increase
	Guard  Guard  `json:"guard,omitempty"` // held, none: the guard that prevented a change
	Cause  Cause  `json:"cause,omitempty"` // if the rule wants a pause, the key because of which: active_hours (or active_days) or pause_when
	Reason string `json:"reason"`          // a sentence with the metrics
	// Bidding is the change of the number; nil: the decision is about a creative. If nothing
	// is to change, To is From.
	Bidding *BiddingChange `json:"bidding,omitempty"`
	// Metrics are the metrics that the rule's conditions read, by name (previous.ctr),
	// with those from which they are computed. UNKNOWN ones are omitted.
	Metrics map[string]float64 `json:"metrics"`
	// Values are the parts of the deciding condition, innermost first; the last is the
	// condition itself. It is empty if no rule voted.
	Values []Value `json:"values,omitempty"`
	// Report is the newest report date of the rows that were read, or "".
	Report string `json:"report,omitempty"`
	// Notice says how the decision is reported to people. It is empty if the decision is
	// not reported, or if an earlier run has reported it.
	Notice Notice `json:"notice,omitempty"`
	// Votes are the votes of all rules that wanted a change, and of those that were due and
	// UNKNOWN, if there are several. They are in the order in which rules take creatives.
	Votes []Vote `json:"votes,omitempty"`
}

// Approvable reports whether the decision is held and an approval of its run carries it out.
func (d *Decision) Approvable() bool { return d.Action == Held && d.Guard.Approvable() }

// IsOneWith reports whether two decisions of a run, or of a day, are parts of one: those that a rule
// of level account made on several campaigns together.
func (d *Decision) IsOneWith(other *Decision) bool {
	return d.Level != "" && d.Level == other.Level && d.Date == other.Date && d.Rule == other.Rule && d.Action == other.Action && d.Wants == other.Wants && d.Guard == other.Guard &&
		(d.Bidding == nil) == (other.Bidding == nil) && (d.Bidding != nil || d.Reason == other.Reason)
}

// Condition returns the reason of a decision that waits for approval, or did, without the part
// that says so.
func (d *Decision) Condition() string {
	for _, end := range []string{" waits for approval: ", " wait for approval: "} {
		if _, condition, found := strings.Cut(d.Reason, end); d.Approvable() && found {
			return condition
		}
	}
	return d.Reason
}

// MemoryKey returns the key of the creative or number among what rules remember of the
// campaign.
func (d *Decision) MemoryKey() string {
	if d.Bidding != nil {
		return d.Bidding.Field.MemoryKey()
	}
	return d.Creative
}

// Value is a part of a condition with its result.
type Value struct {
	Expression string `json:"expression"` // as written: 0.95 * budget
	Result     string `json:"result"`     // a number, true, false, or unknown
}

// Vote is a rule's vote on a creative.
type Vote struct {
	Rule   string `json:"rule"`            // <rule file>/<rule> if it is in another file
	Action Action `json:"action"`          // pause, resume, decrease, increase or unknown
	Guard  Guard  `json:"guard,omitempty"` // the guard that holds all changes of the rule in this run
}

// StoredDecision is a decision with the state of the creative or number that the rules saw.
// A job that carries it out does not change what has another state now.
type StoredDecision struct {
	Decision
	Seen CreativeState `json:"seen"`
	// LastJob is the job of the last change of the number that rules remembered; "": none.
	LastJob string `json:"lastJob,omitempty"`
	// Against is what somebody has changed on the platform, and the decision changes back towards what
	// it was, such as 100 USD → 80 USD; "": nothing, or it is not known.
	Against string `json:"against,omitempty"`
	// KeepActive is the number of the campaign's creatives that must stay ACTIVE after a pause, as
	// the rule says: another run may have paused some of them since.
	KeepActive int `json:"keepActive,omitempty"`
	// Left is true if the decision was held and a person left it out of the approval.
	Left bool `json:"left,omitempty"`
}

// Subject names what the decision is about: the campaign and its creative, or its number.
func (r *StoredDecision) Subject() string {
	if r.Bidding != nil {
		return r.Campaign + "/" + string(r.Bidding.Field)
	}
	return r.Campaign + "/" + r.Creative
}

// Finding is a decision that a rule reports to people. It begins in one run, and ends in
// the first run in which the rule is due and decides otherwise, unless that decision is
// UNKNOWN. Each change of a number is a finding.
type Finding struct {
	File   string    `json:"file"`
	Rule   string    `json:"rule"`
	Action Action    `json:"action"`
	Wants  Action    `json:"wants,omitempty"`
	Guard  Guard     `json:"guard,omitempty"`
	To     float64   `json:"to,omitempty"` // what Action sets a number to
	Run    string    `json:"run"`          // the run in which it began
	Since  time.Time `json:"since"`
}

// FindingChange is the beginning or the end of a finding on a creative.
type FindingChange struct {
	Creative string
	Finding  Finding
	Ended    bool
}

// JobKind returns the kind of job that carries out the decision, or "". Held decisions are
// carried out after their approval.
func (r *StoredDecision) JobKind(approved bool) Kind {
	action := r.Action
	if r.Approvable() && approved && !r.Left {
		action = r.Wants
	}
	switch {
	case action == Pause:
		return CampaignPause
	case action == Resume:
		return CampaignResume
	case action.Changes() && r.Bidding != nil:
		return r.Bidding.Field.JobKind()
	}
	return ""
}
