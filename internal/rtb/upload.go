package rtb

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"usher"
)

// File is a file in a multipart body: a Batch, or Content with its Size. Its
// length is known and it can be read again from the start.
type File struct {
	Batch *usher.Batch // framed in its own buffer, without a copy

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
	preamble, epilogue := Preamble(field, f.filename()), Epilogue()
	if f.Batch != nil {
		framed := f.Batch.Frame(preamble, epilogue)
		return int64(len(framed)), func() io.ReadCloser { return openBatch(f.Batch, framed) }
	}
	length := int64(len(preamble)) + f.Size + int64(len(epilogue))
	return length, func() io.ReadCloser {
		content := io.NewSectionReader(f.Content, 0, f.Size)
		return io.NopCloser(io.MultiReader(bytes.NewReader(preamble), content, bytes.NewReader(epilogue)))
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

// batchBody reads a framed batch and holds it until it is closed: net/http may
// read on after the answer (an early 413, a cancel), and the batch's next user
// would write over bytes on the wire.
type batchBody struct {
	bytes.Reader
	framed  []byte
	release func()
}

func openBatch(b *usher.Batch, framed []byte) *batchBody {
	b.Retain()
	body := &batchBody{framed: framed, release: sync.OnceFunc(b.Release)}
	body.Reset(framed)
	return body
}

// Close lets go of the batch, once.
func (b *batchBody) Close() error {
	b.release()
	return nil
}

// writeTo writes what is left of the body in pieces of the write buffer's size,
// so that each has the connection's deadline for itself.
func (b *batchBody) writeTo(w io.Writer) (int64, error) {
	var written int64
	for b.Len() > 0 {
		piece := b.framed[len(b.framed)-b.Len():]
		n, err := w.Write(piece[:min(len(piece), writeBuffer)])
		written += int64(n)
		if _, seekErr := b.Seek(int64(n), io.SeekCurrent); err == nil {
			err = seekErr
		}
		if err != nil {
			return written, err
		}
	}
	return written, nil
}
