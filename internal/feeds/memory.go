package feeds

import (
	"context"
	"fmt"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/memory"
)

// remembered returns how the last good export was read, or nil if there was none. Until their jobs have
// ended, the first one and one that somebody has approved count as good.
func (s *State) remembered() *usher.Memory {
	if last := s.Last; last != nil && last.Read != nil && last.Ended == "" && (s.Memory == nil || last.ApprovedBy != "") {
		return last.Read
	}
	return s.Memory
}

// differences returns what is different in a version from the last good export.
func (s *State) differences(f *Feed, v *Version) []string {
	if v.Read == nil {
		return nil
	}
	return memory.Differences(s.remembered(), v.Read, f.maxShift())
}

// holdDifferent holds an export that differs from the last good one.
func (s *State) holdDifferent(f *Feed, v *Version) (reason string) {
	last := s.remembered()
	switch found := s.differences(f, v); {
	case !f.Kind.Uploads() || last == nil:
		return ""
	case len(found) > 0:
		return fmt.Sprintf("it differs from the last good export, that of job %s: %s", last.Job, strings.Join(found, "; "))
	}
	return ""
}

// remember records how the export of a version was read whose job is published. It becomes the memory when
// its job is done.
func (s *State) remember(f *Feed, v *Version, last *Publication) {
	if v.Read == nil {
		return
	}
	if !f.Kind.Uploads() {
		last.Differences = s.differences(f, v)
	}
	last.Read = v.Read
	last.Read.Began = memory.Begins(s.remembered(), v.Read)
	last.Read.Job, last.Read.At, last.Read.ApprovedBy = last.Job, last.At, last.ApprovedBy
}

// settleLast records how the last job has ended. If it is done, its export becomes the memory. If it has failed,
// the log says that it was not uploaded, and a replay may still do that.
func (w *Watcher) settleLast(ctx context.Context, f *Feed) error {
	s, err := w.States.Get(ctx, f.Name)
	if err != nil || s.Last == nil || !s.Last.mayEnd() || f.Kind == usher.Outcomes { // which have no jobs
		return err
	}
	last := s.Last
	state, failure, err := w.Jobs.Ending(ctx, last.Job)
	if err != nil {
		return fmt.Errorf("read job %s: %w", last.Job, err)
	}
	if state == "" || state == last.Ended {
		return nil
	}
	settled := false
	err = w.keep(ctx, f, func(s *State) bool {
		if settled = s.Last != nil && s.Last.Job == last.Job && s.Last.mayEnd(); !settled {
			return false
		}
		if state == usher.Done && s.Last.Read != nil {
			s.Memory = s.Last.Read
		}
		if s.Last.Ended = state; state != usher.Failed {
			s.Last.Read = nil
		}
		return true
	})
	if err == nil && settled && failure != nil {
		w.Logger.Warn("an export of a feed was not uploaded, because its job has failed",
			"feed", f.Name, "export", last.Name, "job", last.Job, "class", failure.Class, "why", hashing.MaskIDs(failure.Message), "next", "usher dead show --id "+last.Job)
	}
	return err
}

// mayEnd reports whether the job has not ended, or has failed, so that a replay of it may end well.
func (p *Publication) mayEnd() bool {
	return p.Ended == "" || p.Ended == usher.Failed && p.Read != nil
}
