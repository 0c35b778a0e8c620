package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/internal/console"
	"usher/queues"
	"usher/queues/letters"
	"usher/queues/rulings"
	"usher/queues/schema"
)

// consoleSources connects the console to the code that the commands use.
func consoleSources(c config.Config, p Parts, logger *slog.Logger) console.Sources {
	words := map[queues.Changed]string{
		queues.JobChanged: "jobs", queues.LetterWritten: "letters", queues.AuditWritten: "audit", queues.RulesChanged: "rules",
	}
	return console.Sources{
		Jobs:      consoleJobs{p.Queue},
		Letters:   consoleLetters{letters.New(p.Queue), c.Float64("platform.rate")},
		Fleet:     consoleFleet{c, p},
		Campaigns: consoleCampaigns{p},
		Audit:     consoleAudit{p.Queue},
		Rules:     consoleRules{p},
		Judges:    consoleRules{p},
		Changes: func(ctx context.Context, changed func(topic, id string)) {
			err := p.Queue.Changes(ctx, func(change queues.Changed, id string) { changed(words[change], id) })
			if err != nil {
				logger.Warn("the console is not told of changes, and looks every few seconds", "error", err)
			}
		},
	}
}

// refused makes an error one whose words are for who asked.
func refused(status int, format string, args ...any) error {
	return &console.Refusal{Status: status, Says: fmt.Sprintf(format, args...)}
}

// consoleJobs are the jobs as the console sees them.
type consoleJobs struct{ queue *queues.Queue }

func (j consoleJobs) Records(ctx context.Context, limit int) ([]usher.Record, error) {
	return j.queue.Records(ctx, queues.Filter{Limit: limit})
}

func (j consoleJobs) Record(ctx context.Context, id string) (usher.Record, error) {
	r, err := j.queue.Record(ctx, id)
	return r, unknown(id, err)
}

// unknown says of an error whether it means that there is no such job.
func unknown(id string, err error) error {
	switch {
	case errors.Is(err, queues.ErrNoJob):
		return refused(http.StatusNotFound, "there is no job %q on record", id)
	case errors.Is(err, queues.ErrEnded):
		return refused(http.StatusConflict, "job %s has ended already", id)
	}
	return err
}

func (j consoleJobs) History(ctx context.Context, id string) ([]usher.Event, error) {
	return j.queue.History(ctx, id)
}

func (j consoleJobs) Parts(ctx context.Context, id string) ([]console.Part, error) {
	states, err := j.queue.Parts(ctx, id)
	shown := make([]console.Part, 0, len(states))
	for _, s := range states {
		shown = append(shown, console.Part{Number: s.Part, State: s.State, Read: s.Tally.Read, Attempts: s.Attempts})
	}
	return shown, err
}

func (j consoleJobs) Cancel(ctx context.Context, id, reason string, by console.User) error {
	return unknown(id, j.queue.Cancel(ctx, id, queues.Act{Actor: by.Name, Reason: reason}))
}

// consoleFleet is how the whole is doing.
type consoleFleet struct {
	config config.Config
	Parts
}

func (f consoleFleet) Lanes(ctx context.Context) ([]console.Lane, error) {
	states, err := f.Queue.LaneStates(ctx)
	shown := make([]console.Lane, 0, len(states))
	for _, s := range states {
		lane := console.Lane{
			Name: string(s.Lane), Waiting: s.Waiting, Running: s.Running, Oldest: s.Oldest, Slots: f.config.Int("lanes." + string(s.Lane)),
		}
		if s.Paused != nil {
			lane.Paused = strings.TrimSuffix(s.Paused.By+": "+s.Paused.Reason, ": ")
		}
		shown = append(shown, lane)
	}
	return shown, err
}

func (f consoleFleet) Platform(context.Context) console.Platform {
	advertiser := f.config.String("platform.advertiser")
	limit := f.Clients.Rate(advertiser)
	shown := console.Platform{
		URL: config.HideLogin(f.config.String("platform.url")), Advertiser: advertiser, Up: true,
		Answers: f.Clients.Answers(), Limit: limit.PerSecond, Configured: f.config.Float64("platform.rate"), Reserve: limit.ReservePercent,
		Workers: f.Fleet.Workers(), RetryAfter: f.Clients.PausedUntil(),
	}
	if f.Clients.Breaker.Open() {
		shown.Up, shown.Says = false, "it did not answer five times in a row, and is asked every five seconds"
	}
	return shown
}

func (f consoleFleet) Stopped(ctx context.Context) (string, bool, error) {
	return rulings.NewStopSwitch(f.Queue).Stopped(ctx)
}

func (f consoleFleet) Stop(ctx context.Context, reason string, by console.User) error {
	return rulings.NewStopSwitch(f.Queue).Stop(ctx, reason, by.Name)
}

func (f consoleFleet) Start(ctx context.Context, by console.User) error {
	return rulings.NewStopSwitch(f.Queue).Start(ctx, by.Name)
}

func (f consoleFleet) SetLane(ctx context.Context, name string, paused bool, reason string, by console.User) error {
	lane, act := queues.Lane(name), queues.Act{Actor: by.Name, Reason: reason}
	switch {
	case !lane.Known():
		return refused(http.StatusNotFound, "there is no lane %q", name)
	case paused:
		return f.Queue.PauseLane(ctx, lane, act)
	}
	return f.Queue.ResumeLane(ctx, lane, act)
}

func (f consoleFleet) SetLimit(ctx context.Context, perSecond float64, reason string, by console.User) error {
	advertiser, act := f.config.String("platform.advertiser"), queues.Act{Actor: by.Name, Reason: reason}
	if perSecond == 0 {
		return f.Queue.Limits().Unset(ctx, advertiser, act)
	}
	return f.Queue.Limits().Set(ctx, queues.Limit{Advertiser: advertiser, PerSecond: perSecond}, act)
}

// consoleCampaigns are the advertiser's campaigns.
type consoleCampaigns struct{ Parts }

func (c consoleCampaigns) List(ctx context.Context) ([]string, error) {
	return c.Clients.Client("", false).Campaigns.List(ctx)
}

func (c consoleCampaigns) Creatives(ctx context.Context, campaign string) ([]console.Creative, error) {
	statuses, err := c.Clients.Client("", false).Campaigns.Status(ctx, campaign)
	var gone *usher.Permanent
	if errors.As(err, &gone) && gone.Class == usher.NotFound {
		return nil, refused(http.StatusNotFound, "there is no campaign %q", campaign)
	}
	shown := make([]console.Creative, 0, len(statuses))
	for _, s := range statuses {
		shown = append(shown, console.Creative{Code: s.CreativeCode, Status: s.ApprovalStatus, Message: s.ApprovalMessage, Updated: s.LatestUpdate})
	}
	return shown, err
}

func (c consoleCampaigns) Holder(ctx context.Context, campaign string) (string, error) {
	return c.Fleet.Holder(ctx, "campaign/"+campaign)
}

func (c consoleCampaigns) Set(ctx context.Context, change console.CampaignChange, by console.User) (string, error) {
	body, err := json.Marshal(usher.Job{Campaign: change.Campaign, Creatives: change.Creatives, Reason: change.Reason, Actor: by.Name})
	if err != nil {
		return "", fmt.Errorf("encode job: %w", err)
	}
	answer, err := c.Queue.Submit(ctx, change.Kind, body)
	if err != nil {
		return "", err
	}
	return answer.ID, wrong(answer.Errors)
}

// wrong says what is wrong with a job; nil where nothing is.
func wrong(issues []schema.Issue) error {
	if len(issues) == 0 {
		return nil
	}
	return refused(http.StatusUnprocessableEntity, "the job is not as it should be: %s", schema.Describe(issues))
}
