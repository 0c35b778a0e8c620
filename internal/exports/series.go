package exports

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/layout"
	"usher/internal/exports/places"
	"usher/internal/exports/unpack"
	"usher/internal/exports/watch"
)

// series reads several files one after the other, as if they were one file: those of a part of a
// folder, or the members of an archive.
type series struct {
	open   func(ctx context.Context, i int) (*Reader, error) // opens a file by its index
	ctx    context.Context                                   // of the call to Next that follows
	files  int                                               // at least one
	opened int                                               // files that were opened
	now    *Reader                                           // nil: the next file is not open yet

	warned  []usher.Warning // of the files before now
	matched []string        // in the files before now
}

// openSeries opens the files of a part of a folder.
func (o *Opener) openSeries(ctx context.Context, src *usher.Source, plan usher.Plan, part usher.Part) (*Reader, error) {
	at, err := places.Locate(places.OriginOf(src), src)
	if err != nil {
		return nil, err
	}
	look := choose.SearchOf(src, &plan, places.OriginOf(src).File(""))
	s, letters := &series{ctx: ctx, files: len(part.Files)}, watch.NewLetterCase(&plan)
	s.open = func(ctx context.Context, i int) (*Reader, error) {
		r, err := o.openInSeries(ctx, at, src, plan, part, part.Files[i], look)
		if err != nil {
			return nil, afterOthers(err, plan.Files)
		}
		if err := look.Evidence.Err(); err != nil { // of a file that Plan has not looked at
			_ = r.Close()
			return nil, afterOthers(err, plan.Files)
		}
		r.watchLetters(letters)
		return r, nil
	}
	if err := s.openNext(); err != nil {
		return nil, err
	}
	return &Reader{rows: s, setContext: s.setContext, close: s.close, plan: plan, found: look.Evidence, letters: letters}, nil
}

// afterOthers returns the error of opening one of n files. If Plan has not looked at all of them,
// the hint says what may have been sent before.
func afterOthers(err error, n int) error {
	var refused *usher.Permanent
	if n <= fewFiles || !errors.As(err, &refused) {
		return err
	}
	told := *refused
	told.Hint += "; its ids and those of later files were not sent, but those of earlier files may have been sent"
	return &told
}

// openInSeries opens the part of one file.
func (o *Opener) openInSeries(ctx context.Context, at places.Location, src *usher.Source, plan usher.Plan, part usher.Part, listed usher.File, s choose.Search) (*Reader, error) {
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
func (o *Opener) readOwn(ctx context.Context, f *places.File, src *usher.Source, plan usher.Plan, part usher.Part, s choose.Search) (*Reader, error) {
	if part.From == 0 || plan.Format == usher.FormatCSV && plan.Header != "" || plan.Format == usher.FormatNDJSON { // its beginning says where the columns stand
		look := choose.Search{}
		if part.From == 0 && plan.Files > fewFiles {
			look = s
		}
		own, err := o.ownPlan(ctx, f, src, look, plan)
		if err != nil {
			return nil, err
		}
		plan = own
	}
	if part.From == 0 && plan.Format != usher.FormatParquet && isPacked(&plan) && !o.options.Unverified {
		if err := o.verify(ctx, f, &plan); err != nil {
			return nil, err
		}
	}
	return o.read(ctx, f, src, plan, part, s)
}

// readArchive returns a reader of all members of f. s looks at them if there are many.
func (o *Opener) readArchive(ctx context.Context, f *places.File, src *usher.Source, plan usher.Plan, s choose.Search) (*Reader, error) {
	a, err := unpack.OpenFiles(ctx, f, o.options.MaxRatio)
	if err != nil {
		return nil, err
	}
	if a.Len() <= fewFiles {
		s = choose.Search{}
	}
	members := &series{ctx: ctx, files: a.Len(), open: func(ctx context.Context, i int) (*Reader, error) {
		return o.openMember(ctx, a, i, src, &plan, s)
	}}
	return &Reader{rows: members, file: f, setContext: members.setContext, close: members.close, plan: plan, found: s.Evidence}, nil
}

// openMember opens a member of an archive, which must have the columns of the first one.
func (o *Opener) openMember(ctx context.Context, a *unpack.Archive, i int, src *usher.Source, plan *usher.Plan, s choose.Search) (*Reader, error) {
	a.SetContext(ctx)
	from, err := a.OpenMember(i)
	if err != nil {
		return nil, err
	}
	buffered := bufio.NewReaderSize(from, layout.HeadBytes)
	raw, err := buffered.Peek(layout.HeadBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		_ = from.Close()
		return nil, err
	}
	name := a.NameOf(i)
	h := &layout.Head{Origin: name, Text: unpack.Decode(raw, plan.Encoding), All: err != nil}
	own, err := h.Own(src, s, *plan, raw)
	if err = cmp.Or(err, s.Evidence.Err()); err != nil {
		_ = from.Close()
		return nil, afterOthers(err, a.Len())
	}
	work, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	a.SetContext(work)
	ahead := readAhead(ctx, buffered, stop)
	var in io.Reader = ahead
	if plan.Encoding != "utf-8" {
		in = unpack.NewUTF16Reader(in, name, plan.Encoding)
	}
	text := o.readText(in, name, &own, whole()[0], own.Header != "")
	return &Reader{rows: text, plan: own, setContext: ahead.setContext, close: func() {
		ahead.close()
		_ = from.Close() // only read
	}}, nil
}

// openNext opens the next file.
func (s *series) openNext() error {
	r, err := s.open(s.ctx, s.opened)
	if err != nil {
		return err
	}
	s.now, s.opened = r, s.opened+1
	return nil
}

func (s *series) setContext(ctx context.Context) { s.ctx = ctx }

// Next implements watch.Rows.
func (s *series) Next() (*usher.Block, error) {
	for {
		if s.now == nil {
			if err := s.openNext(); err != nil {
				return nil, err
			}
		}
		b, err := s.now.Next(s.ctx)
		more := s.opened < s.files
		if err == nil {
			if more && !bytes.HasSuffix(b.Data, []byte{'\n'}) {
				b.Data = append(b.Data, '\n') // another file follows
			}
			return b, nil
		}
		if !errors.Is(err, io.EOF) || !more {
			return nil, err
		}
		s.warned, s.matched = s.Warnings(), s.Matched()
		if err := s.now.Close(); err != nil {
			return nil, err
		}
		s.now = nil
	}
}

// Warnings implements warner.
func (s *series) Warnings() []usher.Warning {
	if s.now == nil {
		return s.warned
	}
	return usher.AddWarnings(slices.Clone(s.warned), watch.WarningsOf(s.now.rows)...)
}

// Matched implements matcher.
func (s *series) Matched() []string {
	if s.now == nil {
		return s.matched
	}
	return usher.MergeMatched(s.matched, watch.MatchedBy(s.now.rows))
}

func (s *series) close() {
	if s.now != nil {
		_ = s.now.Close() // only read
	}
}
