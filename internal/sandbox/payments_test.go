package sandbox_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

func somePayment() map[string]string {
	return map[string]string{
		"cardNumber": "4111 1111 1111 1111", "cardCvv": "917", "cardholderName": "Ada Canary", "cardExpiryMonth": "3",
		"cardExpiryYear": "2026", "paymentAmount": "250.00", "paymentCurrency": "USD",
	}
}

// payFrom sends a payment from a remote address, without the checks of a client.
func payFrom(t *testing.T, s *sandbox.Sandbox, token, remote, advertiser string, form map[string]string) (int, string) {
	t.Helper()
	v := url.Values{}
	for key, value := range form {
		v.Set(key, value)
	}
	r := httptest.NewRequest(http.MethodPost, "/v3/payments/"+advertiser, strings.NewReader(v.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+token)
	r.RemoteAddr = remote
	var answer json.RawMessage
	return serveRequest(t, s, r, &answer), string(answer)
}

func TestPayments(t *testing.T) {
	t.Parallel()
	clock := newClock() // 2026-03-01
	p := start(t, sandbox.Options{Now: clock.now})
	c := p.client()
	token, err := c.Auth.Token(t.Context(), "sandbox", "sandbox")
	must(t, err)
	model := someAdvertiser()
	model.CurrencyCode = "JPY"
	yen, err := result[string](rtb.AdvertisersCreate.Do(t.Context(), c, rtb.NewAdvertiser{Advertiser: model}))
	must(t, err)
	for _, test := range []struct {
		name       string
		advertiser string
		change     map[string]string
		status     int
		says       string
	}{
		{"Visa", "SANDBOX1", nil, 200, "PAY-"},
		{"Mastercard", "SANDBOX1", map[string]string{"cardNumber": "5555555555554444", "deductCardProcessorFees": "true"}, 200, "PAY-"},
		{"least", "SANDBOX1", map[string]string{"paymentAmount": "50"}, 200, "PAY-"},
		{"most", "SANDBOX1", map[string]string{"paymentAmount": "5000.00"}, 200, "PAY-"},
		{"declined", "SANDBOX1", map[string]string{"cardNumber": "4000000000000002"}, 400, `EPMT004`},
		{"declined, with the processor's text", "SANDBOX1", map[string]string{"cardNumber": "4000000000000002"}, 400, "PROCESSOR_DECLINED, processor code 2000, processor text Do Not Honor"},
		{"a real card", "SANDBOX1", map[string]string{"cardNumber": "4012888888881881"}, 400, "Not a test card"},
		{"American Express", "SANDBOX1", map[string]string{"cardNumber": "378282246310005"}, 400, "cardNumber: must be that of a Visa or Mastercard"},
		{"mistyped", "SANDBOX1", map[string]string{"cardNumber": "4111111111111112"}, 400, "cardNumber: is mistyped"},
		{"no digits", "SANDBOX1", map[string]string{"cardNumber": "visa"}, 400, "cardNumber"},
		{"no number", "SANDBOX1", map[string]string{"cardNumber": ""}, 400, "cardNumber: is required"},
		{"no CVV", "SANDBOX1", map[string]string{"cardCvv": ""}, 400, "cardCvv: is required"},
		{"long CVV", "SANDBOX1", map[string]string{"cardCvv": "9170"}, 400, "cardCvv: must have 3 digits"},
		{"no name", "SANDBOX1", map[string]string{"cardholderName": " "}, 400, "cardholderName: is required"},
		{"month 13", "SANDBOX1", map[string]string{"cardExpiryMonth": "13"}, 400, "cardExpiryMonth"},
		{"year 26", "SANDBOX1", map[string]string{"cardExpiryYear": "26"}, 400, "cardExpiryYear: must have 4 digits"},
		{"expired", "SANDBOX1", map[string]string{"cardExpiryMonth": "2"}, 400, "expired"},
		{"too little", "SANDBOX1", map[string]string{"paymentAmount": "49.99"}, 400, "paymentAmount: must be 50.00 to 5000.00 USD"},
		{"too much", "SANDBOX1", map[string]string{"paymentAmount": "5000.01"}, 400, "paymentAmount"},
		{"negative", "SANDBOX1", map[string]string{"paymentAmount": "-100"}, 400, "paymentAmount"},
		{"no amount", "SANDBOX1", map[string]string{"paymentAmount": "NaN"}, 400, "paymentAmount"},
		{"exponent", "SANDBOX1", map[string]string{"paymentAmount": "1e999999999"}, 400, "paymentAmount"},
		{"another currency", "SANDBOX1", map[string]string{"paymentCurrency": "EUR"}, 400, "paymentCurrency: must be the account's base currency USD"},
		{"fees", "SANDBOX1", map[string]string{"deductCardProcessorFees": "yes"}, 400, "deductCardProcessorFees"},
		{"250 yen", yen, map[string]string{"paymentCurrency": "JPY"}, 400, "JPY, which are 50 to 5000 USD"},
		{"50000 yen", yen, map[string]string{"paymentCurrency": "JPY", "paymentAmount": "50000"}, 200, "PAY-"},
		{"nobody", "NOBODY", nil, 404, "NOBODY"},
	} {
		form := somePayment()
		maps.Copy(form, test.change)
		status, answer := payFrom(t, p.Sandbox, token, "127.0.0.1:1", test.advertiser, form)
		if status != test.status || !strings.Contains(answer, test.says) {
			t.Errorf("%s: %d %s, want %d … %s", test.name, status, answer, test.status, test.says)
		}
	}
	if status, answer := payFrom(t, p.Sandbox, token, "203.0.113.7:1", "SANDBOX1", somePayment()); status != 400 || !strings.Contains(answer, "HTTPS") {
		t.Errorf("over plain HTTP from elsewhere: %d %s", status, answer)
	}
	var journal json.RawMessage
	p.ask("GET", "/sandbox/journal", "", &journal)
	for _, secret := range []string{"4111", "5555", "4000", "917", "Canary"} {
		if strings.Contains(string(journal), secret) {
			t.Errorf("%s is in the journal", secret)
		}
	}
}

func TestCardIsNotShown(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	pay := rtb.Payment{
		AdvertiserCode: "SANDBOX1", CardNumber: "4000000000000002", CardCVV: "917", CardholderName: "Ada Canary",
		CardExpiryMonth: "12", CardExpiryYear: "2099", PaymentAmount: "60", PaymentCurrency: "USD",
	}
	_, _, err := rtb.PaymentsCreate.Do(t.Context(), p.client(), pay)
	if verdict(err) != "permanent refused EPMT004" || strings.Contains(err.Error(), pay.CardNumber) || strings.Contains(err.Error(), "Canary") {
		t.Errorf("the error is %v", err)
	}
}
