package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"usher/internal/rtb"
)

// startPlatform returns the URL of a platform that issues tokens and answers all other
// requests by answer, and the number of these requests.
func startPlatform(t *testing.T, answer http.HandlerFunc) (url string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == rtb.AuthToken.Path && r.URL.Query().Get("username") == "sandbox" {
			_, _ = io.WriteString(w, `{"status":"success","data":{"accessToken":"token-canary"}}`)
			return
		}
		requests.Add(1)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func succeed(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, `{"status":"success"}`)
}

// TestWrongTypeNamesItsPath checks that a body with a wrong type is refused for that reason.
func TestWrongTypeNamesItsPath(t *testing.T) {
	t.Parallel()
	url, requests := startPlatform(t, succeed)
	for body, want := range map[string]string{
		`{"creatives":[{"code":"a"},{"dimensions":{"width":"300"}}]}`: "creatives[1].dimensions.width must be a whole number, such as 300, not text; nothing was sent",
		`{"creatives":[{"dimensions":{"width":1.5}}]}`:                "creatives[0].dimensions.width must be a whole number, such as 300, not the number 1.5",
		`{"creatives":{}}`:                                "creatives must be a list, not an object",
		`{"creatives":["a"]}`:                             "creatives[0] must be an object, not text",
		`{"biddingSettings":{"budget":{"daily":"5"}}}`:    "biddingSettings.budget.daily must be a number, such as 2.5, not text",
		`{"biddingSettings":[]}`:                          "biddingSettings must be an object, not a list",
		`{"inventorySettings":{"placementType":"ATF"}}`:   "inventorySettings.placementType must be a list, not text",
		`{"inventorySettings":{"placementType":[true]}}`:  "inventorySettings.placementType[0] must be text, not true or false",
		`{"timeSettings":3}`:                              "timeSettings must be an object, not the number 3",
		`{"targetingSettings":{"contextualSettings":[]}}`: "targetingSettings.contextualSettings must be an object, not a list",
	} {
		_, _, err := runAPI(t.Context(), url, body, "api", "campaigns", "put", "SANDBOX1-x", "--body", "-")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "advertiser code") {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
	_, _, err := runAPI(t.Context(), url, "", "api", "campaigns", "put", "SANDBOX1-x", "--creatives", `{"dimensions":{"width":"300"}}`, "--bidding-settings.budget.daily", "1", "--inventory-settings.inventory-type", "T")
	if err == nil || !strings.Contains(err.Error(), "creatives[0].dimensions.width must be") {
		t.Errorf("a wrong type in a flag: %v", err)
	}
	if n := requests.Load(); n > 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// TestTyposAtEveryDepth checks that unknown fields are reported with their path, and sent.
func TestTyposAtEveryDepth(t *testing.T) {
	t.Parallel()
	url, _ := startPlatform(t, succeed)
	for body, want := range map[string]string{
		`{"creativs":[]}`: `no field creativs; it is sent unchanged; did you mean "creatives"?`,
		`{"biddingSettings":{"budget":{"dayly":5}}}`:                        `no field biddingSettings.budget.dayly; it is sent unchanged; did you mean "biddingSettings.budget.daily"?`,
		`{"creatives":[{"code":"a"},{"clickthruUrl":"https://a.example"}]}`: `no field creatives[1].clickthruUrl; it is sent unchanged; did you mean "creatives[1].clickthroughUrl"?`,
		`{"creatives":[{"dimensions":{"hight":250}}]}`:                      `did you mean "creatives[0].dimensions.height"?`,
		`{"maxBid":2}`: `no field maxBid; it is sent unchanged; did you mean "biddingSettings.biddingStrategy.maxBid"?`,
		`{"biddingSettings":{"pacingtype":"ACCELERATED"}}`:                 `did you mean "biddingSettings.pacingType"?`,
		`{"targetingSettings":{"deviceTargetingSetings":{}}}`:              `did you mean "targetingSettings.deviceTargetingSettings"?`,
		`{"targetingSettings":{"contextualSettings":{"iabCategorys":[]}}}`: `did you mean "targetingSettings.contextualSettings.iabCategories"?`,
		`{"somethingNew":1}`: `warning: the interface has no field somethingNew; it is sent unchanged` + "\n",
	} {
		_, errs, err := runAPI(t.Context(), url, body, "api", "campaigns", "put", "SANDBOX1-x", "--body", "-")
		if err != nil || !strings.Contains(errs, want) || strings.Count(errs, "warning") != 1 {
			t.Errorf("%s: %v, printed %s, want %s", body, err, errs, want)
		}
	}
	// The interface does not say that these settings have no other fields.
	body := `{"timeSettings":{"any":1},"targetingSettings":{"weather":{}},"creatives":[{"code":null}]}`
	if _, errs, err := runAPI(t.Context(), url, body, "api", "campaigns", "put", "SANDBOX1-x", "--body", "-"); err != nil || strings.Contains(errs, "warning") {
		t.Errorf("%v, printed %s", err, errs)
	}
}

// TestLostAnswersSayWhatMayHaveHappened loses, cuts and breaks the answer to each call that
// changes something.
func TestLostAnswersSayWhatMayHaveHappened(t *testing.T) {
	t.Parallel()
	answers := map[string]http.HandlerFunc{
		"lost": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"cut":  func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"status":"succ`) },
		"502":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"503": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		"refused": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) },
	}
	urls := map[string]string{}
	for name, answer := range answers {
		urls[name], _ = startPlatform(t, answer)
	}
	for _, op := range rtb.Operations() {
		d, changes := doubts()[op.Name]
		if changes != (op.Method != http.MethodGet) {
			t.Errorf("%s: changes something: %v, has a doubt: %v", op.Name, op.Method != http.MethodGet, changes)
		}
		if !changes {
			continue
		}
		words := inputWords(t, op)
		for name, url := range urls {
			_, _, err := runAPI(t.Context(), url, "", words...)
			if err == nil {
				t.Errorf("%v: no error although the answer is %s", words, name)
				continue
			}
			if said := strings.Contains(err.Error(), d.may); said != (name != "refused") {
				t.Errorf("%v: the answer is %s: %v", words, name, err)
			}
			if _, look, found := strings.Cut(err.Error(), "\n  "); found {
				checkLook(t, look)
			}
			if d.unsafe && name != "refused" && !strings.Contains(err.Error(), "Look before you repeat the call") {
				t.Errorf("%v: %v", words, err)
			}
		}
	}
}

// inputWords returns a command line with all required inputs of an operation.
func inputWords(t *testing.T, op rtb.Operation) []string {
	t.Helper()
	call := &apiCall{op: op, inputs: apiInputs(op)}
	area, verb, _ := strings.Cut(op.Name, ".")
	words := []string{"api", area, verb}
	for _, in := range call.inputs {
		switch {
		case in.where == rtb.InFile:
			words = append(words, "--"+in.flag, writeTemporary(t, exampleFiles[call.exampleValue(in)]))
		case in.secret:
			words = append(words, "--"+in.flag+"-file", writeTemporary(t, exampleFiles[kebab(in.path[0])+".txt"]))
		case in.kind == jsonInput:
			if in.required {
				words = append(words, "--"+in.flag, `{"code":"a"}`)
			}
		case in.required || in.group != "":
			words = append(words, "--"+in.flag, call.exampleValue(in))
		}
	}
	return words
}

// checkLook checks that a printed command exists and that all of its names are filled in.
func checkLook(t *testing.T, look string) {
	t.Helper()
	if strings.ContainsAny(look, "{}") {
		t.Errorf("%s has a name without a value", look)
	}
	words := shellWords(look)
	cmd, rest, err := usherRoot().Find(words[1:])
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Errorf("%s: %v", look, err)
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		t.Errorf("%s: %v", look, err)
	}
}

// TestFailedLoginChangesNothing checks that a call whose login got no answer is not in doubt.
func TestFailedLoginChangesNothing(t *testing.T) {
	t.Parallel()
	url, _ := startPlatform(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, _, err := runAPI(t.Context(), url, "", "api", "segments", "create", "--name", "x", "--type", "IDFA", "--login-username", "other")
	if err == nil || strings.Contains(err.Error(), "may have been") {
		t.Errorf("a failed login: %v", err)
	}
}

// TestOtherUsersPassword checks that the configured password is not sent with the name of
// another user.
func TestOtherUsersPassword(t *testing.T) {
	t.Parallel()
	url, requests := startPlatform(t, succeed)
	for _, flags := range [][]string{{"--username", "anna"}, {"--login-username", "anna"}} {
		_, _, err := runAPI(t.Context(), url, "", append([]string{"api", "auth", "token"}, flags...)...)
		if err == nil || !strings.Contains(err.Error(), "password is missing: use --password-file") {
			t.Errorf("%v: %v", flags, err)
		}
	}
	if n := requests.Load(); n > 0 {
		t.Errorf("%d logins were sent", n)
	}
	if out, _, err := runAPI(t.Context(), url, "", "api", "auth", "token", "--username", "sandbox"); err != nil || out != "token-canary\n" {
		t.Errorf("the configured user: %v, printed %q", err, out)
	}
}

// TestFailedAnswerIsPrinted checks that a person, and a script with --json, get the words of
// the platform.
func TestFailedAnswerIsPrinted(t *testing.T) {
	t.Parallel()
	const id = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
	url, _ := startPlatform(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"status":"fail","data":{"errors":[{"code":"EPMT004","description":"transaction id `+id+`, card 4111 1111 1111 1111, cvv 123"},{"code":"E2","description":"more"}]}}`)
	})
	words := inputWords(t, rtb.PaymentsCreate.Operation)
	out, _, err := runAPI(t.Context(), url, "", append(words, "--json")...)
	if err == nil || !strings.Contains(err.Error(), "400 EPMT004: transaction id "+id+", card …, cvv …\n       E2: more") {
		t.Errorf("the error is %v", err)
	}
	if !strings.Contains(out, `"description": "transaction id `+id+`, card …, cvv …"`) || !strings.Contains(out, `"status": "fail"`) {
		t.Errorf("printed %s", out)
	}
}

func TestTooManyRequestsSaysForHowLong(t *testing.T) {
	t.Parallel()
	url, _ := startPlatform(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "90")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	_, _, err := runAPI(t.Context(), url, "", "api", "segments", "create", "--name", "x", "--type", "IDFA")
	if err == nil || !strings.Contains(err.Error(), "the platform takes calls again in 1m30s, at ") || strings.Contains(err.Error(), "may have been") {
		t.Errorf("the error is %v", err)
	}
}
