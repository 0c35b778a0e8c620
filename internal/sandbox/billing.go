package sandbox

import (
	"math"

	"usher/internal/rtb"
)

// spend is what an advertiser spent, in the account's currency and in USD.
type spend struct {
	net, gross, netInUSD, grossInUSD float64
	impressions                      int64
}

func (s *spend) add(t spend) {
	s.net, s.gross = round(s.net+t.net), round(s.gross+t.gross)
	s.netInUSD, s.grossInUSD = round(s.netInUSD+t.netInUSD), round(s.grossInUSD+t.grossInUSD)
	s.impressions += t.impressions
}

// round takes the dust of binary fractions off an amount: money has four
// decimals.
func round(amount float64) float64 { return math.Round(amount*10_000) / 10_000 }

// in turns the spend into the currency that is worth rate USD. The account's
// own needs no turning.
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

// spent is what an advertiser spent on each day from a day to a day on which it
// had campaigns.
func (w *world) spent(c *call, advertiser, from, to string) ([]spendDay, error) {
	account := w.currency(advertiser)
	var list []spendDay
	for _, row := range w.reported(advertiser, from, to, c.now) {
		if len(list) == 0 || list[len(list)-1].day != row.day {
			list = append(list, spendDay{day: row.day})
		}
		rate, found := rates().on(account, row.day)
		if !found {
			return nil, unknown("rate of", account)
		}
		sum := row.sum()
		net, gross := money(sum.net), money(sum.gross)
		list[len(list)-1].add(spend{net, gross, net * rate, gross * rate, sum.impressions})
	}
	return list, nil
}

func (w *world) reportBilling(c *call, in rtb.BillingPeriod) (rtb.BillingAnswer, error) {
	if _, err := w.ownAdvertiser(c, in.AdvertiserCode); err != nil {
		return rtb.BillingAnswer{}, err
	}
	if err := checkPeriod(in.StartDate, in.EndDate); err != nil {
		return rtb.BillingAnswer{}, err
	}
	if in.EndDate >= dayOf(c.now) {
		return rtb.BillingAnswer{}, invalid("endDate", "must be in the past: the summary, without dates, has today")
	}
	account, currency := w.currency(in.AdvertiserCode), in.CurrencyCode
	if currency == "" {
		currency = account
	}
	if _, found := rates().on(currency, dayOf(c.now)); !found {
		return rtb.BillingAnswer{}, invalid("currencyCode", "must be a currency that there is an exchange rate for")
	}
	days, err := w.spent(c, in.AdvertiserCode, in.StartDate, in.EndDate)
	if err != nil {
		return rtb.BillingAnswer{}, err
	}
	rows := []rtb.BillingRow{}
	for _, day := range days {
		rate, found := rates().on(currency, day.day)
		if !found {
			return rtb.BillingAnswer{}, unknown("rate of", currency+" on "+day.day)
		}
		row := rtb.BillingRow{
			ReportDate: day.day, AdvertiserCode: in.AdvertiserCode, CurrencyCode: currency,
			NetSpendInUSD: day.netInUSD, GrossInUSD: day.grossInUSD, Impressions: rtb.Count(day.impressions), FXRate: rate,
		}
		row.NetSpendInCcy, row.GrossInCcy = day.in(currency, account, rate)
		if day.impressions > 0 {
			row.ECPMNetInUSD = day.netInUSD * 1000 / float64(day.impressions)
			row.ECPMGrossInUSD = day.grossInUSD * 1000 / float64(day.impressions)
		}
		rows = append(rows, row)
	}
	return rtb.BillingAnswer{Reports: rows}, nil
}

func (w *world) summarizeBilling(c *call, in rtb.BillingPath) (rtb.BillingSummaryAnswer, error) {
	if _, err := w.ownAdvertiser(c, in.AdvertiserCode); err != nil {
		return rtb.BillingSummaryAnswer{}, err
	}
	today := dayOf(c.now)
	days, err := w.spent(c, in.AdvertiserCode, firstDay, today)
	if err != nil {
		return rtb.BillingSummaryAnswer{}, err
	}
	var now, month, year, ever spend
	for _, day := range days {
		for _, sum := range []struct {
			of    *spend
			since string
		}{{&now, today}, {&month, today[:len("2014-03-")] + "01"}, {&year, today[:len("2014-")] + "01-01"}, {&ever, firstDay}} {
			if day.day >= sum.since {
				sum.of.add(day.spend)
			}
		}
	}
	balance, balanceInUSD := -ever.gross, -ever.grossInUSD
	for _, d := range w.deposits(in.AdvertiserCode, firstDay, today) {
		balance, balanceInUSD = round(balance+d.AmountInCcy), round(balanceInUSD+d.AmountInUSD)
	}
	return rtb.BillingSummaryAnswer{Report: rtb.BillingSummary{
		ReportDate: today, AdvertiserCode: in.AdvertiserCode, CurrencyCode: w.currency(in.AdvertiserCode),
		BalanceInUSD: balanceInUSD, BalanceInCcy: balance,
		TodayNetInUSD: now.netInUSD, TodayGrossInUSD: now.grossInUSD, TodayNetInCcy: now.net, TodayGrossInCcy: now.gross,
		MTDNetInUSD: month.netInUSD, MTDGrossInUSD: month.grossInUSD, MTDNetInCcy: month.net, MTDGrossInCcy: month.gross,
		YTDNetInUSD: year.netInUSD, YTDGrossInUSD: year.grossInUSD, YTDNetInCcy: year.net, YTDGrossInCcy: year.gross,
		AlltimeNetInUSD: ever.netInUSD, AlltimeGrossInUSD: ever.grossInUSD, AlltimeNetInCcy: ever.net, AlltimeGrossInCcy: ever.gross,
	}}, nil
}

// firstDay is before everything that is reported.
const firstDay = "1970-01-01"
