package rtb

import "time"

// checked is an input with rules that struct tags cannot express.
type checked interface {
	// violation returns a field and the rule that it violates, such as "amount" and
	// "must be a number"; both are empty if the input is valid.
	violation(c *Client) (field, rule string)
}

// Check checks in, a value of type op.In, by those rules of the interface that need no
// knowledge of the platform's state. Call does so before it sends anything. A violation
// is a Permanent of class invalid_job that wraps an *InputError.
func (c *Client) Check(op Operation, in any) error {
	input, ok := in.(checked)
	if !ok {
		return nil
	}
	if field, rule := input.violation(c); rule != "" {
		return refuseInput(op, field, rule)
	}
	return nil
}

func (p BillingPeriod) violation(*Client) (field, rule string) {
	return checkDates(p.StartDate, p.EndDate)
}

func (p AccountPeriod) violation(*Client) (field, rule string) {
	return checkDates(p.StartDate, p.EndDate)
}

func (p Period) violation(*Client) (field, rule string) {
	return checkDates(p.StartDate, p.EndDate)
}

func (p CampaignPeriod) violation(*Client) (field, rule string) {
	return checkDates(p.StartDate, p.EndDate)
}

func (p PlanningPeriod) violation(*Client) (field, rule string) {
	return checkPlanning(p.StartDate, p.EndDate)
}

func (p PlanningDevicePeriod) violation(*Client) (field, rule string) {
	return checkPlanning(p.StartDate, p.EndDate)
}

func (p CurrencyDatePath) violation(*Client) (field, rule string) {
	if !isDate(p.Date) {
		return "date", dateRule
	}
	return "", ""
}

const dateRule = "must be a date, YYYY-MM-DD"

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func checkDates(start, end string) (field, rule string) {
	switch {
	case !isDate(start):
		return "startDate", dateRule
	case !isDate(end):
		return "endDate", dateRule
	}
	return "", ""
}

// planningDays is the largest number of days between the dates of a planning report.
const planningDays = 90

// checkPlanning checks a planning period, in which start is the later date.
func checkPlanning(start, end string) (field, rule string) {
	if field, rule := checkDates(start, end); rule != "" {
		return field, rule
	}
	later, _ := time.Parse(time.DateOnly, start) // checked above
	earlier, _ := time.Parse(time.DateOnly, end)
	switch {
	case later.Before(earlier):
		return "startDate", "must be the same as or after endDate"
	case later.After(earlier.AddDate(0, 0, planningDays)):
		return "startDate", "must be at most 90 days after endDate"
	}
	return "", ""
}
