package sandbox_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// accounts is a model of users and links as the interface describes them: two users who may
// create others, a viewer, and an advertiser in addition to SANDBOX1.
type accounts struct {
	s      *sandbox.Sandbox
	tokens map[string]string            // by user: for the advertiser OTHER
	makers map[string]string            // the creator of each existing user
	gone   map[string]string            // the creator of each deactivated user
	links  map[string]map[string]string // by user and advertiser: the realm
}

func newAccounts(t *rapid.T) *accounts {
	s, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := &accounts{s: s, tokens: map[string]string{}, makers: map[string]string{}, gone: map[string]string{}, links: map[string]map[string]string{}}
	for user, realm := range map[string]string{"root": rtb.RealmAdmin, "view": rtb.RealmView, "peer": rtb.RealmAdmin} {
		order := fmt.Sprintf(`{"username":%q,"password":"p","advertiser":"OTHER","realm":%q}`, user, realm)
		var ignored any
		serveRequest(t, s, httptest.NewRequest(http.MethodPost, "/sandbox/users", strings.NewReader(order)), &ignored)
		a.tokens[user], _ = a.login(t, user)
		a.links[user] = map[string]string{"OTHER": realm}
	}
	return a
}

func (a *accounts) login(t *rapid.T, user string) (string, int) {
	var answer struct{ Data struct{ AccessToken string } }
	status := serveJSON(t, a.s, "GET", "/v3/oauth/accessToken?advertiser=OTHER&password=p&username="+user, &answer)
	return answer.Data.AccessToken, status
}

// ask sends a request as a user and checks the status.
func (a *accounts) ask(t *rapid.T, user, method, path, body string, want int, into any) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+a.tokens[user])
	r.Header.Set("Content-Type", "application/json")
	var answer struct{ Data json.RawMessage }
	if status := serveRequest(t, a.s, r, &answer); status != want {
		t.Fatalf("%s %s by %s: %d, want %d in %+v", method, path, user, status, want, *a)
	}
	if into != nil {
		if err := json.Unmarshal(answer.Data, into); err != nil {
			t.Fatal(err)
		}
	}
}

// refusal returns the status of a call that the token's realm forbids, or 0.
func (a *accounts) refusal(user string, writes bool) int {
	realm := a.links[user]["OTHER"]
	if realm == "" || writes && realm == rtb.RealmView {
		return http.StatusForbidden
	}
	return 0
}

func (a *accounts) put(t *rapid.T, user, target string) {
	status := a.refusal(user, true)
	maker, exists := a.makers[target]
	formerMaker, gone := a.gone[target]
	switch {
	case status != 0:
	case exists && maker != user || gone && formerMaker != user:
		status = http.StatusForbidden
	default:
		status = http.StatusOK
		if !exists {
			a.links[target] = map[string]string{}
		}
		a.makers[target] = user
		delete(a.gone, target)
	}
	a.ask(t, user, "PUT", "/v3/users/"+target, `{"password":"p"}`, status, nil)
}

func (a *accounts) remove(t *rapid.T, user, target string) {
	status := a.refusal(user, true)
	maker, exists := a.makers[target]
	switch {
	case status != 0:
	case !exists:
		status = http.StatusNotFound
	case maker != user:
		status = http.StatusForbidden
	default:
		status = http.StatusOK
		a.gone[target] = maker
		delete(a.makers, target)
		delete(a.links, target)
	}
	a.ask(t, user, "DELETE", "/v3/users/"+target, "", status, nil)
}

func (a *accounts) link(t *rapid.T, user, target, realm string) {
	status := a.refusal(user, true)
	switch {
	case status != 0:
	case a.links[target] == nil:
		status = http.StatusNotFound
	default:
		status = http.StatusOK
		a.links[target]["OTHER"] = realm
	}
	a.ask(t, user, "PUT", "/v3/advertisers/OTHER/users/"+target+"/"+realm, "", status, nil)
}

func (a *accounts) unlink(t *rapid.T, user, target string) {
	status := a.refusal(user, true)
	switch {
	case status != 0:
	case a.links[target]["OTHER"] == "":
		status = http.StatusNotFound
	default:
		status = http.StatusOK
		delete(a.links[target], "OTHER")
	}
	a.ask(t, user, "DELETE", "/v3/advertisers/OTHER/users/"+target, "", status, nil)
}

// check compares the connections, and whether one of the users can log in.
func (a *accounts) check(t *rapid.T) {
	want := []rtb.UserConnection{}
	for _, user := range slices.Sorted(maps.Keys(a.links)) {
		if realm := a.links[user]["OTHER"]; realm != "" {
			want = append(want, rtb.UserConnection{Username: user, Realm: realm})
		}
	}
	user := rapid.SampledFrom([]string{"root", "view", "peer"}).Draw(t, "reader")
	if a.refusal(user, false) != 0 {
		a.ask(t, user, "GET", "/v3/advertisers/OTHER/users/connections", "", http.StatusForbidden, nil)
		user = "root" // nobody unlinks this user
	}
	var got rtb.ConnectionsAnswer
	a.ask(t, user, "GET", "/v3/advertisers/OTHER/users/connections", "", http.StatusOK, &got)
	if !slices.Equal(got.Users, want) {
		t.Fatalf("%s sees %+v, want %+v", user, got.Users, want)
	}
	a.checkLogin(t, rapid.SampledFrom([]string{"ada", "bob"}).Draw(t, "login"))
}

func (a *accounts) checkLogin(t *rapid.T, user string) {
	_, exists := a.makers[user]
	status := http.StatusUnauthorized
	switch {
	case exists && a.links[user]["OTHER"] == "":
		status = http.StatusForbidden
	case exists:
		status = http.StatusOK
	}
	if _, got := a.login(t, user); got != status {
		t.Fatalf("%s logs in: %d, want %d", user, got, status)
	}
}

// TestAccountsModel is a property test of users, links and realms.
func TestAccountsModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := newAccounts(t)
		defer a.s.Close()
		user := func() string { return rapid.SampledFrom([]string{"root", "peer", "view"}).Draw(t, "user") }
		made := func() string { return rapid.SampledFrom([]string{"ada", "bob"}).Draw(t, "made") }
		anyone := func() string { return rapid.SampledFrom([]string{"ada", "bob", "peer", "view"}).Draw(t, "anyone") }
		realms := []string{rtb.RealmAdmin, rtb.RealmView, rtb.RealmAgencyAdmin}
		t.Repeat(map[string]func(*rapid.T){
			"put":    func(t *rapid.T) { a.put(t, user(), made()) },
			"delete": func(t *rapid.T) { a.remove(t, user(), made()) },
			"link":   func(t *rapid.T) { a.link(t, user(), anyone(), rapid.SampledFrom(realms).Draw(t, "realm")) },
			"unlink": func(t *rapid.T) { a.unlink(t, user(), anyone()) },
			"":       a.check,
		})
	})
}
