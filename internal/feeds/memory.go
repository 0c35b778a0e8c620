package feeds

import (
	"context"
	"fmt"
	"strings"

	"usher"
	"usher/hashing"
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
	last.Read.Began = memory.Begins(s.remembered(), v.Read)
	last.Read.Job, last.Read.At, last.Read.ApprovedBy = last.Job, last.At, last.ApprovedBy
	if last.ApprovedBy != "" {
		s.Memory, last.Read = last.Read, nil
	}
}

// settleLast records how the last job has ended. If it is done, its export becomes the memory; one whose job
// has failed is forgotten, and the log says that it was not uploaded.
func (w *Watcher) settleLast(ctx context.Context, f *Feed) error {
	s, err := w.States.Get(ctx, f.Name)
	if err != nil || s.Last == nil || s.Last.Ended != "" || f.Kind == usher.Outcomes { // which have no jobs
		return err
	}
	last := s.Last
	state, failure, err := w.Jobs.Ending(ctx, last.Job)
	if err != nil {
		return fmt.Errorf("read job %s: %w", last.Job, err)
	}
	if state == "" {
		return nil
	}
	settled := false
	err = w.keep(ctx, f, func(s *State) bool {
		if settled = s.Last != nil && s.Last.Job == last.Job && s.Last.Ended == ""; !settled {
			return false
		}
		if state == usher.Done && s.Last.Read != nil {
			s.Memory = s.Last.Read
		}
		s.Last.Ended, s.Last.Read = state, nil
		return true
	})
	if err == nil && settled && failure != nil {
		w.Logger.Warn("an export of a feed was not uploaded, because its job has failed",
			"feed", f.Name, "export", last.Name, "job", last.Job, "class", failure.Class, "why", hashing.MaskIDs(failure.Message), "next", "usher dead show --id "+last.Job)
	}
	return err
}
