package doctor

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/backups"
	"usher/queues/decisions"
	"usher/queues/outcomes"
	"usher/queues/presence"
	"usher/queues/settings"
	"usher/queues/store"
)

// holder keeps values in NATS, some of which may be damaged.
type holder interface {
	// Damaged returns the keys of values that cannot be read.
	Damaged(ctx context.Context) ([]string, error)
	// Repair removes a damaged value, and may rebuild it.
	Repair(ctx context.Context, key string, act audit.Act) error
}

// shownKeys is the number of damaged keys that a result names to people.
const shownKeys = 10

// examineStorage reads NATS's clock, writes to NATS, and looks for damaged values.
func (e *examination) examineStorage(ctx context.Context, nc *nats.Conn) []queues.CheckResult {
	var queue *queues.Queue
	// Opening makes several requests, so it has the time of a check.
	err := store.Ask(ctx, e.limits.check, 2*e.limits.check, func(ctx context.Context) (err error) {
		queue, err = connect.OpenQueue(ctx, nc, e.config, slog.New(slog.DiscardHandler), nil)
		return err
	})
	if err != nil {
		return []queues.CheckResult{checked("stored values", err, "")}
	}
	_ = e.call(ctx, func(ctx context.Context) error { // the reading has the error
		return e.clocks.read(ctx, ownerNATS, queue.ServerTime)
	})
	if err := e.ask(ctx, queue.Presence().Write); err != nil {
		return []queues.CheckResult{noWrites(err, e.lostCopies(ctx, nc))}
	}
	results := []queues.CheckResult{checked("writes to NATS", nil, "a heartbeat was stored")}
	results = append(results, e.examineBackup(ctx, queue))
	results = append(results, e.examineFleet(ctx, queue)...)
	return append(results, examineValues(ctx, queue, e.repair))
}

// examineBackup says when the last backup was made.
func (e *examination) examineBackup(ctx context.Context, queue *queues.Queue) queues.CheckResult {
	var age backups.Age
	err := e.ask(ctx, func(ctx context.Context) (err error) {
		age, err = backups.ReadAge(ctx, queue.Store())
		return err
	})
	if err != nil {
		return checked("backup", err, "")
	}
	now := queue.Now()
	says := "never made"
	if age.Last != nil {
		says = fmt.Sprintf("made %s ago: all jobs that were published until %s are in it", readable.Duration(now.Sub(age.Since)), age.Since.Format(time.RFC3339))
	}
	if age.Last == nil || age.IsOverdue(now) {
		says = "warning: " + says + ": run usher backup every day"
	}
	return checked("backup", nil, says)
}

// lostCopies says which copies of the stream of jobs are away if too few are left; otherwise "".
func (e *examination) lostCopies(ctx context.Context, nc *nats.Conn) (says string) {
	_ = e.call(ctx, func(ctx context.Context) error { // without a response, the check of the stream has the error
		js, err := jetstream.New(nc)
		if err == nil {
			says = queues.LostCopies(ctx, js, connect.QueueOptions(e.config, slog.New(slog.DiscardHandler)))
		}
		return err
	})
	return says
}

// noWrites returns the result of a heartbeat that NATS has not stored. NATS has just
// answered reads, so that a write without a response is a problem, and not a check without
// a result. lost says which copies are away, if that is the cause.
func noWrites(err error, lost string) queues.CheckResult {
	how := "NATS refused a write"
	if store.NoResponse(err) {
		how = "NATS answers reads, but a write timed out"
	}
	why := "the usual cause is a full disk of NATS: " + presence.WritesAgain
	if lost != "" {
		why = "the cause is that " + lost
	}
	return queues.CheckResult{What: "writes to NATS", Says: fmt.Sprintf("%s: %v: no job starts or ends until NATS takes writes; %s", how, err, why)}
}

// examineValues looks for damaged values in usher's buckets, and repairs them if repair is
// set. One that cannot be repaired leaves no other unrepaired.
func examineValues(ctx context.Context, queue *queues.Queue, repair bool) queues.CheckResult {
	const what = "stored values"
	act := audit.Act{Actor: command.ActorName(""), Reason: "usher doctor --repair"}
	var keys, removed, failures []string
	for _, s := range []holder{queue, decisions.New(queue, nil), outcomes.New(queue)} {
		damaged, err := s.Damaged(ctx)
		if err != nil {
			return checked(what, err, "")
		}
		keys = append(keys, damaged...)
		for _, key := range damaged {
			if !repair {
				break
			}
			if err := s.Repair(ctx, key, act); err != nil {
				failures = append(failures, err.Error())
				continue
			}
			removed = append(removed, key)
		}
	}
	if len(keys) == 0 {
		return checked(what, nil, "none is damaged")
	}
	found := queues.CheckResult{What: what, OK: repair && len(failures) == 0, Keys: keys}
	switch {
	case !repair:
		verbs := "are damaged and count"
		if len(keys) == 1 {
			verbs = "is damaged and counts"
		}
		found.Says = fmt.Sprintf("%s %s as missing: %s; `usher doctor --repair` removes them; %s", readable.Count(len(keys), "value"), verbs, some(keys, ", "), rebuilt(keys))
	case len(failures) > 0:
		found.Says = readable.Count(len(failures), "value") + " not repaired: " + some(failures, "; ")
		if len(removed) > 0 {
			found.Says += fmt.Sprintf("; removed: %s; %s", some(removed, ", "), rebuilt(removed))
		}
	default:
		found.Says = fmt.Sprintf("removed: %s; %s", some(removed, ", "), rebuilt(removed))
		if hasPrefix(removed, "jobs.") {
			found.Says = warning + found.Says
		}
	}
	return found
}

// some returns the first shownKeys of some texts, and how many more there are.
func some(texts []string, separator string) string {
	named := strings.Join(texts[:min(len(texts), shownKeys)], separator)
	if more := len(texts) - shownKeys; more > 0 {
		named += fmt.Sprintf(" and %s more", readable.Number(int64(more)))
	}
	return named
}

// rebuilt says what is rebuilt of values that are removed, and what is not.
func rebuilt(keys []string) string {
	says := "of these, the records of jobs that wait or run, targets and the memory of rules are rebuilt"
	if hasPrefix(keys, "jobs.") {
		says += "; a job that has ended and has lost its record (jobs.…) runs again if its id is submitted again"
	}
	if hasPrefix(keys, settings.Prefix+".") {
		says += "; a pause (settings.…) holds, and stays until somebody takes it back"
	}
	if hasPrefix(keys, outcomes.Prefix+".") {
		says += "; numbers from outside (outcomes.…) are unknown until their months are put again as complete"
	}
	return says
}

func hasPrefix(keys []string, prefix string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(key, prefix) })
}
