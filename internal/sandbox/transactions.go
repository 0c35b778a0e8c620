package sandbox

import (
	"slices"
	"strings"

	"usher/internal/rtb"
)

func (w *world) reportTransactions(c *call, in rtb.AccountPeriod) (rtb.TransactionsAnswer, error) {
	if _, err := w.ownAdvertiser(c, in.AdvertiserCode); err != nil {
		return rtb.TransactionsAnswer{}, err
	}
	if err := checkPeriod(in.StartDate, in.EndDate); err != nil {
		return rtb.TransactionsAnswer{}, err
	}
	charges, err := w.charges(c, in.AdvertiserCode, in.StartDate, in.EndDate)
	if err != nil {
		return rtb.TransactionsAnswer{}, err
	}
	rows := append(w.deposits(in.AdvertiserCode, in.StartDate, in.EndDate), charges...)
	slices.SortStableFunc(rows, func(a, b rtb.TransactionRow) int { return strings.Compare(a.TransactionDate, b.TransactionDate) })
	return rtb.TransactionsAnswer{Reports: rows}, nil
}

// charges are the media spend of each day that is over.
func (w *world) charges(c *call, advertiser, from, to string) ([]rtb.TransactionRow, error) {
	days, err := w.spent(c, advertiser, from, min(to, dayAfter(dayOf(c.now), -1)))
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
			Description: "Media spend of " + day.day, CurrencyCode: w.currency(advertiser),
			AmountInCcy: -day.gross, AmountInUSD: -day.grossInUSD,
		})
	}
	return rows, nil
}

// cannedDeposits are what was paid onto the account of the canned reports.
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

// deposits are what was paid onto an advertiser's account, in the order of the
// days.
func (w *world) deposits(advertiser, from, to string) []rtb.TransactionRow {
	rows := []rtb.TransactionRow{}
	if advertiser == w.o.Advertiser {
		for _, row := range cannedDeposits() {
			rate, found := rates().on(w.currency(advertiser), row.TransactionDate)
			if !found {
				continue // an account in a currency without rates has no canned spend either
			}
			row.AdvertiserCode, row.CurrencyCode = advertiser, w.currency(advertiser)
			row.AmountInCcy = round(row.AmountInUSD / rate)
			row.TransactionReference = row.TransactionType + "-" + advertiser + "-" + row.TransactionDate
			row.TransactionProcessed = row.TransactionDate + "T09:30:00.000"
			rows = append(rows, row)
		}
	}
	for _, reference := range w.payments.keys() {
		if p := w.payments.rows[reference]; p.Advertiser == advertiser {
			rows = append(rows, w.paid(reference, p))
		}
	}
	rows = slices.DeleteFunc(rows, func(r rtb.TransactionRow) bool { return r.TransactionDate < from || r.TransactionDate > to })
	slices.SortStableFunc(rows, func(a, b rtb.TransactionRow) int { return strings.Compare(a.TransactionDate, b.TransactionDate) })
	return rows
}

// paid is a card payment as a transaction, in the account's currency, which may
// have changed since.
func (w *world) paid(reference string, p payment) rtb.TransactionRow {
	row := rtb.TransactionRow{
		TransactionDate: dayOf(p.At), AdvertiserCode: p.Advertiser, TransactionReference: reference, TransactionProcessed: stamp(p.At),
		TransactionType: rtb.TransactionCard, Description: "Card payment", CurrencyCode: p.Currency,
		AmountInCcy: p.Amount, AmountInUSD: p.AmountInUSD,
	}
	account := w.currency(p.Advertiser)
	if rate, found := rates().on(account, row.TransactionDate); found && account != p.Currency {
		row.CurrencyCode, row.AmountInCcy = account, round(p.AmountInUSD/rate)
	}
	return row
}
