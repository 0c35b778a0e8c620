package files

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"usher/hashing"
	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
)

// IDs is a file of ids as it was sent.
type IDs struct {
	Digests     []byte // 16 bytes each, in the order of the file, including repeats; empty with FingerprintOnly
	Filename    string
	Fingerprint hashing.Fingerprint // of all digests: a repeat counts again
}

// ListOptions are the settings of ReadIDs.
type ListOptions struct {
	Field           string // of the multipart form
	AnyID           bool   // an id may be any text, which stands for its MD5, not only 32 hex characters
	FingerprintOnly bool   // do not store Digests
}

// uploadLimit is the maximum size of a body, in bytes.
const uploadLimit = 1 << 30

func uploadTooLarge() error {
	return envelope.TooLarge("a body must have at most %d bytes", uploadLimit)
}

// ReadIDs reads the file of a multipart form.
func ReadIDs(r *http.Request, o ListOptions) (*IDs, error) {
	boundary, err := boundaryOf(r, o.Field)
	if err != nil {
		return nil, err
	}
	if r.ContentLength > uploadLimit {
		return nil, uploadTooLarge()
	}
	ids := &IDs{Filename: o.Field}
	if !o.FingerprintOnly {
		ids.Digests = make([]byte, 0, min(max(r.ContentLength, 0)/33*16+16, 64<<20))
	}
	items := &itemReader{ListOptions: o, ids: ids}
	body := bufio.NewReaderSize(http.MaxBytesReader(nil, r.Body, uploadLimit), readBuffer)

	known := rtb.Preamble(o.Field, rtb.DefaultFilename)
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
		return "", envelope.Malformed("Content-Type must be multipart/form-data with a boundary and a file field named %s", field)
	}
	return parameters["boundary"], nil
}

// readKnown reads a body in the form that usher sends. The end of the list follows from the
// length of the body, so readKnown need not search for a boundary.
func readKnown(body *bufio.Reader, length int64, preamble []byte, items *itemReader) error {
	epilogue := rtb.Epilogue()
	inside := length - int64(len(preamble)) - int64(len(epilogue))
	if inside < 0 {
		return envelope.Malformed("Content-Length must be that of the multipart body")
	}
	if _, err := body.Discard(len(preamble)); err != nil {
		return envelope.Malformed("the multipart body ended early")
	}
	if err := items.read(io.LimitReader(body, inside)); err != nil {
		return err
	}
	end := make([]byte, len(epilogue)+1)
	if n, err := io.ReadFull(body, end); !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(end[:n], epilogue) {
		return envelope.Malformed("the multipart body does not end where Content-Length says")
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
			return envelope.Truncated(err, "the multipart body is broken")
		}
		if part.FormName() != items.Field {
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
		return envelope.Malformed("the multipart body has no file field named %s", items.Field)
	}
	return nil
}
