package sandbox

import (
	"bufio"
	"bytes"
	"crypto/md5" //nolint:gosec // the platform's user ids are MD5 digests
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"usher/hashing"
	"usher/internal/rtb"
)

// upload is a file of ids as it came in.
type upload struct {
	digests  []byte // 16 bytes each, in the file's order, repeats included
	filename string
	print    Fingerprint // of the digests as they came: repeats count again

	printOnly bool // no digests are kept
}

// Limits of an upload.
const (
	uploadLimit = 1 << 30 // bytes of body
	readBuffer  = 256 << 10
	itemLimit   = 1 << 10 // bytes between two commas, whitespace included
)

// readUpload reads the file of the multipart field name. With anyID an item may
// be any text, whose MD5 stands for it, as well as 32 hex characters. With
// printOnly only the fingerprint is kept.
func readUpload(r *http.Request, name string, anyID, printOnly bool) (*upload, error) {
	mediaType, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "multipart/form-data" || parameters["boundary"] == "" {
		return nil, malformed("Content-Type must be multipart/form-data with a boundary and a file field named %s", name)
	}
	if r.ContentLength > uploadLimit {
		return nil, failure{status: http.StatusRequestEntityTooLarge, message: fmt.Sprintf("a body may have %d bytes", uploadLimit)}
	}
	u := &upload{filename: name, printOnly: printOnly}
	if !printOnly {
		u.digests = make([]byte, 0, min(max(r.ContentLength, 0)/33*16+16, 64<<20))
	}
	list := &listParser{upload: u, field: name, anyID: anyID}
	body := bufio.NewReaderSize(http.MaxBytesReader(nil, r.Body, uploadLimit), readBuffer)

	known := rtb.Preamble(name, rtb.DefaultFilename)
	if start, _ := body.Peek(len(known)); parameters["boundary"] == rtb.Boundary && bytes.Equal(start, known) {
		u.filename = rtb.DefaultFilename
		err = readKnown(body, r.ContentLength, known, list)
	} else {
		err = readForeign(multipart.NewReader(body, parameters["boundary"]), name, list)
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, failure{status: http.StatusRequestEntityTooLarge, message: fmt.Sprintf("a body may have %d bytes", uploadLimit)}
	}
	return u, err
}

// readKnown reads a body of the one shape that usher sends, whose length says
// where the list ends: nothing is searched for.
func readKnown(body *bufio.Reader, length int64, preamble []byte, list *listParser) error {
	epilogue := rtb.Epilogue()
	inside := length - int64(len(preamble)) - int64(len(epilogue))
	if inside < 0 {
		return malformed("Content-Length must be that of the multipart body")
	}
	if _, err := body.Discard(len(preamble)); err != nil {
		return malformed("the multipart body ended early")
	}
	if err := list.read(io.LimitReader(body, inside)); err != nil {
		return err
	}
	end := make([]byte, len(epilogue)+1)
	if n, err := io.ReadFull(body, end); !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(end[:n], epilogue) {
		return malformed("the multipart body does not end where Content-Length says")
	}
	return nil
}

// readForeign reads a body of any other program.
func readForeign(parts *multipart.Reader, name string, list *listParser) error {
	found := false
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return wrapMalformed(err, "the multipart body is broken")
		}
		if part.FormName() != name {
			continue
		}
		found = true
		if part.FileName() != "" {
			list.upload.filename = part.FileName()
		}
		if err := list.read(part); err != nil {
			return err
		}
	}
	if !found {
		return malformed("the multipart body has no file field named %s", name)
	}
	return nil
}

// listParser reads ids delimited by commas. Whitespace and line ends around an
// id are left out; nothing may stand between two commas but an id; one comma at
// the end is well.
type listParser struct {
	upload *upload
	field  string
	anyID  bool
	items  int64

	several [512]hashing.Digest // read at once
}

func (l *listParser) read(r io.Reader) error {
	buffer := make([]byte, readBuffer)
	rest := 0 // bytes of an item that is not whole yet
	before := l.items
	for {
		n, err := r.Read(buffer[rest:])
		data := buffer[:rest+n]
		used, bad := l.parse(data)
		if bad != nil {
			return bad
		}
		rest = copy(buffer, data[used:])
		switch {
		case errors.Is(err, io.EOF):
			return l.finish(buffer[:rest], before)
		case err != nil:
			return wrapMalformed(err, "the file of field "+l.field+" ended early")
		case rest > itemLimit:
			return l.bad()
		}
	}
}

// parse takes the items of data that end in a comma and returns how many bytes
// they have.
func (l *listParser) parse(data []byte) (int, error) {
	from := 0
	for {
		from += l.run(data[from:])
		comma := bytes.IndexByte(data[from:], ',')
		if comma < 0 {
			return from, nil
		}
		if err := l.item(data[from : from+comma]); err != nil {
			return from, err
		}
		from += comma + 1
	}
}

// run takes the items that data begins with as long as they have the usual form:
// 32 hex characters and a comma. It returns how many bytes they have.
func (l *listParser) run(data []byte) (used int) {
	for {
		n := hashing.ParseJoined(l.several[:], data[used:])
		digests := l.several[:n]
		if !l.upload.printOnly {
			for i := range digests {
				l.upload.digests = append(l.upload.digests, digests[i][:]...)
			}
		}
		l.upload.print.addAll(digests)
		l.items += int64(n)
		used += n * (hashing.HexLen + 1)
		if n < len(l.several) {
			return used
		}
	}
}

func (l *listParser) finish(last []byte, before int64) error {
	if len(last) > itemLimit || len(bytes.TrimSpace(last)) > 0 {
		return l.item(last)
	}
	if l.items == before {
		return invalid(l.field, "the file has no ids")
	}
	return nil
}

func (l *listParser) item(text []byte) error {
	if len(text) > itemLimit {
		return l.bad()
	}
	text = bytes.TrimSpace(text)
	var d digest
	switch {
	case len(text) == 32 && decode(&d, text):
	case l.anyID && len(text) > 0:
		d = md5.Sum(text) //nolint:gosec // not for security
	default:
		return l.bad()
	}
	l.take(d)
	return nil
}

func (l *listParser) take(d digest) {
	l.items++
	if !l.upload.printOnly {
		l.upload.digests = append(l.upload.digests, d[:]...)
	}
	l.upload.print.add(d)
}

// bad names an item by its place and never by what it holds.
func (l *listParser) bad() error {
	return invalid(l.field, fmt.Sprintf("item %d is not a hash of 32 hex characters; hashes are delimited by one comma, nothing was applied", l.items+1))
}

// decode reads 32 hex characters of either case.
func decode(d *digest, text []byte) bool {
	var bad byte
	for i := range d {
		high, low := nibbles[text[2*i]], nibbles[text[2*i+1]]
		bad |= high | low
		d[i] = high<<4 | low
	}
	return bad < 16
}

// nibbles are the values of hex characters; 0xff for all others.
var nibbles = func() (table [256]byte) {
	for i := range table {
		table[i] = 0xff
	}
	for i, c := range []byte("0123456789abcdef") {
		table[c] = byte(i)
	}
	for i, c := range []byte("ABCDEF") {
		table[c] = byte(10 + i)
	}
	return table
}()
