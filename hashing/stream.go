package hashing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"usher"
)

// StreamOptions say how Stream reads and writes.
type StreamOptions struct {
	Profile   usher.Profile
	Input     usher.Input // raw or md5; "" is raw
	KeepLines bool        // an empty line for every line without a digest
}

// streamBuffer is the room for a read, in bytes, and for the lines of a write.
const streamBuffer = 1 << 20

// Stream reads a value a line and writes a digest a line, in order, until in
// ends. Nothing is de-duplicated. Of values that are junk or invalid nothing is
// written. It returns the tally in which Accepted is the digests written; blank
// lines are in no column.
func Stream(ctx context.Context, in io.Reader, out io.Writer, o StreamOptions) (usher.Tally, error) {
	hasher, err := New(o.Profile, o.Input)
	if err != nil {
		return usher.Tally{}, err
	}
	s := stream{
		hasher: hasher, keep: o.KeepLines, to: out,
		lines: NewOut(4096, 4096), text: make([]byte, 0, 4096*(HexLen+1)),
	}
	err = s.copy(ctx, in)
	s.dropped.AddTo(&s.tally)
	return s.tally, err
}

type stream struct {
	hasher  *Hasher
	keep    bool
	to      io.Writer
	lines   *Out
	text    []byte
	tally   usher.Tally
	dropped Counts
	long    bool // within a line that was too long for the buffer
}

func (s *stream) copy(ctx context.Context, in io.Reader) error {
	buffer := make([]byte, streamBuffer)
	have := 0
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, err := in.Read(buffer[have:])
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return fmt.Errorf("read ids: %w", err)
		}
		have += n
		used, werr := s.take(buffer[:have], last)
		if werr != nil {
			return fmt.Errorf("write digests: %w", werr)
		}
		have = copy(buffer, buffer[used:have])
		if last {
			return nil
		}
	}
}

// take uses up the whole lines of in. Where the buffer is full without an end
// of a line in it, that line is counted and its rest is skipped as it comes.
func (s *stream) take(in []byte, last bool) (used int, _ error) {
	if s.long {
		end := bytes.IndexByte(in, '\n')
		if end < 0 {
			return len(in), nil
		}
		s.long, used = false, end+1
	}
	for used < len(in) {
		n := s.hasher.Lines(s.lines, in[used:], s.keep, last)
		if n == 0 {
			break
		}
		used += n
		if err := s.write(); err != nil {
			return used, err
		}
	}
	if used == 0 && len(in) == streamBuffer {
		s.long, used = true, len(in)
		s.lines.reset()
		s.lines.reject(Shape, 0, len(in))
		return used, s.write()
	}
	return used, nil
}

// write writes what the last call of Lines came to.
func (s *stream) write() error {
	text, rejects := s.text[:0], s.lines.Rejects
	for i := range s.lines.Digests {
		for s.keep && len(rejects) > 0 && rejects[0].Row < s.lines.Rows[i] {
			text, rejects = append(text, '\n'), rejects[1:]
		}
		text = append(s.lines.Digests[i].AppendHex(text), '\n')
	}
	for range rejects {
		if s.keep {
			text = append(text, '\n')
		}
	}
	s.text = text
	s.count()
	if len(text) == 0 {
		return nil
	}
	_, err := s.to.Write(text)
	return err
}

func (s *stream) count() {
	s.tally.Accepted += int64(len(s.lines.Digests))
	s.tally.Read += int64(s.lines.Count)
	for _, r := range s.lines.Rejects {
		if r.Reason == Empty && r.From == r.To {
			s.tally.Read-- // a blank line, which is a row only so that a line is kept for it
			continue
		}
		s.dropped[r.Reason]++
	}
}
