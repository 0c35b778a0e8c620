package bidding

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
	reading
	claiming
	intending
	writing
	readingBack
	settling
	recording
	dropping
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
	reading:         {"reading", (*protocol).read},
	claiming:        {"claiming", (*protocol).claim},
	intending:       {"intending", (*protocol).intend},
	writing:         {"writing", (*protocol).write},
	readingBack:     {"readingBack", (*protocol).readBack},
	settling:        {"settling", (*protocol).settle},
	recording:       {"recording", (*protocol).record},
	dropping:        {"dropping", (*protocol).drop},
	unlocking:       {"unlocking", (*protocol).unlock},
}

// protocol is one delivery of a job on its way through the states.
type protocol struct {
	job      *workers.Job
	field    usher.BiddingField
	rulebook Rulebook
	handler  *Handler
	late     time.Duration
	locks    *locking.Locks

	// Of loading: the decision, and why it may not be carried out any more; a zero
	// refusal: it may.
	ruling     usher.Ruling
	evaluation usher.Evaluation
	refusal    usher.Warning

	now     rtb.Definition // as it was read last
	sent    bool           // a PUT was sent
	lost    error          // its response was lost; nil: it was not
	settled bool           // … and cannot arrive any more
}

// run runs the steps from a state until done, and returns the error that
// settles the job.
func (p *protocol) run(ctx context.Context, s state) error {
	defer p.locks.Release(ctx) // a step may panic
	var result error
	for s != done {
		p.job.Log.Debug("bidding protocol", "state", steps[s].name)
		next, err := steps[s].run(p, ctx)
		if err != nil {
			result, next = err, unlocking
		}
		s = next
	}
	return result
}

func (p *protocol) campaign() string { return p.job.Work.Job.Campaign }

func (p *protocol) intent() *usher.BiddingIntent { return p.job.Work.Progress.Bidding }

// change returns the change that the rule decided.
func (p *protocol) change() *usher.BiddingChange { return p.ruling.Bidding }

// shown returns the number as it was read last, such as 80 USD.
func (p *protocol) shown() string {
	return usher.BiddingState(p.now.Number(p.field), p.now.Currency())
}

// readDefinition reads the campaign's definition. It does not end when the Redis lock is
// lost, because what was written must be read back.
func (p *protocol) readDefinition(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, locking.CallTime)
	defer cancel()
	var err error
	p.now, err = p.job.Platform.CampaignDefinition(ctx, p.campaign())
	return err
}
