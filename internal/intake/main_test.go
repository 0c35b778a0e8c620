package intake_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"usher"
	"usher/internal/intake"
	"usher/queues"
	"usher/queues/queuetest"
	"usher/queues/schema"
)

// testIntake is an Intake over a real NATS server, behind a real HTTP server.
type testIntake struct {
	url      string
	broker   *queuetest.Broker
	queue    *queues.Queue
	tokens   string // the token file
	token    string // for all jobs
	log      *lockedBuffer
	registry *prometheus.Registry
}

// open serves the jobs of a new broker.
func open(t testing.TB) *testIntake {
	t.Helper()
	b := queuetest.New(t)
	return openWith(t, b, intake.Options{})
}

// openWith serves jobs with the given options and a new token file.
func openWith(t testing.TB, b *queuetest.Broker, o intake.Options) *testIntake {
	t.Helper()
	d := &testIntake{broker: b, tokens: filepath.Join(t.TempDir(), "tokens"), log: new(lockedBuffer), registry: prometheus.NewRegistry()}
	d.queue = b.Queue(t)
	o.Jobs, o.Records = d.queue, d.queue.Status()
	d.token = d.add(t, intake.Grant{Name: "crm"})
	o.Logger = slog.New(slog.NewTextHandler(d.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o.Advertiser, o.Metrics = "SANDBOX1", d.registry
	var err error
	if o.Tokens, err = intake.OpenTokens(d.tokens, kinds(), o.Logger, time.Now); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := intake.NewServer(intake.New(o))
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(intake.LimitConnections(listener)) }) // ends with Close
	t.Cleanup(func() { _ = server.Close(); serving.Wait() })
	d.url = "http://" + listener.Addr().String()
	return d
}

func kinds() []usher.Kind { return usher.Kinds() }

// add appends a new token to the token file.
func (d *testIntake) add(t testing.TB, g intake.Grant) string {
	t.Helper()
	token, line, err := intake.NewToken(g, kinds())
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(d.tokens, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line + "\n"); err != nil {
		t.Fatal(err)
	}
	return token
}

// response is a response with its body.
type response struct {
	*http.Response
	body string
}

// problem is the body of an error response.
type problem struct {
	Type   string         `json:"type"`
	Title  string         `json:"title"`
	Detail string         `json:"detail"`
	Status int            `json:"status"`
	Errors []schema.Issue `json:"errors"`
}

// send sends a request with the token for all jobs. headers are pairs of a name and a value.
func (d *testIntake) send(t testing.TB, method, path, body string, headers ...string) response {
	t.Helper()
	return d.sendAs(t, d.token, method, path, body, headers...)
}

// sendAs sends a request with a token, or without one if it is empty.
func (d *testIntake) sendAs(t testing.TB, token, method, path, body string, headers ...string) response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, d.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{answer, string(data)}
}

// accepted fails the test unless the response is 202 with an id, which it returns.
func (r response) accepted(t testing.TB) string {
	t.Helper()
	var answer map[string]string
	if err := json.Unmarshal([]byte(r.body), &answer); err != nil || r.StatusCode != http.StatusAccepted || len(answer) != 1 {
		t.Fatalf("%s: %s, want 202 and an id alone", r.Status, r.body)
	}
	return answer["id"]
}

// refused fails the test unless the response is a problem with the status.
func (r response) refused(t testing.TB, status int) problem {
	t.Helper()
	var p problem
	if err := json.Unmarshal([]byte(r.body), &p); err != nil || r.StatusCode != status {
		t.Fatalf("%s: %s, want %d and problem details", r.Status, r.body, status)
	}
	if r.Header.Get("Content-Type") != "application/problem+json" || p.Status != status || p.Title != http.StatusText(status) || p.Type == "" || p.Detail == "" {
		t.Errorf("%s with %s: %s", r.Status, r.Header.Get("Content-Type"), r.body)
	}
	return p
}

// lockedBuffer is a buffer that several goroutines may use.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
