package intake

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"usher/queues/message"
	"usher/queues/schema"
)

// Limits of bodies.
const (
	bodyLimit     = 64 << 20 // of a job; NATS takes less, see queues.ErrTooLarge
	drainLimit    = 64 << 20 // bytes that are read of a refused body; see drain
	strangerDrain = 1 << 20  // the same for a request without a valid token
)

// A body may take bodyTime, and a second more for each slowestRate bytes of it.
const (
	bodyTime    = 30 * time.Second
	slowestRate = 64 << 10
)

// acquireTime is how long a large body waits for a slot.
const acquireTime = 3 * time.Second

// sizeLimit bounds how many bodies above a size are held at once, because validation needs
// several times their memory.
type sizeLimit struct {
	above int64
	slots chan struct{}
}

func newSizeLimits() []sizeLimit {
	return []sizeLimit{
		{above: 64 << 10, slots: make(chan struct{}, 16)},
		{above: 4 << 20, slots: make(chan struct{}, 1)},
	}
}

// body is the body of a request. It ends with os.ErrDeadlineExceeded if it comes too
// slowly.
type body struct {
	in      *Intake
	w       http.ResponseWriter
	request *http.Request
	control *http.ResponseController
	start   time.Time
	read    int64
	held    int // the number of size limits whose slots it holds
}

func (in *Intake) openBody(w http.ResponseWriter, r *http.Request) *body {
	return &body{in: in, w: w, request: r, control: http.NewResponseController(w), start: time.Now()}
}

// release releases the body's slots. It must be called when the body is no longer used.
func (b *body) release() {
	for ; b.held > 0; b.held-- {
		<-b.in.sizeLimits[b.held-1].slots
	}
}

// readAll returns the whole body, or the response to one that is refused.
func (b *body) readAll() ([]byte, error) {
	if coding := b.request.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		return nil, invalid(schema.Issue{Message: "the body is encoded: send it without Content-Encoding"})
	}
	if b.request.ContentLength > bodyLimit {
		b.in.drain(b.w, b.request, drainLimit)
		return nil, tooLarge()
	}
	data, err := io.ReadAll(io.LimitReader(b, bodyLimit+1))
	var refused *problem
	switch {
	case err == nil && len(data) <= bodyLimit:
		return data, nil
	case err == nil:
		b.release()
		b.in.drain(b.w, b.request, drainLimit)
		return nil, tooLarge()
	case errors.As(err, &refused):
		b.in.drain(b.w, b.request, drainLimit)
		return nil, refused
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, refuse(http.StatusRequestTimeout, "the body came too slowly: %d bytes arrived in %s", len(data), time.Since(b.start).Round(time.Second)).with("Connection", "close")
	}
	return nil, invalid(schema.Issue{Message: "the body breaks off"})
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	allowed := bodyTime + time.Duration(b.read/slowestRate)*time.Second
	if err := b.control.SetReadDeadline(b.start.Add(allowed)); err != nil {
		return 0, err
	}
	n, err := b.request.Body.Read(p)
	b.read += int64(n)
	for b.held < len(b.in.sizeLimits) && b.read > b.in.sizeLimits[b.held].above {
		if refused := b.acquire(b.in.sizeLimits[b.held]); refused != nil {
			return n, refused
		}
		b.held++
	}
	return n, err
}

func (b *body) acquire(t sizeLimit) error {
	timeout := time.NewTimer(acquireTime)
	defer timeout.Stop()
	select {
	case t.slots <- struct{}{}:
		return nil
	case <-timeout.C:
		return unavailable(nil, "other large jobs are being read: try again")
	case <-b.request.Context().Done():
		return b.request.Context().Err()
	}
}

func tooLarge() *problem {
	return refuse(http.StatusRequestEntityTooLarge, "the body has more than %d bytes: name an export in source.url", bodyLimit)
}

// drain reads what is left of a refused body, up to a limit: a client that is still
// sending would otherwise find a broken connection instead of the response.
func (*Intake) drain(w http.ResponseWriter, r *http.Request, limit int64) {
	if r.Header.Get("Expect") != "" {
		return // the client has not sent it
	}
	// An error means that the client is gone or too slow.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime))
	_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, limit))
}

// eventHeader returns the headers of a job in the form of package message. A job may be a
// CloudEvent 1.0 in either HTTP mode: in binary mode the body is the job, and the event's
// attributes are ce- headers; in structured mode the body is an envelope, which package
// message unwraps.
func eventHeader(h http.Header) (map[string][]string, error) {
	for name := range h {
		if len(name) >= 6 && strings.EqualFold(name[:6], "usher-") {
			return nil, invalid(schema.Issue{Message: message.RefusedHeader})
		}
	}
	if version := h.Get("Ce-Specversion"); version != "" && attribute(version) != "1.0" {
		return nil, invalid(schema.Issue{Message: "the CloudEvent's specversion (header ce-specversion) is not 1.0"})
	}
	header := map[string][]string{}
	if id := h.Get("Ce-Id"); id != "" {
		header[message.HeaderEventID] = []string{attribute(id)}
	}
	for _, name := range []string{"Ce-Traceparent", "Traceparent"} {
		if trace := h.Get(name); trace != "" {
			header[message.HeaderTrace] = []string{attribute(trace)}
		}
	}
	if kind := h.Get("Content-Type"); kind != "" {
		header[message.HeaderContentType] = []string{kind}
	}
	return header, nil
}

// attribute decodes the value of an attribute as the HTTP binding of CloudEvents asks
// for: quotes around it are removed, and it is percent-decoded once.
func attribute(value string) string {
	if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
		var b strings.Builder
		escaped := false
		for _, c := range []byte(value[1 : len(value)-1]) {
			if escaped = c == '\\' && !escaped; !escaped {
				b.WriteByte(c)
			}
		}
		value = b.String()
	}
	if decoded, err := url.PathUnescape(value); err == nil {
		return decoded
	}
	return value
}
