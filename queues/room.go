package queues

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Room is how full a stream is that refuses messages when it is full.
type Room struct {
	Stream  string
	Used    float64 // the share of nats.max_bytes
	Refuses string  // what it refuses when it is full
}

// The shares of its limit from which a stream is nearly full, and from which it counts as full: the
// next large job may not fit.
const (
	nearlyFull = 0.80
	full       = 0.95
)

// IsNearlyFull reports whether the stream will soon refuse jobs.
func (r Room) IsNearlyFull() bool { return r.Used >= nearlyFull }

// IsFull reports whether the stream refuses jobs, or may refuse the next one.
func (r Room) IsFull() bool { return r.Used >= full }

// String says how full the stream is, and what follows.
func (r Room) String() string {
	if r.IsFull() {
		return fmt.Sprintf("stream %s is %.0f %% full, and may refuse %s", r.Stream, 100*r.Used, r.Refuses)
	}
	return fmt.Sprintf("stream %s is %.0f %% full; when it is full, it refuses %s", r.Stream, 100*r.Used, r.Refuses)
}

// RoomHint says what to do about a stream that is full, or nearly.
const RoomHint = "See why its jobs do not end, or raise nats.max_bytes and run usher migrate."

// Room returns how full the streams of jobs and parts are.
func (q *Queue) Room(ctx context.Context) ([]Room, error) {
	var rooms []Room
	for _, name := range []string{q.names.JobsStream(), q.names.CampaignsStream(), q.names.PartsStream()} {
		stream, err := q.js.Stream(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("read how full stream %s is: %w", name, err)
		}
		r, limited := roomOf(stream.CachedInfo())
		if !limited {
			continue
		}
		switch name {
		case q.names.CampaignsStream():
			r.Refuses = "pauses, resumes, budgets, bids and runs of rules"
		case q.names.PartsStream():
			r.Refuses = "parts of large uploads"
		default:
			r.Refuses = "uploads, removals and mirrors"
		}
		rooms = append(rooms, r)
	}
	return rooms, nil
}

// roomOf returns how full a stream is. limited is false if the stream refuses nothing, because it has
// no limit or drops its oldest messages.
func roomOf(info *jetstream.StreamInfo) (r Room, limited bool) {
	c := info.Config
	if c.MaxBytes <= 0 || c.Discard != jetstream.DiscardNew {
		return Room{}, false
	}
	return Room{Stream: c.Name, Used: float64(info.State.Bytes) / float64(c.MaxBytes)}, true
}
