package places

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"usher"
)

// page is a file on an https server.
type page struct {
	Origin
	client *http.Client
	url    string
	places *Allowed
	etag   string // of the first answer, where it is a strong one
}

// get implements get. One call at a time.
func (p *page) get(ctx context.Context, off, n int64) (answer, error) {
	res, err := p.ask(ctx, fmt.Sprintf("bytes=%d-%d", off, off+n-1))
	if err != nil {
		return answer{}, err
	}
	if needsWhole(res) {
		_ = res.Body.Close()
		if res, err = p.ask(ctx, ""); err != nil {
			return answer{}, err
		}
	}
	a, err := p.judge(res, off)
	if err != nil {
		_ = res.Body.Close()
		return answer{}, err
	}
	if etag := res.Header.Get("ETag"); strings.HasPrefix(etag, `"`) {
		p.etag = etag
	}
	return a, nil
}

// needsWhole reports whether only an answer without ranges will do: the file may
// be empty, or shorter now; or ranges of it could be of different states.
func needsWhole(res *http.Response) bool {
	switch res.StatusCode {
	case http.StatusRequestedRangeNotSatisfiable:
		return true
	case http.StatusPartialContent:
		_, _, total := contentRange(res)
		return total < 0 || pageStamp(res.Header) == ""
	}
	return false
}

func (p *page) ask(ctx context.Context, span string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, nil)
	if err != nil {
		return nil, p.refused("give the URL as the server has it", "its URL cannot be asked for")
	}
	req.Header.Set("User-Agent", "usher")
	req.Header.Set("Accept-Encoding", "identity")
	if span != "" {
		req.Header.Set("Range", span)
		if p.etag != "" {
			req.Header.Set("If-Range", p.etag)
		}
	}
	res, err := p.client.Do(req)
	if err != nil {
		return nil, p.refusal(err)
	}
	return res, nil
}

// judge turns a server's answer to a request for the bytes from off on into
// ours.
func (p *page) judge(res *http.Response, off int64) (answer, error) {
	a := answer{body: res.Body, state: state{Size: res.ContentLength, Stamp: pageStamp(res.Header)}}
	switch code := res.StatusCode; {
	case code == http.StatusOK:
		chunked := len(res.TransferEncoding) > 0
		if res.ContentLength < 0 && res.ProtoMajor < 2 && !chunked {
			return a, p.Broken("let the server send Content-Length, or the body in chunks",
				"its server gives no length: nobody could tell whether it came whole")
		}
		a.skip, a.state.Whole = off, true
		return a, nil
	case code == http.StatusPartialContent:
		from, to, total := contentRange(res)
		if from != off || to < from || to >= total {
			return a, p.Broken("correct the server, or let it serve no ranges", "its server sends another range than it was asked for")
		}
		a.state.Size = total
		a.body = &exactly{ReadCloser: res.Body, left: to - from + 1}
		return a, nil
	case code == http.StatusNotFound, code == http.StatusGone:
		return a, p.missing()
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return a, p.refused("give a URL that may be read, such as a newly signed one: the old one may have expired", "its server answers %d", code)
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		return a, p.later(res)
	}
	return a, p.refused("look at what the server says to a GET of this URL", "its server answers %d", res.StatusCode)
}

// later is an answer that may be another in a while.
func (p *page) later(res *http.Response) error {
	err := fmt.Errorf("its server answers %d", res.StatusCode)
	if after := retryAfter(res.Header.Get("Retry-After"), time.Now()); after > 0 {
		return &usher.RetryAfter{After: after, Why: "the export's server asks to come back later", Err: p.Failed("read", err)}
	}
	return err
}

// retryAfter reads the header of that name: seconds, or a date; 0 where it says
// nothing. No answer keeps a job away for more than an hour.
func retryAfter(value string, now time.Time) time.Duration {
	var after time.Duration
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		after = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		after = at.Sub(now)
	}
	return min(max(after, 0), time.Hour)
}

// contentRange reads the header of that name, "bytes 0-99/1234"; total is -1
// where it does not say that.
func contentRange(res *http.Response) (from, to, total int64) {
	var rest string
	n, _ := fmt.Sscanf(res.Header.Get("Content-Range"), "bytes %d-%d/%d%s", &from, &to, &total, &rest)
	if n != 3 || from < 0 || to < 0 || total < 0 {
		return 0, 0, -1
	}
	return from, to, total
}

// pageStamp is the stamp of an answer with these headers: by its ETag where it
// has a strong one, else by all that there is.
func pageStamp(h http.Header) string {
	said := h.Get("ETag")
	if !strings.HasPrefix(said, `"`) {
		said += "\n" + h.Get("Last-Modified")
	}
	if said == "\n" {
		return ""
	}
	sum := sha256.Sum256([]byte(said))
	return hex.EncodeToString(sum[:16])
}

// exactly is a body of left more bytes: one that ends before is short, and what
// comes after is not read.
type exactly struct {
	io.ReadCloser

	left int64
}

func (e *exactly) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.ReadCloser.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	if e.left > 0 && errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	} else if e.left == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}
