package xlsx

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// Errors of a workbook that is not read.
var (
	ErrDamaged = errors.New("the workbook is damaged")
	ErrLimit   = errors.New("the workbook is larger than is read")
)

const (
	maxToken   = 1 << 20 // bytes of a tag or a text
	maxColumns = 1 << 14 // of a sheet, as Excel has them
	maxRows    = 1 << 20
)

// part is the XML of a part of the workbook.
type part struct {
	file io.ReadCloser
	in   *bounded
	xml  *xml.Decoder

	formula, valued bool // the element that text has read has a formula, and an element v
}

// bounded refuses tokens that are too long, which the XML decoder would hold in memory.
type bounded struct {
	*bufio.Reader

	left int // bytes of the token
	err  error
}

// ReadByte implements io.ByteReader.
func (b *bounded) ReadByte() (byte, error) {
	if b.left--; b.left < 0 {
		b.err = ErrLimit
		return 0, ErrLimit
	}
	c, err := b.Reader.ReadByte()
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return c, err
}

func newPart(file io.ReadCloser) *part {
	in := &bounded{Reader: bufio.NewReaderSize(file, 32<<10)}
	return &part{file: file, in: in, xml: xml.NewDecoder(in)}
}

// next returns the next token, which is valid until the next call, or io.EOF.
func (p *part) next() (xml.Token, error) {
	p.in.left = maxToken
	token, err := p.xml.RawToken()
	switch {
	case err == nil, errors.Is(err, io.EOF) && p.in.err == nil:
		return token, err
	case p.in.err != nil:
		return nil, p.in.err
	}
	return nil, ErrDamaged
}

func (p *part) close() { _ = p.file.Close() } // only read

// attribute returns an attribute's value, "" if there is none.
func attribute(tag *xml.StartElement, name string) string {
	for i := range tag.Attr {
		if tag.Attr[i].Name.Local == name {
			return tag.Attr[i].Value
		}
	}
	return ""
}

// unescape replaces escapes such as _x000D_.
func unescape(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	var out strings.Builder
	for {
		i := strings.Index(text, "_x")
		if i < 0 || len(text) < i+7 {
			return out.String() + text
		}
		r, ok := hexRune(text[i+2 : i+6])
		if ok && text[i+6] == '_' {
			out.WriteString(text[:i])
			out.WriteRune(r)
			text = text[i+7:]
			continue
		}
		out.WriteString(text[:i+2])
		text = text[i+2:]
	}
}

func hexRune(digits string) (r rune, ok bool) {
	for _, c := range digits {
		i := strings.IndexRune("0123456789ABCDEF", c)
		if i < 0 {
			return 0, false
		}
		r = r<<4 | rune(i)
	}
	return r, true
}
