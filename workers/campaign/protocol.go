package campaign

import (
	"context"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/workers"
	"usher/workers/locking"
)

// state is a position in the protocol. The package comment has a table of the
// states.
type state int

const (
	loading state = iota
	admitting
	lockingRedis
	lockingPlatform
	intending
	posting
	readingBack
	recording
	restoring
	unlocking
	done
)

// steps has the step of each state. A step returns the next state. After an
// error the next state is unlocking.
var steps = [done]struct {
	name string
	run  func(*protocol, context.Context) (state, error)
}{
	loading:         {"loading", (*protocol).load},
	admitting:       {"admitting", (*protocol).admit},
	lockingRedis:    {"lockingRedis", (*protocol).lockRedis},
	lockingPlatform: {"lockingPlatform", (*protocol).lockPlatform},
	intending:       {"intending", (*protocol).intend},
	posting:         {"posting", (*protocol).post},
	readingBack:     {"readingBack", (*protocol).readBack},
	recording:       {"recording", (*protocol).record},
	restoring:       {"restoring", (*protocol).restore},
	unlocking:       {"unlocking", (*protocol).unlock},
}

// protocol is one delivery of a campaign job on its way through the states.
type protocol struct {
	job         *workers.Job
	started     func(ctx context.Context) (time.Time, error)
	rulebook    Rulebook
	ruleVersion func(file string) (version string, known bool)
	late        time.Duration
	wanted      string // the status

	// Set by loading: the decisions of the rule whose job this is, by creative.
	// nil: the job is not a rule's.
	decisions       map[string]usher.Ruling
	decidedAt       time.Time
	ruleFileChanged bool // the rule file was changed after the decision
	releasedSince   bool // the stop switch was released after the decision

	locks *locking.Locks

	memory map[string][]usher.Change // what rules remember of the creatives; nil: it was not read

	// Set by each reading: the creatives' entries, which are read first, the statuses,
	// and the creatives of the intent that must still be changed.
	entries map[string]usher.CreativeEntry
	shown   []rtb.CreativeStatus
	open    []string

	intended bool // set by intending: this delivery has written the intent

	// Set by admitting, posting, restoring and the last look.
	noMorePosts    bool                     // this delivery does not post the intent any more
	noMoreRestores bool                     // this delivery does not restore creatives any more
	looking        bool                     // this is the last look: nobody restores what a lost POST changes later
	sent           bool                     // a POST was sent
	warned         map[string]usher.Warning // by creative: the last warning about it, of a 200 or of a 400 E10059
	answered       map[string]bool          // creatives whose POST was answered with 200 or 400 E10059
	lost           *lostPost                // the last POST, if its response was lost
	failure        error                    // why posting or restoring stopped early
	stopReason     string                   // the reason of the stop switch that ended posting; "": none

	// Set by recording: the creatives to restore, with the entry whose status they get, and those
	// whose change this delivery has written to the audit.
	overtaken map[string]usher.CreativeEntry
	audited   map[string]bool
}

// run runs the steps from a state until done, and returns the error that
// settles the job.
func (p *protocol) run(ctx context.Context, s state) error {
	defer p.locks.Release(ctx) // a step may panic
	var result error
	for s != done {
		p.job.Log.Debug("campaign protocol", "state", steps[s].name)
		next, err := steps[s].run(p, ctx)
		if err != nil {
			result, next = err, unlocking
		}
		s = next
	}
	if p.failure != nil {
		return p.failure // the cause of result
	}
	return result
}

func (p *protocol) campaign() string { return p.job.Work.Job.Campaign }

func (p *protocol) intent() *usher.Intent { return p.job.Work.Progress.Intent }
