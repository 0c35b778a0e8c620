package operations

import (
	"math"

	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
	"usher/internal/sandbox/metadata"
)

// spend is the spend of an advertiser, in the account's currency and in USD.
type spend struct {
	net, gross, netInUSD, grossInUSD float64
	impressions                      int64
}

func (s *spend) add(t spend) {
	s.net, s.gross = round(s.net+t.net), round(s.gross+t.gross)
	s.netInUSD, s.grossInUSD = round(s.netInUSD+t.netInUSD), round(s.grossInUSD+t.grossInUSD)
	s.impressions += t.impressions
}

// round rounds an amount of money to four decimals.
func round(amount float64) float64 { return math.Round(amount*10_000) / 10_000 }

// in converts the spend to a currency with the given rate to USD. Spend in the account's
// currency is not converted.
func (s spend) in(currency, account string, rate float64) (net, gross float64) {
	if currency == account {
		return s.net, s.gross
	}
	return round(s.netInUSD / rate), round(s.grossInUSD / rate)
}

// spendDay is an advertiser's spend on a day.
type spendDay struct {
	day string
	spend
}

// dailySpend returns the spend of an advertiser on each day of a period on which it had
// campaigns.
func (s *State) dailySpend(c *Call, advertiser, from, to string) ([]spendDay, error) {
	account := s.currency(advertiser)
	var list []spendDay
	for _, row := range s.campaignDays(advertiser, from, to, c.Now) {
		if len(list) == 0 || list[len(list)-1].day != row.day {
			list = append(list, spendDay{day: row.day})
		}
		rate, found := metadata.Rate(account, row.day)
		if !found {
			return nil, envelope.Unknown("rate of", account)
		}
		sum := row.sum()
		net, gross := amount(sum.net), amount(sum.gross)
		list[len(list)-1].add(spend{net, gross, net * rate, gross * rate, sum.impressions})
	}
	return list, nil
}

func (s *State) reportBilling(c *Call, in rtb.BillingPeriod) (rtb.BillingAnswer, error) {
	if _, err := s.findAdvertiser(c, in.AdvertiserCode); err != nil {
		return rtb.BillingAnswer{}, err
	}
	if err := checkPeriod(in.StartDate, in.EndDate); err != nil {
		return rtb.BillingAnswer{}, err
	}
	if in.EndDate >= dayOf(c.Now) {
		return rtb.BillingAnswer{}, envelope.Invalid("endDate", "must be in the past: the billing summary includes today")
	}
	account, currency := s.currency(in.AdvertiserCode), in.CurrencyCode
	if currency == "" {
		currency = account
	}
	if _, found := metadata.Rate(currency, dayOf(c.Now)); !found {
		return rtb.BillingAnswer{}, envelope.Invalid("currencyCode", "must be a currency with an exchange rate")
	}
	days, err := s.dailySpend(c, in.AdvertiserCode, in.StartDate, in.EndDate)
	if err != nil {
		return rtb.BillingAnswer{}, err
	}
	rows := []rtb.BillingRow{}
	for _, day := range days {
		rate, found := metadata.Rate(currency, day.day)
		if !found {
			return rtb.BillingAnswer{}, envelope.Unknown("rate of", currency+" on "+day.day)
		}
		row := day.billingRow(rate)
		row.AdvertiserCode, row.CurrencyCode = in.AdvertiserCode, currency
		row.NetSpendInCcy, row.GrossInCcy = day.in(currency, account, rate)
		rows = append(rows, row)
	}
	return rtb.BillingAnswer{Reports: rows}, nil
}

// billingRow returns the figures in USD.
func (d spendDay) billingRow(rate float64) rtb.BillingRow {
	row := rtb.BillingRow{
		ReportDate: d.day, NetSpendInUSD: d.netInUSD, GrossInUSD: d.grossInUSD, Impressions: rtb.Count(d.impressions), FXRate: rate,
	}
	if d.impressions > 0 {
		row.ECPMNetInUSD = d.netInUSD * 1000 / float64(d.impressions)
		row.ECPMGrossInUSD = d.grossInUSD * 1000 / float64(d.impressions)
	}
	return row
}

func (s *State) summarizeBilling(c *Call, in rtb.BillingPath) (rtb.BillingSummaryAnswer, error) {
	if _, err := s.findAdvertiser(c, in.AdvertiserCode); err != nil {
		return rtb.BillingSummaryAnswer{}, err
	}
	today := dayOf(c.Now)
	days, err := s.dailySpend(c, in.AdvertiserCode, firstDay, today)
	if err != nil {
		return rtb.BillingSummaryAnswer{}, err
	}
	var now, month, year, ever spend
	for _, day := range days {
		for _, sum := range []struct {
			total *spend
			since string
		}{{&now, today}, {&month, today[:len("2014-03-")] + "01"}, {&year, today[:len("2014-")] + "01-01"}, {&ever, firstDay}} {
			if day.day >= sum.since {
				sum.total.add(day.spend)
			}
		}
	}
	balance, balanceInUSD := -ever.gross, -ever.grossInUSD
	for _, d := range s.deposits(in.AdvertiserCode, firstDay, today) {
		balance, balanceInUSD = round(balance+d.AmountInCcy), round(balanceInUSD+d.AmountInUSD)
	}
	return rtb.BillingSummaryAnswer{Report: rtb.BillingSummary{
		ReportDate: today, AdvertiserCode: in.AdvertiserCode, CurrencyCode: s.currency(in.AdvertiserCode),
		BalanceInUSD: balanceInUSD, BalanceInCcy: balance,
		TodayNetInUSD: now.netInUSD, TodayGrossInUSD: now.grossInUSD, TodayNetInCcy: now.net, TodayGrossInCcy: now.gross,
		MTDNetInUSD: month.netInUSD, MTDGrossInUSD: month.grossInUSD, MTDNetInCcy: month.net, MTDGrossInCcy: month.gross,
		YTDNetInUSD: year.netInUSD, YTDGrossInUSD: year.grossInUSD, YTDNetInCcy: year.net, YTDGrossInCcy: year.gross,
		AlltimeNetInUSD: ever.netInUSD, AlltimeGrossInUSD: ever.grossInUSD, AlltimeNetInCcy: ever.net, AlltimeGrossInCcy: ever.gross,
	}}, nil
}

// firstDay is a day before all reports.
const firstDay = "1970-01-01"
