package console

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"usher/internal/readable"
)

// Bounds of the marks on charts.
const (
	marksFor  = 24 * time.Hour  // how long an outage is kept
	maxMarks  = 100             // outages, or starts of workers
	startSpan = 2 * time.Minute // workers that start within this time have one mark
	minOutage = 3 * time.Second // a shorter loss has no mark
)

// mark is what a chart of time shows besides its lines: an outage, or a start of workers.
type mark struct {
	At    time.Time  `json:"at"`
	Until *time.Time `json:"until"` // of an outage; null: it lasts, or the mark is a start
	Kind  string     `json:"kind"`  // outage or start
	Text  string     `json:"says"`
}

// outages remembers when services were lost, as this process has seen it.
type outages struct {
	mu  sync.Mutex
	all []mark
}

// observe compares the states of services before and after a check.
func (o *outages) observe(before, after []service, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range after {
		if after[i].Loss == before[i].Loss {
			continue
		}
		if before[i].Loss != "" {
			o.end(before[i].Loss, now)
		}
		if after[i].Loss != "" { // otherwise it works, or nothing is known of it
			o.all = append(o.all, mark{At: after[i].Since, Kind: "outage", Text: after[i].Loss})
		}
	}
	o.all = slices.DeleteFunc(o.all, func(m mark) bool { return now.Sub(m.At) > marksFor && m.Until != nil })
	o.all = o.all[max(0, len(o.all)-maxMarks):]
}

// end ends the newest outage with a text.
func (o *outages) end(text string, now time.Time) {
	for i := len(o.all) - 1; i >= 0; i-- {
		m := &o.all[i]
		if m.Text != text || m.Until != nil {
			continue
		}
		if m.Until = &now; now.Sub(m.At) < minOutage {
			o.all = slices.Delete(o.all, i, i+1)
		}
		return
	}
}

func (o *outages) list() []mark {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.all)
}

// startsOf returns the starts of workers, of which those that follow each other closely are one.
func startsOf(workers []workerRow, now time.Time) []mark {
	workers = slices.DeleteFunc(slices.Clone(workers), func(w workerRow) bool { return w.Since == nil || now.Sub(*w.Since) > marksFor })
	slices.SortFunc(workers, func(a, b workerRow) int { return cmp.Or(a.Since.Compare(*b.Since), cmp.Compare(a.Name, b.Name)) })
	var starts []mark
	for i := 0; i < len(workers); {
		first, n := workers[i], 0
		for ; i < len(workers) && workers[i].Since.Sub(*first.Since) <= startSpan && workers[i].Version == first.Version; i++ {
			n++
		}
		text := readable.Count(n, "worker") + " started"
		if first.Version != "" {
			text += ", version " + first.Version
		}
		starts = append(starts, mark{At: first.Since.UTC(), Kind: "start", Text: text})
	}
	return starts[max(0, len(starts)-maxMarks):]
}

// marks returns the outages and the starts of workers of the last day, oldest first.
func (c *Console) marks(ctx context.Context, _ *http.Request, _ User) (any, error) {
	workers, err := c.roster.rows.get(ctx)
	if err != nil {
		return nil, err
	}
	all := append(startsOf(workers, c.options.Now()), c.monitor.outages.list()...)
	slices.SortStableFunc(all, func(a, b mark) int { return a.At.Compare(b.At) })
	return map[string][]mark{"marks": all}, nil
}
