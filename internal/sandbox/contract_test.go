package sandbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"usher/internal/rtb"
	"usher/internal/rtb/samples"
	"usher/internal/sandbox"
)

// sample is a request and its answer. The requests use segments and campaigns of the initial
// state.
type sample struct{ samples.Sample }

func readSample(t testing.TB, operation string) sample {
	t.Helper()
	return sample{samples.Read(t, operation)}
}

// request returns the sample's request, built without rtb.
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
	defer response.Body.Close()
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

// prepare brings the sandbox to a state in which every sample's request succeeds.
func prepare(t testing.TB, c *rtb.Client) {
	t.Helper()
	ctx := t.Context()
	must(t, c.Campaigns.Lock(ctx, "SANDBOX1-spring"))
	must(t, errorOf(rtb.SegmentsAddUser.Do(ctx, c, rtb.SegmentUser{SegmentID: "1", SegmentType: rtb.TypeIDFA, UserID: "f2d1311ca5c1ecb214c19a26e9ddbad0"})))
	_, err := c.Campaigns.AddMobileTargets(ctx, "SANDBOX1-spring", batchOf(0, 2))
	must(t, err)
	_, _, err = rtb.CampaignsAddUserTargets.Do(ctx, c, rtb.UserUpload{CampaignCode: "SANDBOX1-spring", SegmentID: "1", UserIDs: rtb.File{Content: strings.NewReader("a,b"), Size: 3}})
	must(t, err)
	must(t, errorOf(rtb.UsersPut.Do(ctx, c, rtb.UserDefinition{Username: "ada", Settings: rtb.UserSettings{Password: "ada's", ReportingCurrency: "EUR"}})))
	must(t, errorOf(rtb.AdvertisersLink.Do(ctx, c, rtb.LinkPath{AdvertiserCode: "SANDBOX1", Username: "ada", Realm: rtb.RealmView})))
	must(t, errorOf(rtb.AdvertisersBlock.Do(ctx, c, rtb.BlockedPath{AdvertiserCode: "SANDBOX1", Domain: "example.co.uk"})))
	err = errorOf(rtb.SSPPutPublisher.Do(ctx, c, rtb.PublisherDefinition{Publisher: rtb.Publisher{PublisherID: "news", Domain: "news.example.com", PublisherName: "Example News"}}))
	must(t, err)
	err = errorOf(rtb.SSPPutAdslot.Do(ctx, c, rtb.AdslotDefinition{PublisherID: "news", Adslot: rtb.Adslot{
		AdslotID: "news-top", PublisherID: "news", AdslotName: "Top", Width: 728, Height: 90,
		Position: "ATF", Formats: []string{"IMAGE"}, IABCategoryIDs: []rtb.Count{1},
	}}))
	must(t, err)
}

// gifSite serves the file of the sample of creatives.push.
func gifSite(t testing.TB) string {
	t.Helper()
	content := readSample(t, "creatives.push").Request.File.Content
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, content) }))
	t.Cleanup(site.Close)
	return site.URL
}

// TestSamples compares the sandbox with rtb's samples: each request succeeds, and
// its answer has every field of the sample's answer, with the same type.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, op := range rtb.Operations() {
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			p := start(t, sandbox.Options{})
			c := p.client()
			prepare(t, c)
			token, err := c.Auth.Token(t.Context(), "sandbox", "sandbox")
			must(t, err)
			s := readSample(t, op.Name)
			if op.Name == "creatives.pull" {
				s.Request.Form["url"] = gifSite(t) + "/banner.gif?size=300x250"
			}
			status, answer := answerOf(t, s.request(t, p.url, token))
			if status != http.StatusOK {
				t.Fatalf("answered %d %v", status, answer)
			}
			var want any
			must(t, json.Unmarshal(s.Answer, &want))
			if missing := missingField("", want, answer); missing != "" {
				t.Errorf("the answer %v: %s", answer, missing)
			}
			journal := p.journal(0)
			if last := journal[len(journal)-1]; last.Op != op.Name || last.Status != 200 || last.Advertiser != "SANDBOX1" || last.User != "sandbox" {
				t.Errorf("the journal says %+v", last)
			}
			if op.Open {
				return
			}
			if status, answer := answerOf(t, s.request(t, p.url, "wrong")); status != 401 || missingField("", map[string]any{"status": "", "message": "", "code": ""}, answer) != "" {
				t.Errorf("with a wrong token: %d %v", status, answer)
			}
		})
	}
}

// missingField returns the path of a field of want that got does not have, or has with
// another type. It compares only the first items of lists.
func missingField(at string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return at + " is not an object"
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if missing := missingField(at+"."+key, want[key], object[key]); missing != "" {
				return missing
			}
		}
	case []any:
		list, ok := got.([]any)
		if !ok || len(want) > 0 && len(list) == 0 {
			return at + " is not a list, or empty"
		}
		if len(want) > 0 {
			return missingField(at+"[0]", want[0], list[0])
		}
	default:
		if fmt.Sprintf("%T", want) != fmt.Sprintf("%T", got) {
			return fmt.Sprintf("%s is a %T, want a %T", at, got, want)
		}
	}
	return ""
}
