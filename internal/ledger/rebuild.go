package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"usher/hashing"
)

// ErrWhole means that a suppression list is not damaged.
var ErrWhole = errors.New("the suppression list is not damaged")

// Rebuilt is the result of Rebuild.
type Rebuilt struct {
	Digests int64
	Lost    []string // what could not be read, or only in part
}

// Rebuild replaces a damaged list by what can be read of it, and by the digests of all jobs that
// forgot ids and whose receipts are kept. It returns ErrWhole if the list is not damaged. by
// names the caller and is part of the names of files.
func (l Suppression) Rebuild(ctx context.Context, by string) (Rebuilt, error) {
	for {
		r := &rebuilding{list: l, by: by}
		err := r.run(ctx)
		if !errors.Is(err, ErrConflict) {
			return r.Rebuilt, err
		}
	}
}

// rebuilding is one attempt to rebuild a list.
type rebuilding struct {
	Rebuilt

	list Suppression
	by   string
	runs *Runs // with the digests that were read
}

func (r *rebuilding) run(ctx context.Context) error {
	store := r.list.store
	head, revision, err := store.heads.Suppression(ctx)
	files := head.Files
	switch {
	case errors.Is(err, ErrNone), errors.As(err, new(*DamagedError)):
		if errors.Is(err, ErrNone) && r.list.CheckLost(ctx) == nil {
			return ErrWhole // it is empty
		}
		r.Lost = append(r.Lost, SuppressionListHead)
		if files, err = r.list.files(ctx); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	r.runs = store.newRuns(fmt.Sprintf("%srebuild-%s", forgetFolder, r.by), 0, 0)
	defer r.runs.Release()
	generation := head.Generation
	for _, f := range files {
		if err := r.read(ctx, f); err != nil {
			return err
		}
		if g := suppressionGeneration(f.Name); g != notGeneration {
			generation = max(generation, g)
		}
	}
	if len(r.Lost) == 0 {
		return ErrWhole
	}
	err = store.list(ctx, forgetFolder, func(o *listed) error {
		if !strings.HasSuffix(o.Key, "/"+allName) {
			return nil
		}
		return r.read(ctx, File{Name: o.Key})
	})
	if err != nil {
		return err
	}
	return r.write(ctx, generation, revision)
}

// files returns all files of the list, those that are merged into others, too.
func (l Suppression) files(ctx context.Context) (files []File, err error) {
	err = l.store.listWhole(ctx, suppressionFolder, func(o *listed) error {
		files = append(files, File{Name: o.Key})
		return nil
	})
	return files, err
}

// read reads what it can of a file: the records of each first byte have a checksum.
func (r *rebuilding) read(ctx context.Context, f File) error {
	whole := true
	for b := range firstBytes {
		digests, err := r.list.store.readAll(ctx, f, b, b+1)
		if errors.As(err, new(*DamagedError)) {
			whole = false
			continue
		}
		if err == nil {
			err = r.runs.Add(ctx, digests)
		}
		if err != nil {
			return err
		}
	}
	if !whole {
		r.Lost = append(r.Lost, f.Name)
	}
	return nil
}

// write makes what was read the list.
func (r *rebuilding) write(ctx context.Context, generation, revision uint64) error {
	store := r.list.store
	written, err := r.runs.Flush(ctx)
	if err != nil {
		return err
	}
	var files []File
	for i := range written {
		files = append(files, File{Name: runName(r.runs.name, i)})
	}
	h := SuppressionHead{V: 1, Generation: generation}
	err = r.list.replace(ctx, h, revision, r.by, 0, store.openers(files), nil)
	for _, f := range files {
		if failed := store.bucket.Delete(ctx, f.Name); failed != nil {
			err = errors.Join(err, storeError("remove ledger file", f.Name, failed))
		}
	}
	if err != nil {
		return err
	}
	return r.list.Each(ctx, func(hashing.Digest) error {
		r.Digests++
		return nil
	})
}

// isSuppression reports whether the damage is in the suppression list.
func (e *DamagedError) isSuppression() bool {
	return strings.HasPrefix(e.Name, suppressionFolder) || e.Name == SuppressionListHead
}
