package rtb

import (
	"errors"
	"io"
	"strings"
	"sync"

	"usher"
)

// File is a file in a multipart body: a Batch, or Content with its Size. Its
// length is known and it can be read again from the start.
type File struct {
	Batch *usher.Batch // its text is made while it is sent

	Name    string      // the file's name as the platform sees it; empty: a neutral one
	Content io.ReaderAt // where there is no Batch
	Size    int64       // of Content, in bytes
}

// Boundary is the multipart boundary of every upload. It is fixed, so that the
// frame is known beforehand: no digest, and no list of them, contains it.
const Boundary = "usher-0f6e2c5b9a7d4813-boundary"

// Preamble is what stands before the file in a body whose one field is name.
func Preamble(name, filename string) []byte {
	return []byte("--" + Boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"; filename=\"" + filename +
		"\"\r\nContent-Type: application/octet-stream\r\n\r\n")
}

// Epilogue is what stands behind the file.
func Epilogue() []byte { return []byte("\r\n--" + Boundary + "--\r\n") }

// DefaultFilename is the name of a file that has none: it says nothing about
// where its digests came from.
const DefaultFilename = "ids.txt"

// body returns the whole body's length and a function that opens it anew.
func (f File) body(field string) (int64, func() io.ReadCloser) {
	frame := frame{before: Preamble(field, f.filename()), content: f.Content, size: f.Size, behind: Epilogue()}
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

// frame is a file with what stands before and behind it in a body.
type frame struct {
	before  []byte
	content io.ReaderAt
	size    int64 // of content, in bytes
	behind  []byte
}

func (f *frame) length() int64 { return int64(len(f.before)) + f.size + int64(len(f.behind)) }

// fileBody reads a framed file and, where that is a batch, holds it until it is
// closed: net/http may read on after the answer (an early 413, a cancel), and
// the batch's memory would be somebody else's.
type fileBody struct {
	frame
	at      int64 // offset of the next byte
	release func()
}

// Read fills p, unless the body ends before.
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
	if behind := content - b.size; err == nil && n < len(p) && behind >= 0 {
		n += copy(p[n:], b.behind[behind:])
	}
	b.at += int64(n)
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

// Close lets go of the batch, once.
func (b *fileBody) Close() error {
	b.release()
	return nil
}
