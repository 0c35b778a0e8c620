package rtb

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"usher"
)

// Options are the settings of a client.
type Options struct {
	BaseURL    string       // http or https, a host, and the path prefix of the platform, if any; /v3 at its end is ignored
	Advertiser string       // the advertiser code that access tokens are for
	Tokens     Tokens       // may be nil for a client that only logs in
	HTTP       *http.Client // nil: NewHTTPClient(4, time.Minute, nil)

	// Gate is called before every request and blocks until the request may be sent.
	// Its error is the call's error. nil: no limit.
	Gate func(ctx context.Context) error

	// Await is called when a request was sent to its end, from any goroutine, and the function that it
	// returns when the call has ended, after Observe. It may be nil.
	Await func(op string) (ended func())

	// Observe is called after every request that was sent, from any goroutine. It may
	// be nil.
	Observe func(o Outcome)
}

// Outcome is the outcome of one request.
type Outcome struct {
	Op         string // the name of the operation: segments.upload
	Status     int    // of the answer; 0: no answer
	Err        error  // as judged
	RetryAfter time.Duration
	Duration   time.Duration   // from sending the request to judging the answer
	Date       time.Time       // the Date header of the answer; zero: it has none
	Warnings   []usher.Warning // of a success
}

// Client calls the platform. Its services have methods for the operations that usher
// itself calls; an Op's Do calls any operation. It may be used from any goroutine.
type Client struct {
	Auth      *AuthService
	Segments  *SegmentsService
	Campaigns *CampaignsService
	Creatives *CreativesService
	Reporting *ReportingService

	base       string // without /v3, with which every path begins, and without a slash at its end
	baseErr    error  // of CheckBaseURL; every call returns it
	advertiser string
	tokens     Tokens
	http       *http.Client
	gate       func(ctx context.Context) error
	await      func(op string) (ended func()) // nil: nobody asks
	observe    func(o Outcome)
}

// service is the type of every service. Its methods call operations of the table by
// client.Call, which sends the request and judges the answer.
type service struct{ client *Client }

// New returns a client. If the base URL is invalid, every call returns the error of
// CheckBaseURL.
func New(o Options) *Client {
	c := &Client{
		base: strings.TrimRight(strings.TrimSuffix(strings.TrimRight(o.BaseURL, "/"), "/v3"), "/"), baseErr: CheckBaseURL(o.BaseURL), advertiser: o.Advertiser,
		tokens: o.Tokens, http: o.HTTP, gate: o.Gate, await: o.Await, observe: o.Observe,
	}
	if c.http == nil {
		c.http = NewHTTPClient(4, time.Minute, nil)
	}
	if c.gate == nil {
		c.gate = func(context.Context) error { return nil }
	}
	if c.observe == nil {
		c.observe = func(Outcome) {}
	}
	s := &service{client: c}
	c.Auth = (*AuthService)(s)
	c.Segments = (*SegmentsService)(s)
	c.Campaigns = (*CampaignsService)(s)
	c.Creatives = (*CreativesService)(s)
	c.Reporting = (*ReportingService)(s)
	return c
}

// NewWithLogin returns a client that logs in by itself and shares its access token with
// no other client. It replaces o.Tokens. Logins pass neither o.Gate nor o.Observe.
func NewWithLogin(o Options, username, password string) *Client {
	login := New(Options{BaseURL: o.BaseURL, Advertiser: o.Advertiser, HTTP: o.HTTP})
	o.HTTP = login.http
	o.Tokens = NewTokens(func(ctx context.Context) (string, error) { return login.Auth.Token(ctx, username, password) })
	return New(o)
}

// CheckBaseURL returns an error if a base URL is invalid. The error does not repeat
// the URL's userinfo or query.
func CheckBaseURL(base string) error {
	const want = "want http:// or https://, a host, and at most a path, such as https://platform.example.com/api"
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("read platform URL: it is not an HTTP URL: %s", want)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return fmt.Errorf("read platform URL %s://%s: it has userinfo, a query or a fragment: %s", u.Scheme, u.Host, want)
	}
	return nil
}
