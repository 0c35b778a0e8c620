package sandbox

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher/internal/rtb"
)

// The limits of a payment, and the processor's fee. The fee is ours: the
// interface only says that there is one.
const (
	minPaymentUSD  = 50
	maxPaymentUSD  = 5000
	processorFee   = 0.029 // of the amount
	paymentCounter = "payment"
)

// testCard is a card number that the sandbox knows and what its bank says:
// empty is yes.
type testCard struct{ number, code, text string }

// testCards are all that can be paid with here: nobody should try a real one.
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

// amountForm is an amount of money with at most two decimals. It is compiled once.
var amountForm = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,2})?$`)

func (w *world) pay(c *call, in rtb.Payment) (rtb.PaymentAnswer, error) {
	row, err := w.ownAdvertiser(c, in.AdvertiserCode)
	if err != nil {
		return rtb.PaymentAnswer{}, err
	}
	if !c.private {
		return rtb.PaymentAnswer{}, refused(codeInvalid, "payments must be called over HTTPS; over plain HTTP from this machine only")
	}
	if err := checkCard(in, c.now); err != nil {
		return rtb.PaymentAnswer{}, err
	}
	amount, inUSD, err := w.checkAmount(in, row.Model.CurrencyCode, c.now)
	if err != nil {
		return rtb.PaymentAnswer{}, err
	}
	number, counted := w.next(paymentCounter)
	reference := fmt.Sprintf("PAY-%08d", number) // as text in the order of the payments
	if declined := processorSays(in.CardNumber, reference); declined != nil {
		if err := w.commit(nil, counted); err != nil { // so that no two transactions have the same id
			return rtb.PaymentAnswer{}, err
		}
		return rtb.PaymentAnswer{}, declined
	}
	p := payment{Advertiser: in.AdvertiserCode, At: c.now, Currency: in.PaymentCurrency, Amount: amount, AmountInUSD: inUSD}
	if in.DeductCardProcessorFees == "true" {
		p.Fees = cents(amount * processorFee)
		p.Amount, p.AmountInUSD = cents(amount-p.Fees), cents(inUSD*(1-processorFee))
	}
	return rtb.PaymentAnswer{TransactionReference: reference}, w.commit(nil, counted, w.payments.put(reference, p))
}

// checkCard checks all fields but the amount; no message repeats what they hold.
func checkCard(in rtb.Payment, now time.Time) error {
	for _, f := range []struct{ field, value string }{
		{"cardNumber", in.CardNumber}, {"cardCvv", in.CardCVV}, {"cardholderName", in.CardholderName},
		{"cardExpiryMonth", in.CardExpiryMonth}, {"cardExpiryYear", in.CardExpiryYear},
		{"paymentAmount", in.PaymentAmount}, {"paymentCurrency", in.PaymentCurrency},
	} {
		if strings.TrimSpace(f.value) == "" {
			return invalid(f.field, "is required")
		}
	}
	month, monthErr := strconv.Atoi(in.CardExpiryMonth)
	year, yearErr := strconv.Atoi(in.CardExpiryYear)
	switch {
	case rtb.CardScheme(in.CardNumber) == "":
		return invalid("cardNumber", "must be that of a Visa or Mastercard")
	case !luhn(digitsOf(in.CardNumber)):
		return invalid("cardNumber", "is mistyped: its check digit is wrong")
	case len(in.CardCVV) != 3 || strings.Trim(in.CardCVV, "0123456789") != "":
		return invalid("cardCvv", "must have 3 digits")
	case monthErr != nil || month < 1 || month > 12:
		return invalid("cardExpiryMonth", "must be a month from 1 to 12")
	case yearErr != nil || len(in.CardExpiryYear) != 4 || year < 0:
		return invalid("cardExpiryYear", "must have 4 digits")
	case !now.Before(time.Date(year, time.Month(month)+1, 1, 0, 0, 0, 0, time.UTC)):
		return invalid("cardExpiryYear", "the card has expired")
	case !slices.Contains([]string{"", "true", "false"}, in.DeductCardProcessorFees):
		return invalid("deductCardProcessorFees", "must be true or false")
	}
	return nil
}

// checkAmount returns the amount in the account's currency and in USD.
func (w *world) checkAmount(in rtb.Payment, base string, now time.Time) (amount, inUSD float64, err error) {
	if in.PaymentCurrency != base {
		return 0, 0, invalid("paymentCurrency", "must be the account's base currency "+base)
	}
	if !amountForm.MatchString(in.PaymentAmount) {
		return 0, 0, invalid("paymentAmount", "must be a number with at most two decimals, such as 250.00")
	}
	rate, found := w.usdPer(base, now)
	if !found {
		return 0, 0, invalid("paymentCurrency", "there is no exchange rate for "+base)
	}
	exact, _ := new(big.Rat).SetString(in.PaymentAmount) // its form was checked
	amount, _ = exact.Float64()
	inUSD = amount * rate
	if inUSD < minPaymentUSD || inUSD > maxPaymentUSD {
		return 0, 0, invalid("paymentAmount", fmt.Sprintf("must be %.2f to %.2f %s, which are 50 to 5000 USD", minPaymentUSD/rate, maxPaymentUSD/rate, base))
	}
	return amount, cents(inUSD), nil
}

// processorSays is the card processor's answer; nil is yes.
func processorSays(number, transaction string) error {
	digits := digitsOf(number)
	at := slices.IndexFunc(testCards(), func(t testCard) bool { return t.number == digits })
	card := testCard{code: "2038", text: "Not a test card of the sandbox"}
	if at >= 0 {
		card = testCards()[at]
	}
	if card.code == "" {
		return nil
	}
	return refused(rtb.CodePaymentFailed, "Card payment failed: transaction id %s, message %s, status PROCESSOR_DECLINED, processor code %s, processor text %s",
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
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(amount, 'f', 2, 64), 64) // what was written can be read
	return rounded
}
