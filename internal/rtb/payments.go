package rtb

import (
	"math/big"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// CodePaymentFailed is the error code of a card payment that the processor declined.
// Its description has the processor's message.
const CodePaymentFailed = "EPMT004"

// Payment is a card payment to an advertiser's account.
type Payment struct {
	AdvertiserCode          string `path:"advertiserCode"                                                 help:"an advertiser's code, such as SANDBOX1"`
	CardNumber              string `secret:"true"                                                         help:"Visa or Mastercard"                     form:"cardNumber"`
	CardCVV                 string `secret:"true"                                                         form:"cardCvv"`
	CardholderName          string `secret:"true"                                                         form:"cardholderName"`
	CardExpiryMonth         string `help:"1 to 12"                                                        form:"cardExpiryMonth"`
	CardExpiryYear          string `help:"4 digits"                                                       form:"cardExpiryYear"`
	PaymentAmount           string `help:"50 to 5000 USD or the equivalent, such as 250.00"               form:"paymentAmount"`
	PaymentCurrency         string `help:"the account's base currency"                                    form:"paymentCurrency"`
	DeductCardProcessorFees string `help:"true: the processor's fees are deducted from the amount; false" form:"deductCardProcessorFees,optional"`
}

// PaymentAnswer has the reference of a payment's transaction.
type PaymentAnswer struct {
	TransactionReference string `json:"transactionReference"`
}

// PaymentsCreate is the only operation on payments.
var PaymentsCreate = post[Payment, PaymentAnswer]("payments.create", "/v3/payments/{advertiserCode}", "Pay by card into an advertiser's account",
	"Pay by card into an advertiser's account and return the reference of the transaction. It does not send a payment over plain HTTP to another machine, by a card that is neither Visa nor Mastercard, or of less than 50 or more than 5000 USD. The platform checks amounts in other currencies. A payment that the processor declined is refused with code EPMT004. If the answer is lost, the payment may have been made: check the account's transactions before you pay again.", 400, 404)

func paymentOperations() []Operation { return []Operation{PaymentsCreate.Operation} }

// Confidential reports whether nobody on the network can read requests to a base URL: it
// is HTTPS, or the platform runs on this machine.
func Confidential(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "https" || u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

var decimalNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{1,12}(\.[0-9]{1,4})?$`) })

func (p Payment) violation(c *Client) (field, rule string) {
	month, err := strconv.Atoi(p.CardExpiryMonth)
	switch {
	case !Confidential(c.base):
		return "the platform's URL", "must begin with https:// for payments"
	case CardScheme(p.CardNumber) == "":
		return "cardNumber", "must be that of a Visa or Mastercard"
	case err != nil || month < 1 || month > 12:
		return "cardExpiryMonth", "must be a month from 1 to 12"
	case len(p.CardExpiryYear) != 4:
		return "cardExpiryYear", "must have 4 digits"
	case !decimalNumber().MatchString(p.PaymentAmount):
		return "paymentAmount", "must be a number such as 250 or 250.00"
	case p.PaymentCurrency == "USD" && !withinLimits(p.PaymentAmount):
		return "paymentAmount", "must be 50 to 5000 USD"
	}
	return "", ""
}

// withinLimits reports whether an amount is 50 to 5000.
func withinLimits(amount string) bool {
	n, ok := new(big.Rat).SetString(amount)
	return ok && n.Cmp(big.NewRat(50, 1)) >= 0 && n.Cmp(big.NewRat(5000, 1)) <= 0
}

// CardScheme returns VISA or MASTERCARD by the length and the first digits of a card
// number, which may have spaces and hyphens, and "" for other cards.
func CardScheme(number string) string {
	digits := strings.NewReplacer(" ", "", "-", "").Replace(number)
	if strings.Trim(digits, "0123456789") != "" || len(digits) < 13 {
		return ""
	}
	two, _ := strconv.Atoi(digits[:2])
	four, _ := strconv.Atoi(digits[:4])
	switch length := len(digits); {
	case digits[0] == '4' && (length == 13 || length == 16 || length == 19):
		return "VISA"
	case length == 16 && (two >= 51 && two <= 55 || four >= 2221 && four <= 2720):
		return "MASTERCARD"
	}
	return ""
}
