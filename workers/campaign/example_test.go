package campaign_test

import (
	"usher"
	"usher/internal/fleet"
	"usher/internal/platform"
	"usher/queues"
	"usher/queues/rulings"
	"usher/workers"
	"usher/workers/campaign"
)

// The wiring of a worker registers the handler for both kinds.
func ExampleHandler() {
	var ( // which need servers
		locks   *fleet.Fleet
		queue   *queues.Queue
		breaker *platform.Breaker
	)
	handler := &campaign.Handler{Lock: locks.Lock, Stopped: rulings.NewStopSwitch(queue).Stopped, Rulebook: rulings.New(queue, nil), Gate: breaker.Gate}
	_ = workers.Worker{Handlers: map[usher.Kind]workers.Handler{
		usher.CampaignPause:  handler.Pause,
		usher.CampaignResume: handler.Resume,
	}}
}
