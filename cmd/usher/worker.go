package main

import (
	"context"
	"errors"
	"log/slog"
	"runtime/metrics"
	"time"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/exports/places"
	"usher/internal/feeds"
	"usher/internal/fleet"
	"usher/internal/ledger"
	"usher/internal/platform"
	"usher/internal/rtb"
	"usher/internal/rules/files"
	"usher/pipeline"
	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/queues/outcomes"
	"usher/queues/presence"
	"usher/queues/settings"
	"usher/queues/status"
	"usher/workers"
	"usher/workers/campaign"
	"usher/workers/evaluation"
)

// newWorker returns a worker with the configured limits that takes its jobs from queue. The
// caller sets the other fields.
func newWorker(c config.Config, queue *queues.Queue, fleet *fleet.Fleet) *workers.Worker {
	return &workers.Worker{
		Lanes: workerLanes(c, queue, fleet), Now: queue.Now,
		Limits: workers.Limits{
			Attempts: c.Int("retry.attempts"), FirstRetry: c.Duration("retry.first"), LastRetry: c.Duration("retry.last"),
			Age: c.Duration("retry.age"), CampaignAge: c.Duration("retry.campaign_age"),
		},
		KeepDuplicates:   !c.Bool("upload.dedupe"),
		MaxRejectPercent: new(c.Float64("upload.max_reject_percent")), MaxMalformedPercent: new(c.Float64("upload.max_malformed_percent")),
		BatchIDs: c.Int("upload.batch_ids"), InFlight: c.Int("upload.in_flight"),
	}
}

// stores are the places that a worker reads digests and exports from.
type stores struct {
	exports    *places.Access
	suppressed *pipeline.Suppression // nil: no list
	ledger     *ledger.Store
}

// openStores opens the configured stores. The caller closes them.
func openStores(ctx context.Context, c config.Config, queue *queues.Queue, logger *slog.Logger) (s stores, err error) {
	if s.suppressed, err = connect.LoadSuppression(c); err != nil {
		return s, err
	}
	if s.exports, err = connect.OpenPlaces(c); err != nil {
		return s, err
	}
	if s.ledger, err = connect.OpenLedger(ctx, c, queue, logger); err != nil {
		s.exports.Close()
	}
	return s, err
}

func (s *stores) close() {
	s.exports.Close()
	_ = s.ledger.Close() // nothing is being written
}

// handlers returns the handlers of the kinds that package workers does not run
// itself.
func handlers(ruleStore *decisions.Store, stored *outcomes.Store, set *settings.Settings, rules *files.Files, fleet *fleet.Fleet, platform *platform.Platform, actions []usher.BiddingField) map[usher.Kind]workers.Handler {
	campaigns := &campaign.Handler{
		Lock: fleet.Lock, Stopped: set.Stopped, Released: set.Released, RuleStore: ruleStore, RuleVersion: rules.Version, Gate: func() error { return platform.Breaker.Gate(false) },
		Actions: actions, Kept: set.Kept, Withdraw: set.Withdraw,
	}
	evaluations := &evaluation.Handler{Rules: rules, Store: ruleStore, Stopped: set.Stopped, Paused: rulePauses(set), Kept: set.Kept, Outcomes: stored.Now, Platform: platform.Client, Actions: actions}
	return map[usher.Kind]workers.Handler{
		usher.CampaignPause: campaigns.Run, usher.CampaignResume: campaigns.Run, usher.CampaignBudget: campaigns.Run, usher.CampaignBid: campaigns.Run,
		usher.RulesEvaluate: evaluations.Run,
	}
}

// rulePauses returns a function that returns the paused rules.
func rulePauses(set *settings.Settings) func(context.Context) (map[string]usher.Setting, error) {
	return func(ctx context.Context) (map[string]usher.Setting, error) { return set.List(ctx, usher.RulePause) }
}

// enabledActions returns the fields of biddingSettings that rules may change.
func enabledActions(c config.Config) []usher.BiddingField {
	var fields []usher.BiddingField
	for _, action := range c.Strings("actions") {
		fields = append(fields, usher.BiddingField(action))
	}
	return fields
}

// redisPatience is how long a slot takes no campaign job while Redis is lost. Then one is tried, so
// that its record says what it waits for.
const redisPatience = 5 * time.Second

// workerLanes returns the queue's lanes with the configured slots. Campaign jobs and
// rules go first.
func workerLanes(c config.Config, queue *queues.Queue, fleet *fleet.Fleet) []workers.Lane {
	var all []workers.Lane
	for _, lane := range lanes.All() {
		var ready func(context.Context)
		if lane == lanes.Campaign { // its jobs need locks
			ready = func(ctx context.Context) { fleet.AwaitRedis(ctx, redisPatience) }
		}
		all = append(all, workers.Lane{
			Ready: ready,
			Name:  string(lane), Slots: c.Int("lanes." + string(lane)), First: lane == lanes.Campaign || lane == lanes.Rules,
			Open: func(ctx context.Context, arrived func()) (workers.Source, error) {
				deliveries, err := queue.Deliveries(ctx, lane)
				if err != nil {
					return nil, err
				}
				deliveries.OnMessage = arrived
				deliveries.SettleInBackground()
				return source{deliveries}, nil
			},
		})
	}
	return all
}

// source converts the type of the leases, because workers does not import queues.
type source struct{ *queues.Deliveries }

func (s source) Next(fetch, work context.Context) (workers.Lease, error) {
	lease, err := s.Deliveries.Next(fetch, work)
	if err != nil {
		return nil, err
	}
	return leased{lease}, nil
}

// leased is a lease of the queue.
type leased struct{ *queues.Lease }

func (l leased) TakeAlong(ctx context.Context, n int) ([]workers.Lease, error) {
	following, err := l.Lease.TakeAlong(ctx, n)
	leases := make([]workers.Lease, len(following))
	for i, lease := range following {
		leases[i] = leased{lease}
	}
	return leases, err
}

// answer returns what this worker says of itself. Once fetch has ended, it has no slots.
func (p *process) answer(fetch context.Context, watched *feeds.Files, suppressed *workers.Suppressions) func() presence.Answer {
	slots := map[lanes.Lane]int{}
	for _, lane := range lanes.All() {
		slots[lane] = p.config.Int("lanes." + string(lane))
	}
	since := p.Queue.Now().UTC()
	var sources []string
	for _, place := range p.config.Strings("sources.allow") {
		sources = append(sources, connect.ShownPlace(place))
	}
	place := connect.ShownPlace(p.config.String("ledger.url"))
	return func() presence.Answer {
		h := presence.Answer{Worker: connect.WorkerName(p.config), Version: version(), Since: since, Memory: memoryInUse(), Sources: sources, Ledger: place, Rules: []string{}, Actions: enabledActions(p.config), Files: map[string]string{}}
		if p.configured(rulesTask) {
			h.Files[rulesTask] = p.Rules.Digest()
		}
		if p.configured(feedsTask) {
			h.Files[feedsTask], h.Invalid = watched.Digest(), watched.Invalid()
		}
		for _, set := range p.Rules.All() {
			h.Rules = append(h.Rules, set.Name)
		}
		h.Advertisers = p.advertisers.inFiles()
		if oldest, some := suppressed.Oldest(); some {
			h.Allowed = &oldest
		}
		if lost := p.Fleet.LostFor(); lost > 0 {
			h.NoRedis, h.RedisRefused = new(p.Queue.Now().Add(-lost).UTC()), p.Fleet.RefusesLogin()
		}
		if fetch.Err() == nil {
			h.Slots = slots
			p.addPlatform(&h)
		}
		return h
	}
}

// addPlatform adds what this worker sees of the platform.
func (p *process) addPlatform(h *presence.Answer) {
	down, why := p.Platform.Breaker.Outage()
	h.Down, h.Refused = down, errors.Is(why, usher.ErrUnauthorized)
	if down != nil && !h.Refused {
		h.How = rtb.HowDown(why)
	}
	for _, f := range p.Platform.Failing() {
		h.Failing = append(h.Failing, presence.Failing(f))
	}
	h.Worked = p.Platform.Worked()
}

// worked returns when operations of the platform have last worked, by worker.
func (p *process) worked(ctx context.Context) (all []map[string]time.Time, err error) {
	workers, err := p.Queue.Presence().Workers(ctx)
	for i := range workers {
		all = append(all, workers[i].Worked)
	}
	return all, err
}

// memoryInUse returns how many bytes this process has of the system.
func memoryInUse() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}

// publisher implements workers.Jobs and feeds.Jobs.
type publisher struct{ queue *queues.Queue }

func (p publisher) Publish(ctx context.Context, k usher.Kind, j usher.Job) error {
	if _, found, err := p.queue.Reruns().Latest(ctx, j.ID); err != nil || found { // NATS forgets message ids after an hour
		return err
	}
	return p.queue.PublishJobs(ctx, []queues.NewJob{{Kind: k, Job: j}})
}

func (p publisher) State(ctx context.Context, id string) (usher.State, error) {
	r, err := p.queue.Status().Record(ctx, id)
	return r.State, err
}

func (p publisher) Ending(ctx context.Context, id string) (usher.State, *usher.JobError, error) {
	r, err := p.queue.Status().Record(ctx, id)
	if errors.Is(err, status.ErrNoJob) || err == nil && !r.State.Ended() {
		return "", nil, nil
	}
	return r.State, r.Error, err
}
