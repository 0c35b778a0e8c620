package unpack

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode"

	"usher/internal/exports/places"
)

const (
	maxMembers   = 1000    // of a zip archive
	maxDirectory = 1 << 20 // bytes of the list of members
)

// Archive is an open zip archive. It is for one goroutine at a time.
type Archive struct {
	file    *places.File
	ctx     context.Context // of the reads that follow
	members []*zip.File     // in the archive's order
	err     error           // the first error of reading the file
	made    int64           // bytes of members that were read
	most    int64           // more bytes are a bomb
}

// IsZip reports whether a file begins as a zip archive does.
func IsZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// ReadAt implements io.ReaderAt for package zip.
func (a *Archive) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, zip.ErrFormat // the directory is damaged
	}
	n, err := a.file.ReadAt(a.ctx, p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		a.err = err
	}
	return n, err
}

// OpenArchive reads the list of members of f, whose size must be known. Members that expand to more than
// maxRatio times the size of f are a bomb.
func OpenArchive(ctx context.Context, f *places.File, maxRatio int64) (*Archive, error) {
	if f.Size < 0 {
		return nil, f.Broken("serve it with a Content-Length and ranges, or compress it with gzip", "a zip archive is read from its end, and its server does not say how long it is")
	}
	a := &Archive{file: f, ctx: ctx, most: max(FreeExpansion, maxRatio*f.Size)}
	if err := a.checkDirectory(); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(a, f.Size)
	if err != nil {
		return nil, a.jobError(err)
	}
	a.members = z.File
	return a, a.refuseDocument()
}

// SetContext sets the context of the reads that follow.
func (a *Archive) SetContext(ctx context.Context) { a.ctx = ctx }

// Len returns the number of members.
func (a *Archive) Len() int { return len(a.members) }

// Names returns the names of the members, with the folders that they are in.
func (a *Archive) Names() []string {
	names := make([]string, len(a.members))
	for i, m := range a.members {
		names[i] = strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(m.Name, `\`, "/")), "/")
	}
	return names
}

// Size returns how many bytes the members have by the list of members.
func (a *Archive) Size() int64 {
	var size int64
	for _, m := range a.members {
		size += int64(min(m.UncompressedSize64, 1<<50)) // a claim; the sum over maxMembers fits
	}
	return size
}

// refuseDocument refuses archives that are documents, but not workbooks that are read.
func (a *Archive) refuseDocument() error {
	const unread = "it is %s, which usher does not read"
	switch {
	case a.Find("mimetype") >= 0 && a.Find("content.xml") >= 0:
		return a.file.Broken(saveSheet, unread, "an OpenDocument spreadsheet or text (.ods)")
	case a.Find("[Content_Types].xml") < 0:
		return nil
	case a.Find("xl/workbook.bin") >= 0:
		return a.file.Broken(saveSheet, unread, "a binary workbook (.xlsb)")
	case a.Find("xl/workbook.xml") < 0:
		return a.file.Broken(saveSheet, unread, "an Office document")
	}
	return nil
}

// Find returns the index of a member, -1 if there is none.
func (a *Archive) Find(name string) int {
	return slices.IndexFunc(a.members, func(m *zip.File) bool { return strings.EqualFold(m.Name, name) })
}

// OpenFiles is OpenArchive for an archive of the files of an export. It leaves out folders and the
// systems' own files.
func OpenFiles(ctx context.Context, f *places.File, maxRatio int64) (*Archive, error) {
	a, err := OpenArchive(ctx, f, maxRatio)
	if err != nil {
		return nil, err
	}
	all := a.members
	a.members = nil
	for _, m := range all {
		name := path.Base(m.Name)
		if strings.HasSuffix(m.Name, "/") || strings.HasPrefix(name, ".") || strings.HasPrefix(m.Name, "__MACOSX/") {
			continue
		}
		if err := a.refuseMember(m); err != nil {
			return nil, err
		}
		a.members = append(a.members, m)
	}
	if len(a.members) == 0 {
		return nil, f.Broken("pack the export into it", "its zip archive has no files")
	}
	return a, nil
}

// NameOf names a member in messages: by its number, and by its name if that is a plain
// one.
func (a *Archive) NameOf(i int) places.Origin {
	name := path.Base(a.members[i].Name)
	plain := func(r rune) bool {
		return r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._- ", r))
	}
	if len(name) > 64 || strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return places.Origin(fmt.Sprintf("%s, file %d of its archive", a.file.Origin, i+1))
	}
	return places.Origin(fmt.Sprintf("%s, file %d of its archive (%s)", a.file.Origin, i+1, name))
}

// OriginOf is NameOf for an archive of several files. An archive of one file is named as
// that file.
func (a *Archive) OriginOf(i int) places.Origin {
	if len(a.members) == 1 {
		return a.file.Origin
	}
	return a.NameOf(i)
}

func (a *Archive) refuseMember(m *zip.File) error {
	switch {
	case m.Flags&1 != 0:
		return a.file.Broken("pack it without a password", "its zip archive is encrypted")
	case m.Method != zip.Store && m.Method != zip.Deflate:
		return a.file.Broken("pack it with the usual method, deflate", "its zip archive uses method %d, which usher does not read", m.Method)
	}
	return nil
}

// checkDirectory refuses a list of members that is too long, before it is read. It also refuses
// an archive with other data before or behind it, such as another archive: that would be left out.
func (a *Archive) checkDirectory() error {
	const (
		endBytes     = 22
		locatorBytes = 20 // of zip64, before the end
	)
	tail := make([]byte, min(a.file.Size, 64<<10+endBytes))
	if err := a.file.ReadFull(a.ctx, tail, a.file.Size-int64(len(tail))); err != nil {
		return err
	}
	at := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if at < 0 || len(tail)-at < endBytes {
		return a.jobError(io.ErrUnexpectedEOF)
	}
	end := tail[at:]
	members, size := binary.LittleEndian.Uint16(end[10:]), binary.LittleEndian.Uint32(end[12:])
	if members > maxMembers || size > maxDirectory {
		return a.file.Broken("pack fewer files into an archive, or put them into a folder", "its zip archive has more than %d files, or their names are too long", maxMembers)
	}
	behind := len(end) - endBytes - int(binary.LittleEndian.Uint16(end[20:]))
	begin := a.file.Size - int64(len(end)) - int64(size) - int64(binary.LittleEndian.Uint32(end[16:]))
	if at >= locatorBytes && bytes.HasPrefix(tail[at-locatorBytes:], []byte("PK\x06\x07")) {
		begin = 0 // package zip compares the offsets of zip64
	}
	if behind > 0 || begin > 0 {
		return a.file.Broken("submit a job for each of the files that were put together here", "there is other data before or behind its zip archive")
	}
	return nil
}

// jobError returns the error for the job that reading the archive has led to.
func (a *Archive) jobError(err error) error {
	switch {
	case a.err != nil:
		return a.err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, zip.ErrFormat):
		return a.file.Broken("write the export again and submit the job when the file is complete", "its zip archive is truncated or damaged (an .xlsx workbook is one, too)")
	}
	return a.file.Broken("write the export again and submit the job when the file is complete", "its zip archive is damaged")
}

// memberReader reads a member. Read returns io.EOF only if the member's checksum is
// right. Damage and a bomb are source_broken.
type memberReader struct {
	archive *Archive
	in      io.ReadCloser
}

// OpenMember opens a member. The bytes of all members that were opened count as the archive's.
func (a *Archive) OpenMember(i int) (io.ReadCloser, error) {
	in, err := a.members[i].Open()
	if err != nil {
		return nil, a.jobError(err)
	}
	return &memberReader{archive: a, in: in}, nil
}

// OpenPart opens a part of a document, which may be opened again and again.
func (a *Archive) OpenPart(i int) (io.ReadCloser, error) {
	if err := a.refuseMember(a.members[i]); err != nil {
		return nil, err
	}
	a.made = 0
	return a.OpenMember(i)
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
	return n, a.jobError(err)
}

// Close implements io.Closer.
func (r *memberReader) Close() error { return r.in.Close() }

// OnceHint is what to do about a file that is compressed in itself and as a whole.
func OnceHint(raw []byte) string {
	if BeginsWorkbook(raw) {
		return "give the workbook as it is: it is compressed inside"
	}
	return "compress it once only"
}

// BeginsWorkbook reports whether raw is the beginning of an .xlsx workbook.
func BeginsWorkbook(raw []byte) bool {
	return IsZip(raw) && (bytes.Contains(raw, []byte("[Content_Types].xml")) || bytes.Contains(raw, []byte("xl/workbook.xml")))
}
