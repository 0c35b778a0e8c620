package operations

import (
	"slices"
	"strings"

	"usher/internal/rtb"
	"usher/internal/sandbox/metadata"
)

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
		rate, found := metadata.Rate(s.currency(advertiser), row.TransactionDate)
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
	if rate, found := metadata.Rate(account, row.TransactionDate); found && account != p.Currency {
		row.CurrencyCode, row.AmountInCcy = account, round(p.AmountInUSD/rate)
	}
	return row
}
