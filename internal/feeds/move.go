package feeds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/hashing"
	"usher/internal/exports/places"
)

// moveEvery is how often a worker asks whether a job has ended, to move its export.
const moveEvery = 10 * time.Second

// moveDone moves the exports whose jobs are done, and returns when to ask again and why an
// export could not be moved. A crash at any point is repaired by the next call.
func (w *Watcher) moveDone(ctx context.Context, f *Feed) (wake time.Time, why string, err error) {
	if f.Move == nil {
		return wake, "", nil
	}
	s, err := w.States.Get(ctx, f.Name)
	if err != nil {
		return wake, "", err
	}
	for version, v := range s.Versions {
		if len(v.Pieces) == 0 {
			continue
		}
		state, err := usher.Done, error(nil)
		if f.Kind != usher.Outcomes { // whose numbers are stored when it is recorded
			state, _, err = w.Jobs.Ending(ctx, v.Job)
		}
		if err != nil {
			return wake, "", fmt.Errorf("read job %s: %w", v.Job, err)
		}
		if state == "" {
			wake = w.Now().Add(moveEvery)
		}
		if state != usher.Done {
			continue
		}
		stuck, err := w.moveVersion(ctx, f, version, v)
		if err != nil {
			return wake, "", err
		}
		why = cmp.Or(why, stuck)
	}
	return wake, why, nil
}

// moveVersion moves the files of a version, and records that. It returns why they cannot be
// moved, or an error that may be tried again.
func (w *Watcher) moveVersion(ctx context.Context, f *Feed, version string, v *Version) (why string, err error) {
	err = w.move(ctx, f, version, v.Pieces)
	var permanent *usher.Permanent
	if errors.As(err, &permanent) && ctx.Err() == nil {
		why = "the export of job " + v.Job + " cannot be moved: " + hashing.MaskIDs(err.Error())
		w.Logger.Warn("an export cannot be moved", "feed", f.Name, "job", v.Job, "error", hashing.MaskIDs(err.Error()))
		return why, nil
	}
	if err != nil {
		return "", err
	}
	return "", w.keep(ctx, f, func(s *State) bool {
		if v := s.Versions[version]; v != nil {
			v.Pieces = nil
		}
		return true
	})
}

// move moves the files of a version that are still there and unchanged. The done marker goes
// first, so that it never marks what is left, or a new export that is being written.
func (w *Watcher) move(ctx context.Context, f *Feed, version string, pieces []string) error {
	from := places.Origin(f.Shown)
	if f.Marker != "" {
		if err := w.moveMarker(ctx, f, version); err != nil {
			return err
		}
	}
	found, err := w.Places.Watch(ctx, from, f.Watch, "", true, places.MostFiles)
	var permanent *usher.Permanent
	if errors.As(err, &permanent) && permanent.Class == usher.SourceMissing {
		return nil // all are moved
	}
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, piece := range pieces {
		wanted[piece] = true
	}
	for _, file := range found.Files {
		if !wanted[f.Watch.Version([]usher.File{file})] {
			continue
		}
		if err := w.Places.Move(ctx, from, found.Dir(), file, *f.Move, version+"-"); err != nil {
			return err
		}
		if err := w.goOn(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// moveMarker moves the done marker of a version that is still there as it was. If the files
// have changed, the marker may be that of the next version.
func (w *Watcher) moveMarker(ctx context.Context, f *Feed, version string) error {
	from := places.Origin(f.Shown)
	found, err := w.Places.Watch(ctx, from, f.Watch, f.Marker, false, maxFiles)
	var permanent *usher.Permanent
	switch {
	case errors.As(err, &permanent) && permanent.Class == usher.SourceMissing:
		return nil // the marker is moved
	case err != nil:
		return err
	case f.Watch.Version(found.Files) != version:
		return nil
	}
	return w.Places.Move(ctx, from, found.Dir(), found.Marker, *f.Move, version+"-")
}
