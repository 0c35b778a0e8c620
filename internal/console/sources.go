package console

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"usher"
)

// Sources are what the console shows and acts on: the command connects them to
// the code that the commands themselves use. A method's error that is a
// *Refusal is for the person who asked; every other one is trouble.
type Sources struct {
	Jobs      Jobs
	Letters   Letters
	Fleet     Fleet
	Campaigns Campaigns
	Audit     AuditLog
	Rules     Rules
	Judges    Judges

	// Changes calls changed whenever something has changed: with a topic of
	// live.go, and the job's id where it is one job. It returns when ctx ends.
	Changes func(ctx context.Context, changed func(topic, id string))
}

// Jobs are the jobs on record and those that wait to be taken.
type Jobs interface {
	// Records are the newest jobs, at most limit, newest first.
	Records(ctx context.Context, limit int) ([]usher.Record, error)
	Record(ctx context.Context, id string) (usher.Record, error)
	// History are the changes of a job's state, oldest first.
	History(ctx context.Context, id string) ([]usher.Event, error)
	// Parts are how far the parts of a cut job are; none of a job of one part.
	Parts(ctx context.Context, id string) ([]Part, error)
	Cancel(ctx context.Context, id, reason string, by User) error
}

// Part is one part of a cut job.
type Part struct {
	Number   int         `json:"number"` // from 0 on
	State    usher.State `json:"state"`
	Read     int64       `json:"read"`
	Attempts int         `json:"attempts"`
}

// Fleet is how the whole is doing.
type Fleet interface {
	Lanes(ctx context.Context) ([]Lane, error)
	Platform(ctx context.Context) Platform
	Switch
	// SetLane pauses a lane, or lets it go on; an unknown one is a *Refusal.
	SetLane(ctx context.Context, lane string, paused bool, reason string, by User) error
	// SetLimit sets the calls a second of the configured advertiser; 0: as
	// configured.
	SetLimit(ctx context.Context, perSecond float64, reason string, by User) error
}

// Switch is the stop switch of campaign actions.
type Switch interface {
	// Stopped says why campaign actions are stopped; "" and false: they are not.
	Stopped(ctx context.Context) (reason string, stopped bool, err error)
	// Stop throws the stop switch, Start releases it.
	Stop(ctx context.Context, reason string, by User) error
	Start(ctx context.Context, by User) error
}

// Lane is a queue of its own and what is in it.
type Lane struct {
	Name    string     `json:"name"`
	Waiting int64      `json:"waiting"` // not yet taken
	Running int64      `json:"running"` // taken: running, or between attempts
	Slots   int        `json:"slots"`   // of this worker
	Oldest  *time.Time `json:"oldest"`  // when the oldest that is there was published
	Paused  string     `json:"paused"`  // by whom and why; "" where it is not
}

// Platform is how the platform has answered this process.
type Platform struct {
	URL        string           `json:"url"`
	Advertiser string           `json:"advertiser"`
	Up         bool             `json:"up"`
	Says       string           `json:"says"`       // of what is wrong
	Answers    map[string]int64 `json:"answers"`    // by status; "none" had no answer
	Limit      float64          `json:"limit"`      // calls a second, all workers together, as it holds now
	Configured float64          `json:"configured"` // the same as configured
	Reserve    float64          `json:"reserve"`    // percent of it that only campaigns may use
	RetryAfter *time.Time       `json:"retryAfter"` // until when the platform asked for a pause
	Workers    int              `json:"workers"`
}

// Letters are the dead letters.
type Letters interface {
	Groups(ctx context.Context, f LetterFilter) ([]usher.LetterGroup, error)
	// Page are letters that match, oldest first, from those after the sequence
	// after on, at most limit.
	Page(ctx context.Context, f LetterFilter, after uint64, limit int) ([]usher.DeadLetter, error)
	Replays
	Edits
}

// Replays publish letters' jobs again.
type Replays interface {
	Plan(ctx context.Context, f LetterFilter, force bool) (ReplayPlan, error)
	// Replay publishes the jobs of the letters that match, calls done now and
	// then, and returns when all are through or ctx ends: then the others are
	// where they were.
	Replay(ctx context.Context, f LetterFilter, o ReplayOptions, done func(ReplayReport)) (ReplayReport, error)
}

// Edits change or remove letters.
type Edits interface {
	// Edit changes the jobs of the letters that match, or says what it would do.
	Edit(ctx context.Context, f LetterFilter, e Edit, by User) (EditReport, error)
	// Discard removes the letters that match for good and returns how many.
	Discard(ctx context.Context, f LetterFilter, reason string, by User) (int, error)
}

// LetterFilter says which letters are meant; zero fields take all.
type LetterFilter struct {
	Seqs    []uint64    `json:"seqs,omitempty"` // these, and no other
	ID      string      `json:"id,omitempty"`
	Kind    usher.Kind  `json:"kind,omitempty"`
	Class   usher.Class `json:"class,omitempty"`
	Group   string      `json:"group,omitempty"` // as a group names itself
	Match   string      `json:"match,omitempty"` // in target or message, in any case
	Since   time.Time   `json:"since,omitzero"`
	Until   time.Time   `json:"until,omitzero"`
	Through uint64      `json:"through,omitempty"` // up to this number: what a plan has seen
}

// ReplayPlan is what a replay would do.
type ReplayPlan struct {
	Count   int                 `json:"count"`
	Groups  []usher.LetterGroup `json:"groups"`
	Sample  []usher.DeadLetter  `json:"sample"`
	Skipped int                 `json:"skipped"` // how many are left out
	Left    []LeftOut           `json:"left"`    // the first of these
	Seconds float64             `json:"seconds"` // that the jobs take at least under the platform's limit
	Through uint64              `json:"through"` // the newest letter that was looked at
}

// LeftOut is a letter that a replay leaves where it is.
type LeftOut struct {
	Seq uint64  `json:"seq"`
	ID  *string `json:"id"`
	Why string  `json:"why"`
}

// ReplayOptions say how a replay goes.
type ReplayOptions struct {
	Rate   float64 // a second; 0: as fast as the limits allow
	Force  bool    // also what newer jobs have superseded
	Reason string
	By     User
}

// ReplayReport is how far a replay is.
type ReplayReport struct {
	Planned     int       `json:"planned"`
	Replayed    int       `json:"replayed"`
	Skipped     int       `json:"skipped"`
	FailedAgain int       `json:"failedAgain"`
	Left        []LeftOut `json:"left"` // the first of the skipped
}

// Edit is a change of letters' jobs: of fields, or of all of one job.
type Edit struct {
	Set    map[string]string `json:"set,omitempty"` // by dotted names: source.column; null removes
	Job    json.RawMessage   `json:"job,omitempty"` // the whole job, where Set is empty
	Reason string            `json:"reason"`
	DryRun bool              `json:"dryRun"` // only say what would be
}

// EditReport is what an edit did, or would.
type EditReport struct {
	Edited  int          `json:"edited"`
	Same    int          `json:"same"`    // are so already
	Refused int          `json:"refused"` // cannot be
	Says    string       `json:"says"`    // why the first of these cannot
	Example *EditExample `json:"example"` // the first that is edited
}

// EditExample is one letter's edit.
type EditExample struct {
	Seq    uint64          `json:"seq"`
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
	Fields []string        `json:"fields"` // JSON pointers of what differs
}

// Campaigns are the platform's, and who may change them.
type Campaigns interface {
	// List are the campaigns' codes.
	List(ctx context.Context) ([]string, error)
	Creatives(ctx context.Context, campaign string) ([]Creative, error)
	// Holder is who has the campaign's lock: a worker; "" where nobody has it.
	Holder(ctx context.Context, campaign string) (string, error)
	// Set publishes a campaign.pause or campaign.resume and returns its id.
	Set(ctx context.Context, change CampaignChange, by User) (id string, err error)
}

// Creative is a creative and where it stands.
type Creative struct {
	Code    string `json:"code"`
	Status  string `json:"status"`            // PENDING, ACTIVE, INACTIVE
	Message string `json:"message,omitempty"` // of its approval
	Updated string `json:"updated,omitempty"` // YYYY-MM-DDTHH:MM:SS.mmm, no zone
}

// CampaignChange asks for a pause or a resume by hand.
type CampaignChange struct {
	Kind      usher.Kind
	Campaign  string
	Creatives []string // none: all
	Reason    string
}

// AuditLog is who did what.
type AuditLog interface {
	// Entries calls visit with the entries that match, newest first, until it
	// returns false.
	Entries(ctx context.Context, f AuditFilter, visit func(usher.Audit) bool) error
	// Export writes those that match, oldest first, as ndjson or csv.
	Export(ctx context.Context, f AuditFilter, format string, w io.Writer) error
}

// AuditFilter says which entries are meant; zero fields take all.
type AuditFilter struct {
	Campaign, Creative, Actor, Rule, Job string
	Match                                string // in any of them or the reason, in any case
	Since, Until                         time.Time
}
