package doctor

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"usher/cmd/usher/internal/config"
	"usher/queues"
	"usher/queues/presence"
	"usher/queues/store"
)

// examination is one run of usher doctor.
type examination struct {
	config config.Config
	limits limits
	repair bool
	user   int // of this process; 0: root
	clocks clocks

	workers []presence.Answer // those that have answered

	version  string                                             // of this program; "": not compared
	monitors []string                                           // URLs of the monitoring ports of NATS servers
	routes   []string                                           // host:port of routes; empty: the usual ones
	space    func(folder string) (free, size uint64, err error) // nil: of the disk
}

// limits bound how long doctor waits for responses.
type limits struct {
	call  time.Duration // one request
	check time.Duration // one check, which may repeat a request that has no response
}

var usual = limits{call: 5 * time.Second, check: 10 * time.Second}

// examine checks everything that the configuration names.
func (e *examination) examine(ctx context.Context) []queues.CheckResult {
	found := together(
		func() []queues.CheckResult { return e.examineNATS(ctx) },
		func() []queues.CheckResult { return e.examineRedis(ctx) },
		func() []queues.CheckResult { return e.examinePlatform(ctx) },
	)
	found = append(found, e.clocks.results()...)
	return append(found, together(
		func() []queues.CheckResult { return e.examinePlaces(ctx) },
		func() []queues.CheckResult { return e.examineLedger(ctx) },
		func() []queues.CheckResult { return e.examineSuppression(ctx) },
	)...)
}

// together makes checks at the same time, so that one that waits for a response delays no
// other, and returns their results in the order of the checks.
func together(checks ...func() []queues.CheckResult) []queues.CheckResult {
	found := make([][]queues.CheckResult, len(checks))
	var wait sync.WaitGroup
	for i, check := range checks {
		wait.Go(func() { found[i] = check() })
	}
	wait.Wait()
	return slices.Concat(found...)
}

// call makes a request within its time limit.
func (e *examination) call(ctx context.Context, request func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, e.limits.call)
	defer cancel()
	return request(ctx)
}

// ask repeats a request to NATS or Redis until it has a response or the time of a check is
// over: it may have been lost while another server became the leader.
func (e *examination) ask(ctx context.Context, request func(context.Context) error) error {
	return store.Ask(ctx, e.limits.call, e.limits.check, request)
}

func checked(what string, err error, says string) queues.CheckResult {
	if err != nil {
		return queues.CheckResult{What: what, Says: err.Error(), NoResponse: store.NoResponse(err)}
	}
	return queues.CheckResult{What: what, OK: true, Says: says}
}

// readFile calls read, which reads a local file or folder. If a file system hangs, readFile
// returns after the time limit and leaves the goroutine of read to the end of the process.
func (e *examination) readFile(ctx context.Context, read func() (string, error)) (string, error) {
	type result struct {
		says string
		err  error
	}
	results := make(chan result, 1)
	go func() {
		says, err := read()
		results <- result{says, err}
	}()
	ctx, cancel := context.WithTimeout(ctx, e.limits.call)
	defer cancel()
	select {
	case r := <-results:
		return r.says, r.err
	case <-ctx.Done():
		return "", fmt.Errorf("the file system has not responded for %s: check that it is mounted and its server runs: %w", e.limits.call, ctx.Err())
	}
}
