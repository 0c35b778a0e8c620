package workers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
	"usher/internal/ledger"
)

// idReader turns ids into the digests of all their forms.
type idReader struct {
	uuids, androids *ledger.Runs
	digests         *hashing.Hasher // of ids that are digests already; nil: they are raw
	first           map[hashing.Digest]struct{}
	tally           usher.Tally
	rejects         hashing.Counts
	withheld        []string // the names of the columns of source.only
	unlikely        int64    // raw ids that hashing.IsUnlikely
}

// readIDs writes the digests of the job's ids to files.
func (f *forget) readIDs(ctx context.Context) (err error) {
	r := &idReader{uuids: f.files.Runs(ledger.UUIDStep, 0, 0), androids: f.files.Runs(ledger.AndroidStep, 0, 0)}
	defer r.uuids.Release()
	defer r.androids.Release()
	if f.Work.Job.Source == nil {
		err = f.readInline(ctx, r)
	} else {
		err = f.readExport(ctx, r)
	}
	if err != nil {
		return err
	}
	r.rejects.AddTo(&r.tally, r.withheld)
	if err := r.tally.Check(); err != nil {
		return err
	}
	f.p.Checkpoint.Tally, f.p.Checkpoint.Rows = r.tally, r.tally.Read
	uuids, err := r.uuids.Flush(ctx)
	if err != nil {
		return err
	}
	androids, err := r.androids.Flush(ctx)
	if err != nil {
		return err
	}
	return f.files.Seal(ctx, uuids, androids)
}

// readInline reads the ids of the job itself, which are sealed.
func (f *forget) readInline(ctx context.Context, r *idReader) error {
	r.first = map[hashing.Digest]struct{}{}
	for i, id := range f.Work.Job.IDs {
		forms, err := hashing.DecodeForms(id)
		if err != nil {
			return usher.Refuse(usher.InvalidJob, "correct the ids of the job", "read ids: /ids/%d %w", i, err)
		}
		if err := r.add(ctx, forms); err != nil {
			return err
		}
	}
	return nil
}

// add adds the forms of an id.
func (r *idReader) add(ctx context.Context, forms []hashing.Digest) error {
	r.tally.Read++
	if _, known := r.first[forms[0]]; known {
		r.tally.Duplicate++
		return nil
	}
	if r.tally.Accepted++; r.first != nil {
		r.first[forms[0]] = struct{}{}
	}
	if len(forms) == hashing.AndroidForms {
		return r.androids.Add(ctx, forms)
	}
	return r.uuids.Add(ctx, forms)
}

// readExport reads the ids of an export, whose column may have ids of any type.
func (f *forget) readExport(ctx context.Context, r *idReader) (err error) {
	source := f.Work.Job.Source
	if f.Work.Job.Input == usher.InputMD5 {
		if r.digests, err = hashing.New(usher.Profile{Type: usher.IDFA}, usher.InputMD5); err != nil {
			return err
		}
	}
	plan, err := f.exports().Plan(ctx, source, exports.Wanted{Type: usher.IDFA, Input: f.Work.Job.Input, Removes: true}, 0)
	if err != nil {
		other, failed := f.exports().Plan(ctx, source, exports.Wanted{Type: usher.AndroidID, Input: f.Work.Job.Input, Removes: true}, 0)
		if failed != nil {
			return err
		}
		plan = other
	}
	f.p.Understood = exports.Understood(source, &plan)
	r.withheld = plan.Withheld()
	var whole usher.Checkpoint
	for _, part := range plan.Parts {
		blocks, err := f.exports().Open(ctx, source, plan, part)
		if err != nil {
			return err
		}
		err = r.readBlocks(ctx, blocks)
		if err == nil {
			f.p.Warnings = addOnce(f.p.Warnings, blocks.Warnings())
			whole.Matched = usher.MergeMatched(whole.Matched, blocks.Matched())
		}
		_ = blocks.Close() // only read
		if err != nil {
			return err
		}
	}
	f.p.Warnings = addOnce(f.p.Warnings, r.warnings())
	whole.Tally = r.tally.Clone()
	r.rejects.AddTo(&whole.Tally, r.withheld)
	return usher.CheckOnlyValues(plan.Checks, &whole)
}

// warnings says that too many ids are unlikely ones.
func (r *idReader) warnings() []usher.Warning {
	if r.unlikely == 0 || 20*r.unlikely < r.tally.Read {
		return nil
	}
	return []usher.Warning{{
		Code: usher.WarnUnlikelyIDs, Count: r.unlikely,
		Description: "ids have at most 12 characters or no letters, as ANDROID_IDs hardly ever have: if they are customer numbers or telephone numbers, nothing of these persons was forgotten; set source.column to the column of device ids",
	}}
}

func (r *idReader) readBlocks(ctx context.Context, blocks *exports.Reader) error {
	for {
		block, err := blocks.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read ids: %w", err)
		}
		for line := range bytes.Lines(block.Data) {
			if err = r.line(ctx, bytes.TrimRight(line, "\r\n"), block.Records); err != nil {
				break
			}
		}
		block.Release()
		if err != nil {
			return err
		}
	}
}

func (r *idReader) line(ctx context.Context, value []byte, records bool) error {
	if len(bytes.TrimSpace(value)) == 0 && !records {
		return nil // no row
	}
	var forms []hashing.Digest
	var reason hashing.Reason
	if r.digests != nil {
		var d hashing.Digest
		d, reason = r.digests.Hash(value)
		forms = []hashing.Digest{d}
	} else {
		forms, reason = hashing.Forms(value)
		if hashing.IsUnlikely(value) {
			r.unlikely++
		}
	}
	if reason != hashing.None {
		r.tally.Read++
		r.rejects[reason]++
		return nil
	}
	return r.add(ctx, forms)
}
