package exports

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"path"
	"strings"

	"usher"
	"usher/internal/exports/places"
)

const (
	maxMembers   = 1000    // of a zip archive
	maxDirectory = 1 << 20 // bytes of the list of members
)

// archive is a zip archive, whose members are the files of an export.
type archive struct {
	file    *places.File
	ctx     context.Context // of the reads that follow
	members []*zip.File     // in the archive's order, without folders and the systems' own files
	err     error           // the first error of reading the file
	made    int64           // bytes of members that were read
	most    int64           // more bytes are a bomb
}

// isZip reports whether a file begins as a zip archive does.
func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// ReadAt implements io.ReaderAt for package zip.
func (a *archive) ReadAt(p []byte, off int64) (int, error) {
	n, err := a.file.ReadAt(a.ctx, p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		a.err = err
	}
	return n, err
}

// openArchive reads the list of members of f, whose size must be known.
func (o *Opener) openArchive(ctx context.Context, f *places.File) (*archive, error) {
	if f.Size < 0 {
		return nil, f.Broken("serve it with a Content-Length and ranges, or compress it with gzip", "a zip archive is read from its end, and where that is cannot be told")
	}
	a := &archive{file: f, ctx: ctx, most: max(freeExpansion, o.options.MaxRatio*f.Size)}
	if err := a.checkDirectory(); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(a, f.Size)
	if err != nil {
		return nil, a.judge(err)
	}
	for _, m := range z.File {
		name := path.Base(m.Name)
		switch {
		case m.Name == "[Content_Types].xml":
			return nil, f.Broken("save it as CSV", "it is a spreadsheet (.xlsx)")
		case strings.HasSuffix(m.Name, "/"), strings.HasPrefix(name, "."), strings.HasPrefix(m.Name, "__MACOSX/"):
			continue
		case m.Flags&1 != 0:
			return nil, f.Broken("pack it without a password", "its zip archive is encrypted")
		case m.Method != zip.Store && m.Method != zip.Deflate:
			return nil, f.Broken("pack it with the usual method, deflate", "its zip archive uses method %d, which usher does not read", m.Method)
		}
		a.members = append(a.members, m)
	}
	if len(a.members) == 0 {
		return nil, f.Broken("pack the export into it", "its zip archive has no files")
	}
	return a, nil
}

// checkDirectory refuses a list of members that is too long, before it is read.
func (a *archive) checkDirectory() error {
	const endBytes = 22
	tail := make([]byte, min(a.file.Size, 64<<10+endBytes))
	if err := a.file.ReadFull(a.ctx, tail, a.file.Size-int64(len(tail))); err != nil {
		return err
	}
	at := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if at < 0 || len(tail)-at < endBytes {
		return a.judge(io.ErrUnexpectedEOF)
	}
	end := tail[at:]
	members, size := binary.LittleEndian.Uint16(end[10:]), binary.LittleEndian.Uint32(end[12:])
	if members > maxMembers || size > maxDirectory {
		return a.file.Broken("pack fewer files into an archive, or put them into a folder", "its zip archive has more than %d files, or their names are too long", maxMembers)
	}
	return nil
}

// judge returns the error for the job that reading the archive has led to.
func (a *archive) judge(err error) error {
	switch {
	case a.err != nil:
		return a.err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, zip.ErrFormat):
		return a.file.Broken("write the export again and submit the job when the file is complete", "its zip archive is truncated or damaged")
	}
	return a.file.Broken("write the export again and submit the job when the file is complete", "its zip archive is damaged")
}

// memberReader reads a member. It returns io.EOF only if the member's checksum is
// right. Damage and a bomb are source_broken.
type memberReader struct {
	archive *archive
	in      io.ReadCloser
}

func (a *archive) open(i int) (*memberReader, error) {
	in, err := a.members[i].Open()
	if err != nil {
		return nil, a.judge(err)
	}
	return &memberReader{archive: a, in: in}, nil
}

// Read implements io.Reader.
func (r *memberReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	a := r.archive
	a.made += int64(n)
	switch {
	case a.made > a.most:
		return 0, a.file.Broken("if the export is real, unpack it and submit it again", "its zip archive expands as a bomb does")
	case err == nil, errors.Is(err, io.EOF):
		return n, err
	}
	return n, a.judge(err)
}

func (r *memberReader) close() { _ = r.in.Close() } // only read

// verifyArchive is verify for an archive.
func (o *Opener) verifyArchive(ctx context.Context, f *places.File) error {
	a, err := o.openArchive(ctx, f)
	if err != nil {
		return err
	}
	check := usher.Check{}
	for _, m := range a.members {
		check.Of += int64(min(m.UncompressedSize64, 1<<50)) // a claim; the sum over maxMembers fits
	}
	defer o.progress(nil)
	for i := range a.members {
		in, err := a.open(i)
		if err != nil {
			return err
		}
		_, err = io.Copy(countingWriter(func(n int) {
			check.At += int64(n)
			o.progress(&check)
		}), in)
		in.close()
		if err != nil {
			return err
		}
	}
	return nil
}
