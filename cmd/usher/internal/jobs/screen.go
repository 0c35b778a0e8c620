package jobs

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"usher"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues/status"
)

// screen is the live screen of all jobs.
type screen struct {
	paces   terminal.Paces
	records []usher.Record
	read    time.Time // when the records were read
	err     error     // of the last attempt to read them
}

// readTimeout bounds one attempt to read the records.
const readTimeout = 2 * time.Second

// watchScreen draws all jobs again and again until ctx, the timeout or the person ends it.
func (w *Waiter) watchScreen(ctx context.Context, in io.Reader) error {
	if w.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.Timeout)
		defer cancel()
	}
	s := &screen{}
	return terminal.Watch(ctx, w.Out, in, func(ctx context.Context) { s.update(ctx, w) }, s.write)
}

// update reads the records. After an error, the screen has the old ones and says so.
func (s *screen) update(ctx context.Context, w *Waiter) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	list, err := w.Queue.Status().Records(ctx, status.Filter{})
	if s.err = err; err == nil {
		s.set(list, time.Now())
	}
}

func (s *screen) set(list []usher.Record, now time.Time) {
	var open []usher.Record
	for _, r := range list {
		if !r.State.Ended() {
			open = append(open, r)
		}
	}
	s.paces.Update(open, now)
	s.records, s.read = list, now
}

// write writes a frame: the counts, the jobs that have not ended, and those that ended last.
func (s *screen) write(w io.Writer, now time.Time) error {
	if err := terminal.WriteWrapped(w, s.heading(now)); err != nil {
		return err
	}
	open := &terminal.Table{Header: []string{"STATE", "ID", "KIND", "PROGRESS", "IDS/S", "LEFT", "REMARK"}, Right: []int{5, 6}, Cut: []int{3, 2, 7}, Drop: []int{3, 5, 6}, Named: 7}
	ended := &terminal.Table{Header: []string{"STATE", "ID", "KIND", "READ", "ENDED", "REMARK"}, Right: []int{4}, Cut: []int{3, 2, 6}, Drop: []int{3, 5}, Named: 6}
	for i := range s.records {
		r := &s.records[i]
		if !r.State.Ended() {
			bar, rate, left := s.paces.Progress(r.ID)
			open.Add(string(r.State), r.ID, string(r.Kind), bar, rate, left, cell(r))
			continue
		}
		at := ""
		if r.Finished != nil {
			at = readable.Ago(*r.Finished, now)
		}
		ended.Add(string(r.State), r.ID, string(r.Kind), readable.Number(r.Tally.Read), at, cell(r))
		if isLarge(r) {
			ended.Redden()
		}
	}
	for _, part := range []struct {
		title string
		table *terminal.Table
		rows  int
	}{{"open", open, shownOpen}, {"ended", ended, shownEnded}} {
		if len(part.table.Rows) == 0 {
			continue
		}
		more := len(part.table.Rows) - part.rows
		part.table.Rows = part.table.Rows[:min(len(part.table.Rows), part.rows)]
		fmt.Fprintf(w, "\n%s\n", part.title) // the table returns the error as well
		if err := part.table.Write(w); err != nil {
			return err
		}
		if more > 0 {
			fmt.Fprintf(w, "… and %s more\n", readable.Number(int64(more)))
		}
	}
	return nil
}

// The numbers of jobs on the screen.
const (
	shownOpen  = 15
	shownEnded = 10
)

// heading returns the counts and when they were read.
func (s *screen) heading(now time.Time) string {
	counts := map[usher.State]int64{}
	for i := range s.records {
		counts[s.records[i].State]++
	}
	var words []string
	for _, state := range stateWords() {
		words = append(words, readable.Number(counts[usher.State(state)])+" "+state)
	}
	switch {
	case s.err != nil && s.read.IsZero():
		return "cannot read jobs: " + readable.Line(s.err.Error(), 200)
	case s.err != nil:
		return fmt.Sprintf("NOT CURRENT: the figures are from %s, %s: %s", readable.Time(s.read), readable.Ago(s.read, now), readable.Line(s.err.Error(), 200))
	}
	return fmt.Sprintf("%s; as of %s; q ends", strings.Join(words, ", "), s.read.Local().Format(time.TimeOnly)) //nolint:gosmopolitan // read beside the local clock
}
