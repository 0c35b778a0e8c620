package exports

import (
	"bytes"
	"context"
	"errors"
	"io"

	"usher"
	"usher/internal/exports/places"
)

// series yields the files of a part, one after the other, as if they were one.
type series struct {
	open  func(ctx context.Context, f usher.File) (*Reader, error)
	ctx   context.Context // of the call to Next that is running
	files []usher.File    // still to be read

	now *Reader
}

// openSeries opens the files of a part of a folder.
func (o *Opener) openSeries(ctx context.Context, src *usher.Source, plan usher.Plan, part usher.Part) (*Reader, error) {
	at, err := places.Locate(places.OriginOf(src), src)
	if err != nil {
		return nil, err
	}
	s := &series{ctx: ctx, files: part.Files}
	s.open = func(ctx context.Context, listed usher.File) (*Reader, error) {
		own := plan
		own.Size, own.Stamp = listed.Size, listed.Stamp
		f, err := o.openListed(ctx, at, src, listed, stretchOf(&own, part))
		if err != nil {
			return nil, err
		}
		if part.From == 0 {
			own, err = o.ownPlan(ctx, f, src, own)
		}
		var r *Reader
		if err == nil {
			r, err = o.read(ctx, f, src, own, part)
		}
		if err != nil {
			_ = f.Close()
			return nil, err
		}
		return r, nil
	}
	if err := s.begin(); err != nil {
		return nil, err
	}
	return &Reader{rows: s, ctx: &s.ctx, close: s.close, plan: plan}, nil
}

// begin opens the next file.
func (s *series) begin() error {
	r, err := s.open(s.ctx, s.files[0])
	if err != nil {
		return err
	}
	s.now, s.files = r, s.files[1:]
	return nil
}

func (s *series) Next() (*usher.Block, error) {
	for {
		b, err := s.now.Next(s.ctx)
		if err == nil {
			if len(s.files) > 0 && !bytes.HasSuffix(b.Data, []byte{'\n'}) {
				b.Data = append(b.Data, '\n') // more follows
			}
			return b, nil
		}
		if !errors.Is(err, io.EOF) || len(s.files) == 0 {
			return nil, err
		}
		if err := s.now.Close(); err != nil {
			return nil, err
		}
		if err := s.begin(); err != nil {
			return nil, err
		}
	}
}

func (s *series) close() { _ = s.now.Close() } // only read
