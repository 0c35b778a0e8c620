package operations

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"usher/internal/rtb"
)

// The limits of a payment, and the processor's fee. The interface document does not define
// the fee.
const (
	minPaymentUSD  = 50
	maxPaymentUSD  = 5000
	processorFee   = 0.029 // of the amount
	paymentCounter = "payment"
)

// testCard is a card number with the code and text of the bank's refusal, or without them if
// the bank accepts payments.
type testCard struct{ number, code, text string }

// testCards returns the documented test cards. All other cards are declined, so that nobody
// uses a real one.
func testCards() []testCard {
	return []testCard{
		{"4111111111111111", "", ""},
		{"5555555555554444", "", ""},
		{"4000000000000002", "2000", "Do Not Honor"},
		{"4000000000009995", "2001", "Insufficient Funds"},
		{"4000000000000069", "2004", "Expired Card"},
		{"5105105105105100", "2010", "Card Issuer Declined CVV"},
	}
}

// amountForm is an amount of money with at most two decimals.
var amountForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,2})?$`) })

func (s *State) pay(c *Call, in rtb.Payment) (rtb.PaymentAnswer, error) {
	row, err := s.findAdvertiser(c, in.AdvertiserCode)
	if err != nil {
		return rtb.PaymentAnswer{}, err
	}
	if !c.Private {
		return rtb.PaymentAnswer{}, Refused(CodeInvalid, "payments need HTTPS; plain HTTP is allowed only from this machine")
	}
	if err := checkCard(in, c.Now); err != nil {
		return rtb.PaymentAnswer{}, err
	}
	amount, inUSD, err := checkAmount(in, row.Model.CurrencyCode, c.Now)
	if err != nil {
		return rtb.PaymentAnswer{}, err
	}
	number, counted := s.next(paymentCounter)
	reference := fmt.Sprintf("PAY-%08d", number) // sorts in the order of the payments
	if declined := charge(in.CardNumber, reference); declined != nil {
		if err := s.store.Commit(counted); err != nil { // a declined payment also has a transaction id
			return rtb.PaymentAnswer{}, err
		}
		return rtb.PaymentAnswer{}, declined
	}
	p := payment{Advertiser: in.AdvertiserCode, At: c.Now, Currency: in.PaymentCurrency, Amount: amount, AmountInUSD: inUSD}
	if in.DeductCardProcessorFees == "true" {
		p.Fees = cents(amount * processorFee)
		p.Amount, p.AmountInUSD = cents(amount-p.Fees), cents(inUSD*(1-processorFee))
	}
	return rtb.PaymentAnswer{TransactionReference: reference}, s.store.Commit(counted, s.payments.Put(reference, p))
}

// checkCard checks all fields except the amount. No error repeats a value.
func checkCard(in rtb.Payment, now time.Time) error {
	if err := checkRequired(in); err != nil {
		return err
	}
	switch {
	case rtb.CardScheme(in.CardNumber) == "":
		return Invalid("cardNumber", "must be that of a Visa or Mastercard")
	case !luhn(digitsOf(in.CardNumber)):
		return Invalid("cardNumber", "is mistyped: its check digit is wrong")
	case len(in.CardCVV) != 3 || strings.Trim(in.CardCVV, "0123456789") != "":
		return Invalid("cardCvv", "must have 3 digits")
	}
	if err := checkExpiry(in, now); err != nil {
		return err
	}
	if !slices.Contains([]string{"", "true", "false"}, in.DeductCardProcessorFees) {
		return Invalid("deductCardProcessorFees", "must be true or false")
	}
	return nil
}

func checkRequired(in rtb.Payment) error {
	for _, f := range []struct{ field, value string }{
		{"cardNumber", in.CardNumber}, {"cardCvv", in.CardCVV}, {"cardholderName", in.CardholderName},
		{"cardExpiryMonth", in.CardExpiryMonth}, {"cardExpiryYear", in.CardExpiryYear},
		{"paymentAmount", in.PaymentAmount}, {"paymentCurrency", in.PaymentCurrency},
	} {
		if strings.TrimSpace(f.value) == "" {
			return Invalid(f.field, "is required")
		}
	}
	return nil
}

func checkExpiry(in rtb.Payment, now time.Time) error {
	month, monthErr := strconv.Atoi(in.CardExpiryMonth)
	year, yearErr := strconv.Atoi(in.CardExpiryYear)
	switch {
	case monthErr != nil || month < 1 || month > 12:
		return Invalid("cardExpiryMonth", "must be a month from 1 to 12")
	case yearErr != nil || len(in.CardExpiryYear) != 4 || year < 0:
		return Invalid("cardExpiryYear", "must have 4 digits")
	case !now.Before(time.Date(year, time.Month(month)+1, 1, 0, 0, 0, 0, time.UTC)):
		return Invalid("cardExpiryYear", "the card has expired")
	}
	return nil
}

// checkAmount returns the amount in the account's currency and in USD.
func checkAmount(in rtb.Payment, base string, now time.Time) (amount, inUSD float64, err error) {
	if in.PaymentCurrency != base {
		return 0, 0, Invalid("paymentCurrency", "must be the account's base currency "+base)
	}
	if !amountForm().MatchString(in.PaymentAmount) {
		return 0, 0, Invalid("paymentAmount", "must be a number with at most two decimals, such as 250.00")
	}
	rate, found := usdRate(base, dayOf(now))
	if !found {
		return 0, 0, Invalid("paymentCurrency", "there is no exchange rate for "+base)
	}
	exact, _ := new(big.Rat).SetString(in.PaymentAmount) // amountForm matched
	amount, _ = exact.Float64()
	inUSD = amount * rate
	if inUSD < minPaymentUSD || inUSD > maxPaymentUSD {
		return 0, 0, Invalid("paymentAmount", fmt.Sprintf("must be %.2f to %.2f %s, which are 50 to 5000 USD", minPaymentUSD/rate, maxPaymentUSD/rate, base))
	}
	return amount, cents(inUSD), nil
}

// charge returns the failure of a payment that the card's bank declines, or nil.
func charge(number, transaction string) error {
	digits := digitsOf(number)
	at := slices.IndexFunc(testCards(), func(t testCard) bool { return t.number == digits })
	card := testCard{code: "2038", text: "Not a test card of the sandbox"}
	if at >= 0 {
		card = testCards()[at]
	}
	if card.code == "" {
		return nil
	}
	return Refused(rtb.CodePaymentFailed, "Card payment failed: transaction id %s, message %s, status PROCESSOR_DECLINED, processor code %s, processor text %s",
		transaction, card.text, card.code, card.text)
}

func digitsOf(number string) string { return strings.NewReplacer(" ", "", "-", "").Replace(number) }

// luhn reports whether the check digit of a card number is right.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		n := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			n *= 2
		}
		sum += n/10 + n%10
	}
	return sum%10 == 0
}

// cents rounds to two decimals.
func cents(amount float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(amount, 'f', 2, 64), 64) // always a number
	return rounded
}
