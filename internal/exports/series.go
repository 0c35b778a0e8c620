package exports

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"usher"
	"usher/internal/exports/column"
	"usher/internal/exports/places"
)

// series reads the files of a part one after the other, as if they were one file.
type series struct {
	open  func(ctx context.Context, f usher.File) (*Reader, error)
	ctx   context.Context // of the call to Next that follows
	files []usher.File    // not opened yet
	now   *Reader

	warned []usher.Warning // of the files before now
}

// openSeries opens the files of a part of a folder.
func (o *Opener) openSeries(ctx context.Context, src *usher.Source, plan usher.Plan, part usher.Part) (*Reader, error) {
	at, err := places.Locate(places.OriginOf(src), src)
	if err != nil {
		return nil, err
	}
	look := searchOf(src, &plan, places.OriginOf(src).File(""))
	s, letters := &series{ctx: ctx, files: part.Files}, column.NewLetterCase(&plan)
	s.open = func(ctx context.Context, listed usher.File) (*Reader, error) {
		r, err := o.openInSeries(ctx, at, src, plan, part, listed, look)
		if err == nil {
			r.watchLetters(letters)
		}
		return r, err
	}
	if err := s.openNext(); err != nil {
		return nil, err
	}
	return &Reader{rows: s, setContext: s.setContext, close: s.close, plan: plan, found: look.Evidence, letters: letters}, nil
}

// openInSeries opens the part of one file.
func (o *Opener) openInSeries(ctx context.Context, at places.Location, src *usher.Source, plan usher.Plan, part usher.Part, listed usher.File, s column.Search) (*Reader, error) {
	plan.Size, plan.Stamp = listed.Size, listed.Stamp
	f, err := o.openListed(ctx, at, src, listed, firstRange(&plan, part))
	if err != nil {
		return nil, err
	}
	r, err := o.readOwn(ctx, f, src, plan, part, s)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return r, nil
}

// readOwn returns a reader of a part of one file of a folder.
func (o *Opener) readOwn(ctx context.Context, f *places.File, src *usher.Source, plan usher.Plan, part usher.Part, s column.Search) (*Reader, error) {
	if part.From == 0 || plan.Format == "csv" && plan.Header != "" || plan.Format == "ndjson" { // its beginning says where the columns stand
		look := column.Search{}
		if part.From == 0 && plan.Files > fewFiles {
			look = s
		}
		own, err := o.ownPlan(ctx, f, src, look, plan)
		if err != nil {
			return nil, err
		}
		plan = own
	}
	if part.From == 0 && plan.Format != "parquet" && isPacked(&plan) && !o.options.Unverified {
		if err := o.verify(ctx, f, &plan); err != nil {
			return nil, err
		}
	}
	return o.read(ctx, f, src, plan, part, s)
}

// openNext opens the next file.
func (s *series) openNext() error {
	r, err := s.open(s.ctx, s.files[0])
	if err != nil {
		return err
	}
	s.now, s.files = r, s.files[1:]
	return nil
}

func (s *series) setContext(ctx context.Context) { s.ctx = ctx }

// Next implements rowReader.
func (s *series) Next() (*usher.Block, error) {
	for {
		b, err := s.now.Next(s.ctx)
		if err == nil {
			if len(s.files) > 0 && !bytes.HasSuffix(b.Data, []byte{'\n'}) {
				b.Data = append(b.Data, '\n') // another file follows
			}
			return b, nil
		}
		if !errors.Is(err, io.EOF) || len(s.files) == 0 {
			return nil, err
		}
		s.warned = s.Warnings()
		if err := s.now.Close(); err != nil {
			return nil, err
		}
		if err := s.openNext(); err != nil {
			return nil, err
		}
	}
}

// Warnings implements warner.
func (s *series) Warnings() []usher.Warning {
	return usher.AddWarnings(slices.Clone(s.warned), warningsOf(s.now.rows)...)
}

func (s *series) close() { _ = s.now.Close() } // only read
