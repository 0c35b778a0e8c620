package sandbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// TestRefusals sends invalid requests, which a client would not send.
func TestRefusals(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	token, err := p.client().Auth.Token(t.Context(), "sandbox", "sandbox")
	must(t, err)
	news := rtb.Publisher{PublisherID: "news", Domain: "news.example.com", PublisherName: "Example News"}
	must(t, errorOf(rtb.SSPPutPublisher.Do(t.Context(), p.client(), rtb.PublisherDefinition{Publisher: news})))
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
	adslot := func(fields string) string { return `{"adslotId":"top"` + fields + `}` }
	definition := func(creative, targeting string) string {
		return `{"creatives":[` + strings.Replace(`{"code":"x-1","creativeId":"i",`+strings.TrimPrefix(creative, "{"), ",}", "}", 1) + `],"inventorySettings":{},"biddingSettings":{},"targetingSettings":` + targeting + `}`
	}
	for _, test := range []struct {
		name, method, path, contentType, body string
		status                                int
		code, says                            string
	}{
		{"unknown path", "GET", "/v3/nothing", "", "", 404, "E10404", "path"},
		{"the root", "GET", "/v3", "", "", 404, "E10404", "path"},
		{"slash at the end", "GET", "/v3/segments/", "", "", 404, "E10404", "path"},
		{"dots", "GET", "/v3/segments/../campaigns", "", "", 404, "", ""},
		{"bad escape", "GET", "/v3/segments/%25zz%2F", "", "", 404, "E10404", "segment"},
		{"wrong method", "PATCH", "/v3/segments/1", "", "", 405, "E10405", "PATCH"},
		{"unknown segment", "GET", "/v3/segments/999", "", "", 404, "E10404", "segment 999"},
		{"unknown campaign", "PUT", "/v3/campaigns/SANDBOX1-no/lock", "", "", 404, "E10404", "campaign SANDBOX1-no"},
		{"unknown creative", "GET", "/v3/creatives/no/status", "", "", 404, "E10404", "creative no"},
		{"no targeting", "GET", campaign + "/mobileDeviceIdTarget", "", "", 404, "E10404", "targeting"},
		{"login without a password", "GET", "/v3/oauth/accessToken?username=a", "", "", 400, "E10001", "password"},
		{"login with a wrong password", "GET", "/v3/oauth/accessToken?username=sandbox&password=b&advertiser=SANDBOX1", "", "", 401, "AUTH001", "wrong"},
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
		{"upload to an unknown segment", "POST", "/v3/segments/999/users", multi, file("users", a), 404, "E10404", "999"},
		{"status without the lock", "POST", campaign + "/status", form, "status=INACTIVE", 400, "E10060", "lock"},
		{"unknown status", "POST", campaign + "/status", form, "status=PAUSED", 400, "E10001", "status"},
		{"no status", "POST", campaign + "/status", form, "", 400, "E10001", "status"},
		{"update without the lock", "PUT", campaign, plainJSON, `{}`, 400, "E10060", "lock"},
		{"code of another advertiser", "PUT", "/v3/campaigns/OTHER-x", plainJSON, `{}`, 400, "E10001", "campaignCode"},
		{"a long code", "PUT", "/v3/campaigns/SANDBOX1-" + strings.Repeat("x", 24), plainJSON, `{}`, 400, "E10001", "32"},
		{"no creatives", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, `{}`, 400, "E10001", "creatives"},
		{"unknown device", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, definition(`{}`, `{"deviceTargetingSettings":{"devices":["MOBILE","FRIDGE"]}}`), 400, "E10001", "targetingSettings.deviceTargetingSettings.devices[1]"},
		{"devices that are no list", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, definition(`{}`, `{"deviceTargetingSettings":{"devices":"MOBILE"}}`), 400, "E10001", "targetingSettings.deviceTargetingSettings.devices: must be a list"},
		{"unknown category", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, definition(`{}`, `{"contextualSettings":{"iabCategories":[1,999999]}}`), 400, "E10001", "iabCategories[1]"},
		{"settings that are no object", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, definition(`{}`, `5`), 400, "E10001", "targetingSettings: must be an object"},
		{"unknown creative status", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, definition(`{"status":"PAUSED"}`, `{}`), 400, "E10001", "creatives[0].status"},
		{"clickthrough to nowhere", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, definition(`{"clickthroughUrl":"shop"}`, `{}`), 400, "E10001", "creatives[0].clickthroughUrl"},
		{"negative width", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, definition(`{"dimensions":{"width":-1}}`, `{}`), 400, "E10001", "dimensions.width"},
		{"negative bid", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, `{"creatives":[{}],"inventorySettings":{},"biddingSettings":{"biddingStrategy":{"maxBid":-1}}}`, 400, "E10001", "maxBid"},
		{"whitelist with an invalid domain", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, `{"creatives":[{}],"inventorySettings":{"publisherWhiteList":["a b"]},"biddingSettings":{}}`, 400, "E10001", "publisherWhiteList[0]"},
		{"user without a password", "PUT", "/v3/users/bob", plainJSON, `{}`, 400, "E10001", "password"},
		{"user with a wrong type", "PUT", "/v3/users/bob", plainJSON, `{"password":5}`, 400, "E10001", "password: must be a string"},
		{"user with an unknown currency", "PUT", "/v3/users/bob", plainJSON, `{"password":"b","reportingCurrency":"usd"}`, 400, "E10001", "reportingCurrency"},
		{"user with an invalid name", "PUT", "/v3/users/a%2Fb", plainJSON, `{"password":"b"}`, 400, "E10001", "username"},
		{"unknown user", "GET", "/v3/users/nobody", "", "", 404, "E10404", "user nobody"},
		{"advertiser without a name", "POST", "/v3/advertisers", plainJSON, `{}`, 400, "E10001", "name: is required"},
		{"advertiser without a domain", "POST", "/v3/advertisers", plainJSON, `{"name":"n"}`, 400, "E10001", "domain: is required"},
		{"advertiser without a real domain", "POST", "/v3/advertisers", plainJSON, `{"name":"n","domain":"x"}`, 400, "E10001", "domain: must be"},
		{"advertiser without an address", "POST", "/v3/advertisers", plainJSON, `{"name":"n","domain":"example.com"}`, 400, "E10001", "correspondenceEmailAddress: is required"},
		{"advertiser without a real address", "POST", "/v3/advertisers", plainJSON, `{"name":"n","domain":"example.com","correspondenceEmailAddress":"x"}`, 400, "E10001", "correspondenceEmailAddress: must be"},
		{"advertiser without a margin", "POST", "/v3/advertisers", plainJSON, `{"name":"n","domain":"example.com","correspondenceEmailAddress":"a@b.com"}`, 400, "E10001", "margins.mediaMargin: is required"},
		{"advertiser with a code", "POST", "/v3/advertisers", plainJSON, `{"code":"X"}`, 400, "E10001", "code"},
		{"advertiser with an unknown status", "POST", "/v3/advertisers", plainJSON, `{"name":"n","status":"PAUSED"}`, 400, "E10001", "status: must be ACTIVE or INACTIVE"},
		{"attribution over 100 percent", "POST", "/v3/advertisers", plainJSON, `{"name":"n","domain":"example.com","correspondenceEmailAddress":"a@b.com","margins":{"mediaMargin":1},"attributionSettings":{"postClick":{"percentage":101}}}`, 400, "E10001", "attributionSettings.postClick.percentage"},
		{"unknown advertiser", "GET", "/v3/advertisers/NOBODY", "", "", 404, "E10404", "advertiser NOBODY"},
		{"unknown realm", "PUT", "/v3/advertisers/SANDBOX1/users/sandbox/ROOT", "", "", 400, "E10001", "realm"},
		{"link of an unknown user", "PUT", "/v3/advertisers/SANDBOX1/users/nobody", "", "", 404, "E10404", "user nobody"},
		{"sub-domain", "POST", "/v3/advertisers/SANDBOX1/blocklist/www.example.co.uk", "", "", 400, "E10001", "example.co.uk"},
		{"creative that is no form", "POST", "/v3/creatives/upload/push", plainJSON, `{}`, 400, "E10002", "creative"},
		{"creative in another field", "POST", "/v3/creatives/upload/push", multi, file("file", "GIF"), 400, "E10002", "creative"},
		{"creative of text", "POST", "/v3/creatives/upload/push", multi, file("creative", "hello"), 400, "E10001", "creative: must be JPEG, GIF, PNG or SWF"},
		{"creative that ends early", "POST", "/v3/creatives/upload/push", multi, file("creative", a)[:100], 400, "E10002", "early"},
		{"pull of nothing", "POST", "/v3/creatives/upload/pull", form, "", 400, "E10001", "url: is required"},
		{"pull with JSON", "POST", "/v3/creatives/upload/pull", plainJSON, `{"url":"x"}`, 400, "E10002", "application/x-www-form-urlencoded"},
		{"publisher without an id", "POST", "/v3/ssp/publisher", plainJSON, `{}`, 400, "E10001", "publisherId: is required"},
		{"publisher without a domain", "POST", "/v3/ssp/publisher", plainJSON, `{"publisherId":"p"}`, 400, "E10001", "domain: is required"},
		{"publisher with a short name", "POST", "/v3/ssp/publisher", plainJSON, `{"publisherId":"p","domain":"example.com","publisherName":"Näws"}`, 400, "E10001", "at least 5"},
		{"adslot without an id", "POST", "/v3/ssp/publisher/news/adslot", plainJSON, `{}`, 400, "E10001", "adslotId: is required"},
		{"adslot without a name", "POST", "/v3/ssp/publisher/news/adslot", plainJSON, adslot(``), 400, "E10001", "adslotName: is required"},
		{"adslot with a blank name", "POST", "/v3/ssp/publisher/news/adslot", plainJSON, adslot(`,"adslotName":" ","width":1,"height":1,"position":"ATF","formats":["VAST"]`), 400, "E10001", "adslotName: is required"},
		{"adslot without a width", "POST", "/v3/ssp/publisher/news/adslot", plainJSON, adslot(`,"adslotName":"Top"`), 400, "E10001", "width: is required"},
		{"adslot without a height", "POST", "/v3/ssp/publisher/news/adslot", plainJSON, adslot(`,"adslotName":"Top","width":1`), 400, "E10001", "height: is required"},
		{"adslot without a position", "POST", "/v3/ssp/publisher/news/adslot", plainJSON, adslot(`,"adslotName":"Top","width":1,"height":1`), 400, "E10001", "position: must be one of"},
		{"adslot without formats", "POST", "/v3/ssp/publisher/news/adslot", plainJSON, adslot(`,"adslotName":"Top","width":1,"height":1,"position":"ATF"`), 400, "E10001", "formats: must hold"},
		{"adslot of an unknown format", "POST", "/v3/ssp/publisher/news/adslot", plainJSON, adslot(`,"adslotName":"Top","width":1,"height":1,"position":"ATF","formats":["VAST","FLASH"]`), 400, "E10001", "formats[1]: must be one of"},
		{"adslot of an unknown category", "POST", "/v3/ssp/publisher/news/adslot", plainJSON, adslot(`,"adslotName":"Top","width":1,"height":1,"position":"ATF","formats":["VAST"],"iabCategoryIds":[1,99999]`), 400, "E10001", "iabCategoryIds[1]: must be an id"},
		{"adslot of an unknown publisher", "POST", "/v3/ssp/publisher/no/adslot", plainJSON, `{}`, 404, "E10404", "publisher no"},
		{"payment with JSON", "POST", "/v3/payments/SANDBOX1", plainJSON, `{}`, 400, "E10002", "application/x-www-form-urlencoded"},
		{"payment of nothing", "POST", "/v3/payments/SANDBOX1", form, "", 400, "E10001", "cardNumber: is required"},
		{"creative of another campaign", "PUT", "/v3/campaigns/SANDBOX1-x", plainJSON, `{"creatives":[{"code":"spring-1","creativeId":"i"}],"inventorySettings":{},"biddingSettings":{}}`, 400, "E10062", "spring-1"},
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
