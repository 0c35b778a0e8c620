package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/hashing"
)

// forgetFolder has the files of the jobs that forget ids.
const forgetFolder = "forget.d/"

// Receipts are the files of the jobs that forget ids.
type Receipts struct{ store *Store }

// Receipts returns the files of the jobs that forget ids.
func (s *Store) Receipts() Receipts { return Receipts{s} }

// allName is the name of the file with all digests of a job.
const allName = "all"

// Forgotten has the files of a run of a job that forgets ids.
type Forgotten struct {
	*Staging
	lists forgottenLists
}

// forgottenLists are the digests to forget, by the forms that fit a target.
type forgottenLists struct {
	UUID File `json:"uuid"` // digests of UUIDs, and digests whose form is not known
	All  File `json:"all"`  // also digests of ANDROID_IDs
}

// Of returns the files of a run of a job.
func (r Receipts) Of(job string, run int) *Forgotten {
	return &Forgotten{Staging: &Staging{store: r.store, folder: fmt.Sprintf("%s%s-%d/", forgetFolder, job, run), job: job, run: run}}
}

// Steps of the files of digests.
const (
	UUIDStep    = "uuid"
	AndroidStep = "android"
	foundStep   = "found"
)

// Seal merges the Runs of the steps UUIDStep and AndroidStep: uuids files of the first, and
// androids files of the second.
func (f *Forgotten) Seal(ctx context.Context, uuids, androids int) error {
	first, err := f.Files(ctx, UUIDStep, 0, uuids)
	if err != nil {
		return err
	}
	more, err := f.Files(ctx, AndroidStep, 0, androids)
	if err != nil {
		return err
	}
	if f.lists.UUID, err = f.store.merge(ctx, f.folder+"uuids", f.store.openers(first), nil); err != nil {
		return err
	}
	if f.lists.All, err = f.store.merge(ctx, f.folder+allName, f.store.openers(append(first, more...)), nil); err != nil {
		return err
	}
	if err := f.Write(ctx, "lists", &f.lists); err != nil {
		return err
	}
	for _, file := range append(first, more...) {
		if err := f.store.bucket.Delete(ctx, file.Name); err != nil && !isNotFound(err) {
			return storeError("remove ledger file", file.Name, err)
		}
	}
	return nil
}

// Open reads which digests Seal has merged.
func (f *Forgotten) Open(ctx context.Context) error {
	if err := f.Read(ctx, "lists", &f.lists); err != nil {
		return err
	}
	if !strings.HasPrefix(f.lists.UUID.Name, f.folder) || !strings.HasPrefix(f.lists.All.Name, f.folder) {
		return &DamagedError{f.folder + "lists.json", "has no files of digests"}
	}
	return nil
}

// All returns the file with all digests.
func (f *Forgotten) All() File { return f.lists.All }

// Fitting returns the file with the digests of the forms that fit a target.
func (f *Forgotten) Fitting(onlyUUIDs bool) File {
	if onlyUUIDs {
		return f.lists.UUID
	}
	return f.lists.All
}

// EachChunk calls visit with the digests of a file from the given one on, in sorted pieces,
// and with the number of the first digest of each.
func (f *Forgotten) EachChunk(ctx context.Context, file File, from int64, visit func(at int64, digests []hashing.Digest) error) error {
	return f.store.eachChunk(ctx, file, from, visit)
}

// Found returns the Runs with the members that a target had, of which the first written files
// are there.
func (f *Forgotten) Found(target, written int) *Runs { return f.Runs(foundStep, target, written) }

// EachFound calls visit with the members that a target had, in order.
func (f *Forgotten) EachFound(ctx context.Context, target, written int, visit func(hashing.Digest) error) error {
	files, err := f.Files(ctx, foundStep, target, written)
	if err != nil {
		return err
	}
	return eachMerged(ctx, f.store.openers(files), func(k key) error { return visit(k.digest()) })
}

// chunkDigests is the number of digests of a chunk.
const chunkDigests = 1 << 14

func (s *Store) eachChunk(ctx context.Context, file File, from int64, visit func(at int64, digests []hashing.Digest) error) error {
	if from >= file.Fingerprint.Count {
		return nil
	}
	list, err := s.OpenList(ctx, []File{file}, from, file.Fingerprint.Count)
	if err != nil {
		return err
	}
	defer list.Close()
	room := make([]hashing.Digest, 0, min(chunkDigests, file.Fingerprint.Count-from))
	for {
		digests, err := list.Next(room[:0])
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(from, digests); err != nil {
			return err
		}
		from += int64(len(digests))
	}
}

// RecordRemovals records in the ledger of a target, which is the one with the given number of
// the job, that the members that it had were removed from it. It begins an epoch, so that no
// delta of a job that was running puts them back.
func (f *Forgotten) RecordRemovals(ctx context.Context, t Target, number, written int) error {
	return f.recordRemovals(ctx, t, 0, func(add func(...hashing.Digest) error) error {
		return f.EachFound(ctx, number, written, func(d hashing.Digest) error { return add(d) })
	})
}

// recordRemovals records digests, which each passes to add, as a part of the job's delta.
func (f *Forgotten) recordRemovals(ctx context.Context, t Target, part int, each func(add func(...hashing.Digest) error) error) error {
	var h Head
	for {
		var err error
		if h, _, err = f.store.Begin(ctx, t, f.job, f.run, nil); err == nil {
			break
		}
		if errors.Is(err, ErrNone) {
			return nil
		}
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	delta, err := f.store.NewDelta(ctx, &h, true, f.job, f.run, part, Written{})
	if err != nil {
		return err
	}
	defer delta.Release()
	chunk := make([]hashing.Digest, 0, 1024)
	flush := func() error {
		err := delta.Add(ctx, chunk)
		chunk = chunk[:0]
		return err
	}
	err = each(func(digests ...hashing.Digest) error {
		for _, d := range digests {
			if chunk = append(chunk, d); len(chunk) == cap(chunk) {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err == nil {
		_, err = delta.Complete(ctx)
	}
	return err
}

// EachOutcome calls visit with the outcome of each digest in a target, which is the one with
// the given number of the job.
func (f *Forgotten) EachOutcome(ctx context.Context, number int, e *usher.Erasure, visit func(hashing.Digest, usher.Outcome) error) error {
	var found []hashing.Digest
	err := f.EachFound(ctx, number, e.Files, func(d hashing.Digest) error {
		found = append(found, d)
		return nil
	})
	if err != nil {
		return err
	}
	return f.EachChunk(ctx, f.Fitting(e.Type == onlyUUIDs), 0, func(at int64, digests []hashing.Digest) error {
		for i, d := range digests {
			_, member := slices.BinarySearchFunc(found, d, compareDigests)
			outcome := usher.WasAbsent
			switch {
			case at+int64(i) >= e.Asked || e.Pending > 0 || member && e.Removed < e.Found:
				outcome = usher.IsPending
			case member:
				outcome = usher.WasRemoved
			}
			if err := visit(d, outcome); err != nil {
				return err
			}
		}
		return nil
	})
}

// onlyUUIDs is the type of segments that have no ANDROID_IDs.
const onlyUUIDs = "IDFA"

// Collect removes the files that are older than a time.
func (r Receipts) Collect(ctx context.Context, before time.Time) error {
	return r.store.list(ctx, forgetFolder, func(o *listed) error {
		if !o.ModTime.Before(before) {
			return nil
		}
		if err := r.store.bucket.Delete(ctx, o.Key); err != nil && !isNotFound(err) {
			return storeError("remove ledger file", o.Key, err)
		}
		return nil
	})
}
