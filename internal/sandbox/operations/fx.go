package operations

import (
	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
	"usher/internal/sandbox/metadata"
)

func (s *State) fx(c *Call, in rtb.CurrencyPath) (rtb.FXRateAnswer, error) {
	return fxRate(in.CurrencyCode, dayOf(c.Now))
}

func (s *State) fxOn(c *Call, in rtb.CurrencyDatePath) (rtb.FXRateAnswer, error) {
	if err := checkDate("date", in.Date); err != nil {
		return rtb.FXRateAnswer{}, err
	}
	if in.Date >= dayOf(c.Now) {
		return rtb.FXRateAnswer{}, envelope.Invalid("date", "must be in the past")
	}
	return fxRate(in.CurrencyCode, in.Date)
}

func fxRate(code, day string) (rtb.FXRateAnswer, error) {
	rate, found := metadata.Rate(code, day)
	if !found {
		return rtb.FXRateAnswer{}, envelope.Unknown("rate of", code)
	}
	currency, _ := metadata.First(metadata.Currencies(), func(c rtb.Currency) bool { return c.Code == code })
	return rtb.FXRateAnswer{FXRate: rtb.FXRate{
		CurrencyCode: code, CurrencyName: currency.Name, FXRateToUSD: rate, RateDate: day + "T00:00:00.000",
	}}, nil
}
