package rtb

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
)

// BillingRow is the spend of an advertiser on a day. The InCcy amounts are in the
// currency of the row.
type BillingRow struct {
	ReportDate     string  `json:"reportDate"      help:"YYYY-MM-DD"`
	AdvertiserCode string  `json:"advertiserCode"`
	CurrencyCode   string  `json:"currencyCode"`
	NetSpendInUSD  float64 `json:"netSpendInUsd"`
	GrossInUSD     float64 `json:"grossSpendInUsd"`
	NetSpendInCcy  float64 `json:"netSpendInCcy"`
	GrossInCcy     float64 `json:"grossSpendInCcy"`
	Impressions    Count   `json:"impressions"`
	ECPMNetInUSD   float64 `json:"eCPMNetInUsd"    help:"per 1000 impressions"`
	ECPMGrossInUSD float64 `json:"eCPMGrossInUsd"`
	FXRate         float64 `json:"fxRate"`
}

// BillingSummary is the balance of an advertiser, and its spend today, this month
// (MTD), this year (YTD) and in total. The InCcy amounts are in CurrencyCode.
type BillingSummary struct {
	ReportDate        string  `json:"reportDate"               help:"YYYY-MM-DD, today"`
	AdvertiserCode    string  `json:"advertiserCode"`
	CurrencyCode      string  `json:"currencyCode"`
	BalanceInUSD      float64 `json:"currentGrossBalanceInUsd"`
	BalanceInCcy      float64 `json:"currentGrossBalanceInCcy"`
	TodayNetInUSD     float64 `json:"todayNetSpendInUsd"`
	TodayGrossInUSD   float64 `json:"todayGrossSpendInUsd"`
	TodayNetInCcy     float64 `json:"todayNetSpendInCcy"`
	TodayGrossInCcy   float64 `json:"todayGrossSpendInCcy"`
	MTDNetInUSD       float64 `json:"MTDNetSpendInUsd"`
	MTDGrossInUSD     float64 `json:"MTDGrossSpendInUsd"`
	MTDNetInCcy       float64 `json:"MTDNetSpendInCcy"`
	MTDGrossInCcy     float64 `json:"MTDGrossSpendInCcy"`
	YTDNetInUSD       float64 `json:"YTDNetSpendInUsd"`
	YTDGrossInUSD     float64 `json:"YTDGrossSpendInUsd"`
	YTDNetInCcy       float64 `json:"YTDNetSpendInCcy"`
	YTDGrossInCcy     float64 `json:"YTDGrossSpendInCcy"`
	AlltimeNetInUSD   float64 `json:"alltimeNetSpendInUsd"`
	AlltimeGrossInUSD float64 `json:"alltimeGrossSpendInUsd"`
	AlltimeNetInCcy   float64 `json:"alltimeNetSpendInCcy"`
	AlltimeGrossInCcy float64 `json:"alltimeGrossSpendInCcy"`
}

// The types of a transaction.
const (
	TransactionCard  = "CARD"
	TransactionWire  = "WIRE"
	TransactionMedia = "MEDIA" // a charge: its amounts are negative
)

// TransactionRow is a transaction on an advertiser's account.
type TransactionRow struct {
	TransactionDate      string  `json:"transactionDate"        help:"YYYY-MM-DD"`
	AdvertiserCode       string  `json:"advertiserCode"`
	TransactionReference string  `json:"transactionReference"`
	TransactionProcessed string  `json:"transactionProcessed"   help:"a date, or a date-time without a zone"`
	TransactionType      string  `json:"transactionType"        help:"such as CARD, WIRE, MEDIA"`
	Description          string  `json:"description"`
	CurrencyCode         string  `json:"currencyCode"`
	AmountInCcy          float64 `json:"transactionAmountinCcy" help:"the platform's spelling; charges are negative"`
	AmountInUSD          float64 `json:"transactionAmountInUsd"`
}

// Metrics are the figures of a campaign or creative for a day. Spend and budgets are
// in CurrencyCode. A number that is missing in the platform's answer, or that is null or
// text there, is NaN, because it is unknown and not 0.
type Metrics struct {
	CurrencyCode      string  `json:"currencyCode"`
	Auctions          float64 `json:"auctions"`
	BidsPlaced        float64 `json:"bidsPlaced"`
	Won               float64 `json:"won"`
	Impressions       float64 `json:"impressions"`
	Clicks            float64 `json:"clicks"`
	Engagements       float64 `json:"engagements"`
	UniqueClicks      float64 `json:"uniqueClicks"`
	UniqueEngagements float64 `json:"uniqueEngagements"`
	WinRate           float64 `json:"winRate"           help:"0 to 1"`
	DisplayRate       float64 `json:"displayRate"       help:"0 to 1"`
	NetMediaSpend     float64 `json:"netMediaSpend"`
	GrossMediaSpend   float64 `json:"grossMediaSpend"`
	MediaMargin       float64 `json:"mediaMargin"`
	Budget            float64 `json:"budget"            help:"of the day"`
	LifetimeBudget    float64 `json:"lifetimeBudget"`
}

// CampaignRow has the figures of a campaign for a day.
type CampaignRow struct {
	ReportDate     string `json:"reportDate"     help:"YYYY-MM-DD"`
	AdvertiserCode string `json:"advertiserCode"`
	CampaignCode   string `json:"campaignCode"`
	Status         string `json:"status"`
	Metrics
}

// CampaignDetail is a CampaignRow with its creatives.
type CampaignDetail struct {
	CampaignRow
	Creatives []CreativeRow `json:"creatives"`
}

// CreativeRow has the figures of a creative for a day.
type CreativeRow struct {
	CreativeCode   string `json:"creativeCode"`
	ApprovalStatus string `json:"approvalStatus"`
	Metrics
}

// unknownMetrics returns metrics whose numbers are all unknown.
func unknownMetrics() Metrics {
	nan := math.NaN()
	return Metrics{
		Auctions: nan, BidsPlaced: nan, Won: nan, Impressions: nan, Clicks: nan, Engagements: nan, UniqueClicks: nan, UniqueEngagements: nan,
		WinRate: nan, DisplayRate: nan, NetMediaSpend: nan, GrossMediaSpend: nan, MediaMargin: nan, Budget: nan, LifetimeBudget: nan,
	}
}

// UnmarshalJSON reads a row. A missing number is NaN.
func (r *CampaignRow) UnmarshalJSON(data []byte) error {
	type plain CampaignRow
	row := plain{Metrics: unknownMetrics()}
	err := exceptNumbers(json.Unmarshal(data, &row))
	*r = CampaignRow(row)
	return err
}

// UnmarshalJSON reads a row with its creatives. A missing number is NaN.
func (d *CampaignDetail) UnmarshalJSON(data []byte) error {
	var more struct {
		Creatives []CreativeRow `json:"creatives"`
	}
	err := errors.Join(d.CampaignRow.UnmarshalJSON(data), json.Unmarshal(data, &more))
	d.Creatives = more.Creatives
	return err
}

// UnmarshalJSON reads a row. A missing number is NaN.
func (r *CreativeRow) UnmarshalJSON(data []byte) error {
	type plain CreativeRow
	row := plain{Metrics: unknownMetrics()}
	err := exceptNumbers(json.Unmarshal(data, &row))
	*r = CreativeRow(row)
	return err
}

// exceptNumbers returns the error of decoding a row. It returns nil if a number has
// another JSON type: that number stays unknown, and the rest of the row is decoded.
func exceptNumbers(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Type == reflect.TypeFor[float64]() {
		return nil
	}
	return err
}

// BillingPeriod is a period in the past for which an advertiser's spend is reported.
type BillingPeriod struct {
	AdvertiserCode string `path:"advertiserCode"        help:"an advertiser's code, such as SANDBOX1"`
	StartDate      string `path:"startDate"             help:"YYYY-MM-DD, the first day"`
	EndDate        string `path:"endDate"               help:"YYYY-MM-DD, the last day"`
	CurrencyCode   string `path:"currencyCode,optional" help:"default: the advertiser's"`
}

// AccountPeriod is a period for which an advertiser's transactions are listed.
type AccountPeriod struct {
	AdvertiserCode string `path:"advertiserCode" help:"an advertiser's code, such as SANDBOX1"`
	StartDate      string `path:"startDate"      help:"YYYY-MM-DD, the first day"`
	EndDate        string `path:"endDate"        help:"YYYY-MM-DD, the last day"`
}

// BillingPath identifies the advertiser of a billing summary.
type BillingPath struct {
	AdvertiserCode string `path:"advertiserCode" help:"an advertiser's code, such as SANDBOX1"`
}

// Period is a number of days.
type Period struct {
	StartDate string `path:"startDate" help:"YYYY-MM-DD, the first day"`
	EndDate   string `path:"endDate"   help:"YYYY-MM-DD, the last day"`
}

// CampaignPeriod is a number of days of a campaign.
type CampaignPeriod struct {
	CampaignCode string `path:"campaignCode" help:"a campaign's code, such as SANDBOX1-spring"`
	StartDate    string `path:"startDate"    help:"YYYY-MM-DD, the first day"`
	EndDate      string `path:"endDate"      help:"YYYY-MM-DD, the last day"`
}

// BillingAnswer has a row for each day.
type BillingAnswer struct {
	Reports []BillingRow `json:"reports"`
}

// BillingSummaryAnswer has the summary.
type BillingSummaryAnswer struct {
	Report BillingSummary `json:"report"`
}

// TransactionsAnswer has transactions by date.
type TransactionsAnswer struct {
	Reports []TransactionRow `json:"reports"`
}

// CampaignRowsAnswer has a row for each day and campaign.
type CampaignRowsAnswer struct {
	Reports []CampaignRow `json:"reports"`
}

// CampaignDetailsAnswer has a row for each day.
type CampaignDetailsAnswer struct {
	Reports []CampaignDetail `json:"reports"`
}

// The reports.
var (
	ReportingBilling = get[BillingPeriod, BillingAnswer]("reporting.billing", "/v3/reporting/billing/{advertiserCode}/{startDate}/{endDate}/{currencyCode}", "Report an advertiser's spend by day, for past days",
		"Report the spend of an advertiser for each day of a period in the past, both dates (YYYY-MM-DD) included. The default currency is that of the advertiser. An invalid period is refused; an unknown advertiser is not_found.", 400, 404)
	ReportingBillingSummary = get[BillingPath, BillingSummaryAnswer]("reporting.billing-summary", "/v3/reporting/billing/{advertiserCode}", "Report an advertiser's balance, and its spend today, this month and this year",
		"Report the balance of an advertiser, and its spend today, this month, this year and in total.")
	ReportingTransactions = get[AccountPeriod, TransactionsAnswer]("reporting.transactions", "/v3/reporting/billing/account/transactions/{advertiserCode}/{startDate}/{endDate}", "List the transactions on an advertiser's account",
		"List the transactions on an advertiser's account in a period, both dates (YYYY-MM-DD) included.", 400, 404)
	ReportingCampaigns = get[Period, CampaignRowsAnswer]("reporting.campaigns", "/v3/reporting/campaigns/{startDate}/{endDate}", "Report all campaigns by day",
		"Report all campaigns of the advertiser, with a row for each day of a period, both dates (YYYY-MM-DD) included, ordered by day. The rows are written at the end of a day, so that of today may be missing.", 400)
	ReportingCampaign = get[CampaignPeriod, CampaignDetailsAnswer]("reporting.campaign", "/v3/reporting/campaigns/{campaignCode}/{startDate}/{endDate}", "Report a campaign and its creatives by day",
		"Report a campaign and its creatives, with a row for each day of a period, both dates (YYYY-MM-DD) included. An unknown campaign is not_found.", 400, 404)
)

func reportingOperations() []Operation {
	return []Operation{
		ReportingBilling.Operation, ReportingBillingSummary.Operation, ReportingTransactions.Operation,
		ReportingCampaigns.Operation, ReportingCampaign.Operation,
	}
}

// ReportingService reads the reports of campaigns.
type ReportingService service

// Campaigns reports all campaigns of the advertiser, with a row for each day of a
// period, both dates (YYYY-MM-DD) included, ordered by day. The rows are written at
// the end of a day, so that of today may be missing.
func (s *ReportingService) Campaigns(ctx context.Context, start, end string) ([]CampaignRow, error) {
	answer, _, err := ReportingCampaigns.Do(ctx, s.client, Period{start, end})
	return answer.Reports, err
}

// Campaign reports a campaign and its creatives, with a row for each day of a
// period, both dates (YYYY-MM-DD) included. An unknown campaign is not_found.
func (s *ReportingService) Campaign(ctx context.Context, code, start, end string) ([]CampaignDetail, error) {
	answer, _, err := ReportingCampaign.Do(ctx, s.client, CampaignPeriod{code, start, end})
	return answer.Reports, err
}
