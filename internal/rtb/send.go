package rtb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"usher"
)

// The maximum number of bytes that are read from the body of an answer.
const (
	successLimit = 64 << 20 // the longest lists have tens of megabytes
	errorLimit   = 1 << 20
)

// Call calls an operation of the table. in is a value of type op.In, and out is a
// pointer to an op.Out. Call returns the warnings of a successful answer. After a 401
// AUTH001 it renews the token and repeats the request once.
func (c *Client) Call(ctx context.Context, op Operation, in, out any) ([]usher.Warning, error) {
	if c.baseErr != nil {
		return nil, c.baseErr
	}
	if err := c.Check(op, in); err != nil {
		return nil, err
	}
	m, err := encode(op, in)
	if err != nil {
		return nil, err
	}
	if op.Open {
		return c.attempt(ctx, op, m, "", out)
	}
	if c.tokens == nil {
		return nil, fmt.Errorf("%s: this client has no access token: set Options.Tokens", op.Name)
	}
	token, err := c.tokens.Token(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: get access token: %w", op.Name, err)
	}
	warnings, err := c.attempt(ctx, op, m, token, out)
	if !isStaleToken(err) {
		return warnings, err
	}
	if token, err = c.tokens.Renew(ctx, token); err != nil {
		return nil, fmt.Errorf("%s: renew access token: %w", op.Name, err)
	}
	return c.attempt(ctx, op, m, token, out)
}

// isStaleToken reports whether err is a 401 with the code AUTH001 or without a code. A
// new token may help then.
func isStaleToken(err error) bool {
	var fault *Fault
	return errors.Is(err, usher.ErrUnauthorized) && errors.As(err, &fault) && (fault.Code == codeUnauthorized || fault.Code == "HTTP401")
}

// attempt sends the message once and reports the outcome to the observer.
func (c *Client) attempt(ctx context.Context, op Operation, m *message, token string, out any) ([]usher.Warning, error) {
	if err := c.gate(ctx); err != nil {
		return nil, fmt.Errorf("%s on %s: not sent: %w", op.Name, m.shown, err)
	}
	if err := checkHeld(ctx); err != nil { // waiting for the rate limit may take long
		return nil, fmt.Errorf("%s on %s: %w", op.Name, m.shown, err)
	}
	ctx, ended := c.awaited(ctx, op)
	defer ended()
	start := time.Now()
	ctx, span := beginCall(ctx, op)
	a, err := c.exchange(ctx, op, m, token)
	var warnings []usher.Warning
	if err == nil {
		warnings, err = judge(op, m, a, out)
	}
	outcome := Outcome{Op: op.Name, Status: a.status, Err: err, Duration: time.Since(start), Date: dateOf(a.header), Warnings: warnings}
	var later *usher.RetryAfter
	if errors.As(err, &later) {
		outcome.RetryAfter = later.After
	}
	endCall(span, a.status, err)
	c.observe(outcome)
	return warnings, err
}

// awaited returns a context that reports to c.await when a request was sent. ended must be called when
// its call has ended.
func (c *Client) awaited(ctx context.Context, op Operation) (_ context.Context, ended func()) {
	if c.await == nil {
		return ctx, func() {}
	}
	var mu sync.Mutex // net/http may still write when the call has ended
	over, end := false, func() {}
	wrote := sync.OnceFunc(func() { end = c.await(op.Name) }) // net/http may send it again
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(info httptrace.WroteRequestInfo) {
		mu.Lock()
		defer mu.Unlock()
		if info.Err == nil && !over {
			wrote()
		}
	}})
	return ctx, func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
		end()
	}
}

// answer is an HTTP response whose body has been read to its end or to the limit.
type answer struct {
	status  int
	header  http.Header
	body    []byte
	cut     bool     // the body was longer than the limit
	secrets []string // removed from the platform's texts
	hidden  []string // the part of secrets that must be hidden even from the person who made the call
}

// exchange sends the message and reads the answer, without judging it. Its error is the
// cause of the context's end, or an Unavailable.
func (c *Client) exchange(ctx context.Context, op Operation, m *message, token string) (answer, error) {
	request, err := c.request(ctx, op, m, token)
	if err != nil {
		return answer{}, fmt.Errorf("%s on %s: make request: %w", op.Name, m.shown, err)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return answer{}, unanswered(ctx, op, m, err)
	}
	defer response.Body.Close() //nolint:errcheck // the body has been read
	a := answer{status: response.StatusCode, header: response.Header, secrets: append(secretsOf(request, token), m.secrets...), hidden: append([]string{token}, m.secrets...)}
	limit := int64(errorLimit)
	if response.StatusCode/100 == 2 {
		limit = successLimit
	}
	a.body, a.cut, err = readBody(response.Body, limit)
	if err != nil && (response.StatusCode/100 == 2 || response.StatusCode == http.StatusNotFound || ctx.Err() != nil) {
		return a, unanswered(ctx, op, m, err)
	}
	return a, nil // the status of any other error is enough to judge it
}

// readBody reads a body to its end. cut reports that the body is longer than limit. The
// pieces that readBody reads are joined only at the end, so an endless answer takes no
// more memory than limit.
func readBody(r io.Reader, limit int64) (body []byte, cut bool, err error) {
	const first, largest = 4 << 10, 1 << 20
	var pieces [][]byte
	for total := int64(0); total <= limit; {
		piece := make([]byte, min(max(total, first), largest, limit+1-total))
		filled := 0
		for filled < len(piece) && err == nil {
			var n int
			n, err = r.Read(piece[filled:])
			filled += n
		}
		pieces, total = append(pieces, piece[:filled]), total+int64(filled)
		if err != nil && total <= limit {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return slices.Concat(pieces...), false, err
		}
	}
	return pieces[0], true, nil
}

func (c *Client) request(ctx context.Context, op Operation, m *message, token string) (*http.Request, error) {
	target := c.base + m.path
	if m.query != "" {
		target += "?" + m.query
	}
	request, err := http.NewRequestWithContext(withHeld(ctx), op.Method, target, nil)
	if err != nil {
		return nil, withoutURL(err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "usher")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if m.open != nil {
		request.Header.Set("Content-Type", m.contentType)
		request.ContentLength = m.length
		request.Body = m.open()
		request.GetBody = func() (io.ReadCloser, error) { return m.open(), nil }
	}
	return request, nil
}

// unanswered returns the error of a request without an answer, which may or may not
// have had an effect.
func unanswered(ctx context.Context, op Operation, m *message, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s on %s: %w", op.Name, m.shown, context.Cause(ctx))
	}
	if errors.Is(err, usher.ErrLeaseLost) { // the platform is not the cause
		return fmt.Errorf("%s on %s: %w", op.Name, m.shown, usher.ErrLeaseLost)
	}
	return &usher.Unavailable{Err: fmt.Errorf("%s on %s: no answer from the platform: %w", op.Name, m.shown, withoutURL(err))}
}

// withoutURL removes the URL that net/http adds to its errors, because it may have the
// password of a login, or a digest.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// secretsOf returns the token and the values of the query, which in a login are the
// name and the password.
func secretsOf(request *http.Request, token string) []string {
	secrets := []string{token}
	for _, values := range request.URL.Query() {
		secrets = append(secrets, values...)
	}
	return secrets
}

// beginCall starts the span of a call as a child of the caller's span, with the same
// tracer provider. The span's context is not sent to the platform.
func beginCall(ctx context.Context, op Operation) (context.Context, trace.Span) {
	tracer := trace.SpanFromContext(ctx).TracerProvider().Tracer("usher/internal/rtb")
	return tracer.Start(ctx, op.Name, //nolint:spancheck // endCall ends it
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attribute.String("http.request.method", op.Method)))
}

// endCall ends the span with the status of the answer; 0: no answer.
func endCall(span trace.Span, status int, err error) {
	span.SetAttributes(attribute.Int("http.response.status_code", status))
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}
