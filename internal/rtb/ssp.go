package rtb

import (
	"context"
	"unicode/utf8"
)

// Publisher is a publisher of the supply side.
type Publisher struct {
	PublisherID     string `json:"publisherId"`
	Domain          string `json:"domain"`
	PublisherName   string `json:"publisherName"`             // at least 5 characters
	PublisherStatus string `json:"publisherStatus,omitempty"` // read only; such as ACTIVE
	Username        string `json:"username,omitempty"`        // read only
	CreatedDate     string `json:"createdDate,omitempty"`     // read only; YYYY-MM-DD
	UpdatedDate     string `json:"updatedDate,omitempty"`     // read only; YYYY-MM-DD
}

// Adslot is an ad slot on a publisher's site.
type Adslot struct {
	AdslotID       string   `json:"adslotId"`
	PublisherID    string   `json:"publisherId"`
	AdslotName     string   `json:"adslotName"`
	Width          Count    `json:"width"` // in pixels
	Height         Count    `json:"height"`
	Position       string   `json:"position"`                                // ATF, BTF, INT, PRE, POST
	Formats        []string `json:"formats"`                                 // IMAGE, RICH, VAST
	IABCategoryIDs []Count  `json:"iabCategoryIds"         required:"false"` // of the ads that the publisher accepts
	AdslotStatus   string   `json:"adslotStatus,omitempty"`                  // read only; such as ACTIVE
	CreatedDate    string   `json:"createdDate,omitempty"`                   // read only; YYYY-MM-DD
	UpdatedDate    string   `json:"updatedDate,omitempty"`                   // read only; YYYY-MM-DD
}

// PublisherPath identifies a publisher.
type PublisherPath struct {
	PublisherID string `path:"publisherId"` // a publisher's id
}

// AdslotPath identifies an adslot.
type AdslotPath struct {
	PublisherID string `path:"publisherId"` // a publisher's id
	AdslotID    string `path:"adslotId"`    // an adslot's id
}

// PublisherDefinition is a publisher to be created or updated.
type PublisherDefinition struct {
	Publisher Publisher `body:"json"`
}

// AdslotDefinition is an adslot to be created or updated.
type AdslotDefinition struct {
	PublisherID string `path:"publisherId"` // a publisher's id
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
	SSPPutPublisher = post[PublisherDefinition, PublisherAnswer]("ssp.put-publisher", "/v3/ssp/publisher", "Create a publisher, or update one", 400)
	SSPPublisher    = get[PublisherPath, PublisherAnswer]("ssp.publisher", "/v3/ssp/publisher/{publisherId}", "Read a publisher", 404)
	SSPPutAdslot    = post[AdslotDefinition, AdslotAnswer]("ssp.put-adslot", "/v3/ssp/publisher/{publisherId}/adslot", "Add an adslot to a publisher, or update one", 400, 404)
	SSPAdslot       = get[AdslotPath, AdslotAnswer]("ssp.adslot", "/v3/ssp/publisher/{publisherId}/{adslotId}", "Read an adslot of a publisher", 404)
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

// SSPService manages publishers and adslots of the supply side.
type SSPService service

// PutPublisher creates or updates a publisher of the account and returns it. A name
// of fewer than 5 characters is not sent. An id that belongs to another publisher is
// refused.
//
// POST /v3/ssp/publisher
func (s *SSPService) PutPublisher(ctx context.Context, p Publisher) (Publisher, error) {
	answer, _, err := SSPPutPublisher.Do(ctx, s.client, PublisherDefinition{p})
	return answer.Publisher, err
}

// Publisher reads a publisher of the account.
//
// GET /v3/ssp/publisher/{publisherId}
func (s *SSPService) Publisher(ctx context.Context, id string) (Publisher, error) {
	answer, _, err := SSPPublisher.Do(ctx, s.client, PublisherPath{id})
	return answer.Publisher, err
}

// PutAdslot adds an adslot to a publisher of the account, or updates it, and returns
// it.
//
// POST /v3/ssp/publisher/{publisherId}/adslot
func (s *SSPService) PutAdslot(ctx context.Context, a Adslot) (Adslot, error) {
	answer, _, err := SSPPutAdslot.Do(ctx, s.client, AdslotDefinition{a.PublisherID, a})
	return answer.Adslot, err
}

// Adslot reads an adslot of a publisher of the account.
//
// GET /v3/ssp/publisher/{publisherId}/{adslotId}
func (s *SSPService) Adslot(ctx context.Context, publisher, id string) (Adslot, error) {
	answer, _, err := SSPAdslot.Do(ctx, s.client, AdslotPath{publisher, id})
	return answer.Adslot, err
}
