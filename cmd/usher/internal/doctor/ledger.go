package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"usher/cmd/usher/internal/connect"
	"usher/internal/ledger"
	"usher/queues"
	"usher/queues/presence"
)

// examineLedger checks that the files of the ledger can be written, read and removed.
func (e *examination) examineLedger(ctx context.Context) []queues.CheckResult {
	place := e.config.String("ledger.url")
	if at := e.ofWorkers(func(w *presence.Answer) []string { return []string{w.Ledger} }); place == "" && at != "" {
		return []queues.CheckResult{checked("ledger.url", nil, "the workers that run keep the ledger in "+at)}
	}
	if place == "" {
		return []queues.CheckResult{checked("ledger.url", nil, "empty in the configuration that doctor reads: segment.mirror, target.mirror and device.forget need a folder that all workers share, or a bucket")}
	}
	shown, _, _ := strings.Cut(place, "?")
	what := "ledger.url " + shown
	if err := connect.CheckLedgerOwner(place, e.user); err != nil {
		return []queues.CheckResult{checked(what, nil, "not checked: "+err.Error())}
	}
	if path, local := connect.LocalPath(place); local && e.user == 0 {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) { // root's folder would shut the worker out
			return []queues.CheckResult{checked(what, nil, "not checked: it does not exist, and the worker creates it as its own user")}
		}
	}
	says, err := e.readFile(ctx, func() (string, error) {
		ctx, cancel := context.WithTimeout(ctx, e.limits.call)
		defer cancel()
		store, err := ledger.Open(ctx, ledger.Options{URL: place})
		if err != nil {
			return "", err
		}
		defer func() { _ = store.Close() }() // nothing is being written
		return "its files can be written, read and removed", store.Probe(ctx)
	})
	found := []queues.CheckResult{checked(what, err, says)}
	if path, local := connect.LocalPath(place); local && err == nil {
		found = append(found, e.examineDisk("disk of the ledger", path, ""))
	}
	return found
}
