package presence

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
)

// Difference says that workers have loaded other files for a task than the worker that leads it.
// Only the leader's files count, until another worker leads.
type Difference struct {
	Task    string
	Leader  string
	Workers []string
}

// String says where the files are that differ, such as rules.files.
func (d Difference) String() string {
	return fmt.Sprintf("%s.files has other files on %s than on %s, and only those on %[3]s count", d.Task, strings.Join(d.Workers, ", "), d.Leader)
}

// Differences returns how the files of workers differ, in the order of the workers. A worker
// without files for a task is not compared: it never leads the task.
func Differences(workers []Answer) []Difference {
	var all []Difference
	for i := range workers {
		leader := &workers[i]
		for _, task := range leader.Leads {
			d := Difference{Task: task, Leader: leader.Worker}
			for _, w := range workers {
				if digest, some := w.Files[task]; some && digest != leader.Files[task] {
					d.Workers = append(d.Workers, w.Worker)
				}
			}
			if d.Workers != nil {
				all = append(all, d)
			}
		}
	}
	return all
}

// compareEvery is how often WatchDifferences asks the workers.
const compareEvery = 30 * time.Second

// WatchDifferences asks the workers which files they have, until ctx ends. It logs a warning when
// a difference begins, and nothing while it lasts.
func (p *Presence) WatchDifferences(ctx context.Context) {
	warned := warnings{}
	for {
		workers, err := p.Workers(ctx)
		if err == nil { // if NATS does not respond, that is another message
			for _, d := range warned.begun(workers) {
				p.options.Logger.Warn(d.String() + ": give all workers the same files")
			}
		}
		if usher.Sleep(ctx, compareEvery) != nil {
			return
		}
	}
}

// warnings has the workers of each task that a warning has named.
type warnings map[string][]string

// begun returns the differences with a worker that no warning has named yet. A worker that has not
// answered this time stays named: it may be busy.
func (w warnings) begun(workers []Answer) []Difference {
	all := Differences(workers)
	begun := slices.DeleteFunc(slices.Clone(all), func(d Difference) bool {
		return !slices.ContainsFunc(d.Workers, func(name string) bool { return !slices.Contains(w[d.Task], name) })
	})
	for task := range w {
		w[task] = slices.DeleteFunc(w[task], func(name string) bool {
			return slices.ContainsFunc(workers, func(h Answer) bool { return h.Worker == name })
		})
	}
	for _, d := range all {
		w[d.Task] = append(w[d.Task], d.Workers...)
	}
	return begun
}
