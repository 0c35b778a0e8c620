package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"usher/internal/sandbox/operations"
)

func isControl(path string) bool { return path == "/sandbox" || strings.HasPrefix(path, "/sandbox/") }

const controlHelp = `The controls of the sandbox. They need no token; bodies and answers are JSON.

GET    /sandbox/journal?since=SEQ              requests and their answers, after SEQ (default 0)
GET    /sandbox/faults                         the faults; seen counts the requests that match, made those that were hit
POST   /sandbox/faults                         add a fault: {"op":"segments.*"} or {"method":"POST","path":"/v3/segments/*/users"}, and
                                               "kind": status (with "status", "body", "retryAfter"), reset_before, reset_body, reset_after,
                                               early_413, hang, slow and late (with "delayMs", or until faults are removed), broken_json, warnings (with "body");
                                               "after": requests to skip, "times": requests to hit (default 1), "for": "60s" instead of times
DELETE /sandbox/faults                         remove all faults
GET    /sandbox/latency                        the delay of each answer
PUT    /sandbox/latency                        {"delayMs":50}
GET    /sandbox/limit                          the rate limit
PUT    /sandbox/limit                          {"perSecond":10}; 0: no limit
GET    /sandbox/segments/{id}/fingerprint      {count, sum, xor} over the distinct members
GET    /sandbox/campaigns/{code}/fingerprint   the same for its mobile device targeting
POST   /sandbox/users                          create a login or change its password: {"username","password","advertiser","realm"}; realm ADMIN, VIEW or AGENCYADMIN
POST   /sandbox/reset                          reset state, faults, latency and limit; the journal continues
`

// serveControl answers requests below /sandbox/.
func (s *Sandbox) serveControl(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && strings.TrimSuffix(r.URL.Path, "/") == "/sandbox" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = fmt.Fprint(w, controlHelp)
		return
	}
	body, err := s.control(r)
	drain(r)
	if err != nil {
		s.send(w, failed(err))
		return
	}
	s.send(w, answer{status: http.StatusOK, body: body})
}

// control carries out an order and returns the body of the answer.
func (s *Sandbox) control(r *http.Request) ([]byte, error) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/sandbox/"), "/")
	switch r.Method + " " + parts[0] + strings.Repeat("/…", len(parts)-1) {
	case "GET journal":
		return s.readJournal(r)
	case "GET faults":
		return encode(s.orders.list()), nil
	case "POST faults":
		return s.orderFault(r)
	case "DELETE faults":
		s.orders.clearFaults()
		return done(), nil
	case "GET latency":
		return encode(latencyOrder{s.orders.latency().Milliseconds()}), nil
	case "PUT latency":
		return s.orderLatency(r)
	case "GET limit":
		return encode(limitOrder{s.orders.limit()}), nil
	case "PUT limit":
		return s.orderLimit(r)
	case "GET segments/…/…", "GET campaigns/…/…":
		return s.fingerprint(parts[0], parts[1], parts[2])
	case "POST users":
		return s.addLogin(r)
	case "POST reset":
		return done(), s.reset()
	}
	return nil, operations.Failure{Status: http.StatusNotFound, Message: "this path is unknown: GET /sandbox/ lists all paths"}
}

// done is the body of a success without data.
func done() []byte { return succeeded(struct{}{}, nil).body }

// readOrder reads the JSON of an order. An unknown field is an error, because it is
// probably a typo.
func readOrder(r *http.Request, into any) error {
	decoder := json.NewDecoder(http.MaxBytesReader(nil, r.Body, bodyLimit))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return operations.Malformed("the order cannot be read: %v", err)
	}
	return nil
}

func (s *Sandbox) readJournal(r *http.Request) ([]byte, error) {
	var since int64
	if text := r.URL.Query().Get("since"); text != "" {
		var err error
		if since, err = strconv.ParseInt(text, 10, 64); err != nil || since < 0 {
			return nil, operations.Invalid("since", "must be the number of an entry")
		}
	}
	return s.journal.since(since)
}

func (s *Sandbox) orderFault(r *http.Request) ([]byte, error) {
	var f fault
	if err := readOrder(r, &f); err != nil {
		return nil, err
	}
	f, err := s.orders.add(f, s.o.Now())
	return encode(f), err
}

type latencyOrder struct {
	DelayMS int64 `json:"delayMs"`
}

func (s *Sandbox) orderLatency(r *http.Request) ([]byte, error) {
	var order latencyOrder
	if err := readOrder(r, &order); err != nil {
		return nil, err
	}
	if order.DelayMS < 0 {
		return nil, operations.Invalid("delayMs", "must not be negative")
	}
	s.orders.setLatency(time.Duration(order.DelayMS) * time.Millisecond)
	return done(), nil
}

type limitOrder struct {
	PerSecond float64 `json:"perSecond"`
}

func (s *Sandbox) orderLimit(r *http.Request) ([]byte, error) {
	var order limitOrder
	if err := readOrder(r, &order); err != nil {
		return nil, err
	}
	if order.PerSecond < 0 {
		return nil, operations.Invalid("perSecond", "must not be negative")
	}
	s.orders.setLimit(order.PerSecond, s.o.Now())
	return done(), nil
}

// fingerprint returns the fingerprint of a segment or a campaign. view is the last segment of
// the path.
func (s *Sandbox) fingerprint(kind, id, view string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, found := s.state.Fingerprint(kind, id)
	if !found || view != "fingerprint" {
		return nil, operations.Unknown(strings.TrimSuffix(kind, "s"), id)
	}
	return encode(f), nil
}

func (s *Sandbox) addLogin(r *http.Request) ([]byte, error) {
	var login operations.Login
	if err := readOrder(r, &login); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return done(), s.state.AddLogin(login)
}

// reset replaces the state by the initial state.
func (s *Sandbox) reset() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.store.Clear(); err != nil {
		return err
	}
	if err := s.state.Seed(s.o.Now()); err != nil {
		return err
	}
	s.orders.clearFaults()
	s.orders.setLatency(s.o.Latency)
	s.orders.setLimit(0, s.o.Now())
	return nil
}
