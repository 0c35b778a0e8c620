package exports

import (
	"bufio"
	"context"
	"errors"
	"io"

	"usher"
	"usher/internal/exports/column"
	"usher/internal/exports/places"
	"usher/internal/exports/unpack"
)

// members reads the members of an archive one after the other, as if they were one
// file.
type members struct {
	opener  *Opener
	archive *unpack.Archive
	src     *usher.Source
	plan    *usher.Plan
	search  column.Search
	ctx     context.Context // of the call to Next that follows

	opened int // members that were opened
	rows   rowReader
	warned []usher.Warning // of the members that were read
	ahead  *ahead
	end    func() // closes the member that is open
}

// readArchive returns a reader of all members of f. s looks at them if there are many.
func (o *Opener) readArchive(ctx context.Context, f *places.File, src *usher.Source, plan usher.Plan, s column.Search) (*Reader, error) {
	a, err := unpack.OpenFiles(ctx, f, o.options.MaxRatio)
	if err != nil {
		return nil, err
	}
	if a.Len() <= fewFiles {
		s = column.Search{}
	}
	r := &Reader{file: f, plan: plan, found: s.Evidence}
	m := &members{opener: o, archive: a, src: src, plan: &r.plan, search: s, ctx: ctx}
	r.rows, r.setContext, r.close = m, m.setContext, m.close
	return r, nil
}

func (m *members) setContext(ctx context.Context) { m.ctx = ctx }

// Next implements rowReader.
func (m *members) Next() (*usher.Block, error) {
	for m.rows != nil || m.opened < m.archive.Len() {
		if m.rows == nil {
			if err := m.open(); err != nil {
				return nil, err
			}
		}
		m.ahead.setContext(m.ctx)
		b, err := m.rows.Next()
		if err == nil {
			if b.Data[len(b.Data)-1] != '\n' { // the last line of a member may have no line end
				b.Data = append(b.Data, '\n')
			}
			return b, nil
		}
		if !errors.Is(err, io.EOF) {
			return nil, err
		}
		m.warned = usher.AddWarnings(m.warned, warningsOf(m.rows)...)
		m.close()
	}
	return nil, io.EOF
}

// open opens the next member, which must have the columns of the first one.
func (m *members) open() error {
	m.archive.SetContext(m.ctx)
	from, err := m.archive.OpenMember(m.opened)
	if err != nil {
		return err
	}
	m.opened++
	buffered := bufio.NewReaderSize(from, headBytes)
	raw, err := buffered.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		_ = from.Close()
		return err
	}
	name := m.archive.NameOf(m.opened - 1)
	h := &head{Origin: name, text: unpack.Decode(raw, m.plan.Encoding), all: err != nil}
	own, err := h.ownLayout(m.src, m.search, *m.plan, raw)
	if err != nil {
		_ = from.Close()
		return err
	}
	work, stop := context.WithCancelCause(context.WithoutCancel(m.ctx))
	m.archive.SetContext(work)
	m.ahead = readAhead(m.ctx, buffered, stop)
	m.end = func() {
		m.ahead.close()
		_ = from.Close()
	}
	var in io.Reader = m.ahead
	if m.plan.Encoding != "utf-8" {
		in = unpack.NewUTF16Reader(in, name, m.plan.Encoding)
	}
	m.rows = m.opener.readText(in, name, &own, whole()[0], own.Header != "")
	return nil
}

// close closes the member that is open.
func (m *members) close() {
	if m.end != nil {
		m.end()
	}
	m.end, m.rows = nil, nil
}

// Warnings implements warner. It is for the time after the last block.
func (m *members) Warnings() []usher.Warning { return m.warned }
