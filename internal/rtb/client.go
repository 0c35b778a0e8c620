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

// Options are what a client needs.
type Options struct {
	BaseURL    string       // http or https, host, and a path prefix where the platform lies below one
	Advertiser string       // the advertiser code that tokens are asked for
	Tokens     Tokens       // may be nil for a client that only logs in
	HTTP       *http.Client // nil: NewHTTPClient(4, time.Minute)

	// Gate is called before every request and waits for the rate limit. Its
	// error is the call's error. nil: no limit.
	Gate func(ctx context.Context) error

	// Observe is told of every request that was sent. It is called by many
	// goroutines at once. nil: nobody cares.
	Observe func(o Outcome)
}

// Outcome is what became of one request.
type Outcome struct {
	Op         string // the operation's name: segments.upload
	Status     int    // of the answer; 0: there was none
	Err        error  // as judged
	RetryAfter time.Duration
	Duration   time.Duration
	Warnings   []usher.Warning // those of a success
}

// Client calls the platform, a service for each area of the table of
// operations. It may be used by many goroutines at once.
type Client struct {
	Auth        *AuthService
	Users       *UsersService
	Advertisers *AdvertisersService
	Segments    *SegmentsService
	Campaigns   *CampaignsService
	Creatives   *CreativesService
	Reporting   *ReportingService
	Planning    *PlanningService
	SSP         *SSPService
	Payments    *PaymentsService
	Metadata    *MetadataService

	base       string // without a slash at its end
	baseErr    error  // what is wrong with the base URL; every call returns it
	advertiser string
	tokens     Tokens
	http       *http.Client
	gate       func(ctx context.Context) error
	observe    func(o Outcome)
}

// service is what every service of a client consists of: the client, whose Call
// sends and judges each operation.
type service struct{ client *Client }

// New returns a client. A base URL that cannot be used is the error of every
// call; CheckBaseURL finds it beforehand.
func New(o Options) *Client {
	c := &Client{
		base: strings.TrimRight(o.BaseURL, "/"), baseErr: CheckBaseURL(o.BaseURL), advertiser: o.Advertiser,
		tokens: o.Tokens, http: o.HTTP, gate: o.Gate, observe: o.Observe,
	}
	if c.http == nil {
		c.http = NewHTTPClient(4, time.Minute)
	}
	if c.gate == nil {
		c.gate = func(context.Context) error { return nil }
	}
	if c.observe == nil {
		c.observe = func(Outcome) {}
	}
	s := &service{client: c}
	c.Auth = (*AuthService)(s)
	c.Users = (*UsersService)(s)
	c.Advertisers = (*AdvertisersService)(s)
	c.Segments = (*SegmentsService)(s)
	c.Campaigns = (*CampaignsService)(s)
	c.Creatives = (*CreativesService)(s)
	c.Reporting = (*ReportingService)(s)
	c.Planning = (*PlanningService)(s)
	c.SSP = (*SSPService)(s)
	c.Payments = (*PaymentsService)(s)
	c.Metadata = (*MetadataService)(s)
	return c
}

// CheckBaseURL says what is wrong with a base URL, if anything. What stands in
// its userinfo or query is not repeated.
func CheckBaseURL(base string) error {
	const want = "want http:// or https://, a host, and at most a path, such as https://platform.example.com/api"
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("read platform URL: it is no such URL: %s", want)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return fmt.Errorf("read platform URL %s://%s: it has userinfo, a query or a fragment: %s", u.Scheme, u.Host, want)
	}
	return nil
}
