package feeds

import (
	"context"
	"fmt"
	"strings"

	"usher"
	"usher/internal/exports/memory"
)

// remembered returns how the last good export was read, or nil if there was none. Until the job of
// the first one has ended, it counts as good.
func (s *State) remembered() *usher.Memory {
	if s.Memory == nil && s.Last != nil {
		return s.Last.Read
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

// holdDifferent holds an export that differs from the last good one, or cannot be compared with it.
func (s *State) holdDifferent(f *Feed, v *Version) (reason string) {
	last := s.remembered()
	switch found := s.differences(f, v); {
	case !f.Kind.Uploads() || last == nil:
		return ""
	case v.Uncounted != "":
		return "it cannot be compared with the last good export, because " + v.Uncounted
	case len(found) > 0:
		return fmt.Sprintf("it differs from the last good export, that of job %s: %s", last.Job, strings.Join(found, "; "))
	}
	return ""
}

// remember records how the export of a version was read whose job is published. If a person has
// approved it, it becomes the memory; otherwise when its job is done.
func (s *State) remember(f *Feed, v *Version, last *Publication) {
	if v.Read == nil {
		return
	}
	if !f.Kind.Uploads() {
		last.Differences = s.differences(f, v)
	}
	last.Read = v.Read
	last.Read.Job, last.Read.At, last.Read.ApprovedBy = last.Job, last.At, last.ApprovedBy
	if last.ApprovedBy != "" {
		s.Memory, last.Read = last.Read, nil
	}
}

// settleMemory makes the export of the last job the memory if that job is done. An export whose job
// has failed is forgotten.
func (w *Watcher) settleMemory(ctx context.Context, f *Feed) error {
	s, err := w.States.Get(ctx, f.Name)
	if err != nil || s.Last == nil || s.Last.Read == nil {
		return err
	}
	job := s.Last.Job
	state, err := w.Jobs.State(ctx, job)
	if err != nil {
		return fmt.Errorf("read job %s: %w", job, err)
	}
	if !state.Ended() {
		return nil
	}
	return w.keep(ctx, f, func(s *State) bool {
		if s.Last == nil || s.Last.Job != job {
			return false
		}
		if state == usher.Done {
			s.Memory = s.Last.Read
		}
		s.Last.Read = nil
		return true
	})
}
