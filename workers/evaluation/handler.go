package evaluation

import (
	"context"
	"fmt"
	"strings"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/internal/rules/figures"
	"usher/workers"
)

// RuleSets are the configured rule files.
type RuleSets interface {
	// All returns the files in their current version.
	All() []*rules.Set
}

// Store keeps evaluations, and what rules remember about creatives.
type Store interface {
	// FindEvaluation returns the evaluation with an id and reports whether there is one.
	FindEvaluation(ctx context.Context, id string) (e usher.Evaluation, found bool, err error)
	// Memory returns the changes by rules: campaign → creative → its changes,
	// oldest first.
	Memory(ctx context.Context, campaigns []string) (map[string]map[string][]usher.Change, error)
	// Findings returns the findings that were reported and have not ended: campaign →
	// creative → its findings.
	Findings(ctx context.Context, campaigns []string) (map[string]map[string][]usher.Finding, error)
	// ChangeFindings stores the findings of a campaign that began, and removes those that ended.
	ChangeFindings(ctx context.Context, campaign string, changes []usher.FindingChange) error
	// ChangeBlindness stores on what the rules of a file are blind.
	ChangeBlindness(ctx context.Context, file string, found usher.BlindnessChange) error
	// StoreAndEnact stores an evaluation with its decisions and publishes the jobs that carry
	// it out. If an evaluation with the same id is stored already, StoreAndEnact stores
	// nothing, publishes the jobs of that one, and returns it.
	StoreAndEnact(ctx context.Context, e usher.Evaluation, decisions []usher.StoredDecision) (usher.Evaluation, error)
	// Enact publishes the jobs of a stored evaluation. It is idempotent.
	Enact(ctx context.Context, e usher.Evaluation) error
	// IsTick reports whether a job is that of a tick of a rule's schedule.
	IsTick(id, file, rule string, at time.Time) bool
	// LastTick returns the last tick that was recorded, and reports whether there is one.
	LastTick(ctx context.Context, file, rule string) (t usher.Tick, found bool, err error)
	// RecordTick records that a tick was evaluated.
	RecordTick(ctx context.Context, t usher.Tick) error
}

// Handler runs rules.evaluate jobs. Its fields are set before the first job.
type Handler struct {
	Rules RuleSets
	Store Store
	// Stopped reads the stop switch of campaign actions. After an error the
	// switch counts as on.
	Stopped func(ctx context.Context) (reason string, stopped bool, err error)
	// Paused returns the rules that people have paused, by key, see rules.Set.Key. nil: there are
	// none.
	Paused func(ctx context.Context) (map[string]usher.Setting, error)
	// Kept returns what people keep rules from changing, by the code of the creative or campaign.
	// nil: nothing.
	Kept func(ctx context.Context) (map[string]usher.Setting, error)
	// Outcomes returns numbers from outside of an advertiser. nil: there are none.
	Outcomes func(ctx context.Context, account string, need figures.OutcomeNeed) (*figures.Outcomes, error)
	// Actions are the fields of biddingSettings that the configuration lets rules change.
	Actions []usher.BiddingField
	// Platform returns the client of an advertiser; see workers.Worker.
	Platform func(advertiser string, campaign bool) *rtb.Client

	sizes   cache[string, scopeSize] // of the scope of each rule, by rules.Set.Key
	present present
	blind   cache[string, string] // on what each rule was UNKNOWN when it was looked at, by rules.Set.Key
}

// Run evaluates the job's rule file, a workers.Handler. It is idempotent: an evaluation
// that is already stored is not made again, but carried out.
func (h *Handler) Run(ctx context.Context, job *workers.Job) error {
	set, err := h.ruleSet(&job.Work.Job)
	if err != nil {
		return err
	}
	e, found, err := h.Store.FindEvaluation(ctx, job.Work.ID)
	if err != nil {
		return err
	}
	if found {
		err = h.Store.Enact(ctx, e)
	} else {
		e, err = h.evaluate(ctx, job, set)
	}
	if err != nil {
		return err
	}
	if _, isTick := h.tickOf(job); !isTick {
		return nil
	}
	rule := set.Find(job.Work.Job.Rule)
	return h.Store.RecordTick(ctx, usher.Tick{File: set.Name, Rule: rule.Name, At: e.AsOf, Evaluation: e.ID, Schedule: scheduleText(set, rule)})
}

// tickOf returns the time of a rule's schedule that a job is for, and reports whether it is for one.
func (h *Handler) tickOf(job *workers.Job) (at time.Time, isTick bool) {
	of := &job.Work.Job
	at, err := time.Parse(time.RFC3339, of.AsOf)
	return at, err == nil && of.Rule != "" && h.Store.IsTick(job.Work.ID, of.Rules, of.Rule, at)
}

// evaluate makes the evaluation of a job. Paused rules take no part in it. If the rule of the job is
// paused, or all rules of the file are, it decides nothing and says so.
func (h *Handler) evaluate(ctx context.Context, job *workers.Job, set *rules.Set) (usher.Evaluation, error) {
	paused := map[string]usher.Setting{}
	if h.Paused != nil {
		var err error
		if paused, err = h.Paused(ctx); err != nil {
			return usher.Evaluation{}, err
		}
	}
	e := newEvaluation(h, job, set, paused)
	if why := pausedWhy(set, e.set, job.Work.Job.Rule, paused); why != "" {
		e.at = job.Now()
		if at, err := e.asOf(); err == nil {
			e.at = at
		}
		return e.refuse(ctx, why)
	}
	return e.decide(ctx)
}

// pausedWhy says that the rule of a job is paused, or that all rules of its file are, or returns
// "". left is the set without the paused rules.
func pausedWhy(set, left *rules.Set, rule string, paused map[string]usher.Setting) string {
	if p, ok := paused[set.Key(rule)]; ok {
		return fmt.Sprintf("rule %s has been %s, since %s", set.Key(rule), p.String(), p.At.UTC().Format(time.RFC3339))
	}
	if len(left.Rules) == 0 && len(set.Rules) > 0 {
		return "all rules of " + set.Name + " are paused"
	}
	return ""
}

// ruleSet returns the rule file that the job names.
func (h *Handler) ruleSet(job *usher.Job) (*rules.Set, error) {
	var names []string
	for _, set := range h.Rules.All() {
		names = append(names, set.Name)
		if set.Name != job.Rules {
			continue
		}
		if job.Advertiser != "" && job.Advertiser != set.Account {
			return nil, usher.Refuse(usher.InvalidJob, "omit advertiser: the rule file names its account",
				"evaluate rules %s: they belong to advertiser %s, not %s", set.Name, set.Account, job.Advertiser)
		}
		if job.Rule != "" && set.Find(job.Rule) == nil {
			// This error is retried, because during a rollout some workers still have the old file.
			return nil, fmt.Errorf("evaluate rules %s: there is no rule %s in this worker's file", set.Name, job.Rule)
		}
		return set, nil
	}
	known := "none is configured: see rules.files"
	if len(names) > 0 {
		known = "configured in rules.files are " + strings.Join(names, ", ")
	}
	return nil, usher.Refuse(usher.NotFound, known, "evaluate rules: there is no rule file %s", job.Rules)
}
