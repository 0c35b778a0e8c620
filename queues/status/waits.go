package status

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
	"usher/queues/presence"
	"usher/queues/records"
	"usher/queues/store"
)

// explainer explains why jobs wait. It caches what it reads.
type explainer struct {
	reader  *Reader
	pauses  map[lanes.Lane]*usher.Setting
	infos   map[lanes.Lane]*jetstream.ConsumerInfo
	asked   bool              // whether the workers were asked
	workers []presence.Answer // that answered
	known   bool              // whether it is known which workers run

	turns turns
}

// explainWaits sets Why in the records of jobs that wait.
func (r *Reader) explainWaits(ctx context.Context, jobs []job, onStream map[uint64]string) error {
	x := explainer{reader: r, infos: map[lanes.Lane]*jetstream.ConsumerInfo{}, turns: turnsOf(r, jobs, onStream)}
	for i := range jobs {
		j := &jobs[i]
		explain := x.waiting
		switch {
		case j.State.Ended():
			continue
		case j.State == usher.Running && j.CarriedByParts(), j.isSnoozed():
			explain = x.parts
		case j.State == usher.Running:
			explain = x.running
		}
		why, err := explain(ctx, j)
		if err != nil {
			return err
		}
		if why != "" {
			j.Record.Why = &why
		}
	}
	return nil
}

// waiting explains why a job without a worker waits; "" if its record says it.
func (x *explainer) waiting(ctx context.Context, j *job) (string, error) {
	r, lane, isDue := &j.Record, lanes.Of(j.Record.Kind), due(&j.Record, x.reader.records.Now())
	if x.turns.mayDecide(j) {
		why, err := x.turns.waitsFor(ctx, j)
		if err != nil {
			return "", err
		}
		if why != "" {
			paused, err := x.paused(ctx, lane)
			return cmp.Or(paused, why), err
		}
		// The job that the record names has ended: this one is taken when a slot is free.
		isDue = isDue || j.NotBefore == nil
	}
	if !isDue {
		return x.paused(ctx, lane)
	}
	why, err := x.untaken(ctx, lane, r.Attempts == 0)
	if err == nil && r.Retry != nil {
		why += "; the last attempt: " + r.Retry.Failure
	}
	return why, err
}

// running explains why a running job whose worker is gone waits; "" otherwise.
func (x *explainer) running(ctx context.Context, j *job) (string, error) {
	gone, err := x.gone(ctx, j.holders)
	if err != nil || gone == "" {
		return x.failing(j), err
	}
	return x.workerless(ctx, gone, lanes.Of(j.Record.Kind))
}

// failing explains that the platform fails an operation that a running job needs; "" if it fails none,
// or if the workers were not asked because the job has just made progress.
func (x *explainer) failing(j *job) string {
	var failing []string
	for _, f := range presence.AllFailing(x.workers) {
		if slices.Contains(areas[j.Record.Kind.Family()], strings.SplitN(f.Operation, ".", 2)[0]) {
			failing = append(failing, f.String())
		}
	}
	if len(failing) == 0 {
		return ""
	}
	why := "the platform's " + strings.Join(failing, "; ")
	if j.Record.Why != nil {
		why = *j.Record.Why + "; " + why
	}
	return why
}

// areas are the areas of the platform's operations that jobs of a family need.
var areas = map[string][]string{
	"segment": {"segments"}, "target": {"campaigns"}, "campaign": {"campaigns", "creatives"}, "rules": {"reporting", "campaigns"}, "device": {"segments", "campaigns"},
}

// parts explains why the parts of a job, or of a step of it, wait; "" if one of them runs or can run.
func (x *explainer) parts(ctx context.Context, j *job) (string, error) {
	if why, err := x.paused(ctx, lanes.Bulk); why != "" || err != nil {
		return why, err
	}
	if len(j.holders) == 0 {
		why, err := x.untaken(ctx, lanes.Bulk, false)
		// All parts of a step may have ended, so that it is not known whether any waits for a slot.
		if why == usher.WaitsForSlot || j.isSnoozed() && strings.HasPrefix(why, usher.WaitsForSlot) {
			why = ""
		}
		return why, err
	}
	gone, err := x.gone(ctx, j.holders)
	if err != nil || gone == "" {
		return x.failing(j), err
	}
	return x.workerless(ctx, gone, lanes.Bulk)
}

// workerless explains why work whose worker is gone waits.
func (x *explainer) workerless(ctx context.Context, gone string, lane lanes.Lane) (string, error) {
	why, err := x.untaken(ctx, lane, false)
	if err != nil {
		return "", err
	}
	if why == usher.WaitsForSlot {
		why = fmt.Sprintf("another worker takes it within %.0f s", x.infos[lane].Config.AckWait.Seconds())
	}
	return gone + "; " + why, nil
}

// due reports whether a waiting job could be taken now.
func due(r *usher.Record, now time.Time) bool {
	if r.Retry != nil {
		return !now.Before(r.Retry.At)
	}
	return r.Why != nil && *r.Why == usher.WaitsForSlot
}

// paused explains that a lane is paused; "" if it is not.
func (x *explainer) paused(ctx context.Context, lane lanes.Lane) (string, error) {
	if x.pauses == nil {
		pauses := map[lanes.Lane]*usher.Setting{}
		for _, lane := range lanes.All() {
			p, err := x.reader.lanes.Paused(ctx, lane)
			if err != nil {
				return "", err
			}
			pauses[lane] = p
		}
		x.pauses = pauses
	}
	if p := x.pauses[lane]; p != nil {
		return fmt.Sprintf("lane %s is %s", lane, p), nil
	}
	return "", nil
}

// untaken explains why no worker takes work from a lane. first says that the work was
// never taken.
func (x *explainer) untaken(ctx context.Context, lane lanes.Lane, first bool) (string, error) {
	if why, err := x.paused(ctx, lane); why != "" || err != nil {
		return why, err
	}
	info, err := x.lane(ctx, lane)
	if err != nil {
		return "", err
	}
	why, slots := "", 0
	if info.NumWaiting == 0 { // no slot is waiting for work
		if workers, known := x.ask(ctx); known {
			why, slots = noneTakes(lane, workers)
		}
	}
	if why == "" {
		if why, err = x.reader.presence.NoWrites(ctx, info.TimeStamp); err != nil {
			return "", err
		}
	}
	switch limit := info.Config.MaxAckPending; {
	case why != "":
	case first && info.NumAckPending >= limit: // NATS delivers only work that was delivered before
		why = fmt.Sprintf("waits until lane %s has room: it holds %d jobs that run or wait for their next attempt, as many as it can", lane, limit)
	case slots > 0:
		why = fmt.Sprintf("%s: lane %s has %d, all of them taken", usher.WaitsForSlot, lane, slots)
	default:
		why = usher.WaitsForSlot
	}
	return why, nil
}

// lane returns NATS's information about a lane's consumer.
func (x *explainer) lane(ctx context.Context, lane lanes.Lane) (*jetstream.ConsumerInfo, error) {
	if x.infos[lane] == nil {
		stream, _ := lane.On(x.reader.store.Names)
		consumer, err := x.reader.store.JS.Consumer(ctx, stream, string(lane))
		if err != nil {
			return nil, fmt.Errorf("read lane %s: %w", lane, err)
		}
		x.infos[lane] = consumer.CachedInfo()
	}
	return x.infos[lane], nil
}

// ask returns the workers that answer. known is false if none did although some may run.
func (x *explainer) ask(ctx context.Context) (workers []presence.Answer, known bool) {
	if !x.asked {
		found, err := x.reader.presence.Workers(ctx)
		x.asked, x.workers, x.known = true, found, err == nil
	}
	return x.workers, x.known
}

// noneTakes explains why no running worker takes work from a lane, or returns how many
// slots do.
func noneTakes(lane lanes.Lane, workers []presence.Answer) (why string, up int) {
	taking, slots := 0, 0
	var down *time.Time
	how, refused := "", false
	for _, w := range workers {
		if len(w.Slots) > 0 {
			taking++
		}
		n := w.Slots[lane]
		slots += n
		switch {
		case w.Down == nil:
			up += n
		case n > 0 && (down == nil || w.Down.Before(*down)):
			down, how, refused = w.Down, w.How, w.Refused
		}
	}
	switch {
	case up > 0:
		return "", up
	case taking == 0:
		return "waits for a worker: none is running", 0
	case slots == 0:
		return fmt.Sprintf("waits for a worker: none that is running has slots in lane %s", lane), 0
	}
	if refused {
		return fmt.Sprintf("the platform refuses usher's login since %s: check platform.username and platform.password; jobs are taken again when a login works", down.UTC().Format(time.RFC3339)), 0
	}
	if how != "" {
		how = "it " + how + "; "
	}
	return fmt.Sprintf("the platform is down since %s: %sit is probed every 5 s, and jobs are taken again when a probe succeeds", down.UTC().Format(time.RFC3339), how), 0
}

// The work of a killed worker stays recorded as running until NATS redelivers it. Readers
// of the record find out whether its worker still runs.

// holder is the lease that a record names for running work.
type holder struct {
	token    string // of the lease
	key      string
	revision uint64
	written  time.Time
}

func holderOf(x *records.Execution, stored *store.Entry) holder {
	return holder{token: x.Holder, key: stored.Key, revision: stored.Revision, written: stored.Written}
}

// worker returns the name of the process that took the lease.
func (h holder) worker() string {
	name, _, _ := strings.Cut(h.token, "/")
	return name
}

// gone explains that running work has lost its worker. It returns "" if a worker has it,
// if that is unknown, or if the record was written within a heartbeat's time.
func (x *explainer) gone(ctx context.Context, holders []holder) (string, error) {
	if len(holders) == 0 {
		return "", nil
	}
	for _, h := range holders {
		if x.reader.records.Now().Sub(h.written) < x.reader.beat {
			return "", nil
		}
	}
	workers, known := x.ask(ctx)
	if !known {
		return "", nil
	}
	for _, h := range holders {
		if slices.ContainsFunc(workers, func(w presence.Answer) bool { return slices.Contains(w.Leases, h.token) }) {
			return "", nil
		}
	}
	for _, h := range holders { // the work may have ended, or been taken again, before the workers were asked
		entry, err := x.reader.store.State.Find(ctx, h.key)
		if err != nil || entry == nil || entry.Revision != h.revision {
			return "", err
		}
	}
	last := slices.MaxFunc(holders, func(a, b holder) int { return a.written.Compare(b.written) })
	what := fmt.Sprintf("worker %s, which had it, is gone", last.worker())
	if slices.ContainsFunc(workers, func(w presence.Answer) bool { return w.Worker == last.worker() }) {
		what = fmt.Sprintf("worker %s has lost it", last.worker()) // the worker runs, possibly restarted
	}
	return fmt.Sprintf("%s, last heard of at %s", what, last.written.UTC().Format(time.RFC3339)), nil
}
