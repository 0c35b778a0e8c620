package rtb

import (
	"unicode/utf8"
)

// Publisher is a publisher of the supply side.
type Publisher struct {
	PublisherID     string `json:"publisherId"`
	Domain          string `json:"domain"`
	PublisherName   string `json:"publisherName"             help:"at least 5 characters"`
	PublisherStatus string `json:"publisherStatus,omitempty" help:"read only; such as ACTIVE"`
	Username        string `json:"username,omitempty"        help:"read only"`
	CreatedDate     string `json:"createdDate,omitempty"     help:"read only; YYYY-MM-DD"`
	UpdatedDate     string `json:"updatedDate,omitempty"     help:"read only; YYYY-MM-DD"`
}

// Adslot is an ad slot on a publisher's site.
type Adslot struct {
	AdslotID       string   `json:"adslotId"`
	PublisherID    string   `json:"publisherId"`
	AdslotName     string   `json:"adslotName"`
	Width          Count    `json:"width"                  help:"in pixels"`
	Height         Count    `json:"height"`
	Position       string   `json:"position"               help:"ATF, BTF, INT, PRE, POST"`
	Formats        []string `json:"formats"                help:"IMAGE, RICH, VAST"`
	IABCategoryIDs []Count  `json:"iabCategoryIds"         help:"of the ads that the publisher accepts" required:"false"`
	AdslotStatus   string   `json:"adslotStatus,omitempty" help:"read only; such as ACTIVE"`
	CreatedDate    string   `json:"createdDate,omitempty"  help:"read only; YYYY-MM-DD"`
	UpdatedDate    string   `json:"updatedDate,omitempty"  help:"read only; YYYY-MM-DD"`
}

// PublisherPath identifies a publisher.
type PublisherPath struct {
	PublisherID string `path:"publisherId" help:"a publisher's id"`
}

// AdslotPath identifies an adslot.
type AdslotPath struct {
	PublisherID string `path:"publisherId" help:"a publisher's id"`
	AdslotID    string `path:"adslotId"    help:"an adslot's id"`
}

// PublisherDefinition is a publisher to be created or updated.
type PublisherDefinition struct {
	Publisher Publisher `body:"json"`
}

// AdslotDefinition is an adslot to be created or updated.
type AdslotDefinition struct {
	PublisherID string `path:"publisherId" help:"a publisher's id"`
	Adslot      Adslot `body:"json"`
}

// PublisherAnswer has a publisher.
type PublisherAnswer struct {
	Publisher Publisher `json:"publisher"`
}

// AdslotAnswer has an adslot.
type AdslotAnswer struct {
	Adslot Adslot `json:"adslot"`
}

// The operations of the supply side.
var (
	SSPPutPublisher = post[PublisherDefinition, PublisherAnswer]("ssp.put-publisher", "/v3/ssp/publisher", "Create a publisher, or update one",
		"Create or update a publisher of the account and return it. A name of fewer than 5 characters is not sent. An id that belongs to another publisher is refused.", 400)
	SSPPublisher = get[PublisherPath, PublisherAnswer]("ssp.publisher", "/v3/ssp/publisher/{publisherId}", "Read a publisher",
		"Read a publisher of the account.", 404)
	SSPPutAdslot = post[AdslotDefinition, AdslotAnswer]("ssp.put-adslot", "/v3/ssp/publisher/{publisherId}/adslot", "Add an adslot to a publisher, or update one",
		"Add an adslot to a publisher of the account, or update it, and return it.", 400, 404)
	SSPAdslot = get[AdslotPath, AdslotAnswer]("ssp.adslot", "/v3/ssp/publisher/{publisherId}/{adslotId}", "Read an adslot of a publisher",
		"Read an adslot of a publisher of the account.", 404)
)

func sspOperations() []Operation {
	return []Operation{SSPPutPublisher.Operation, SSPPublisher.Operation, SSPPutAdslot.Operation, SSPAdslot.Operation}
}

func (d PublisherDefinition) violation(*Client) (field, rule string) {
	if utf8.RuneCountInString(d.Publisher.PublisherName) < 5 {
		return "publisherName", "must have at least 5 characters"
	}
	return "", ""
}
