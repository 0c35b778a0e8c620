package places

import (
	"bytes"
	"context"
)

// InMemory returns a file whose bytes are in memory, such as the body of a request.
func InMemory(from Origin, data []byte) *File {
	return &File{Origin: from, state: state{Size: int64(len(data))}, content: inMemory{bytes.NewReader(data)}}
}

// inMemory is the content of a file in memory.
type inMemory struct{ *bytes.Reader }

func (m inMemory) ReadAt(_ context.Context, p []byte, off int64) (int, error) {
	return m.Reader.ReadAt(p, off)
}

// State implements content.
func (m inMemory) State(context.Context) (state, error) { return state{Size: m.Size()}, nil }

// Close implements content.
func (inMemory) Close() error { return nil }
