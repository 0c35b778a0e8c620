package console

import (
	"context"
	"time"

	"usher"
	"usher/internal/feeds"
	"usher/internal/ledger"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/backups"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/names"
	"usher/queues/presence"
	"usher/queues/status"
	"usher/queues/store"
)

// Sources provide the data and the actions of the console. A *Refusal that they return is
// sent to the client with its status; any other error is a server error.
type Sources struct {
	Jobs      Jobs
	Live      Live
	Submitter Submitter
	Lanes     Lanes
	Settings  Settings
	Audit     AuditLog
	Letters   Letters
	Edits     Edits
	Rules     RuleFiles
	Runs      Runs
	Approvals Approvals
	Review    Review
	Campaigns Campaigns
	Services  Services
	Ledger    Ledger
	Feeds     Feeds
	Presence  Presence

	// Logins keeps sessions and unused links; nil: they end with the process.
	Logins *store.Bucket

	Slots map[lanes.Lane]int // of this worker
	// Lapsing returns the segments whose members lapse soon.
	Lapsing  func(ctx context.Context) ([]ledger.Lapsing, error)
	Room     func(ctx context.Context) ([]queues.Room, error)
	Backup   func(ctx context.Context) (backups.Age, error)
	Platform func() Platform
	Names    Names // nil: segments have no names
	// ListSegments asks the platform for the segments of the advertiser, and notes them in Names.
	ListSegments func(ctx context.Context) error
	// Verify asks the platform for a sample of the ids in the ledger of a target.
	Verify func(ctx context.Context, t ledger.Target, sample int) (Verification, error)
	// Cancel cancels a job.
	Cancel func(ctx context.Context, id string, act audit.Act) error
	// Changes calls changed on each change until ctx ends.
	Changes func(ctx context.Context, changed func(c status.Changed, id string)) error
}

// Names are what is known of segments. *names.Names implements it.
type Names interface {
	Known(ctx context.Context) names.Known
}

// Jobs reads jobs. *status.Reader implements it.
type Jobs interface {
	Records(ctx context.Context, f status.Filter) ([]usher.Record, error)
	Record(ctx context.Context, id string) (usher.Record, error)
	OldestChange(ctx context.Context) (*status.OpenChange, error)
	History(ctx context.Context, id string) ([]usher.Event, error)
	Parts(ctx context.Context, id string) ([]status.PartState, error)
}

// Live follows the newest jobs and the numbers of all. *status.Live implements it.
type Live interface {
	Follow(ctx context.Context, changed func(id string)) error
	Refresh(ctx context.Context, now time.Time) error
	Kept() status.Kept
	Explain(ctx context.Context, shown []*usher.Record) ([]usher.Record, error)
	Counts(since time.Time) status.Counts
}

// Presence knows the workers, and keeps what they did. *presence.Presence implements it.
type Presence interface {
	Workers(ctx context.Context) ([]presence.Answer, error)
	Gone(ctx context.Context) (left map[string]time.Time, lost []presence.Lost, err error)
	Throughput(ctx context.Context) (presence.Throughput, error)
	KeepThroughput(ctx context.Context, observed presence.Throughput) error
}

// Submitter publishes jobs. *queues.Queue implements it.
type Submitter interface {
	Submit(ctx context.Context, kind usher.Kind, body []byte) (queues.Answer, error)
}

// Lanes reads and pauses lanes. *lanes.Lanes implements it.
type Lanes interface {
	States(ctx context.Context) ([]lanes.State, error)
	Pause(ctx context.Context, lane lanes.Lane, act audit.Act) error
	Resume(ctx context.Context, lane lanes.Lane, act audit.Act) error
}

// Settings are what people set at run time. *settings.Settings implements it.
type Settings interface {
	Get(ctx context.Context, kind usher.SettingKind, name string) (*usher.Setting, error)
	List(ctx context.Context, kind usher.SettingKind) (map[string]usher.Setting, error)
	Set(ctx context.Context, setting usher.Setting, act audit.Act) error
	TakeBack(ctx context.Context, kind usher.SettingKind, name string, act audit.Act) error
	TakeBackShown(ctx context.Context, kind usher.SettingKind, name string, shown *usher.Setting, act audit.Act) error
}

// AuditLog reads the audit, and records what users ask for. *audit.Log implements it.
type AuditLog interface {
	Changed(ctx context.Context, entry usher.Audit) error
	Newest(ctx context.Context, f audit.Filter, visit func(usher.Audit) bool) error
	Each(ctx context.Context, f audit.Filter, visit func(usher.Audit) error) error
}

// Letters reads and replays dead letters. *letters.Letters implements it.
type Letters interface {
	Groups(ctx context.Context, f letters.Filter) ([]usher.LetterGroup, error)
	Latest(ctx context.Context, f letters.Filter) ([]usher.DeadLetter, error)
	PlanReplay(ctx context.Context, f letters.Filter, o letters.ReplayOptions) (letters.ReplayPlan, error)
	Replay(ctx context.Context, plan *letters.ReplayPlan, o letters.ReplayOptions) (letters.ReplayReport, error)
	AwaitReplay(ctx context.Context, report *letters.ReplayReport, progress func(letters.ReplayReport)) error
}

// Edits changes and discards dead letters. *letters.Letters implements it.
type Edits interface {
	Assign(assignments map[string]string) letters.Change
	PlanEdit(ctx context.Context, f letters.Filter, change letters.Change, visit func(letters.Edited) error) error
	PlanFix(ctx context.Context, f letters.Filter, change letters.Change, o letters.ReplayOptions) (letters.FixPlan, error)
	Edit(ctx context.Context, f letters.Filter, change letters.Change, act audit.Act, visit func(letters.Edited)) error
	Fix(ctx context.Context, f letters.Filter, change letters.Change, o letters.ReplayOptions, visit func(letters.Edited)) error
	Discard(ctx context.Context, f letters.Filter, act audit.Act) (int, error)
}

// RuleFiles provides the rule files of this worker.
type RuleFiles interface {
	// All returns the files, which the console does not change.
	All() []*rules.Set
	// Backtest applies a set to past days, given as YYYY-MM-DD.
	Backtest(ctx context.Context, set *rules.Set, from, to string) (*backtest.Outcome, error)
}

// Runs reads the runs of rules and their decisions. *decisions.Store implements it.
type Runs interface {
	LastTick(ctx context.Context, file, rule string) (t usher.Tick, found bool, err error)
	Blindness(ctx context.Context) ([]usher.Blindness, error)
	Evaluations(ctx context.Context, limit int) ([]usher.Evaluation, error)
	Evaluation(ctx context.Context, id string) (usher.Evaluation, error)
	Decisions(ctx context.Context, id string) ([]usher.StoredDecision, error)
	Story(ctx context.Context, creative string) (decisions.Story, error)
	Activity(ctx context.Context, since time.Time) (decisions.Activity, error)
}

// Approvals approves, rejects and undoes runs. decisions.Interventions implements it.
type Approvals interface {
	Approve(ctx context.Context, id, by, reason string, only []string) (usher.Evaluation, error)
	Reject(ctx context.Context, id, by, reason string) (usher.Evaluation, error)
	Undo(ctx context.Context, id, by, reason string) (usher.Evaluation, []decisions.Skipped, error)
	Release(ctx context.Context, code string, act audit.Act) (decisions.Released, error)
}

// Review decides again by the platform's reports as they are now.
type Review interface {
	// Approval returns the decisions of a run that wait for approval as they are now, by
	// usher.StoredDecision.Subject, and what was spent lately on what they would change. If
	// the run's rules are gone or have changed, the error wraps decisions.ErrOutdated.
	Approval(ctx context.Context, e *usher.Evaluation, held []usher.StoredDecision) (map[string]usher.Decision, Stake, error)
	// Reversals returns what rules would do in their next runs about creatives of a campaign that a
	// person resumes; nil: all of them.
	Reversals(ctx context.Context, campaign string, creatives []string) ([]Reversal, error)
	// Preview returns what the rules of a file would do now.
	Preview(ctx context.Context, set *rules.Set) ([]usher.Decision, error)
	// Saved estimates what the pauses by rules in an activity have saved, by rule.
	Saved(ctx context.Context, of *decisions.Activity) (map[string]*backtest.Saving, error)
}

// Stake is what was spent on something on some days, by currency.
type Stake struct {
	From  string             `json:"from"` // YYYY-MM-DD
	To    string             `json:"to"`
	Gross map[string]float64 `json:"gross"`
	Of    int                `json:"of"`    // days
	Known int                `json:"known"` // days of which the report has a row of everything
}

// Reversal is a rule that would pause creatives again.
type Reversal struct {
	Rule      string     `json:"rule"` // <rule file>/<rule>
	Creatives []string   `json:"creatives"`
	Asks      bool       `json:"asks"`   // it would ask for an approval
	Reason    string     `json:"reason"` // with the numbers
	Next      *time.Time `json:"next"`   // null: it has no schedule
}

// Ledger reads what usher believes that targets hold. *ledger.Store implements it.
type Ledger interface {
	Heads(ctx context.Context, visit func(h ledger.Head, damaged string)) error
	Generations(ctx context.Context, t ledger.Target) ([]ledger.Generation, error)
	Overlap(ctx context.Context, targets []ledger.Target) (*ledger.Overlap, error)
	// HasFiles reports whether this worker can read the ledgers, and not only their heads.
	HasFiles() bool
}

// Feeds reads the states of feeds and changes them. *feeds.States implements it.
type Feeds interface {
	List(ctx context.Context) ([]feeds.State, error)
	Ask(ctx context.Context, feed string, act audit.Act) (time.Time, error)
	Decide(ctx context.Context, feed string, versions []string, approve bool, act audit.Act) ([]string, error)
	Pause(ctx context.Context, feed string, act audit.Act) error
	Resume(ctx context.Context, feed string, act audit.Act) error
}

// Campaigns reads the campaigns of the configured advertiser.
type Campaigns interface {
	// List returns the codes of the campaigns.
	List(ctx context.Context) ([]string, error)
	// Spends returns what the campaigns have spent on the newest day of their reports.
	Spends(ctx context.Context) (map[string]Spend, error)
	// Creatives returns the creatives of a campaign. For an unknown campaign, the
	// error is a *Refusal.
	Creatives(ctx context.Context, campaign string) ([]Creative, error)
	// Holder returns the worker that holds the campaign's lock, or "".
	Holder(ctx context.Context, campaign string) (string, error)
}

// Creative is a creative and its status.
type Creative struct {
	Code    string `json:"code"`
	Status  string `json:"status"`            // PENDING, ACTIVE, INACTIVE
	Message string `json:"message,omitempty"` // of its approval
	Updated string `json:"updated,omitempty"` // YYYY-MM-DDTHH:MM:SS.mmm, no zone
}

// Platform describes the platform and its answers to this process.
type Platform struct {
	URL        string           `json:"url"`
	Advertiser string           `json:"advertiser"`
	Up         bool             `json:"up"`
	Error      string           `json:"says"`       // why Up is false
	Refused    bool             `json:"refused"`    // Up is false because the platform refuses the login
	Answers    map[string]int64 `json:"answers"`    // number by status; "none" counts requests without a response
	Limit      float64          `json:"limit"`      // current limit in calls a second, of all workers together
	Configured float64          `json:"configured"` // configured limit
	Reserve    float64          `json:"reserve"`    // percent of the limit that is reserved for campaigns
	RetryAfter *time.Time       `json:"retryAfter"` // the end of a Retry-After; nil: none is in effect
	Workers    int              `json:"workers"`
}

func actOf(user User, reason string) audit.Act { return audit.Act{Actor: user.Name, Reason: reason} }
