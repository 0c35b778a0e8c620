package sandbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// sample is a file of rtb's testdata: a request and its answer, written by hand
// from the interface document. The requests name what the sandbox has at the
// start.
type sample struct {
	Request struct {
		Method      string            `json:"method"`
		Path        string            `json:"path"`
		Query       map[string]string `json:"query"`
		ContentType string            `json:"contentType"`
		JSON        json.RawMessage   `json:"json"`
		Form        map[string]string `json:"form"`
		File        struct {
			Field   string `json:"field"`
			Content string `json:"content"`
		} `json:"file"`
	} `json:"request"`
	Answer any `json:"answer"`
}

func readSample(t testing.TB, name string) sample {
	t.Helper()
	text, err := os.ReadFile("../rtb/testdata/" + name + ".json")
	must(t, err)
	var s sample
	must(t, json.Unmarshal(text, &s))
	return s
}

// request is the sample's request, made without anything of rtb's.
func (s sample) request(t testing.TB, base, token string) *http.Request {
	t.Helper()
	values := func(m map[string]string) string {
		v := url.Values{}
		for key, value := range m {
			v.Set(key, value)
		}
		return v.Encode()
	}
	var body bytes.Buffer
	contentType := s.Request.ContentType
	switch contentType {
	case "application/json":
		body.Write(s.Request.JSON)
	case "application/x-www-form-urlencoded":
		body.WriteString(values(s.Request.Form))
	case "multipart/form-data":
		w := multipart.NewWriter(&body)
		part, err := w.CreateFormFile(s.Request.File.Field, "ids.txt")
		must(t, err)
		_, err = io.WriteString(part, s.Request.File.Content)
		must(t, err)
		must(t, w.Close())
		contentType = w.FormDataContentType()
	}
	request, err := http.NewRequestWithContext(t.Context(), s.Request.Method, base+s.Request.Path+"?"+values(s.Request.Query), &body)
	must(t, err)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return request
}

func answerOf(t testing.TB, request *http.Request) (int, any) {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	defer response.Body.Close() //nolint:errcheck // read to its end below
	text, err := io.ReadAll(response.Body)
	must(t, err)
	var answer any
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s %s answered %q: %v", request.Method, request.URL.Path, text, err)
	}
	if got := response.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type is %q", got)
	}
	return response.StatusCode, answer
}

// ready makes the sandbox such that every sample's request can succeed.
func ready(t testing.TB, c *rtb.Client) {
	t.Helper()
	ctx := t.Context()
	must(t, c.LockCampaign(ctx, "SANDBOX1-spring"))
	must(t, c.AddSegmentUser(ctx, "1", rtb.TypeIDFA, "f2d1311ca5c1ecb214c19a26e9ddbad0"))
	_, err := c.AddMobileTargeting(ctx, "SANDBOX1-spring", batchOf(0, 2, nil))
	must(t, err)
	_, _, err = c.AddUserTargeting(ctx, "SANDBOX1-spring", "1", rtb.File{Content: strings.NewReader("a,b"), Size: 3})
	must(t, err)
}

// TestSamples holds the sandbox to rtb's testdata: each request succeeds, and
// the answer has every field of the sample's, of the same type.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, op := range rtb.Operations() {
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			p := start(t, sandbox.Options{})
			c := p.client()
			ready(t, c)
			token, err := c.Login(t.Context(), "sandbox", "sandbox")
			must(t, err)
			s := readSample(t, op.Name)
			status, answer := answerOf(t, s.request(t, p.url, token))
			if status != http.StatusOK {
				t.Fatalf("answered %d %v", status, answer)
			}
			if missing := lacks("", s.Answer, answer); missing != "" {
				t.Errorf("the answer %v: %s", answer, missing)
			}
			journal := p.journal(0)
			if last := journal[len(journal)-1]; last.Op != op.Name || last.Status != 200 || last.Advertiser != "SANDBOX1" || last.User != "sandbox" {
				t.Errorf("the journal says %+v", last)
			}
			if op.Open {
				return
			}
			if status, answer := answerOf(t, s.request(t, p.url, "wrong")); status != 401 || lacks("", map[string]any{"status": "", "message": "", "code": ""}, answer) != "" {
				t.Errorf("without a good token: %d %v", status, answer)
			}
		})
	}
}

// lacks says what of want got has not, by key and type; of lists the first
// items are compared.
func lacks(at string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return at + " is no object"
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if missing := lacks(at+"."+key, want[key], object[key]); missing != "" {
				return missing
			}
		}
	case []any:
		list, ok := got.([]any)
		if !ok || len(want) > 0 && len(list) == 0 {
			return at + " is no list, or empty"
		}
		if len(want) > 0 {
			return lacks(at+"[0]", want[0], list[0])
		}
	default:
		if fmt.Sprintf("%T", want) != fmt.Sprintf("%T", got) {
			return fmt.Sprintf("%s is a %T, want a %T", at, got, want)
		}
	}
	return ""
}

// TestEnvelopeOfEveryRefusal sends what is wrong by hand.
func TestEnvelopeOfEveryRefusal(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	token, err := p.client().Login(t.Context(), "sandbox", "sandbox")
	must(t, err)
	const (
		plainJSON = "application/json"
		form      = "application/x-www-form-urlencoded"
		multi     = "multipart/form-data; boundary=b"
		campaign  = "/v3/campaigns/SANDBOX1-spring"
		a         = "f2d1311ca5c1ecb214c19a26e9ddbad0"
	)
	file := func(field, content string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"" + field + "\"; filename=\"x\"\r\n\r\n" + content + "\r\n--b--\r\n"
	}
	for _, test := range []struct {
		name, method, path, contentType, body string
		status                                int
		code, says                            string
	}{
		{"unknown path", "GET", "/v3/nothing", "", "", 404, "E10404", "path"},
		{"the root", "GET", "/", "", "", 404, "E10404", "path"},
		{"slash at the end", "GET", "/v3/segments/", "", "", 404, "E10404", "path"},
		{"dots", "GET", "/v3/segments/../campaigns", "", "", 404, "", ""},
		{"bad escape", "GET", "/v3/segments/%25zz%2F", "", "", 404, "E10404", "segment"},
		{"wrong method", "PATCH", "/v3/segments/1", "", "", 405, "E10405", "PATCH"},
		{"unknown segment", "GET", "/v3/segments/999", "", "", 404, "E10404", "segment 999"},
		{"unknown campaign", "PUT", "/v3/campaigns/SANDBOX1-no/lock", "", "", 404, "E10404", "campaign SANDBOX1-no"},
		{"unknown creative", "GET", "/v3/creatives/no/status", "", "", 404, "E10404", "creative no"},
		{"no targeting", "GET", campaign + "/mobileDeviceIdTarget", "", "", 404, "E10404", "targeting"},
		{"login without a password", "GET", "/v3/oauth/accessToken?username=a", "", "", 400, "E10001", "password"},
		{"login with a wrong one", "GET", "/v3/oauth/accessToken?username=sandbox&password=b&advertiser=SANDBOX1", "", "", 401, "AUTH001", "wrong"},
		{"login to another advertiser", "GET", "/v3/oauth/accessToken?username=sandbox&password=sandbox&advertiser=X", "", "", 403, "AUTH003", "Authorization failed"},
		{"wrong content type", "POST", "/v3/segments", form, `{}`, 400, "E10002", "application/json"},
		{"broken JSON", "POST", "/v3/segments", plainJSON, `{"name":`, 400, "E10002", "JSON"},
		{"JSON list", "POST", "/v3/segments", plainJSON, `[]`, 400, "E10002", "object"},
		{"wrong JSON type", "POST", "/v3/segments", plainJSON, `{"name":"a","type":"IDFA","durationInDays":"x"}`, 400, "E10001", "durationInDays"},
		{"wrong nested type", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, `{"creatives":[{"dimensions":{"width":true}}]}`, 400, "E10001", "width"},
		{"missing name", "POST", "/v3/segments", plainJSON, `{"type":"IDFA"}`, 400, "E10001", "name"},
		{"missing type", "POST", "/v3/segments", plainJSON, `{"name":"a"}`, 400, "E10001", "type"},
		{"unknown type", "POST", "/v3/segments", plainJSON, `{"name":"a","type":"b"}`, 400, "E10001", "INTELLI_PIXEL"},
		{"missing pixel path", "POST", "/v3/segments", plainJSON, `{"name":"a","type":"INTELLI_PIXEL"}`, 400, "E10001", "intelliPixelPath"},
		{"unknown type in the path", "GET", "/v3/segments/type/b", "", "", 400, "E10001", "segmentType"},
		{"user of the wrong type", "POST", "/v3/segments/2/IDFA/" + a, "", "", 400, "E10001", "AID"},
		{"user that is no hash", "GET", "/v3/segments/1/IDFA/xyz", "", "", 400, "E10001", "userId"},
		{"upload that is no form", "POST", "/v3/segments/1/users", plainJSON, `{}`, 400, "E10002", "users"},
		{"upload of another field", "POST", "/v3/segments/1/users", multi, file("ids", a), 400, "E10002", "users"},
		{"upload of nothing", "POST", "/v3/segments/1/users", multi, file("users", ""), 400, "E10001", "no ids"},
		{"upload with a bad hash", "POST", "/v3/segments/1/users", multi, file("users", a+",x"), 400, "E10001", "item 2"},
		{"upload that ends early", "POST", "/v3/segments/1/users", multi, file("users", a)[:100], 400, "E10002", "early"},
		{"upload to no segment", "POST", "/v3/segments/999/users", multi, file("users", a), 404, "E10404", "999"},
		{"status without the lock", "POST", campaign + "/status", form, "status=INACTIVE", 400, "E10060", "lock"},
		{"unknown status", "POST", campaign + "/status", form, "status=PAUSED", 400, "E10001", "status"},
		{"no status", "POST", campaign + "/status", form, "", 400, "E10001", "status"},
		{"update without the lock", "PUT", campaign, plainJSON, `{}`, 400, "E10060", "lock"},
		{"another's code", "PUT", "/v3/campaigns/OTHER-x", plainJSON, `{}`, 400, "E10001", "campaignCode"},
		{"a long code", "PUT", "/v3/campaigns/SANDBOX1-" + strings.Repeat("x", 24), plainJSON, `{}`, 400, "E10001", "32"},
		{"no creatives", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, `{}`, 400, "E10001", "creatives"},
		{"taken creative", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, `{"creatives":[{"code":"spring-1","creativeId":"i"}],"inventorySettings":{},"biddingSettings":{}}`, 400, "E10062", "spring-1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			request, err := http.NewRequestWithContext(t.Context(), test.method, p.url+test.path, strings.NewReader(test.body))
			must(t, err)
			request.Header.Set("Authorization", "Bearer "+token)
			if test.contentType != "" {
				request.Header.Set("Content-Type", test.contentType)
			}
			status, answer := answerOf(t, request)
			text := fmt.Sprint(answer)
			if status != test.status || !strings.Contains(text, test.code) || !strings.Contains(text, test.says) {
				t.Errorf("answered %d %s, want %d %s … %s", status, text, test.status, test.code, test.says)
			}
			wantStatus := "error"
			if status == 400 {
				wantStatus = "fail"
			}
			if object, ok := answer.(map[string]any); !ok || object["status"] != wantStatus {
				t.Errorf("the envelope is %s", text)
			}
		})
	}
}

func TestForeignUploads(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c := p.client()
	token, err := c.Login(t.Context(), "sandbox", "sandbox")
	must(t, err)
	s := readSample(t, "segments.upload")
	s.Request.File.Content = " F2D1311CA5C1ECB214C19A26E9DDBAD0 ,\r\n3b667154ffa2bc3adf2f41136344aaee,f2d1311ca5c1ecb214c19a26e9ddbad0,\n"
	if status, answer := answerOf(t, s.request(t, p.url, token)); status != 200 {
		t.Fatalf("answered %d %v", status, answer)
	}
	if got := p.fingerprint("segments/1"); got != (fingerprint{2, "2e37a271a564a8ecf3f0db3a4d2265be", "c9b740485a635088cbeedb358a99103e"}) {
		t.Errorf("the fingerprint is %+v", got)
	}
	journal := p.journal(0)
	if upload := journal[len(journal)-1].Upload; upload == nil || upload.Count != 3 {
		t.Errorf("the journal says %+v", upload)
	}
	var text json.RawMessage
	p.ask("GET", "/sandbox/journal", "", &text)
	for _, secret := range []string{"f2d1311c", "password", token} {
		if bytes.Contains(bytes.ToLower(text), []byte(secret)) {
			t.Errorf("%s is in the journal", secret)
		}
	}
}

func TestTokensLapse(t *testing.T) {
	t.Parallel()
	clock := newClock()
	p := start(t, sandbox.Options{Now: clock.now, TokenTTL: time.Minute})
	c := p.client()
	for range 3 {
		_, err := c.Segments(t.Context())
		must(t, err)
		clock.advance(time.Minute)
	}
	codes := []string{}
	for _, e := range p.journal(0) {
		codes = append(codes, strings.TrimSpace(e.Op+" "+e.Code))
	}
	again := []string{"segments.list AUTH001", "auth.token", "segments.list"}
	if want := slices.Concat([]string{"auth.token", "segments.list"}, again, again); !slices.Equal(codes, want) {
		t.Errorf("the journal says %q, want %q", codes, want)
	}
}
