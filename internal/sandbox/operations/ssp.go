package operations

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"usher/internal/rtb"
)

// The documented positions and formats of adslots.
var (
	adslotPositions = []string{"ATF", "BTF", "INT", "PRE", "POST"}
	adslotFormats   = []string{"IMAGE", "RICH", "VAST"}
)

const minPublisherName = 5 // characters

func (s *State) putPublisher(c *Call, in rtb.PublisherDefinition) (rtb.PublisherAnswer, error) {
	p := in.Publisher
	domain, err := hostname(p.Domain)
	switch {
	case p.PublisherID == "":
		return rtb.PublisherAnswer{}, Invalid("publisherId", "is required")
	case nameRule(p.PublisherID) != "":
		return rtb.PublisherAnswer{}, Invalid("publisherId", nameRule(p.PublisherID))
	case p.Domain == "":
		return rtb.PublisherAnswer{}, Invalid("domain", "is required")
	case err != nil:
		return rtb.PublisherAnswer{}, Invalid("domain", "must be a domain such as example.com")
	case utf8.RuneCountInString(p.PublisherName) < minPublisherName:
		return rtb.PublisherAnswer{}, Invalid("publisherName", "must have at least 5 characters")
	}
	old, found := s.publishers.Get(p.PublisherID)
	if found && old.Advertiser != c.Advertiser {
		return rtb.PublisherAnswer{}, Refused(CodeIDTaken, "publisherId: %s belongs to another publisher", p.PublisherID)
	}
	row := publisher{Advertiser: c.Advertiser, Publisher: rtb.Publisher{
		PublisherID: p.PublisherID, Domain: domain, PublisherName: p.PublisherName,
		PublisherStatus: rtb.Active, Username: c.User, CreatedDate: dayOf(c.Now), UpdatedDate: dayOf(c.Now),
	}}
	if found {
		row.Publisher.Username, row.Publisher.CreatedDate = old.Publisher.Username, old.Publisher.CreatedDate
	}
	return rtb.PublisherAnswer{Publisher: row.Publisher}, s.store.Commit(s.publishers.Put(p.PublisherID, row))
}

// findPublisher returns a publisher, or an error if it does not exist or does not belong to
// the token's account.
func (s *State) findPublisher(c *Call, id string) (publisher, error) {
	row, found := s.publishers.Get(id)
	switch {
	case !found:
		return publisher{}, Unknown("publisher", id)
	case row.Advertiser != c.Advertiser:
		return publisher{}, Forbidden()
	}
	return row, nil
}

func (s *State) getPublisher(c *Call, in rtb.PublisherPath) (rtb.PublisherAnswer, error) {
	row, err := s.findPublisher(c, in.PublisherID)
	return rtb.PublisherAnswer{Publisher: row.Publisher}, err
}

func (s *State) putAdslot(c *Call, in rtb.AdslotDefinition) (rtb.AdslotAnswer, error) {
	if _, err := s.findPublisher(c, in.PublisherID); err != nil {
		return rtb.AdslotAnswer{}, err
	}
	slot := in.Adslot
	if slot.PublisherID != "" && slot.PublisherID != in.PublisherID {
		return rtb.AdslotAnswer{}, Invalid("publisherId", "must be the id in the path")
	}
	if err := checkAdslot(slot); err != nil {
		return rtb.AdslotAnswer{}, err
	}
	old, found := s.adslots.Get(slot.AdslotID)
	if found && old.PublisherID != in.PublisherID {
		return rtb.AdslotAnswer{}, Refused(CodeIDTaken, "adslotId: %s belongs to another publisher", slot.AdslotID)
	}
	slot.PublisherID, slot.AdslotStatus = in.PublisherID, rtb.Active
	slot.CreatedDate, slot.UpdatedDate = dayOf(c.Now), dayOf(c.Now)
	if found {
		slot.CreatedDate = old.CreatedDate
	}
	if slot.IABCategoryIDs == nil {
		slot.IABCategoryIDs = []rtb.Count{}
	}
	return rtb.AdslotAnswer{Adslot: slot}, s.store.Commit(s.adslots.Put(slot.AdslotID, slot))
}

func checkAdslot(s rtb.Adslot) error {
	switch {
	case s.AdslotID == "":
		return Invalid("adslotId", "is required")
	case nameRule(s.AdslotID) != "":
		return Invalid("adslotId", nameRule(s.AdslotID))
	case strings.TrimSpace(s.AdslotName) == "":
		return Invalid("adslotName", "is required")
	case s.Width <= 0:
		return Invalid("width", "is required and must be more than 0")
	case s.Height <= 0:
		return Invalid("height", "is required and must be more than 0")
	case !slices.Contains(adslotPositions, s.Position):
		return Invalid("position", "must be one of "+strings.Join(adslotPositions, ", "))
	case len(s.Formats) == 0:
		return Invalid("formats", "must hold at least one of "+strings.Join(adslotFormats, ", "))
	}
	for i, format := range s.Formats {
		if !slices.Contains(adslotFormats, format) {
			return Invalid(fmt.Sprintf("formats[%d]", i), "must be one of "+strings.Join(adslotFormats, ", "))
		}
	}
	known := map[rtb.Count]bool{}
	for _, category := range categories() {
		known[category.ID] = true
	}
	for i, id := range s.IABCategoryIDs {
		if !known[id] {
			return Invalid(fmt.Sprintf("iabCategoryIds[%d]", i), "must be an id of GET /v3/metadata/categories")
		}
	}
	return nil
}

func (s *State) getAdslot(c *Call, in rtb.AdslotPath) (rtb.AdslotAnswer, error) {
	if _, err := s.findPublisher(c, in.PublisherID); err != nil {
		return rtb.AdslotAnswer{}, err
	}
	slot, found := s.adslots.Get(in.AdslotID)
	if !found || slot.PublisherID != in.PublisherID {
		return rtb.AdslotAnswer{}, Unknown("adslot", in.AdslotID)
	}
	return rtb.AdslotAnswer{Adslot: slot}, nil
}
