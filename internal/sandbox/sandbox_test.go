package sandbox_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// clock is a clock that only advance moves.
type clock struct{ nanos atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.nanos.Store(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).UnixNano())
	return c
}

func (c *clock) now() time.Time          { return time.Unix(0, c.nanos.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.nanos.Add(int64(d)) }

// platform is a sandbox behind a real server.
type platform struct {
	*sandbox.Sandbox
	url string
	t   testing.TB
}

func start(t testing.TB, o sandbox.Options) *platform {
	t.Helper()
	s, err := sandbox.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		if err := s.Close(); err != nil { // first: it ends requests that hang
			t.Error(err)
		}
		server.CloseClientConnections()
		server.Close()
	})
	return &platform{s, server.URL, t}
}

// client returns a client of the sandbox's first user.
func (p *platform) client() *rtb.Client { return p.clientAs("sandbox", "sandbox", "SANDBOX1") }

func (p *platform) clientAs(username, password, advertiser string) *rtb.Client {
	httpClient := rtb.NewHTTPClient(8, 20*time.Second, nil)
	p.t.Cleanup(httpClient.CloseIdleConnections)
	return rtb.NewWithLogin(rtb.Options{BaseURL: p.url, Advertiser: advertiser, HTTP: httpClient}, username, password)
}

// ask sends a request without an rtb.Client and returns the status.
func (p *platform) ask(method, path, body string, into any) int {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			p.t.Fatalf("%s %s answered %q: %v", method, path, text, err)
		}
	}
	return response.StatusCode
}

// order sends an order to the sandbox's controls, which must succeed.
func (p *platform) order(path, body string) {
	p.t.Helper()
	method := http.MethodPut
	if path == "/sandbox/faults" || path == "/sandbox/users" || path == "/sandbox/reset" {
		method = http.MethodPost
	}
	var answer json.RawMessage
	if status := p.ask(method, path, body, &answer); status != http.StatusOK {
		p.t.Fatalf("order %s %s: %d %s", path, body, status, answer)
	}
}

type journalEntry struct {
	Seq        int64             `json:"seq"`
	Op         string            `json:"op"`
	Path       string            `json:"path"`
	User       string            `json:"user"`
	Advertiser string            `json:"advertiser"`
	Status     int               `json:"status"`
	Code       string            `json:"code"`
	Fault      string            `json:"fault"`
	Upload     *fingerprint      `json:"upload"`
	Form       map[string]string `json:"form"`
}

type fingerprint struct {
	Count int64  `json:"count"`
	Sum   string `json:"sum"`
	Xor   string `json:"xor"`
}

func (p *platform) journal(since int64) []journalEntry {
	p.t.Helper()
	var entries []journalEntry
	p.ask(http.MethodGet, fmt.Sprintf("/sandbox/journal?since=%d", since), "", &entries)
	return entries
}

func (p *platform) fingerprint(path string) fingerprint {
	p.t.Helper()
	var f fingerprint
	if status := p.ask(http.MethodGet, "/sandbox/"+path+"/fingerprint", "", &f); status != http.StatusOK {
		p.t.Fatalf("fingerprint of %s: %d", path, status)
	}
	return f
}

// digestOf returns the n-th digest in hex.
func digestOf(n int) string {
	var d [16]byte
	binary.BigEndian.PutUint64(d[:8], uint64(n)*0x9e3779b97f4a7c15)
	binary.BigEndian.PutUint64(d[8:], uint64(n))
	return hex.EncodeToString(d[:])
}

// batchOf returns a batch of the digests with numbers in [from, to).
func batchOf(from, to int) *usher.Batch {
	var list []string
	for n := from; n < to; n++ {
		list = append(list, digestOf(n))
	}
	return usher.NewBatch(1, to-from, strings.NewReader(strings.Join(list, ",")), nil)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestOperationsOfJobs(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c, ctx := p.client(), t.Context()

	id, err := result[string](rtb.SegmentsCreate.Do(ctx, c, rtb.NewSegment{Segment: rtb.Segment{Name: "new", Type: rtb.TypeIDFA, DurationInDays: 7}}))
	must(t, err)
	must(t, c.Segments.Upload(ctx, id, batchOf(0, 40_000)))
	contains, err := c.Segments.Contains(ctx, id, rtb.TypeIDFA, strings.ToUpper(digestOf(39_999)))
	must(t, err)
	if !contains {
		t.Error("the uploaded digest is not in the segment")
	}
	must(t, c.Segments.RemoveUser(ctx, id, rtb.TypeIDFA, digestOf(39_999)))
	contains, err = c.Segments.Contains(ctx, id, rtb.TypeIDFA, digestOf(39_999))
	must(t, err)
	if contains {
		t.Error("the removed digest is still in the segment")
	}
	if got := p.fingerprint("segments/" + id); got.Count != 39_999 {
		t.Errorf("the segment holds %d, want 39999", got.Count)
	}
	targeting, err := c.Campaigns.AddMobileTargets(ctx, "SANDBOX1-spring", batchOf(0, 10))
	must(t, err)
	if targeting.NumberOfIDs != 10 || targeting.CampaignCode != "SANDBOX1-spring" {
		t.Errorf("targeting is %+v", targeting)
	}
}

// result returns the only field of an operation's answer.
func result[T, Out any](answer Out, _ []usher.Warning, err error) (T, error) {
	only, ok := reflect.TypeAssert[T](reflect.ValueOf(answer).Field(0))
	if !ok && err == nil {
		err = fmt.Errorf("the answer is a %T", answer)
	}
	return only, err
}

// errorOf returns the error of an operation.
func errorOf[Out any](_ Out, _ []usher.Warning, err error) error { return err }
