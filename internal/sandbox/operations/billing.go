package operations

import (
	"math"
	"slices"
	"strings"

	"usher/internal/rtb"
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
		rate, found := usdRate(account, row.day)
		if !found {
			return nil, Unknown("rate of", account)
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
		return rtb.BillingAnswer{}, Invalid("endDate", "must be in the past: the billing summary includes today")
	}
	account, currency := s.currency(in.AdvertiserCode), in.CurrencyCode
	if currency == "" {
		currency = account
	}
	if _, found := usdRate(currency, dayOf(c.Now)); !found {
		return rtb.BillingAnswer{}, Invalid("currencyCode", "must be a currency with an exchange rate")
	}
	days, err := s.dailySpend(c, in.AdvertiserCode, in.StartDate, in.EndDate)
	if err != nil {
		return rtb.BillingAnswer{}, err
	}
	rows := []rtb.BillingRow{}
	for _, day := range days {
		rate, found := usdRate(currency, day.day)
		if !found {
			return rtb.BillingAnswer{}, Unknown("rate of", currency+" on "+day.day)
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

func (s *State) reportTransactions(c *Call, in rtb.AccountPeriod) (rtb.TransactionsAnswer, error) {
	if _, err := s.findAdvertiser(c, in.AdvertiserCode); err != nil {
		return rtb.TransactionsAnswer{}, err
	}
	if err := checkPeriod(in.StartDate, in.EndDate); err != nil {
		return rtb.TransactionsAnswer{}, err
	}
	charges, err := s.charges(c, in.AdvertiserCode, in.StartDate, in.EndDate)
	if err != nil {
		return rtb.TransactionsAnswer{}, err
	}
	rows := append(s.deposits(in.AdvertiserCode, in.StartDate, in.EndDate), charges...)
	slices.SortStableFunc(rows, func(a, b rtb.TransactionRow) int { return strings.Compare(a.TransactionDate, b.TransactionDate) })
	return rtb.TransactionsAnswer{Reports: rows}, nil
}

// charges returns the media spend of each complete day of a period.
func (s *State) charges(c *Call, advertiser, from, to string) ([]rtb.TransactionRow, error) {
	days, err := s.dailySpend(c, advertiser, from, min(to, dayAfter(dayOf(c.Now), -1)))
	if err != nil {
		return nil, err
	}
	var rows []rtb.TransactionRow
	for _, day := range days {
		if day.gross == 0 {
			continue
		}
		rows = append(rows, rtb.TransactionRow{
			TransactionDate: day.day, AdvertiserCode: advertiser, TransactionType: rtb.TransactionMedia,
			TransactionReference: "MEDIA-" + advertiser + "-" + day.day, TransactionProcessed: dayAfter(day.day, 1),
			Description: "Media spend of " + day.day, CurrencyCode: s.currency(advertiser),
			AmountInCcy: -day.gross, AmountInUSD: -day.grossInUSD,
		})
	}
	return rows, nil
}

// cannedDeposits returns the payments to the account of the initial advertiser.
func cannedDeposits() []rtb.TransactionRow {
	wire := func(day string, amount float64) rtb.TransactionRow {
		return rtb.TransactionRow{TransactionDate: day, TransactionType: rtb.TransactionWire, Description: "Wire transfer", AmountInUSD: amount}
	}
	card := func(day string, amount float64) rtb.TransactionRow {
		return rtb.TransactionRow{TransactionDate: day, TransactionType: rtb.TransactionCard, Description: "Card top-up", AmountInUSD: amount}
	}
	return []rtb.TransactionRow{
		wire("2014-03-10", 30_000), card("2014-03-21", 5_000), wire("2014-03-24", 25_000),
		card("2014-03-31", 2_500), wire("2014-04-03", 25_000), card("2014-04-14", 5_000), wire("2014-04-16", 10_000),
	}
}

// deposits returns the payments to an advertiser's account in a period, in the
// order of days.
func (s *State) deposits(advertiser, from, to string) []rtb.TransactionRow {
	rows := []rtb.TransactionRow{}
	if advertiser == s.config.Advertiser {
		rows = s.cannedTransactions()
	}
	for _, reference := range s.payments.Keys() {
		if p := s.payments.Row(reference); p.Advertiser == advertiser {
			rows = append(rows, s.paymentRow(reference, p))
		}
	}
	rows = slices.DeleteFunc(rows, func(r rtb.TransactionRow) bool { return r.TransactionDate < from || r.TransactionDate > to })
	slices.SortStableFunc(rows, func(a, b rtb.TransactionRow) int { return strings.Compare(a.TransactionDate, b.TransactionDate) })
	return rows
}

// cannedTransactions returns the canned deposits in the currency of the account. It leaves
// out those for which the currency has no exchange rate.
func (s *State) cannedTransactions() []rtb.TransactionRow {
	advertiser := s.config.Advertiser
	rows := []rtb.TransactionRow{}
	for _, row := range cannedDeposits() {
		rate, found := usdRate(s.currency(advertiser), row.TransactionDate)
		if !found {
			continue
		}
		row.AdvertiserCode, row.CurrencyCode = advertiser, s.currency(advertiser)
		row.AmountInCcy = round(row.AmountInUSD / rate)
		row.TransactionReference = row.TransactionType + "-" + advertiser + "-" + row.TransactionDate
		row.TransactionProcessed = row.TransactionDate + "T09:30:00.000"
		rows = append(rows, row)
	}
	return rows
}

// paymentRow returns a card payment as a transaction in the current currency of
// the account.
func (s *State) paymentRow(reference string, p payment) rtb.TransactionRow {
	row := rtb.TransactionRow{
		TransactionDate: dayOf(p.At), AdvertiserCode: p.Advertiser, TransactionReference: reference, TransactionProcessed: formatTime(p.At),
		TransactionType: rtb.TransactionCard, Description: "Card payment", CurrencyCode: p.Currency,
		AmountInCcy: p.Amount, AmountInUSD: p.AmountInUSD,
	}
	account := s.currency(p.Advertiser)
	if rate, found := usdRate(account, row.TransactionDate); found && account != p.Currency {
		row.CurrencyCode, row.AmountInCcy = account, round(p.AmountInUSD/rate)
	}
	return row
}
