package exports

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"usher"
	"usher/internal/exports/places"
)

// members yields the members of an archive, one after the other, as one export.
type members struct {
	opener  *Opener
	archive *archive
	src     *usher.Source
	plan    *usher.Plan
	ctx     context.Context // of the call to next that is running

	opened int // members so far
	rows   rowReader
	ahead  *ahead
	end    func()
}

func (m *members) Next() (*usher.Block, error) {
	for {
		if m.rows == nil {
			if m.opened == len(m.archive.members) {
				return nil, io.EOF
			}
			if err := m.open(); err != nil {
				return nil, err
			}
		}
		m.ahead.ctx = m.ctx //nolint:fatcontext // it is replaced, not wrapped
		b, err := m.rows.Next()
		if err == nil {
			if b.Data[len(b.Data)-1] != '\n' { // a member's last line need not have an end
				b.Data = append(b.Data, '\n')
			}
			return b, nil
		}
		if !errors.Is(err, io.EOF) {
			return nil, err
		}
		m.close()
	}
}

// open opens the next member, and finds that it is laid out as the first one.
func (m *members) open() error {
	m.archive.ctx = m.ctx
	from, err := m.archive.open(m.opened)
	if err != nil {
		return err
	}
	m.opened++
	buffered := bufio.NewReaderSize(from, sniffBytes)
	raw, err := buffered.Peek(sniffBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		from.close()
		return err
	}
	name := places.Origin(fmt.Sprintf("%s, file %d of its archive", m.archive.file.Origin, m.opened))
	h := &head{Origin: name, text: decodeHead(raw, m.plan.Encoding), all: err != nil}
	header, err := h.alike(m.src, m.plan, raw)
	if err != nil {
		from.close()
		return err
	}
	work, stop := context.WithCancelCause(context.WithoutCancel(m.ctx))
	m.archive.ctx = work
	m.ahead = readAhead(m.ctx, buffered, stop)
	m.end = func() {
		m.ahead.close()
		from.close()
	}
	var in io.Reader = m.ahead
	if m.plan.Encoding != "utf-8" {
		in = newTranscoded(in, name, m.plan.Encoding)
	}
	m.rows = m.opener.rows(in, name, m.plan, whole()[0], header)
	return nil
}

// close ends the member that is open.
func (m *members) close() {
	if m.end != nil {
		m.end()
	}
	m.end, m.rows = nil, nil
}

// alike reports whether a further file of an export begins with a header. It is
// an error where the file is laid out otherwise than the plan has it. raw is its
// beginning as it stands in the archive; nil for a file of its own.
func (h *head) alike(src *usher.Source, plan *usher.Plan, raw []byte) (header bool, err error) {
	const hint = "have all files of the export written in the same way, with the same columns in the same order"
	if len(h.text) == 0 {
		return false, nil
	}
	if sniffCompression(raw) != "none" {
		return false, h.Broken("compress it once only", "it is compressed within an archive")
	}
	if err := errors.Join(refuseForeign(h.Origin, raw), h.checkText()); err != nil {
		return false, err
	}
	told := *src
	told.Delimiter = plan.Delimiter
	if declared(src.Format) == "" && len(h.lines(1)) > 0 && h.format(&told) != plan.Format || raw != nil && sniffEncoding(raw) != plan.Encoding {
		return false, h.Broken(hint, "it is not of the format of the first file, %s", plan.Format)
	}
	mine := usher.Plan{}
	switch plan.Format {
	case "text":
		err = h.layoutText(&told, &mine)
		return mine.Header != "", err
	case "csv":
		if !h.begins(plan) {
			return false, nil
		}
		if err := h.layoutCSV(&told, &mine); err != nil || mine.Column != plan.Column || mine.TypeColumn != plan.TypeColumn {
			return false, h.Broken(hint, "its columns are not those of the first file")
		}
		return true, nil
	}
	return false, nil
}

// begins reports whether a CSV begins with a header.
func (h *head) begins(plan *usher.Plan) bool {
	rows := h.records(plan.Delimiter[0])
	if len(rows) == 0 {
		return false
	}
	if header, _ := h.columnsOf(rows); header {
		return true
	}
	return plan.Header != "" && plan.Column < len(rows[0]) && sameName(headerText([]byte(rows[0][plan.Column])), plan.Header)
}
