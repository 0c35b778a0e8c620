// Package lanes knows the lanes that jobs travel on: their streams and subjects, how many
// jobs wait and run in each, and who has paused one.
package lanes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/audit"
	"usher/queues/settings"
	"usher/queues/store"
)

// Lane is a queue with its own consumer and slots, so that a pause never waits behind an
// upload.
type Lane string

// The lanes.
const (
	Audience Lane = "audience" // takes jobs on segments, targets and devices
	Bulk     Lane = "bulk"     // parts of cut jobs
	Campaign Lane = "campaign"
	Rules    Lane = "rules"
)

// All returns all lanes.
func All() []Lane { return []Lane{Audience, Bulk, Campaign, Rules} }

// On returns the stream of the lane and the subjects that its consumer, which is named
// after the lane, filters.
func (l Lane) On(n store.Names) (stream string, filters []string) {
	switch l {
	case Audience:
		return n.JobsStream(), SubjectsOf(n, "segment", "target", "device")
	case Bulk:
		return n.PartsStream(), []string{n.Subject("usher.parts.>")}
	case Campaign:
		return n.CampaignsStream(), SubjectsOf(n, "campaign")
	default:
		return n.CampaignsStream(), SubjectsOf(n, "rules")
	}
}

// Consumer is a consumer of NATS, and what it delivers.
type Consumer struct {
	Stream  string
	Name    string
	Filters []string // subjects
}

// Consumers returns the consumers that deliver to the slots of a lane: that of the lane, and for
// jobs that may have to wait on their target those of jobs that were released. The last one is of
// those that go first.
func (l Lane) Consumers(n store.Names) []Consumer {
	stream, filters := l.On(n)
	consumers := []Consumer{{Stream: stream, Name: string(l), Filters: filters}}
	if l == Audience || l == Campaign {
		consumers = append(consumers,
			Consumer{Stream: n.ReleasedStream(), Name: string(l), Filters: []string{n.Released(string(l))}},
			Consumer{Stream: n.ReleasedStream(), Name: string(l) + "-first", Filters: []string{n.ReleasedFirst(string(l))}})
	}
	return consumers
}

// SubjectsOf returns the subjects of the jobs of families.
func SubjectsOf(n store.Names, families ...string) (subjects []string) {
	for _, family := range families {
		all := usher.Kind(family + ".*")
		subjects = append(subjects, n.Job(all), n.Run(all))
	}
	return subjects
}

// Known reports whether the lane exists.
func (l Lane) Known() bool { return slices.Contains(All(), l) }

// Of returns the lane for jobs of a kind.
func Of(k usher.Kind) Lane {
	switch k.Family() {
	case "campaign":
		return Campaign
	case "rules":
		return Rules
	}
	return Audience
}

// State is the state of a lane, as printed by `usher lanes ls --json`.
type State struct {
	Lane    Lane           `json:"lane"`
	Waiting int64          `json:"waiting"` // not yet taken
	Running int64          `json:"running"` // looked at: running, waiting for others on their target, or for their next attempt
	Oldest  *time.Time     `json:"oldest"`  // when the oldest of both was published, or nil
	Untaken *time.Time     `json:"untaken"` // when the oldest was published, or released, that no slot has looked at since; or nil
	Paused  *usher.Setting `json:"paused"`
}

// Waits returns how long the oldest job that was not taken has waited. In the lane of campaigns, a
// job waits until it has ended, because until then money is spent that should not be.
func (s *State) Waits(now time.Time) time.Duration {
	since := s.Untaken
	if s.Lane == Campaign {
		since = s.Oldest
	}
	if since == nil {
		return 0
	}
	return max(0, now.Sub(*since))
}

// Lanes are the lanes of a store.
type Lanes struct {
	store    *store.Store
	settings *settings.Settings
}

// New returns the lanes of a store, whose pauses are among the settings.
func New(s *store.Store, pauses *settings.Settings) *Lanes {
	return &Lanes{store: s, settings: pauses}
}

// States returns the states of all lanes.
func (ls *Lanes) States(ctx context.Context) ([]State, error) {
	var states []State
	for _, lane := range All() {
		state, err := ls.state(ctx, lane)
		if err != nil {
			return nil, fmt.Errorf("read lane %s: %w", lane, err)
		}
		states = append(states, state)
	}
	return states, nil
}

func (ls *Lanes) state(ctx context.Context, lane Lane) (State, error) {
	state := State{Lane: lane}
	paused := false
	for _, c := range lane.Consumers(ls.store.Names) {
		consumer, err := ls.store.JS.Consumer(ctx, c.Stream, c.Name)
		if err != nil {
			return State{}, err
		}
		info := consumer.CachedInfo()
		state.Waiting += int64(info.NumPending)
		paused = paused || info.Paused
		if info.NumPending == 0 {
			continue
		}
		untaken, err := ls.oldest(ctx, c.Stream, c.Filters, info.Delivered.Stream+1)
		if err != nil {
			return state, err
		}
		if state.Untaken == nil || untaken != nil && untaken.Before(*state.Untaken) {
			state.Untaken = untaken
		}
	}
	name, filters := lane.On(ls.store.Names)
	stored, err := ls.stored(ctx, name, filters)
	if err != nil {
		return state, err
	}
	state.Running = max(0, stored-state.Waiting) // both were not counted at the same time
	if stored > 0 {
		if state.Oldest, err = ls.oldest(ctx, name, filters, 1); err != nil {
			return state, err
		}
	}
	if paused {
		if state.Paused, err = ls.Paused(ctx, lane); state.Paused == nil {
			state.Paused = &usher.Setting{Kind: usher.LanePause, Name: string(lane), By: "someone without usher"} // or its setting is damaged
		}
	}
	return state, err
}

// Delivered returns the highest sequence of the messages of a lane that were delivered.
func (ls *Lanes) Delivered(ctx context.Context, lane Lane) (uint64, error) {
	stream, _ := lane.On(ls.store.Names)
	consumer, err := ls.store.JS.Consumer(ctx, stream, string(lane))
	if err != nil {
		return 0, fmt.Errorf("read lane %s: %w", lane, err)
	}
	return consumer.CachedInfo().Delivered.Stream, nil
}

// stored returns the number of messages of a stream on some subjects.
func (ls *Lanes) stored(ctx context.Context, name string, subjects []string) (n int64, err error) {
	stream, err := ls.store.JS.Stream(ctx, name)
	if err != nil {
		return 0, err
	}
	for _, subject := range subjects {
		info, err := stream.Info(ctx, jetstream.WithSubjectFilter(subject))
		if err != nil {
			return 0, err
		}
		for _, count := range info.State.Subjects {
			n += int64(count)
		}
	}
	return n, nil
}

// oldest returns when the first message of the subjects was published, starting at a
// sequence.
func (ls *Lanes) oldest(ctx context.Context, name string, subjects []string, from uint64) (*time.Time, error) {
	leader := ls.store.Leader(name)
	var first *time.Time
	for _, subject := range subjects {
		m, err := leader.Next(ctx, subject, from)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound):
		case err != nil:
			return nil, err
		case first == nil || m.Time.Before(*first):
			first = &m.Time
		}
	}
	return first, nil
}

// Paused returns who paused a lane, when and why, or nil.
func (ls *Lanes) Paused(ctx context.Context, lane Lane) (*usher.Setting, error) {
	return ls.settings.Get(ctx, usher.LanePause, string(lane))
}

// Pause stops deliveries from a lane until Resume; running work continues. NATS
// pauses the consumer; the setting keeps who paused it.
func (ls *Lanes) Pause(ctx context.Context, lane Lane, act audit.Act) error {
	if err := ls.settings.Set(ctx, usher.Setting{Kind: usher.LanePause, Name: string(lane)}, act); err != nil {
		return err
	}
	return ls.pauseConsumer(ctx, lane)
}

// forever is the duration of a pause that ends only with Resume.
const forever = 100 * 365 * 24 * time.Hour

func (ls *Lanes) pauseConsumer(ctx context.Context, lane Lane) error {
	for _, c := range lane.Consumers(ls.store.Names) {
		if _, err := ls.store.JS.PauseConsumer(ctx, c.Stream, c.Name, time.Now().Add(forever)); err != nil {
			return fmt.Errorf("pause lane %s: %w", lane, err)
		}
	}
	return nil
}

// Resume resumes a lane. A lane that is not paused stays as it is; the audit has the call.
func (ls *Lanes) Resume(ctx context.Context, lane Lane, act audit.Act) error {
	for _, c := range lane.Consumers(ls.store.Names) {
		if _, err := ls.store.JS.ResumeConsumer(ctx, c.Stream, c.Name); err != nil {
			return fmt.Errorf("resume lane %s: %w", lane, err)
		}
	}
	return ls.settings.TakeBack(ctx, usher.LanePause, string(lane), act)
}

// PauseAgain stops deliveries from the lanes that are paused, after their consumers were declared
// anew, and returns them.
func (ls *Lanes) PauseAgain(ctx context.Context) (paused []Lane, err error) {
	for _, lane := range All() {
		p, err := ls.Paused(ctx, lane)
		if err != nil {
			return paused, err
		}
		if p == nil {
			continue
		}
		if err := ls.pauseConsumer(ctx, lane); err != nil {
			return paused, err
		}
		paused = append(paused, lane)
	}
	return paused, nil
}
