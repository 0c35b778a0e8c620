package sandbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// serveJSON calls the handler without a server and returns the status.
func serveJSON(t rapid.TB, s http.Handler, method, target string, into any) int {
	t.Helper()
	return serveRequest(t, s, httptest.NewRequest(method, target, nil), into)
}

func serveRequest(t rapid.TB, s http.Handler, r *http.Request, into any) int {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatalf("%s %s answered %q: %v", r.Method, r.URL, w.Body, err)
	}
	return w.Code
}

// model is a campaign of three creatives as the interface describes it, and two
// logins that compete for it.
type model struct {
	clock     *clock
	lockedBy  string
	lockUntil time.Time
	status    map[string]string // PENDING, ACTIVE, INACTIVE
	submitted map[string]time.Time
}

const (
	machineLock  = 5 * time.Minute
	machineDelay = time.Minute
)

func (m *model) locker() string {
	if m.clock.now().Before(m.lockUntil) {
		return m.lockedBy
	}
	return ""
}

func (m *model) approved(code string) bool {
	return !m.clock.now().Before(m.submitted[code].Add(machineDelay))
}

func (m *model) currentStatus(code string) string {
	if m.status[code] == rtb.Pending && m.approved(code) {
		return rtb.Active
	}
	return m.status[code]
}

// set sets codes to wanted as user. It returns the expected HTTP status, and the
// number of creatives whose status cannot be changed.
func (m *model) set(user, wanted string, codes []string) (status, unchanged int) {
	if m.locker() != user {
		return 400, 0
	}
	for _, code := range codes {
		if m.currentStatus(code) != wanted && wanted == rtb.Active && !m.approved(code) {
			unchanged++
		}
	}
	if unchanged == len(codes) {
		return 400, unchanged
	}
	for _, code := range codes {
		if m.currentStatus(code) != wanted && (wanted != rtb.Active || m.approved(code)) {
			m.status[code] = wanted
		}
	}
	return 200, unchanged
}

const machineCampaign = `{"creatives":[{"code":"m-1","creativeId":"%s"},{"code":"m-2","creativeId":"b"},{"code":"m-3","creativeId":"c"}],"inventorySettings":{},"biddingSettings":{}}`

// machine sends the same requests to a sandbox and to the model.
type machine struct {
	*model
	s      *sandbox.Sandbox
	tokens map[string]string
	asset  string // of m-1
}

func newMachine(t *rapid.T) *machine {
	clock := newClock()
	s, err := sandbox.Open(sandbox.Options{Now: clock.now, LockTTL: machineLock, ApprovalDelay: machineDelay, TokenTTL: 10_000 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{s: s, tokens: map[string]string{}, asset: "a"}
	m.model = &model{clock: clock, status: map[string]string{}, submitted: map[string]time.Time{}}
	var ignored any
	serveRequest(t, s, httptest.NewRequest(http.MethodPost, "/sandbox/users", strings.NewReader(`{"username":"other","password":"other","advertiser":"SANDBOX1"}`)), &ignored)
	for _, user := range []string{"sandbox", "other"} {
		var answer struct{ Data struct{ AccessToken string } }
		serveJSON(t, s, "GET", "/v3/oauth/accessToken?advertiser=SANDBOX1&username="+user+"&password="+user, &answer)
		m.tokens[user] = answer.Data.AccessToken
	}
	m.ask(t, "sandbox", "PUT", "/v3/campaigns/SANDBOX1-m", "application/json", fmt.Sprintf(machineCampaign, "a"))
	for _, code := range []string{"m-1", "m-2", "m-3"} {
		m.status[code], m.submitted[code] = rtb.Pending, clock.now()
	}
	return m
}

type machineAnswer struct {
	Data struct {
		Errors, Warnings []struct{ Code, Description string }
		Status           []rtb.CreativeStatus
	}
}

func (m *machine) ask(t *rapid.T, user, method, path, contentType, body string) (int, machineAnswer) {
	r := httptest.NewRequest(method, path, bytes.NewReader([]byte(body)))
	r.Header.Set("Authorization", "Bearer "+m.tokens[user])
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	var answer machineAnswer
	return serveRequest(t, m.s, r, &answer), answer
}

func (m *machine) setStatus(t *rapid.T, path string, codes []string) {
	user := rapid.SampledFrom([]string{"sandbox", "other"}).Draw(t, "user")
	wanted := rapid.SampledFrom([]string{rtb.Active, rtb.Inactive}).Draw(t, "wanted")
	before := maps.Clone(m.status)
	wantStatus, unchanged := m.set(user, wanted, codes)
	status, answer := m.ask(t, user, "POST", path, "application/x-www-form-urlencoded", url.Values{"status": {wanted}}.Encode())
	notes := answer.Data.Warnings
	if status == 400 {
		notes = answer.Data.Errors
	}
	if status != wantStatus || unchanged > 0 && len(notes) != unchanged || status == 200 && unchanged == 0 && len(notes) > 0 {
		t.Fatalf("%s by %s to %s from %v: %d %+v, want %d with %d notes", path, user, wanted, before, status, answer, wantStatus, unchanged)
	}
	for _, n := range notes {
		if unchanged > 0 != (n.Code == "E10059") {
			t.Fatalf("the note is %+v", n)
		}
		if unchanged > 0 && (!strings.Contains(n.Description, "m-") || !strings.Contains(n.Description, wanted)) {
			t.Fatalf("the note is %+v", n)
		}
	}
}

// TestLocksAndStatuses is a property test of the rules about locks, statuses,
// approval and updates.
func TestLocksAndStatuses(t *testing.T) {
	t.Parallel()
	const path = "/v3/campaigns/SANDBOX1-m"
	users := []string{"sandbox", "other"}
	codes := []string{"m-1", "m-2", "m-3"}
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine(t)
		defer m.s.Close()
		t.Repeat(map[string]func(*rapid.T){
			"time": func(t *rapid.T) {
				m.clock.advance(time.Duration(rapid.IntRange(0, 200).Draw(t, "seconds")) * time.Second)
			},
			"lock": func(t *rapid.T) {
				user := rapid.SampledFrom(users).Draw(t, "user")
				want := 200
				if l := m.locker(); l != "" && l != user {
					want = 400
				} else {
					m.lockedBy, m.lockUntil = user, m.clock.now().Add(machineLock)
				}
				if status, _ := m.ask(t, user, "PUT", path+"/lock", "", ""); status != want {
					t.Fatalf("lock by %s: %d, want %d", user, status, want)
				}
			},
			"unlock": func(t *rapid.T) {
				user := rapid.SampledFrom(users).Draw(t, "user")
				want := 200
				if l := m.locker(); l != "" && l != user {
					want = 400
				} else {
					m.lockUntil = time.Time{}
				}
				if status, _ := m.ask(t, user, "DELETE", path+"/lock", "", ""); status != want {
					t.Fatalf("unlock by %s: %d, want %d", user, status, want)
				}
			},
			"all": func(t *rapid.T) { m.setStatus(t, path+"/status", codes) },
			"one": func(t *rapid.T) {
				code := rapid.SampledFrom(codes).Draw(t, "creative")
				m.setStatus(t, "/v3/creatives/"+code+"/status", []string{code})
			},
			"update": func(t *rapid.T) {
				user := rapid.SampledFrom(users).Draw(t, "user")
				asset := rapid.SampledFrom([]string{"a", "z"}).Draw(t, "asset")
				want := 400
				if m.locker() == user {
					want = 200
					if asset != m.asset {
						m.asset, m.status["m-1"], m.submitted["m-1"] = asset, rtb.Pending, m.clock.now()
					}
				}
				if status, _ := m.ask(t, user, "PUT", path, "application/json", fmt.Sprintf(machineCampaign, asset)); status != want {
					t.Fatalf("update by %s: %d, want %d", user, status, want)
				}
			},
			"": func(t *rapid.T) {
				_, answer := m.ask(t, "other", "GET", path+"/status", "", "")
				got := map[string]string{}
				for _, s := range answer.Data.Status {
					got[s.CreativeCode] = s.ApprovalStatus
				}
				for _, code := range slices.Sorted(maps.Keys(m.status)) {
					if got[code] != m.currentStatus(code) {
						t.Fatalf("%s is %s, want %s", code, got[code], m.currentStatus(code))
					}
				}
			},
		})
	})
}

// FuzzRouter checks that any request gets an envelope and does not panic.
func FuzzRouter(f *testing.F) {
	s, err := sandbox.Open(sandbox.Options{})
	must(f, err)
	f.Cleanup(func() { must(f, s.Close()) })
	var login struct{ Data struct{ AccessToken string } }
	serveJSON(f, s, "GET", "/v3/oauth/accessToken?advertiser=SANDBOX1&username=sandbox&password=sandbox", &login)
	for _, op := range rtb.Operations() {
		sample := readSample(f, op.Name)
		body := []byte(sample.Request.JSON)
		if form := sample.Request.Form; form != nil {
			v := url.Values{}
			for key, value := range form {
				v.Set(key, value)
			}
			body = []byte(v.Encode())
		}
		f.Add(sample.Request.Method, sample.Request.Path, sample.Request.ContentType, body)
	}
	f.Add("GET", "/v3/segments/%2e%2e/%00", "", []byte(nil))
	f.Add("POST", "/sandbox/faults", "", []byte(`{"op":"segments.get","kind":"slow"}`))
	f.Add("GET", "/sandbox/journal?since=-1", "", []byte(nil))
	f.Add("POST", "/v3/segments/1/users", "multipart/form-data; boundary="+rtb.Boundary, append(rtb.Preamble("users", rtb.DefaultFilename), rtb.Epilogue()...))
	f.Fuzz(func(t *testing.T, method, target, contentType string, body []byte) {
		parsed, err := url.ParseRequestURI(target)
		if err != nil || method == "" || strings.HasSuffix(parsed.Path, "/upload/pull") || strings.HasPrefix(parsed.Path, "/sandbox/faults") && method == "POST" && bytes.Contains(body, []byte("kind")) {
			return // a fault would hit later requests, and a pull would fetch from elsewhere
		}
		r := &http.Request{
			Method: method, URL: parsed, Host: "x", Header: http.Header{}, Body: http.NoBody, ContentLength: int64(len(body)),
			Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, RemoteAddr: "127.0.0.1:1", // payments need HTTPS or a loopback address
		}
		if len(body) > 0 {
			r.Body = readCloser{bytes.NewReader(body)}
		}
		r.Header.Set("Content-Type", contentType)
		r.Header.Set("Authorization", "Bearer "+login.Data.AccessToken)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r.WithContext(t.Context()))
		if strings.HasPrefix(parsed.Path, "/sandbox") {
			return
		}
		var envelope struct {
			Status string `json:"status"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &envelope); err != nil || (w.Code == 200) != (envelope.Status == "success") || w.Code >= 500 {
			t.Errorf("%s %s answered %d %q: %v", method, target, w.Code, w.Body, err)
		}
	})
}

type readCloser struct{ *bytes.Reader }

func (readCloser) Close() error { return nil }
