package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"usher/internal/rtb"
)

func isControl(path string) bool { return path == "/sandbox" || strings.HasPrefix(path, "/sandbox/") }

const controlHelp = `The sandbox's own controls. They need no token; bodies and answers are JSON.

GET    /sandbox/journal?since=SEQ              what was asked and answered, after SEQ (default 0)
GET    /sandbox/faults                         the faults ordered, with how often each was seen and made
POST   /sandbox/faults                         order one: {"op":"segments.*"} or {"method":"POST","path":"/v3/segments/*/users"}, and
                                               "kind": status (with "status", "body", "retryAfter"), reset_before, reset_body, reset_after,
                                               early_413, hang, slow and late (with "delayMs"), broken_json, warnings (with "body");
                                               "after": skip so many first, "times": hit so many (default 1), "for": "60s" instead of times
DELETE /sandbox/faults                         forget them
GET    /sandbox/latency                        before each answer
PUT    /sandbox/latency                        {"delayMs":50}
GET    /sandbox/limit                          the rate limit
PUT    /sandbox/limit                          {"perSecond":10}; 0: none
GET    /sandbox/segments/{id}/fingerprint      {count, sum, xor} over the distinct members
GET    /sandbox/campaigns/{code}/fingerprint   the same of its mobile device targeting
POST   /sandbox/users                          a further login: {"username","password","advertiser","realm"}; realm ADMIN, VIEW or AGENCYADMIN
POST   /sandbox/reset                          back to the start: state, faults, latency, limit; the journal goes on
`

// control answers below /sandbox/.
func (s *Sandbox) control(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && strings.TrimSuffix(r.URL.Path, "/") == "/sandbox" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = fmt.Fprint(w, controlHelp)
		return
	}
	body, err := s.controlled(r)
	drain(r)
	if err != nil {
		s.send(w, failed(err))
		return
	}
	s.send(w, answer{status: http.StatusOK, body: body})
}

// controlled does what is asked and returns the answer's body.
func (s *Sandbox) controlled(r *http.Request) ([]byte, error) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/sandbox/"), "/")
	switch r.Method + " " + parts[0] + strings.Repeat("/…", len(parts)-1) {
	case "GET journal":
		return s.readJournal(r)
	case "GET faults":
		return mustJSON(s.trouble.list()), nil
	case "POST faults":
		return s.orderFault(r)
	case "DELETE faults":
		s.trouble.clear()
		return done(), nil
	case "GET latency":
		return mustJSON(latencyOrder{s.trouble.currentLatency().Milliseconds()}), nil
	case "PUT latency":
		return s.orderLatency(r)
	case "GET limit":
		return mustJSON(limitOrder{s.trouble.limit()}), nil
	case "PUT limit":
		return s.orderLimit(r)
	case "GET segments/…/…", "GET campaigns/…/…":
		return s.fingerprint(parts)
	case "POST users":
		return s.addUser(r)
	case "POST reset":
		return done(), s.reset()
	}
	return nil, failure{status: http.StatusNotFound, message: "GET /sandbox/ lists what there is"}
}

func done() []byte { return success(struct{}{}, nil) }

// readOrder reads the JSON of an order; a field that is not known is a typo.
func readOrder(r *http.Request, into any) error {
	decoder := json.NewDecoder(http.MaxBytesReader(nil, r.Body, bodyLimit))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return malformed("the order cannot be read: %v", err)
	}
	return nil
}

func (s *Sandbox) readJournal(r *http.Request) ([]byte, error) {
	var since int64
	if text := r.URL.Query().Get("since"); text != "" {
		var err error
		if since, err = strconv.ParseInt(text, 10, 64); err != nil || since < 0 {
			return nil, invalid("since", "must be the seq of an entry")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.since(since)
}

func (s *Sandbox) orderFault(r *http.Request) ([]byte, error) {
	var f fault
	if err := readOrder(r, &f); err != nil {
		return nil, err
	}
	f, err := s.trouble.order(f, s.o.Now())
	return mustJSON(f), err
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
		return nil, invalid("delayMs", "must not be negative")
	}
	s.trouble.setLatency(time.Duration(order.DelayMS) * time.Millisecond)
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
		return nil, invalid("perSecond", "must not be negative")
	}
	s.trouble.setLimit(order.PerSecond, s.o.Now())
	return done(), nil
}

func (s *Sandbox) fingerprint(parts []string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := segmentMembers(parts[1])
	_, found := s.world.segments.rows[parts[1]]
	if parts[0] == "campaigns" {
		key = mobileMembers(parts[1])
		_, found = s.world.campaigns.rows[parts[1]]
	}
	if !found || parts[2] != "fingerprint" {
		return nil, unknown(strings.TrimSuffix(parts[0], "s"), parts[1])
	}
	return mustJSON(s.world.print(key).shown()), nil
}

// addUser makes a login and its advertiser in one step, with no login needed.
func (s *Sandbox) addUser(r *http.Request) ([]byte, error) {
	var order struct {
		Username   string `json:"username"`
		Password   string `json:"password"`
		Advertiser string `json:"advertiser"`
		Realm      string `json:"realm"`
	}
	if err := readOrder(r, &order); err != nil {
		return nil, err
	}
	if order.Realm == "" {
		order.Realm = rtb.RealmAdmin
	}
	switch {
	case order.Username == "" || order.Password == "":
		return nil, invalid("username, password", "are required")
	case codeRule(order.Advertiser) != "":
		return nil, invalid("advertiser", codeRule(order.Advertiser))
	case realmRule(order.Realm) != "":
		return nil, invalid("realm", realmRule(order.Realm))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	links := map[string]string{order.Advertiser: order.Realm}
	for advertiser, realm := range s.world.users.rows[order.Username].Links {
		if advertiser != order.Advertiser {
			links[advertiser] = realm
		}
	}
	row := user{Password: hashPassword(order.Username, order.Password), Links: links}
	changes := append(s.world.seedAdvertiser(order.Advertiser), s.world.users.put(order.Username, row))
	return done(), s.world.commit(nil, changes...)
}

// reset goes back to the start.
func (s *Sandbox) reset() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := newWorld(s.o)
	if err := fresh.seed(s.o.Now()); err != nil {
		return err
	}
	if s.world.log != nil {
		if err := s.world.log.rewrite(fresh.snapshot); err != nil {
			return fmt.Errorf("reset sandbox: %w", err)
		}
		fresh.log = s.world.log
	}
	s.world = fresh
	s.trouble.clear()
	s.trouble.setLatency(s.o.Latency)
	s.trouble.setLimit(0, s.o.Now())
	return nil
}
