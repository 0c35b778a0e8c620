package alerts

import (
	"context"
	"time"
)

// writesState is what this worker has reported about writes to NATS.
type writesState struct {
	opened *Message        // since NATS takes no writes; nil while it takes them
	told   map[string]bool // the channels that were told so
}

// reportWrites sends a message when NATS no longer takes writes, which err says, and another one
// when it takes them again. Other messages are sent by the leader and recorded in NATS before; while
// NATS takes no writes, there is no leader and nothing can be recorded, so every worker sends it.
func (a *Alerts) reportWrites(ctx context.Context, err error) {
	if err != nil && a.writes.opened == nil {
		a.writes = writesState{opened: a.writesLost(err), told: map[string]bool{}}
	}
	if a.writes.opened == nil {
		return
	}
	m := *a.writes.opened
	if err == nil {
		m = m.solved(a.detector.queue.Now(), "")
	}
	for _, name := range a.names() {
		if a.writes.told[name] == (err != nil) {
			continue
		}
		if sendErr := a.channels[name].send(ctx, &m); sendErr != nil {
			a.logger.Warn("send alert", "error", sendErr)
			continue
		}
		a.writes.told[name] = err != nil
	}
	if err == nil && !a.writes.anyTold() {
		a.writes = writesState{}
	}
}

func (w *writesState) anyTold() bool {
	for _, told := range w.told {
		if told {
			return true
		}
	}
	return false
}

func (a *Alerts) writesLost(err error) *Message {
	worker := a.detector.queue.Worker()
	m := newMessage(Writes, worker, "NATS takes no writes from worker "+worker, a.detector.queue.Now().Truncate(time.Second))
	m.Details = []string{err.Error()}
	m.Action = "Until then no job runs or ends, and none is lost. Run usher doctor; a full disk of a NATS server is the usual cause."
	m.Link = a.detector.page("/")
	return &m
}
