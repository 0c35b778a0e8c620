package places

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"usher"
)

// web reads from https servers.
type web struct {
	allowed  *Allowed
	roots    func() *x509.CertPool
	patience patience

	mu     sync.Mutex
	client *http.Client // for the roots that were current when the last file was opened
}

// maxRedirects is how many redirects are followed.
const maxRedirects = 5

func newWeb(allowed *Allowed, roots func() *x509.CertPool, private []netip.Prefix) *web {
	d := &dialer{Dialer: net.Dialer{Timeout: dialTime}, private: private}
	return &web{allowed: allowed, roots: roots, patience: defaultPatience, client: &http.Client{
		Transport: &http.Transport{
			// Without a proxy, since the address that it connects to could not be
			// checked. Without HTTP/2, so that each part has its own connection, and a
			// response ends where the server has ended it.
			DialContext:            d.dial,
			TLSClientConfig:        &tls.Config{RootCAs: roots(), MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    dialTime,
			ResponseHeaderTimeout:  30 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        30 * time.Second,
			DisableCompression:     true, // a compressed body has another length and ETag
		},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			req.Header.Del("Referer") // its query may be a secret
			if len(via) > maxRedirects {
				return errRedirects
			}
			at, err := parseLocation(req.URL.String())
			if err != nil || at.scheme != "https" || allowed.allow("", at) != nil {
				return errOutside
			}
			return nil
		},
	}}
}

var (
	errRedirects = errors.New("it is redirected too often")
	errOutside   = errors.New("it is redirected out of the allowed places")
)

func (w *web) open(ctx context.Context, from Origin, at Location, first Range, meter *Meter) (content, error) {
	if err := w.allowed.allow(from, at); err != nil {
		return nil, err
	}
	file := w.file(from, at)
	r, err := openRanged(ctx, from, file.request, w.patience, first, meter)
	if err != nil {
		return nil, err // not a nil *ranged in an interface
	}
	return r, nil
}

func (w *web) file(from Origin, at Location) *webFile {
	return &webFile{origin: from, client: w.currentClient(), url: at.request, allowed: w.allowed}
}

// currentClient returns a client that trusts the current roots.
func (w *web) currentClient() *http.Client {
	w.mu.Lock()
	defer w.mu.Unlock()
	transport, _ := w.client.Transport.(*http.Transport)
	if roots := w.roots(); roots != transport.TLSClientConfig.RootCAs {
		transport.CloseIdleConnections()
		transport = transport.Clone()
		transport.TLSClientConfig.RootCAs = roots
		w.client = &http.Client{Transport: transport, CheckRedirect: w.client.CheckRedirect}
	}
	return w.client
}

// close closes idle connections.
func (w *web) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.client.CloseIdleConnections()
}

// refusal returns the error for the job of a connection that failed. Other errors it
// returns without the URL.
func (f *webFile) refusal(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errPrivate):
		return f.origin.private()
	case errors.Is(err, errOutside):
		return f.origin.refused("give the URL that it leads to, or allow that place; allowed are: "+f.allowed.String(), "%s", errOutside)
	case errors.Is(err, errRedirects):
		return f.origin.refused("give the final URL", "%s", errRedirects)
	case errors.As(err, &untrusted):
		return f.origin.permanent(usher.SourceRefused, "have the server's certificate renewed; for an authority of your own, set sources.https_ca", "open",
			"its server's certificate is not trusted: "+untrusted.Err.Error())
	case errors.Is(err, http.ErrSchemeMismatch):
		return f.origin.refused("let the server speak TLS at that port", "its server does not speak TLS")
	}
	return requestError(err)
}

// webFile is a file on an https server.
type webFile struct {
	origin  Origin
	client  *http.Client
	url     string
	allowed *Allowed
	etag    string // of the first response, if it is a strong one
}

// request is a requestFunc. It is not safe for concurrent use.
func (f *webFile) request(ctx context.Context, off, n int64) (response, error) {
	res, err := f.get(ctx, fmt.Sprintf("bytes=%d-%d", off, off+n-1))
	if err != nil {
		return response{}, err
	}
	if needsWhole(res) {
		_ = res.Body.Close()
		if res, err = f.get(ctx, ""); err != nil {
			return response{}, err
		}
	}
	out, err := f.checkResponse(res, off)
	if err != nil {
		_ = res.Body.Close()
		return response{}, err
	}
	if etag := res.Header.Get("ETag"); strings.HasPrefix(etag, `"`) {
		f.etag = etag
	}
	return out, nil
}

// needsWhole reports whether the file must be requested as a whole: it may be empty or
// shorter than before, or its ranges could be of different states.
func needsWhole(res *http.Response) bool {
	switch res.StatusCode {
	case http.StatusRequestedRangeNotSatisfiable:
		return true
	case http.StatusPartialContent:
		_, _, total := contentRange(res)
		return total < 0 || stampOfHeader(res.Header) == ""
	}
	return false
}

// get sends a GET for a range, or for the whole file if the range is empty.
func (f *webFile) get(ctx context.Context, byteRange string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url, nil)
	if err != nil {
		return nil, f.origin.refused("give the URL as the server has it", "its URL cannot be requested")
	}
	req.Header.Set("User-Agent", "usher")
	req.Header.Set("Accept-Encoding", "identity")
	if byteRange != "" {
		req.Header.Set("Range", byteRange)
		if f.etag != "" {
			req.Header.Set("If-Range", f.etag)
		}
	}
	res, err := f.client.Do(req)
	if err != nil {
		return nil, f.refusal(err)
	}
	return res, nil
}

// checkResponse turns the response to a request for the bytes from offset off on into a
// response of ours, or into an error.
func (f *webFile) checkResponse(res *http.Response, off int64) (response, error) {
	out := response{body: res.Body, state: state{Size: res.ContentLength, Stamp: stampOfHeader(res.Header)}}
	switch code := res.StatusCode; {
	case code == http.StatusOK:
		chunked := len(res.TransferEncoding) > 0
		if res.ContentLength < 0 && res.ProtoMajor < 2 && !chunked {
			return out, f.origin.Broken("let the server send Content-Length, or the body in chunks",
				"its server sends no length, so a truncated copy cannot be detected")
		}
		out.skip, out.state.Whole = off, true
		return out, nil
	case code == http.StatusPartialContent:
		from, to, total := contentRange(res)
		if from != off || to < from || to >= total {
			return out, f.origin.Broken("correct the server, or let it serve no ranges", "its server sends another range than it was asked for")
		}
		out.state.Size = total
		out.body = &exactly{ReadCloser: res.Body, left: to - from + 1}
		return out, nil
	case code == http.StatusNotFound, code == http.StatusGone:
		return out, f.origin.missing()
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return out, f.origin.refused("give a URL that may be read, such as a newly signed one: the old one may have expired", "its server answers %d", code)
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		return out, f.later(res)
	}
	return out, f.origin.refused("check how the server responds to a GET of this URL", "its server answers %d", res.StatusCode)
}

// later returns the error for a response that may be another one after a while.
func (f *webFile) later(res *http.Response) error {
	err := fmt.Errorf("its server answers %d", res.StatusCode)
	now, undated := http.ParseTime(res.Header.Get("Date")) // by the clock of a date in Retry-After
	if undated != nil {
		now = time.Now()
	}
	if after := retryAfter(res.Header.Get("Retry-After"), now); after > 0 {
		return &usher.RetryAfter{After: after, Why: "the export's server asks for a later attempt", Err: f.origin.Failed("read", err)}
	}
	return err
}

// retryAfter parses the header of that name: seconds, or a date. It returns 0 for
// anything else, and at most an hour.
func retryAfter(value string, now time.Time) time.Duration {
	var after time.Duration
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		after = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		after = at.Sub(now)
	}
	return min(max(after, 0), time.Hour)
}

// contentRange parses the header of that name, "bytes 0-99/1234". total is -1 if the
// header has another form.
func contentRange(res *http.Response) (from, to, total int64) {
	var rest string
	n, _ := fmt.Sscanf(res.Header.Get("Content-Range"), "bytes %d-%d/%d%s", &from, &to, &total, &rest)
	if n != 3 || from < 0 || to < 0 || total < 0 {
		return 0, 0, -1
	}
	return from, to, total
}

// stampOfHeader returns the stamp of a response: of its ETag if that is a strong one,
// otherwise of the weak ETag and Last-Modified.
func stampOfHeader(h http.Header) string {
	text := h.Get("ETag")
	if !strings.HasPrefix(text, `"`) {
		text += "\n" + h.Get("Last-Modified")
	}
	if text == "\n" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// exactly is a body of which left bytes are wanted. It is an error if the body ends
// before, and the rest of the body is not read.
type exactly struct {
	io.ReadCloser

	left int64
}

// Read implements io.Reader.
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
