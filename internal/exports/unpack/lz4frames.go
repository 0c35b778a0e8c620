package unpack

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"github.com/pierrec/lz4/v4"
)

// Magic numbers of frames, little-endian. Those of skippable frames, which zstd has
// too, differ in their last four bits.
const (
	lz4Frame       = 0x184D2204
	lz4LegacyFrame = 0x184C2102
	zstdFrame      = 0xFD2FB528
	skippableFrame = 0x184D2A50
)

func isSkippable(magic uint32) bool { return magic&^0xF == skippableFrame }

var (
	errLegacyFrame = errors.New("read lz4: a legacy frame")
	errNoFrame     = errors.New("read lz4: data that is no frame")
)

// lz4Frames reads concatenated lz4 frames. It returns io.EOF only after the end mark
// of a frame.
type lz4Frames struct {
	in  *bufio.Reader
	now *lz4.Reader // nil between frames
}

// Read implements io.Reader.
func (l *lz4Frames) Read(p []byte) (int, error) {
	for {
		if l.now == nil {
			if err := l.next(); err != nil {
				return 0, err
			}
		}
		n, err := l.now.Read(p)
		if errors.Is(err, io.EOF) {
			l.now, err = nil, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// next begins the next frame. It returns io.EOF if there is none.
func (l *lz4Frames) next() error {
	for {
		magic, err := l.in.Peek(4)
		if len(magic) == 0 {
			return err
		}
		if err != nil {
			return Unexpected(err)
		}
		switch m := binary.LittleEndian.Uint32(magic); {
		case m == lz4Frame:
			l.now = lz4.NewReader(endless{l.in})
			return nil
		case m == lz4LegacyFrame:
			return errLegacyFrame
		case !isSkippable(m):
			return errNoFrame
		}
		if err := l.skip(); err != nil {
			return Unexpected(err)
		}
	}
}

// endless returns io.ErrUnexpectedEOF at the end of a stream. The lz4 reader would take
// io.EOF between two blocks for the end of the frame.
type endless struct{ io.Reader }

// Read implements io.Reader.
func (e endless) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	return n, Unexpected(err)
}

// skip skips a skippable frame.
func (l *lz4Frames) skip() error {
	var header [8]byte
	if _, err := io.ReadFull(l.in, header[:]); err != nil {
		return err
	}
	_, err := io.CopyN(io.Discard, l.in, int64(binary.LittleEndian.Uint32(header[4:])))
	return err
}

// afterSkippable returns head without the skippable frames that it begins with, or nil if
// it ends within one.
func afterSkippable(head []byte) []byte {
	for len(head) >= 4 && isSkippable(binary.LittleEndian.Uint32(head)) {
		if len(head) < 8 {
			return nil
		}
		size := int64(binary.LittleEndian.Uint32(head[4:]))
		if size > int64(len(head)-8) {
			return nil
		}
		head = head[8+size:]
	}
	return head
}
