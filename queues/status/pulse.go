package status

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"
)

// Heartbeat is the last write by which a worker proved that NATS takes writes. It is
// stored under PulseKey in the state bucket.
type Heartbeat struct {
	Worker string    `json:"worker"`
	At     time.Time `json:"at"`

	// Padding makes the value longer than the blocks of file systems. On a full disk, short
	// values may still fit behind others, or where older ones were, when no job does.
	Padding string `json:"padding,omitempty"`
}

// paddingLength is the length of Heartbeat.Padding.
const paddingLength = 8 << 10

// NewHeartbeat returns a heartbeat of a worker, as long as Padding says.
func NewHeartbeat(worker string, at time.Time) Heartbeat {
	var padding strings.Builder // random, because a file system may compress it
	for padding.Len() < paddingLength {
		padding.WriteString(rand.Text())
	}
	return Heartbeat{Worker: worker, At: at, Padding: padding.String()}
}

// PulseKey is the key of the Heartbeat.
const PulseKey = "pulse"

// PulseLate is the time without a successful write after which NATS counts as taking
// none. Two heartbeats are missed by then.
const PulseLate = 10 * time.Second

// WritesAgain says what to do about a NATS that takes no writes. After its disk was full,
// a server refuses writes until it is started again.
const WritesAgain = "if a disk of NATS is full, free space and restart that server; otherwise check whether the cluster has lost its quorum"

// NoWrites says that NATS has taken no write for a time.
func NoWrites(since time.Duration) string {
	return fmt.Sprintf("NATS has taken no write for %s: %s", since.Round(time.Second), WritesAgain)
}

// noWrites explains that NATS takes no writes, so that no job starts; "" if it takes them.
// now is NATS's time.
func (x *explainer) noWrites(ctx context.Context, now time.Time) (string, error) {
	var last Heartbeat
	if _, found, err := x.reader.store.State.Get(ctx, PulseKey, &last); err != nil || !found {
		return "", err
	}
	if since := now.Sub(last.At); since > PulseLate {
		return NoWrites(since), nil
	}
	return "", nil
}
