package rtb_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"usher/internal/rtb"
)

// TestWholeHidesOnlySecrets checks that a person sees every word of the platform except
// their own secrets, however these are written.
func TestWholeHidesOnlySecrets(t *testing.T) {
	t.Parallel()
	const id, uuid = "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "6d92078a-8246-4ba4-ae5b-76104861e7dc"
	long := strings.Repeat("long ", 200)
	body := `{"status":"fail","data":{"errors":[
		{"code":"EPMT004","description":"transaction id ` + id + `, request ` + uuid + `, TX-123-9, card 4111-1111-1111-1111 of A N \"Other\", cvv 123, 4111111111111111, ` + long + `"},
		{"code":"E2","description":"and ` + uuid + `"}]}}`
	c := newClient(t, rtb.Options{Tokens: tokens("token-canary-1")}, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, body)
	})
	_, _, err := rtb.PaymentsCreate.Do(t.Context(), c, rtb.Payment{
		AdvertiserCode: "SANDBOX1", CardNumber: "4111 1111 1111 1111", CardCVV: "123", CardholderName: `A N "Other"`,
		CardExpiryMonth: "12", CardExpiryYear: "2099", PaymentAmount: "100", PaymentCurrency: "USD",
	})
	var fault *rtb.Fault
	if !errors.As(err, &fault) {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"text": fault.Whole(), "body": string(fault.Body())} {
		for _, want := range []string{id, uuid, "TX-123-9", "card … of …, cvv …, …, ", long, "E2"} {
			if !strings.Contains(text, want) {
				t.Errorf("the %s lacks %q: %s", name, want, text)
			}
		}
	}
	if strings.Contains(fault.Error(), id) {
		t.Errorf("the text for records and logs has an id: %s", fault.Error())
	}
}

func TestBaseURLMayEndInVersion(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"", "/", "/v3", "/v3/"} {
		paths := make(chan string, 1)
		c := rtb.New(rtb.Options{BaseURL: "http://platform.invalid/api" + end, Tokens: tokens("token"), HTTP: &http.Client{Transport: recorder(paths)}})
		if _, err := c.Segments.List(t.Context()); err != nil {
			t.Fatal(err)
		}
		if path := <-paths; path != "/api/v3/segments" {
			t.Errorf("a base URL that ends in %q: GET %s", end, path)
		}
	}
}

// recorder is a transport that answers with an empty list and sends the path of each request.
type recorder chan<- string

func (r recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r <- request.URL.Path
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(`{"status":"success","data":{"segments":[]}}`))}, nil
}
