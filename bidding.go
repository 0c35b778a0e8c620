package usher

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// BiddingField is a number of a campaign's biddingSettings that rules may change.
type BiddingField string

// The fields.
const (
	BudgetField BiddingField = "budget" // biddingSettings.budget.daily
	BidField    BiddingField = "bid"    // biddingSettings.biddingStrategy.maxBid
)

// BiddingFields returns all fields.
func BiddingFields() []BiddingField { return []BiddingField{BudgetField, BidField} }

// String returns the field in words for people.
func (f BiddingField) String() string {
	if f == BudgetField {
		return "daily budget"
	}
	return "maximum bid"
}

// Key returns the key of the field in rule files and in the configuration.
func (f BiddingField) Key() string { return string(f) }

// JobKind returns the kind of job that changes the field.
func (f BiddingField) JobKind() Kind {
	if f == BudgetField {
		return CampaignBudget
	}
	return CampaignBid
}

// MemoryKey returns the key under which rules remember the field of a campaign. The other
// keys are codes of creatives, and no code has this form.
func (f BiddingField) MemoryKey() string { return "/" + string(f) }

// Field returns the field that jobs of the kind change, or "".
func (k Kind) Field() BiddingField {
	for _, f := range BiddingFields() {
		if f.JobKind() == k {
			return f
		}
	}
	return ""
}

// BiddingChange is a change of a number of a campaign's biddingSettings.
type BiddingChange struct {
	Field    BiddingField `json:"field"`
	From     float64      `json:"from"`
	To       float64      `json:"to"`
	Currency string       `json:"currency,omitempty"` // "": the platform does not show it
}

// Before returns the state before the change.
func (c *BiddingChange) Before() string { return BiddingState(c.From, c.Currency) }

// After returns the state after the change.
func (c *BiddingChange) After() string { return BiddingState(c.To, c.Currency) }

// String returns the change in the form 100 → 80 USD.
func (c *BiddingChange) String() string { return BiddingState(c.From, "") + " → " + c.After() }

// Action returns the direction of the change.
func (c *BiddingChange) Action() Action {
	if c.To < c.From {
		return Decrease
	}
	return Increase
}

// BiddingState returns a number of biddingSettings as statuses and the audit show it, such
// as 80 USD.
func BiddingState(value float64, currency string) string {
	return strings.TrimSpace(strconv.FormatFloat(value, 'f', -1, 64) + " " + currency)
}

// BiddingIntent is the change that a job is about to make. It is saved before the change,
// so that a redelivery knows what may have been changed already.
type BiddingIntent struct {
	Change BiddingChange `json:"change"`
	Rule   string        `json:"rule,omitempty"` // the rule that decided the change; "": an undo
	AsOf   time.Time     `json:"asOf,omitzero"`  // the time of the rule's evaluation
	// Approved is when a person approved the change; zero: nobody had to.
	Approved time.Time       `json:"approved,omitzero"`
	Before   json.RawMessage `json:"before"`        // the campaign's definition, as it was read under the lock
	Sent     time.Time       `json:"sent,omitzero"` // the change may have been sent at or after this time; zero: it was not sent
}

// Claim returns the change in the form in which rules remember it before it is made. job is
// the job that makes the change, and id its id.
func (i *BiddingIntent) Claim(id string, job *Job, at time.Time) Change {
	c := Change{
		At: at, AsOf: i.AsOf, Approved: i.Approved, Job: id, Evaluation: job.Evaluation,
		Before: i.Change.Before(), After: i.Change.After(), Bidding: &i.Change, Claimed: true,
	}
	if file := RuleFileOfActor(job.Actor); file != "" {
		c.File, c.Rule = file, i.Rule
	}
	return c
}

// Definitions are the whole definitions of a campaign before and after a change.
type Definitions struct {
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
}
