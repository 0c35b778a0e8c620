package rtb_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
)

// verdict describes the type of an error.
func verdict(err error) string {
	var permanent *usher.Permanent
	var later *usher.RetryAfter
	var down *usher.Unavailable
	var fault *rtb.Fault
	isDown := errors.As(err, &down)
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, usher.ErrUnauthorized):
		return "unauthorized"
	case errors.As(err, &permanent):
		return fmt.Sprintf("permanent %s %s", permanent.Class, permanent.Code)
	case errors.As(err, &later) && isDown:
		return fmt.Sprintf("unavailable, retry after %s", later.After)
	case errors.As(err, &later):
		return fmt.Sprintf("retry after %s", later.After)
	case isDown:
		return "unavailable"
	case errors.As(err, &fault):
		return "retry"
	}
	return "?"
}

const failBody = `{"status":"fail","data":{"errors":[{"code":"E10001","description":"name: is required"},{"code":"E10003","description":"x"}]}}`

var verdicts = []struct {
	name, body string
	status     int
	retryAfter string
	want       string
}{
	{"success", `{"status":"success","data":{"segment":{"id":"1","name":"n","type":"IDFA","durationInDays":3.0,"new":{"a":[1]}}}}`, 200, "", "ok"},
	{"another 2xx", `{"status":"success","data":{"segment":{"id":"1"}}}`, 201, "", "ok"},
	{"success without data", `{"status":"success"}`, 200, "", "unavailable"},
	{"success without the record", `{"status":"success","data":{}}`, 200, "", "unavailable"},
	{"success with null", `{"status":"success","data":{"segment":null}}`, 200, "", "unavailable"},
	{"success with a wrong type", `{"status":"success","data":{"segment":{"id":7}}}`, 200, "", "unavailable"},
	{"success with data as a list", `{"status":"success","data":[]}`, 200, "", "unavailable"},
	{"empty 200", ``, 200, "", "unavailable"},
	{"empty 204", ``, 204, "", "unavailable"},
	{"HTML", `<html>welcome</html>`, 200, "", "unavailable"},
	{"cut JSON", `{"status":"success","data":{"segm`, 200, "", "unavailable"},
	{"no status", `{"data":{"segment":{"id":"1"}}}`, 200, "", "unavailable"},
	{"unknown status", `{"status":"partly","data":{"segment":{"id":"1"}}}`, 200, "", "unavailable"},
	{"JSON null", `null`, 200, "", "unavailable"},
	{"200 fail", failBody, 200, "", "permanent refused E10001"},
	{"200 error", `{"status":"error","message":"no","code":"X1"}`, 200, "", "permanent refused X1"},
	{"200 error AUTH003", `{"status":"error","message":"no","code":"AUTH003"}`, 200, "", "permanent forbidden AUTH003"},
	{"200 error AUTH001", `{"status":"error","message":"no","code":"AUTH001"}`, 200, "", "unauthorized"},
	{"400", failBody, 400, "", "permanent refused E10001"},
	{"400 without an envelope", `Bad Request`, 400, "", "permanent refused HTTP400"},
	{"401", `{"status":"error","message":"no","code":"AUTH001"}`, 401, "", "unauthorized"},
	{"403", `{"status":"error","message":"Authorization failed","code":"AUTH003"}`, 403, "", "permanent forbidden AUTH003"},
	{"404", `{"status":"error","message":"unknown","code":"E10404"}`, 404, "", "permanent not_found E10404"},
	{"404 without a body", ``, 404, "", "permanent not_found HTTP404"},
	{"404 with a blank body", " \n", 404, "", "permanent not_found HTTP404"},
	{"404 without an envelope", `{"error":"unknown","status":404}`, 404, "", "permanent not_found HTTP404"}, // its form is not documented
	{"404 HTML", `<html><h1>404 Not Found</h1></html>`, 404, "", "unavailable"},
	{"404 text", "404 page not found\n", 404, "", "unavailable"},
	{"404 JSON that is no object", `"default backend - 404"`, 404, "", "unavailable"},
	{"404 cut JSON", `{"status":"error","mess`, 404, "", "unavailable"},
	{"405", ``, 405, "", "permanent refused HTTP405"},
	{"408", ``, 408, "", "retry"},
	{"413", failBody, 413, "", "permanent refused HTTP413"},
	{"422", failBody, 422, "", "permanent refused HTTP422"},
	{"425", ``, 425, "", "retry"},
	{"429", ``, 429, "", "retry after 1s"},
	{"429 seconds", ``, 429, "7", "retry after 7s"},
	{"429 negative", ``, 429, "-7", "retry after 1s"},
	{"429 too long", ``, 429, "999999999999999999999", "retry after 1h0m0s"},
	{"429 a far date", ``, 429, "Fri, 31 Dec 2199 23:59:59 GMT", "retry after 1h0m0s"},
	{"429 a past date", ``, 429, "Fri, 31 Dec 1999 23:59:59 GMT", "retry after 1s"},
	{"429 invalid", ``, 429, "soon", "retry after 1s"},
	{"429 NaN", ``, 429, "NaN", "retry after 1s"},
	{"500", ``, 500, "", "unavailable"},
	{"502 HTML", `<html>`, 502, "", "unavailable"},
	{"503", ``, 503, "", "unavailable"},
	{"503 with Retry-After", ``, 503, "30", "unavailable, retry after 30s"},
	{"302", ``, 302, "", "unavailable"},
}

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, v := range verdicts {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			var outcome rtb.Outcome
			c := newClient(t, rtb.Options{Tokens: tokens("token"), Observe: func(o rtb.Outcome) { outcome = o }},
				func(w http.ResponseWriter, _ *http.Request) {
					if v.retryAfter != "" {
						w.Header().Set("Retry-After", v.retryAfter)
					}
					if v.status == 302 {
						w.Header().Set("Location", "/elsewhere")
					}
					w.WriteHeader(v.status)
					if v.status != 204 {
						_, _ = io.WriteString(w, v.body)
					}
				})
			_, err := c.Segments.Get(t.Context(), "17")
			if got := verdict(err); got != v.want {
				t.Errorf("judged %q, want %q: %v", got, v.want, err)
			}
			if outcome.Op != "segments.get" || outcome.Status != v.status || !errors.Is(err, outcome.Err) {
				t.Errorf("observed %+v", outcome)
			}
			if err != nil && (!strings.Contains(err.Error(), "segments.get on /v3/segments/17") || strings.Contains(err.Error(), "token")) {
				t.Errorf("the error is %q", err)
			}
		})
	}
}

// newClient returns a client of a server for handler, below a path prefix.
func newClient(t *testing.T, o rtb.Options, handler http.HandlerFunc) *rtb.Client {
	t.Helper()
	server := httptest.NewServer(http.StripPrefix("/api/rtb", handler))
	t.Cleanup(server.Close)
	o.BaseURL, o.Advertiser = server.URL+"/api/rtb/", "SANDBOX1"
	o.HTTP = rtb.NewHTTPClient(4, 10*time.Second, nil)
	t.Cleanup(o.HTTP.CloseIdleConnections)
	return rtb.New(o)
}

func respond(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestFaultListsEveryCreative(t *testing.T) {
	t.Parallel()
	c := newClient(t, rtb.Options{Tokens: tokens("token")}, respond(400,
		`{"status":"fail","data":{"errors":[{"code":"E10059","description":"from PENDING to ACTIVE: a-1"},{"code":"E10059","description":"from PENDING to ACTIVE: a-2"}]}}`))
	_, err := c.Campaigns.SetStatus(t.Context(), "SANDBOX1-a", rtb.Active)
	var fault *rtb.Fault
	if !errors.As(err, &fault) || len(fault.Errors) != 2 || fault.Errors[1].Description != "from PENDING to ACTIVE: a-2" {
		t.Fatalf("the fault is %+v", fault)
	}
	if fault.Op != "campaigns.set-status" || fault.Method != http.MethodPost || fault.Path != "/v3/campaigns/SANDBOX1-a/status" || fault.Code != rtb.CodeStatusRefused {
		t.Errorf("the fault is %+v", fault)
	}
}

func TestWarningsAreKept(t *testing.T) {
	t.Parallel()
	body := `{"status":"success","data":{"warnings":[{"code":"W1","description":"a"},{"code":"W1","description":"a"}]}}`
	var observed []usher.Warning
	c := newClient(t, rtb.Options{Tokens: tokens("token"), Observe: func(o rtb.Outcome) { observed = o.Warnings }}, respond(200, body))
	warnings, err := c.Creatives.SetStatus(t.Context(), "a-1", rtb.Inactive)
	if err != nil || len(warnings) != 2 || len(observed) != 2 {
		t.Errorf("warnings %v, observed %v, error %v", warnings, observed, err)
	}
	batch := batchOf(3, nil)
	if err := c.Segments.Upload(t.Context(), "1", batch); err != nil {
		t.Fatal(err)
	}
	if len(batch.Warnings) != 1 || batch.Warnings[0].Count != 2 {
		t.Errorf("the batch has the warnings %v", batch.Warnings)
	}
	if _, err := c.Campaigns.AddMobileTargets(t.Context(), "SANDBOX1-a", batch); err != nil || batch.Warnings[0].Count != 4 {
		t.Errorf("the batch has the warnings %v: %v", batch.Warnings, err)
	}
}

// A date in Retry-After is compared with the Date of the answer, because the clocks of the
// platform and of this machine may differ.
func TestRetryAfterByThePlatformsClock(t *testing.T) {
	t.Parallel()
	for _, apart := range []time.Duration{-time.Hour, time.Hour} {
		now := time.Now().Add(apart)
		var outcome rtb.Outcome
		c := newClient(t, rtb.Options{Tokens: tokens("token"), Observe: func(o rtb.Outcome) { outcome = o }}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", now.UTC().Format(http.TimeFormat))
			w.Header().Set("Retry-After", now.Add(30*time.Second).UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusTooManyRequests)
		})
		if _, err := c.Segments.Get(t.Context(), "17"); verdict(err) != "retry after 30s" {
			t.Errorf("by a clock that is %s ahead, the error is %v", apart, err)
		}
		if !outcome.Date.Equal(now.Truncate(time.Second)) {
			t.Errorf("observed the date %s, want %s", outcome.Date, now)
		}
	}
}

// A 404 whose body breaks off may be of a gateway, also if nothing of its body has come.
func TestNotFoundWithoutItsBody(t *testing.T) {
	t.Parallel()
	for _, came := range []string{"", `{"status":"error"`} {
		c := newClient(t, rtb.Options{Tokens: tokens("token")}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, came)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		})
		if _, err := c.Segments.Get(t.Context(), "17"); verdict(err) != "unavailable" {
			t.Errorf("after %q the error is %v", came, err)
		}
	}
}

// What a gateway sends with status 200 or 404 is no answer of the platform, and people are told so.
func TestHowDown(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		200: "answers with what is not an answer of the platform",
		404: "answers with what is not an answer of the platform",
		502: "answers with status 502",
	} {
		c := newClient(t, rtb.Options{Tokens: tokens("token")}, respond(status, "<html>"))
		if _, err := c.Segments.Get(t.Context(), "17"); !rtb.IsDown(err) || rtb.HowDown(err) != want {
			t.Errorf("status %d: it %q, want %q: %v", status, rtb.HowDown(err), want, err)
		}
	}
}

func TestCancelledCallReturnsTheCause(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	c := newClient(t, rtb.Options{Tokens: tokens("token")}, func(_ http.ResponseWriter, r *http.Request) {
		cancel(usher.ErrLockLost)
		<-r.Context().Done()
	})
	_, err := c.Segments.Get(ctx, "1")
	if !errors.Is(err, usher.ErrLockLost) || verdict(err) != "?" {
		t.Errorf("the error is %v", err)
	}
}

func TestGateErrorEndsTheCall(t *testing.T) {
	t.Parallel()
	c := newClient(t, rtb.Options{Tokens: tokens("token"), Gate: func(context.Context) error { return &usher.RetryAfter{After: time.Minute, Why: "limit"} }},
		func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	if _, err := c.Segments.Get(t.Context(), "1"); verdict(err) != "retry after 1m0s" {
		t.Errorf("the error is %v", err)
	}
}

func TestBaseURL(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "platform.example.com", "ftp://x", "http://", "http://u:canary@x/", "http://x/?canary=1", "http://x/#canary", "http://[::1", "http://x:canary/"} {
		err := rtb.CheckBaseURL(base)
		if err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", base, err)
		}
		if _, callErr := rtb.New(rtb.Options{BaseURL: base, Tokens: tokens("t")}).Segments.Get(t.Context(), "1"); callErr == nil {
			t.Errorf("%q: the call has no error", base)
		}
	}
	for _, base := range []string{"http://x", "https://x:8443/a/b/"} {
		if err := rtb.CheckBaseURL(base); err != nil {
			t.Errorf("%q: %v", base, err)
		}
	}
}

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

// TestMissingNumbers checks that a number that is absent, null or of another type is NaN,
// and that the rest of the row is read.
func TestMissingNumbers(t *testing.T) {
	t.Parallel()
	var row rtb.CampaignDetail
	err := json.Unmarshal([]byte(`{"reportDate":"2026-05-19","clicks":null,"impressions":"12","won":1E3,"budget":{},"netMediaSpend":1e999,"mediaMargin":5,
		"creatives":[{"creativeCode":"c","clicks":3,"budget":"much"}]}`), &row)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]float64{
		"absent": row.Auctions, "null": row.Clicks, "text": row.Impressions, "object": row.Budget, "too large": row.NetMediaSpend,
		"absent of a creative": row.Creatives[0].Impressions, "text of a creative": row.Creatives[0].Budget,
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s is %v", name, v)
		}
	}
	if row.ReportDate != "2026-05-19" || row.Won != 1000 || row.MediaMargin != 5 || row.Creatives[0].CreativeCode != "c" || row.Creatives[0].Clicks != 3 {
		t.Errorf("the row is %+v", row)
	}
	if json.Unmarshal([]byte(`{"reportDate":7}`), &row) == nil {
		t.Error("a number is read as a date")
	}
}

// endless is a transport whose answers do not end.
type endless struct{ status int }

func (e endless) RoundTrip(r *http.Request) (*http.Response, error) {
	body := io.MultiReader(strings.NewReader(`{"status":"success","data":{"segments":["`), letters{})
	return &http.Response{StatusCode: e.status, Header: http.Header{}, Body: io.NopCloser(body), Request: r}, nil
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// An endless answer is an error and takes little more memory than the longest answer that
// is read. The test counts all allocations, so no other test may run at the same time.
func TestEndlessAnswers(t *testing.T) {
	for status, most := range map[int]uint64{200: 66 << 20, 400: 3 << 20, 503: 3 << 20} {
		c := rtb.New(rtb.Options{BaseURL: "http://platform.invalid", Tokens: tokens("token"), HTTP: &http.Client{Transport: endless{status}}})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := c.Segments.List(t.Context())
		runtime.ReadMemStats(&after)
		if err == nil || len(err.Error()) > 1000 {
			t.Errorf("status %d: %.300v", status, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > most {
			t.Errorf("status %d: %d MiB were allocated, want at most %d MiB", status, got>>20, most>>20)
		}
	}
}

// A call is awaited from when its request was sent until its outcome was observed.
func TestAwait(t *testing.T) {
	t.Parallel()
	sent, order := make(chan struct{}), []string{}
	c := newClient(t, rtb.Options{Tokens: tokens("token"),
		Await: func(op string) func() {
			order = append(order, "sent "+op)
			close(sent)
			return func() { order = append(order, "ended") }
		},
		Observe: func(rtb.Outcome) { order = append(order, "observed") },
	}, func(w http.ResponseWriter, r *http.Request) {
		<-sent
		respond(200, `{"status":"success","data":{"segment":{"id":"1"}}}`)(w, r)
	})
	if _, err := c.Segments.Get(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, ", "); got != "sent segments.get, observed, ended" {
		t.Errorf("the order is %s", got)
	}
}
