package rtb_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"usher/internal/rtb"
)

// The interface document does not name the key of the username.
func TestUsernameOfAnyKey(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]rtb.UserConnection{
		`{"username":"ada","realm":"VIEW","since":"2014"}`: {Username: "ada", Realm: "VIEW"},
		`{"user":"ada","realm":"ADMIN"}`:                   {Username: "ada", Realm: "ADMIN"},
		`{"realm":"ADMIN","userName":"ada"}`:               {Username: "ada", Realm: "ADMIN"},
		`{"realm":"ADMIN","a":"b","c":"d"}`:                {Realm: "ADMIN"}, // ambiguous
		`{"realm":"NEW"}`:                                  {Realm: "NEW"},
	} {
		var got rtb.UserConnection
		if err := json.Unmarshal([]byte(body), &got); err != nil || got != want {
			t.Errorf("%s is %+v, want %+v: %v", body, got, want, err)
		}
	}
	var got rtb.UserConnection
	if err := json.Unmarshal([]byte(`{"realm":"ADMIN","user":7}`), &got); err == nil {
		t.Errorf("a number was read as %+v", got)
	}
}

func TestLinkWithoutRealm(t *testing.T) {
	t.Parallel()
	var paths []string
	c := newClient(t, rtb.Options{Tokens: tokens("token")}, func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		_, _ = io.WriteString(w, `{"status":"success"}`)
	})
	for _, realm := range []string{"", rtb.RealmView} {
		if err := errorOf(rtb.AdvertisersLink.Do(t.Context(), c, rtb.LinkPath{AdvertiserCode: "SANDBOX1", Username: "ada", Realm: realm})); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"/v3/advertisers/SANDBOX1/users/ada", "/v3/advertisers/SANDBOX1/users/ada/VIEW"}; !slices.Equal(paths, want) {
		t.Errorf("sent %q, want %q", paths, want)
	}
	if got := rtb.AdvertisersLink.Shorter(); got != "/v3/advertisers/{advertiserCode}/users/{username}" {
		t.Errorf("the shorter path is %s", got)
	}
	if got := rtb.UsersGet.Shorter(); got != "" {
		t.Errorf("a path without optional segments has the shorter path %s", got)
	}
}

func somePayment() rtb.Payment {
	return rtb.Payment{
		AdvertiserCode: "SANDBOX1", CardNumber: "4111 1111 1111 1111", CardCVV: "9173", CardholderName: "Ada Canary",
		CardExpiryMonth: "12", CardExpiryYear: "2099", PaymentAmount: "250.00", PaymentCurrency: "USD",
	}
}

func TestInvalidPaymentsAreNotSent(t *testing.T) {
	t.Parallel()
	local := newClient(t, rtb.Options{Tokens: tokens("token")}, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	plain := rtb.New(rtb.Options{BaseURL: "http://platform.invalid", Tokens: tokens("token"), HTTP: &http.Client{Transport: canned{200, "", "{}"}}})
	for name, test := range map[string]struct {
		c      *rtb.Client
		change func(p *rtb.Payment)
		want   string
	}{
		"plain HTTP":         {plain, func(*rtb.Payment) {}, "https://"},
		"American Express":   {local, func(p *rtb.Payment) { p.CardNumber = "378282246310005" }, "Visa or Mastercard"},
		"no card":            {local, func(p *rtb.Payment) { p.CardNumber = "" }, "cardNumber"},
		"month":              {local, func(p *rtb.Payment) { p.CardExpiryMonth = "0" }, "cardExpiryMonth"},
		"year":               {local, func(p *rtb.Payment) { p.CardExpiryYear = "99" }, "cardExpiryYear"},
		"too little":         {local, func(p *rtb.Payment) { p.PaymentAmount = "49.99" }, "50 to 5000"},
		"too much":           {local, func(p *rtb.Payment) { p.PaymentAmount = "5000.01" }, "50 to 5000"},
		"a fraction":         {local, func(p *rtb.Payment) { p.PaymentAmount = "100/1" }, "paymentAmount"},
		"an exponent":        {local, func(p *rtb.Payment) { p.PaymentAmount = "1e999999999" }, "paymentAmount"},
		"no amount in yen":   {local, func(p *rtb.Payment) { p.PaymentAmount, p.PaymentCurrency = "many", "JPY" }, "paymentAmount"},
		"no advertiser code": {local, func(p *rtb.Payment) { p.AdvertiserCode = "" }, "advertiserCode"},
	} {
		p := somePayment()
		test.change(&p)
		_, _, err := rtb.PaymentsCreate.Do(t.Context(), test.c, p)
		if verdict(err) != "permanent invalid_job " || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCardSchemes(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{
		"4111111111111111": "VISA", "4222222222222": "VISA", "4111-1111-1111-1111": "VISA", "4111111111111111110": "VISA",
		"5555555555554444": "MASTERCARD", "5105105105105100": "MASTERCARD", "2221000000000009": "MASTERCARD", "2720992593319364": "MASTERCARD",
		"2220999999999999": "", "2721000000000000": "", "5655555555555555": "", "378282246310005": "", "6011111111111117": "",
		"41111111111111111": "", "": "", "x": "", "٤١١١١١١١١١١١١١١١": "",
	} {
		if got := rtb.CardScheme(number); got != want {
			t.Errorf("%s is %q, want %q", number, got, want)
		}
	}
}

// This platform repeats the secrets of a request in its errors.
func TestErrorsHideSecretsOfBodies(t *testing.T) {
	t.Parallel()
	echo := func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		secrets := strings.Join([]string{r.Form.Get("cardNumber"), r.Form.Get("cardCvv"), r.Form.Get("cardholderName"), "pass&word-canary"}, " ")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"status":"fail","data":{"errors":[{"code":%q,"description":%q}]}}`, rtb.CodePaymentFailed, secrets)
	}
	c := newClient(t, rtb.Options{Tokens: tokens("token")}, echo)
	_, _, payErr := rtb.PaymentsCreate.Do(t.Context(), c, somePayment())
	userErr := errorOf(rtb.UsersPut.Do(t.Context(), c, rtb.UserDefinition{Username: "ada", Settings: rtb.UserSettings{Password: "pass&word-canary"}}))
	if got := verdict(payErr); got != "permanent refused EPMT004" {
		t.Errorf("the payment's error is %s", got)
	}
	if text := payErr.Error(); strings.Contains(text, "4111") || strings.Contains(text, "9173") || strings.Contains(text, "Ada") {
		t.Errorf("the card is in %q", text)
	}
	if text := userErr.Error(); strings.Contains(text, "canary") {
		t.Errorf("the password is in %q", text)
	}
}

func TestShortPublisherNamesAreNotSent(t *testing.T) {
	t.Parallel()
	c := newClient(t, rtb.Options{Tokens: tokens("token")}, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	if err := errorOf(rtb.SSPPutPublisher.Do(t.Context(), c, rtb.PublisherDefinition{Publisher: rtb.Publisher{PublisherID: "p", Domain: "example.com", PublisherName: "Näws"}})); verdict(err) != "permanent invalid_job " {
		t.Errorf("the error is %v", err)
	}
}
