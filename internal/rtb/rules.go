package rtb

import "time"

// ruled is an In to which the interface gives a rule that its tags cannot say.
type ruled interface {
	// broken says which field breaks which rule, as in "amount", "must be a
	// number"; both are empty where none is broken.
	broken(c *Client) (field, rule string)
}

// Check holds in, an op.In, to the rules that the interface states for it, as
// every call does before it sends: what breaks one is a Permanent of class
// invalid_job with an *InputError below it. Everything else is the platform's to
// judge.
func (c *Client) Check(op Operation, in any) error {
	r, is := in.(ruled)
	if !is {
		return nil
	}
	if field, rule := r.broken(c); rule != "" {
		return refuseInput(op, field, rule)
	}
	return nil
}

func (p BillingPeriod) broken(*Client) (field, rule string) { return datesRule(p.StartDate, p.EndDate) }
func (p AccountPeriod) broken(*Client) (field, rule string) { return datesRule(p.StartDate, p.EndDate) }
func (p Period) broken(*Client) (field, rule string)        { return datesRule(p.StartDate, p.EndDate) }
func (p CampaignPeriod) broken(*Client) (field, rule string) {
	return datesRule(p.StartDate, p.EndDate)
}

func (p PlanningPeriod) broken(*Client) (field, rule string) {
	return planningRule(p.StartDate, p.EndDate)
}

func (p PlanningDevicePeriod) broken(*Client) (field, rule string) {
	return planningRule(p.StartDate, p.EndDate)
}

func (p CurrencyDatePath) broken(*Client) (field, rule string) {
	if !isDate(p.Date) {
		return "date", dateRule
	}
	return "", ""
}

// dateRule is the interface's form of a date.
const dateRule = "must be a date, YYYY-MM-DD"

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// datesRule checks that both are dates in the interface's form.
func datesRule(start, end string) (field, rule string) {
	switch {
	case !isDate(start):
		return "startDate", dateRule
	case !isDate(end):
		return "endDate", dateRule
	}
	return "", ""
}

// planningDays is how many days the dates of a planning report may lie apart.
const planningDays = 90

// planningRule checks a planning period, whose start is the later date.
func planningRule(start, end string) (field, rule string) {
	if field, rule := datesRule(start, end); rule != "" {
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
