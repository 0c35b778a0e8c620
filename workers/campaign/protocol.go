package campaign

import (
	"context"
	"time"

	"usher"
	"usher/workers"
)

// state is a position in the protocol. The package comment has tables of the states.
type state int

const (
	loading state = iota
	admitting
	lockingRedis
	lockingPlatform
	reading
	claiming
	intending
	sending
	readingBack
	settling
	recording
	restoring
	dropping
	unlocking
	done
)

// states has the step of each state for both kinds of change; nil: the kind does not have the
// state. A step returns the next state. After an error the next state is unlocking.
var states = [done]struct {
	name   string
	status func(*statusChange, context.Context) (state, error)
	number func(*numberChange, context.Context) (state, error)
}{
	loading:         {"loading", (*statusChange).load, (*numberChange).load},
	admitting:       {"admitting", (*statusChange).admit, (*numberChange).admit},
	lockingRedis:    {"lockingRedis", (*statusChange).lockRedis, (*numberChange).lockRedis},
	lockingPlatform: {"lockingPlatform", (*statusChange).lockPlatform, (*numberChange).lockPlatform},
	reading:         {"reading", (*statusChange).read, (*numberChange).read},
	claiming:        {"claiming", nil, (*numberChange).claim},
	intending:       {"intending", (*statusChange).intend, (*numberChange).intend},
	sending:         {"sending", (*statusChange).send, (*numberChange).send},
	readingBack:     {"readingBack", (*statusChange).readBack, (*numberChange).readBack},
	settling:        {"settling", nil, (*numberChange).settle},
	recording:       {"recording", (*statusChange).record, (*numberChange).record},
	restoring:       {"restoring", (*statusChange).restore, nil},
	dropping:        {"dropping", (*statusChange).drop, (*numberChange).drop},
	unlocking:       {"unlocking", (*statusChange).unlock, (*numberChange).unlock},
}

// change is a kind of change: *statusChange or *numberChange.
type change interface {
	// step runs the step of a state and returns the next state.
	step(ctx context.Context, s state) (state, error)
	// lookAgain prepares a last look, after which nothing more of the intent is sent.
	lookAgain()
	// lateFor returns how long a call whose response was lost may still arrive.
	lateFor() time.Duration
}

// protocol is one delivery of a job on its way through the states: what both kinds of change
// have.
type protocol struct {
	job     *workers.Job
	handler *Handler
	late    time.Duration
	locks   locks

	// Set by loading: the evaluation whose decisions the job carries out, if it is a rule's.
	evaluation usher.Evaluation
	kept       map[string]usher.Setting // what people keep rules from changing; nil: the job is no rule's
	// Set by any state before dropping: why nothing is changed, or nothing more.
	refusal usher.Warning

	// Set by sending and restoring.
	sent    bool      // a change was sent
	lost    *lostCall // the last call, if its response was lost
	failure error     // why sending or restoring stopped after something was sent
}

// run runs the steps from a state until done, and returns the error that settles the job.
func (p *protocol) run(ctx context.Context, c change, s state) error {
	defer p.release(ctx) // a step may panic
	var result error
	for s != done {
		p.job.Log.Debug("campaign protocol", "state", states[s].name)
		next, err := c.step(ctx, s)
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

// hasIntent reports whether an intent is on record.
func (p *protocol) hasIntent() bool { return p.job.Work.Progress.HasIntent() }

// baseAudit returns the fields that all audits of the job have.
func (p *protocol) baseAudit() usher.Audit {
	work := &p.job.Work
	return usher.Audit{At: p.job.Now().UTC(), Job: work.ID, Run: work.Run, Actor: work.Job.Actor, Reason: work.Job.Reason, Campaign: work.Job.Campaign}
}
