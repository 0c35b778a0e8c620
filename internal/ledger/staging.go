package ledger

import (
	"context"
	"fmt"
)

// Staging is the folder of the files that a run of a job needs until it ends.
type Staging struct {
	store  *Store
	folder string
	target Target
	job    string
	run    int
}

// Staging returns the folder of a run of a job.
func (s *Store) Staging(t Target, job string, run int) *Staging {
	return &Staging{store: s, folder: fmt.Sprintf("%ss/%s-%d/", t.folder(), job, run), target: t, job: job, run: run}
}

// Write stores a value.
func (s *Staging) Write(ctx context.Context, name string, v any) error {
	_, err := s.store.writeJSON(ctx, s.folder+name+".json", v)
	return err
}

// Read reads a value that Write has stored.
func (s *Staging) Read(ctx context.Context, name string, v any) error {
	return s.store.readJSON(ctx, File{Name: s.folder + name + ".json"}, v)
}

// Runs returns the Runs with the digests of a part of a step. The first written files
// exist from an earlier attempt.
func (s *Staging) Runs(step string, part, written int) *Runs {
	return s.store.newRuns(s.runs(step, part), written, 0)
}

func (s *Staging) runs(step string, part int) string {
	return fmt.Sprintf("%s%s-%05d", s.folder, step, part)
}

// Files returns the files of Runs, with the number of their digests.
func (s *Staging) Files(ctx context.Context, step string, part, written int) ([]File, error) {
	var files []File
	for i := range written {
		f := File{Name: runName(s.runs(step, part), i)}
		t, err := s.store.trailerOf(ctx, f)
		if err != nil {
			return nil, err
		}
		f.Size, f.Fingerprint.Count = t.size(), t.count()
		files = append(files, f)
	}
	return files, nil
}
