package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher/internal/readable"
	"usher/queues"
	"usher/queues/presence"
)

// examineFleet compares the versions of the workers that run, and their files.
func (e *examination) examineFleet(ctx context.Context, queue *queues.Queue) []queues.CheckResult {
	const what = "workers"
	workers, err := queue.Presence().Workers(ctx)
	if errors.Is(err, presence.ErrNoAnswer) {
		return []queues.CheckResult{checked(what, nil, "warning: not checked: "+err.Error()+"; look at their logs if some should run")}
	}
	if err != nil {
		return []queues.CheckResult{checked(what, err, "")}
	}
	e.workers = workers
	versions := map[string][]string{}
	for _, w := range workers {
		v := readable.Printable(w.Version)
		versions[v] = append(versions[v], readable.Printable(w.Worker))
	}
	var invalid []error
	for i := range workers {
		for _, text := range workers[i].Invalid {
			invalid = append(invalid, fmt.Errorf("worker %s: a feed file was changed and is invalid: %s", readable.Printable(workers[i].Worker), readable.Printable(text)))
		}
	}
	return []queues.CheckResult{checked(what, nil, compareVersions(versions, e.version)), checked("files of workers", errors.Join(invalid...), compareFiles(workers))}
}

// ofWorkers returns what the workers say of a setting that is empty in the configuration that doctor
// reads, such as that of usher dev.
func (e *examination) ofWorkers(values func(w *presence.Answer) []string) string {
	var all []string
	for i := range e.workers {
		all = append(all, values(&e.workers[i])...)
	}
	all = slices.DeleteFunc(all, func(value string) bool { return value == "" })
	slices.Sort(all)
	return readable.Printable(strings.Join(slices.Compact(all), ", "))
}

// compareFiles says which workers have other rule or feed files than the one whose files count.
func compareFiles(workers []presence.Answer) string {
	if !slices.ContainsFunc(workers, func(w presence.Answer) bool { return len(w.Files) > 0 }) {
		return "no worker has rule files or feed files"
	}
	var each []string
	for _, d := range presence.Differences(workers) {
		each = append(each, readable.Printable(d.String()))
	}
	if each == nil {
		return "no rule files or feed files differ"
	}
	return "warning: " + strings.Join(each, "; ") + ": give all workers the same files"
}

// compareVersions says which workers have which version, and what to do if these differ from
// each other, or from the version of doctor.
func compareVersions(versions map[string][]string, own string) string {
	var each []string
	count := 0
	for _, v := range slices.Sorted(maps.Keys(versions)) {
		each = append(each, fmt.Sprintf("%s (%s)", v, strings.Join(versions[v], ", ")))
		count += len(versions[v])
	}
	says := readable.Count(count, "worker")
	switch _, same := versions[own]; {
	case count == 0:
		return "warning: none runs: start `usher run`"
	case len(versions) > 1:
		return fmt.Sprintf("warning: %s of different versions: %s: upgrade the older ones and restart them, see docs/guide/upgrade.md", says, strings.Join(each, ", "))
	case !same && own != "":
		return fmt.Sprintf("warning: %s of version %s, and this is %s: use the same version for commands and workers", says, strings.Join(each, ", "), own)
	}
	return fmt.Sprintf("%s of version %s", says, strings.Join(each, ", "))
}

// versionsOfServers says which NATS servers have which version, if they differ.
func versionsOfServers(versions map[string][]string) (queues.CheckResult, bool) {
	if len(versions) < 2 {
		return queues.CheckResult{}, false
	}
	var each []string
	for _, v := range slices.Sorted(maps.Keys(versions)) {
		each = append(each, fmt.Sprintf("%s (%s)", v, strings.Join(slices.Sorted(slices.Values(versions[v])), ", ")))
	}
	return checked("NATS versions", nil, readable.Printable(fmt.Sprintf("warning: the servers have different versions: %s: upgrade the older ones", strings.Join(each, ", ")))), true
}
