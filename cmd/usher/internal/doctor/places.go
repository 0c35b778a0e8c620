package doctor

import (
	"context"
	"fmt"

	"usher/cmd/usher/internal/connect"
	"usher/internal/exports/places"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/presence"
)

// examinePlaces checks the places that exports may be read from.
func (e *examination) examinePlaces(ctx context.Context) []queues.CheckResult {
	allowed := e.config.Strings("sources.allow")
	access, err := connect.OpenPlaces(e.config)
	if err != nil {
		return []queues.CheckResult{checked("sources", err, "")}
	}
	defer access.Close()
	if at := e.ofWorkers(func(w *presence.Answer) []string { return w.Sources }); len(allowed) == 0 && at != "" {
		return []queues.CheckResult{checked("sources.allow", nil, "the workers that run read exports from "+at)}
	}
	if len(allowed) == 0 {
		return []queues.CheckResult{checked("sources.allow", nil, "empty in the configuration that doctor reads: workers that use it accept inline ids only; name the folders that contain exports")}
	}
	checks := make([]func() []queues.CheckResult, len(allowed))
	for i, place := range allowed {
		checks[i] = func() []queues.CheckResult {
			says, err := e.examinePlace(ctx, access, place)
			return []queues.CheckResult{checked("sources.allow "+place, err, says)}
		}
	}
	return together(checks...)
}

// examinePlace describes a place, or returns why it cannot be read.
func (e *examination) examinePlace(ctx context.Context, access *places.Access, place string) (says string, err error) {
	if path, local := connect.LocalPath(place); local {
		return e.readFile(ctx, func() (string, error) { return connect.DescribePlace(path) })
	}
	err = e.call(ctx, func(ctx context.Context) error {
		says, err = access.Probe(ctx, place)
		return err
	})
	return says, err
}

func (e *examination) examineSuppression(ctx context.Context) []queues.CheckResult {
	path := e.config.String("upload.suppression")
	if path == "" {
		return nil
	}
	says, err := e.readFile(ctx, func() (string, error) {
		list, err := connect.LoadSuppression(e.config)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s in %s", readable.Count(list.Len(), "digest"), path), nil
	})
	return []queues.CheckResult{checked("upload.suppression", err, says)}
}
