package operations

import (
	"time"

	"usher/internal/rtb"
)

// user is a login and its links to advertisers.
type user struct {
	Password string            `json:"password"`           // see hashPassword
	Links    map[string]string `json:"links"`              // advertiser → realm
	Currency string            `json:"currency,omitempty"` // of reports; empty: USD
	Maker    string            `json:"maker,omitempty"`    // the login that created the user
	Gone     bool              `json:"gone,omitempty"`     // deactivated
}

type advertiser struct {
	Model  rtb.AdvertiserModel `json:"model"`            // with its defaults filled in
	Parent string              `json:"parent,omitempty"` // the advertiser of the token that created it
}

type blockedDomain struct {
	Advertiser string `json:"advertiser"`
	Domain     string `json:"domain"`
}

type token struct {
	User       string    `json:"user"`
	Advertiser string    `json:"advertiser"`
	Until      time.Time `json:"until"`
}

type segment struct {
	Advertiser string      `json:"advertiser"`
	Segment    rtb.Segment `json:"segment"`
}

type campaign struct {
	Advertiser string       `json:"advertiser"`
	Definition rtb.Campaign `json:"definition"` // without creatives, which are rows of another table
	Creatives  []string     `json:"creatives"`  // codes, in the order of the definition
	Modified   time.Time    `json:"modified"`
}

type creative struct {
	Campaign  string       `json:"campaign"`
	Creative  rtb.Creative `json:"creative"`
	Submitted time.Time    `json:"submitted"` // the start of the approval delay
	Updated   time.Time    `json:"updated"`
}

type lock struct {
	User  string    `json:"user"`
	Until time.Time `json:"until"`
}

// target is a campaign's targeting by mobile device ids, or by the user ids of a
// segment.
type target struct {
	Campaign string    `json:"campaign"`
	Segment  string    `json:"segment,omitempty"`
	Batch    string    `json:"batch,omitempty"`
	Modified time.Time `json:"modified"`
}

// asset is a creative's file, without its content.
type asset struct {
	Advertiser string    `json:"advertiser"`
	Format     string    `json:"format"` // jpeg, gif, png, swf
	Bytes      int64     `json:"bytes"`
	At         time.Time `json:"at"`
}

type publisher struct {
	Advertiser string        `json:"advertiser"`
	Publisher  rtb.Publisher `json:"publisher"`
}

// payment is a successful card payment. It has no data of the card.
type payment struct {
	Advertiser  string    `json:"advertiser"`
	At          time.Time `json:"at"`
	Currency    string    `json:"currency"`
	Amount      float64   `json:"amount"` // credited, after Fees
	Fees        float64   `json:"fees"`
	AmountInUSD float64   `json:"amountInUsd"`
}
