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
	"usher/internal/sandbox/operations"
)

// listOptions are the settings of readIDs.
type listOptions struct {
	field           string // of the multipart form
	anyID           bool   // an id may be any text, which stands for its MD5, not only 32 hex characters
	fingerprintOnly bool   // do not store Digests
}

// uploadLimit is the maximum size of a body, in bytes.
const uploadLimit = 1 << 30

func uploadTooLarge() error {
	return operations.TooLarge("a body must have at most %d bytes", uploadLimit)
}

// readIDs reads the file of a multipart form.
func readIDs(r *http.Request, o listOptions) (*operations.IDs, error) {
	boundary, err := boundaryOf(r, o.field)
	if err != nil {
		return nil, err
	}
	if r.ContentLength > uploadLimit {
		return nil, uploadTooLarge()
	}
	ids := &operations.IDs{Filename: o.field}
	if !o.fingerprintOnly {
		ids.Digests = make([]byte, 0, min(max(r.ContentLength, 0)/33*16+16, 64<<20))
	}
	items := &itemReader{listOptions: o, ids: ids}
	body := bufio.NewReaderSize(http.MaxBytesReader(nil, r.Body, uploadLimit), readBuffer)

	known := rtb.Preamble(o.field, rtb.DefaultFilename)
	if start, _ := body.Peek(len(known)); boundary == rtb.Boundary && bytes.Equal(start, known) {
		ids.Filename = rtb.DefaultFilename
		err = readKnown(body, r.ContentLength, known, items)
	} else {
		err = readForeign(multipart.NewReader(body, boundary), items)
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, uploadTooLarge()
	}
	return ids, err
}

// boundaryOf returns the boundary of a multipart form with a file field.
func boundaryOf(r *http.Request, field string) (string, error) {
	mediaType, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "multipart/form-data" || parameters["boundary"] == "" {
		return "", operations.Malformed("Content-Type must be multipart/form-data with a boundary and a file field named %s", field)
	}
	return parameters["boundary"], nil
}

// readKnown reads a body in the form that usher sends. The end of the list follows from the
// length of the body, so readKnown need not search for a boundary.
func readKnown(body *bufio.Reader, length int64, preamble []byte, items *itemReader) error {
	epilogue := rtb.Epilogue()
	inside := length - int64(len(preamble)) - int64(len(epilogue))
	if inside < 0 {
		return operations.Malformed("Content-Length must be that of the multipart body")
	}
	if _, err := body.Discard(len(preamble)); err != nil {
		return operations.Malformed("the multipart body ended early")
	}
	if err := items.read(io.LimitReader(body, inside)); err != nil {
		return err
	}
	end := make([]byte, len(epilogue)+1)
	if n, err := io.ReadFull(body, end); !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(end[:n], epilogue) {
		return operations.Malformed("the multipart body does not end where Content-Length says")
	}
	return nil
}

// readForeign reads a body of any other program, with all files of the field.
func readForeign(parts *multipart.Reader, items *itemReader) error {
	found := false
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return operations.Truncated(err, "the multipart body is broken")
		}
		if part.FormName() != items.field {
			continue
		}
		found = true
		if part.FileName() != "" {
			items.ids.Filename = part.FileName()
		}
		if err := items.read(part); err != nil {
			return err
		}
	}
	if !found {
		return operations.Malformed("the multipart body has no file field named %s", items.field)
	}
	return nil
}

const (
	readBuffer = 256 << 10
	itemLimit  = 1 << 10 // bytes between two commas, whitespace included
)

// itemReader reads ids separated by commas. It ignores whitespace and line ends
// around an id, and one comma at the end of the file. Everything else between
// two commas must be an id.
type itemReader struct {
	listOptions
	ids   *operations.IDs
	count int64

	run [512]hashing.Digest // the result of hashing.ParseJoined
}

func (l *itemReader) read(r io.Reader) error {
	buffer := make([]byte, readBuffer)
	rest := 0 // bytes of an item that is not complete yet
	before := l.count
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
			return operations.Truncated(err, "the file of field "+l.field+" ended early")
		case rest > itemLimit:
			return l.refuse()
		}
	}
}

// parse reads the items of data that end in a comma and returns their length.
func (l *itemReader) parse(data []byte) (int, error) {
	from := 0
	for {
		from += l.parseRun(data[from:])
		comma := bytes.IndexByte(data[from:], ',')
		if comma < 0 {
			return from, nil
		}
		if err := l.parseItem(data[from : from+comma]); err != nil {
			return from, err
		}
		from += comma + 1
	}
}

// parseRun adds the items at the beginning of data that have the usual form, 32 hex characters and a
// comma, and returns their length.
func (l *itemReader) parseRun(data []byte) (used int) {
	for {
		n := hashing.ParseJoined(l.run[:], data[used:])
		digests := l.run[:n]
		if !l.fingerprintOnly {
			for i := range digests {
				l.ids.Digests = append(l.ids.Digests, digests[i][:]...)
			}
		}
		l.ids.Fingerprint.AddAll(digests)
		l.count += int64(n)
		used += n * (hashing.HexLen + 1)
		if n < len(l.run) {
			return used
		}
	}
}

// finish reads the last item of a file. before is the count before this file.
func (l *itemReader) finish(last []byte, before int64) error {
	if len(last) > itemLimit || len(bytes.TrimSpace(last)) > 0 {
		return l.parseItem(last)
	}
	if l.count == before {
		return operations.Invalid(l.field, "the file has no ids")
	}
	return nil
}

func (l *itemReader) parseItem(text []byte) error {
	if len(text) > itemLimit {
		return l.refuse()
	}
	text = bytes.TrimSpace(text)
	d, ok := operations.ParseDigest(text)
	switch {
	case ok:
	case l.anyID && len(text) > 0:
		d = md5.Sum(text) //nolint:gosec // not for security
	default:
		return l.refuse()
	}
	l.count++
	if !l.fingerprintOnly {
		l.ids.Digests = append(l.ids.Digests, d[:]...)
	}
	l.ids.Fingerprint.Add(d)
	return nil
}

// refuse returns an error that names the next item by its position, never by its content.
func (l *itemReader) refuse() error {
	return operations.Invalid(l.field, fmt.Sprintf("item %d is not a hash of 32 hex characters; hashes are delimited by one comma, nothing was applied", l.count+1))
}
