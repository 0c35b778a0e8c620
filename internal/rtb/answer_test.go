package rtb_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
)

func FuzzAnswer(f *testing.F) {
	for _, v := range verdicts {
		f.Add(v.status, v.retryAfter, v.body)
	}
	f.Fuzz(func(t *testing.T, status int, retryAfter, body string) {
		if status < 200 || status > 599 {
			return
		}
		c := rtb.New(rtb.Options{BaseURL: "http://platform.invalid", Tokens: tokens("token-canary"), HTTP: &http.Client{Transport: canned{status, retryAfter, body}}})
		segments, err := c.Segments.List(t.Context())
		if err == nil && !strings.Contains(strings.ToLower(body), "success") {
			t.Errorf("%d %q was taken for a success: %v", status, body, segments)
		}
		var later *usher.RetryAfter
		if errors.As(err, &later) && (later.After < 1 || later.After > time.Hour) {
			t.Errorf("retry after %s", later.After)
		}
		if err != nil && verdict(err) == "?" {
			t.Errorf("the error is of no known type: %v", err)
		}
	})
}

// canned is a transport that returns one answer without a network.
type canned struct {
	status           int
	retryAfter, body string
}

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: c.status, Header: http.Header{"Retry-After": {c.retryAfter}}, Body: io.NopCloser(strings.NewReader(c.body)), Request: r,
	}, nil
}
