package rtb

import (
	"errors"
	"io"
	"strings"
	"sync"

	"usher"
)

// File is a file in a multipart body: either Batch, or Content with its Size. Its length
// is known before it is sent, and it can be read more than once.
type File struct {
	// Batch is encoded as text while it is sent. The transport retains it until it has
	// closed the body, which may be after the call has returned.
	Batch *usher.Batch

	Name    string      // sent to the platform; empty: DefaultFilename
	Content io.ReaderAt // if Batch is nil
	Size    int64       // of Content, in bytes
}

// Boundary is the multipart boundary of every upload. It is constant, so that the length
// of a body is known in advance; no list of digests contains it.
const Boundary = "usher-0f6e2c5b9a7d4813-boundary"

// Preamble returns the part of a body with one field that precedes the file.
func Preamble(name, filename string) []byte {
	return []byte("--" + Boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"; filename=\"" + filename +
		"\"\r\nContent-Type: application/octet-stream\r\n\r\n")
}

// Epilogue returns the part of a body that follows the file.
func Epilogue() []byte { return []byte("\r\n--" + Boundary + "--\r\n") }

// DefaultFilename is the name of a file whose Name is empty. It reveals nothing about
// the origin of the digests.
const DefaultFilename = "ids.txt"

// body returns the length of the whole body and a function that opens it from its
// first byte.
func (f File) body(field string) (int64, func() io.ReadCloser) {
	frame := frame{before: Preamble(field, f.filename()), content: f.Content, size: f.Size, after: Epilogue()}
	release := func() {}
	if f.Batch != nil {
		frame.content, frame.size, release = f.Batch, f.Batch.Size(), f.Batch.Release
	}
	return frame.length(), func() io.ReadCloser {
		if f.Batch != nil {
			f.Batch.Retain()
		}
		return &fileBody{frame: frame, release: sync.OnceFunc(release)}
	}
}

func (f File) filename() string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == '\\' || r == 0x7f {
			return '_'
		}
		return r
	}, f.Name)
	if name == "" {
		return DefaultFilename
	}
	return name
}

// frame is a file with the parts that precede and follow it in a body.
type frame struct {
	before  []byte
	content io.ReaderAt
	size    int64 // of content, in bytes
	after   []byte
}

func (f *frame) length() int64 { return int64(len(f.before)) + f.size + int64(len(f.after)) }

// fileBody reads a framed file. It retains a batch until Close, because net/http may
// still read the body after it has returned the answer (an early 413) or the request was
// cancelled. Without that, the batch's memory might be reused meanwhile.
type fileBody struct {
	frame
	at      int64 // offset of the next byte
	release func()
}

// Read fills p unless the body ends earlier.
func (b *fileBody) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	content := b.at - int64(len(b.before))
	if content < 0 {
		n = copy(p, b.before[b.at:])
		content += int64(n)
	}
	if rest := b.size - content; n < len(p) && rest > 0 {
		var read int
		read, err = b.content.ReadAt(p[n:n+int(min(int64(len(p)-n), rest))], content)
		n += read
		content += int64(read)
		if errors.Is(err, io.EOF) && content == b.size {
			err = nil
		}
	}
	if after := content - b.size; err == nil && n < len(p) && after >= 0 {
		n += copy(p[n:], b.after[after:])
	}
	b.at += int64(n)
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

// Close releases the batch. It may be called more than once.
func (b *fileBody) Close() error {
	b.release()
	return nil
}
