package exports

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/unpack"
	"usher/internal/exports/watch"
)

// Reader reads a part of an export as blocks. It is for one goroutine.
type Reader struct {
	rows       watch.Rows
	file       *places.File          // nil for inline ids, several files, and a member of an archive
	setContext func(context.Context) // sets the context of rows.Next; nil for inline ids
	close      func()                // nil for inline ids
	plan       usher.Plan
	caseless   bool              // the ids are bytes, whose letters usher writes
	found      *choose.Evidence  // in files that Plan has not looked at; nil if it has looked at all
	letters    *watch.LetterCase // of the rows; nil: it is not looked at
	err        error             // the error that reading ended with
}

// Next returns the part's next block, which has at least one row. The caller
// releases it. Next returns io.EOF after the last block, and only if the export is
// still the one that was planned. If ctx ends, Next returns its cause.
func (r *Reader) Next(ctx context.Context) (*usher.Block, error) {
	if r.err != nil {
		return nil, r.err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if r.setContext != nil {
		r.setContext(ctx)
	}
	b, err := r.rows.Next()
	if err == nil {
		if r.letters != nil && r.file != nil { // a series has readers of files
			r.letters.Add(b.Data)
		}
		return b, nil
	}
	var refused *rows.Refused
	if errors.As(err, &refused) {
		r.err = refused.Err // of the next call
		return refused.Block, nil
	}
	if errors.Is(err, io.EOF) && r.file != nil {
		if changed := r.file.Unchanged(ctx, &r.plan); changed != nil {
			err = changed
		}
	}
	r.err = err
	return nil, err
}

// Warnings returns the evidence against the job that Plan has not found: in rows beyond the
// samples, and in files that Plan has not looked at. It is for the goroutine that calls Next, after
// the last block.
func (r *Reader) Warnings() []usher.Warning {
	list := r.found.Beyond(&r.plan)
	if r.letters != nil {
		list = append(list, r.letters.Warnings()...)
	}
	for _, w := range watch.WarningsOf(r.rows) {
		list = usher.AddWarnings(list, ofSampledFiles(w, append(slices.Clone(r.plan.Warnings), list...)))
	}
	return list
}

// Matched returns the values of source.only that rows have had, as COLUMN=VALUE. It is for the goroutine
// that calls Next, after the last block.
func (r *Reader) Matched() []string { return watch.MatchedBy(r.rows) }

// ofSampledFiles returns a warning that counts all rows with the names of the files in which the
// same was found in samples, so that it replaces the warning for these.
func ofSampledFiles(w usher.Warning, sampled []usher.Warning) usher.Warning {
	for i := range sampled {
		if of := sampled[i].OfAllRows(); sampled[i].Code == w.Code && strings.HasSuffix(of, ": "+w.Description) {
			w.Description = of
			break
		}
	}
	return w
}

// watchLetters has the reader look at the case of the ids' letters, unless usher chooses it.
func (r *Reader) watchLetters(l *watch.LetterCase) {
	if !r.caseless {
		r.letters = l
	}
}

// Close closes the export. A second call does nothing. Blocks that were not
// released stay valid.
func (r *Reader) Close() error {
	if r.close == nil || errors.Is(r.err, errClosed) {
		return nil
	}
	r.err = errClosed
	r.close()
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

var errClosed = errors.New("read export: its reader is closed")

// stream is the text of a file: decompressed, in UTF-8.
type stream struct {
	io.Reader

	setContext func(context.Context) // of the following calls to Read
	close      func()
}

// stream opens the text that in reads. ctx is the context of the first calls to
// Read.
func (o *Opener) stream(ctx context.Context, in *places.Input, plan *usher.Plan) (stream, error) {
	out := stream{Reader: in, setContext: in.SetContext, close: func() {}}
	if plan.Compression != "none" {
		e, err := o.expand(in, plan.Compression)
		if err != nil {
			return out, err
		}
		work, stop := context.WithCancelCause(context.WithoutCancel(ctx))
		in.SetContext(work)
		a := readAhead(ctx, e, stop)
		out = stream{Reader: a, setContext: a.setContext, close: func() {
			a.close()
			e.Close()
		}}
	}
	if plan.Encoding != "utf-8" {
		out.Reader = unpack.NewUTF16Reader(out.Reader, in.File().Origin, plan.Encoding)
	}
	return out, nil
}
