package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"usher/internal/rtb"
)

// What an adslot may be.
var (
	adslotPositions = []string{"ATF", "BTF", "INT", "PRE", "POST"}
	adslotFormats   = []string{"IMAGE", "RICH", "VAST"}
)

const minPublisherName = 5 // characters

func (w *world) putPublisher(c *call, in rtb.PublisherDefinition) (rtb.PublisherAnswer, error) {
	p := in.Publisher
	domain, err := hostname(p.Domain)
	switch {
	case p.PublisherID == "":
		return rtb.PublisherAnswer{}, invalid("publisherId", "is required")
	case nameRule(p.PublisherID) != "":
		return rtb.PublisherAnswer{}, invalid("publisherId", nameRule(p.PublisherID))
	case p.Domain == "":
		return rtb.PublisherAnswer{}, invalid("domain", "is required")
	case err != nil:
		return rtb.PublisherAnswer{}, invalid("domain", "must be a domain such as example.com")
	case utf8.RuneCountInString(p.PublisherName) < minPublisherName:
		return rtb.PublisherAnswer{}, invalid("publisherName", "must have at least 5 characters")
	}
	old, found := w.publishers.rows[p.PublisherID]
	if found && old.Advertiser != c.advertiser {
		return rtb.PublisherAnswer{}, refused(codeOwned, "publisherId: %s belongs to another publisher", p.PublisherID)
	}
	row := publisher{Advertiser: c.advertiser, Publisher: rtb.Publisher{
		PublisherID: p.PublisherID, Domain: domain, PublisherName: p.PublisherName,
		PublisherStatus: rtb.Active, Username: c.user, CreatedDate: dayOf(c.now), UpdatedDate: dayOf(c.now),
	}}
	if found {
		row.Publisher.Username, row.Publisher.CreatedDate = old.Publisher.Username, old.Publisher.CreatedDate
	}
	return rtb.PublisherAnswer{Publisher: row.Publisher}, w.commit(nil, w.publishers.put(p.PublisherID, row))
}

// ownPublisher finds a publisher of the token's account.
func (w *world) ownPublisher(c *call, id string) (publisher, error) {
	row, found := w.publishers.rows[id]
	switch {
	case !found:
		return publisher{}, unknown("publisher", id)
	case row.Advertiser != c.advertiser:
		return publisher{}, forbidden()
	}
	return row, nil
}

func (w *world) getPublisher(c *call, in rtb.PublisherPath) (rtb.PublisherAnswer, error) {
	row, err := w.ownPublisher(c, in.PublisherID)
	return rtb.PublisherAnswer{Publisher: row.Publisher}, err
}

func (w *world) putAdslot(c *call, in rtb.AdslotDefinition) (rtb.AdslotAnswer, error) {
	if _, err := w.ownPublisher(c, in.PublisherID); err != nil {
		return rtb.AdslotAnswer{}, err
	}
	slot := in.Adslot
	if slot.PublisherID != "" && slot.PublisherID != in.PublisherID {
		return rtb.AdslotAnswer{}, invalid("publisherId", "must be that of the path")
	}
	if err := checkAdslot(slot); err != nil {
		return rtb.AdslotAnswer{}, err
	}
	old, found := w.adslots.rows[slot.AdslotID]
	if found && old.PublisherID != in.PublisherID {
		return rtb.AdslotAnswer{}, refused(codeOwned, "adslotId: %s belongs to another publisher", slot.AdslotID)
	}
	slot.PublisherID, slot.AdslotStatus = in.PublisherID, rtb.Active
	slot.CreatedDate, slot.UpdatedDate = dayOf(c.now), dayOf(c.now)
	if found {
		slot.CreatedDate = old.CreatedDate
	}
	if slot.IABCategoryIDs == nil {
		slot.IABCategoryIDs = []rtb.Count{}
	}
	return rtb.AdslotAnswer{Adslot: slot}, w.commit(nil, w.adslots.put(slot.AdslotID, slot))
}

func checkAdslot(s rtb.Adslot) error {
	switch {
	case s.AdslotID == "":
		return invalid("adslotId", "is required")
	case nameRule(s.AdslotID) != "":
		return invalid("adslotId", nameRule(s.AdslotID))
	case strings.TrimSpace(s.AdslotName) == "":
		return invalid("adslotName", "is required")
	case s.Width <= 0:
		return invalid("width", "is required and must be more than 0")
	case s.Height <= 0:
		return invalid("height", "is required and must be more than 0")
	case !slices.Contains(adslotPositions, s.Position):
		return invalid("position", "must be one of "+strings.Join(adslotPositions, ", "))
	case len(s.Formats) == 0:
		return invalid("formats", "must hold at least one of "+strings.Join(adslotFormats, ", "))
	}
	for i, format := range s.Formats {
		if !slices.Contains(adslotFormats, format) {
			return invalid(fmt.Sprintf("formats[%d]", i), "must be one of "+strings.Join(adslotFormats, ", "))
		}
	}
	known := map[rtb.Count]bool{}
	for category := range categories() {
		known[category.ID] = true
	}
	for i, id := range s.IABCategoryIDs {
		if !known[id] {
			return invalid(fmt.Sprintf("iabCategoryIds[%d]", i), "must be an id of GET /v3/metadata/categories")
		}
	}
	return nil
}

func (w *world) getAdslot(c *call, in rtb.AdslotPath) (rtb.AdslotAnswer, error) {
	if _, err := w.ownPublisher(c, in.PublisherID); err != nil {
		return rtb.AdslotAnswer{}, err
	}
	slot, found := w.adslots.rows[in.AdslotID]
	if !found || slot.PublisherID != in.PublisherID {
		return rtb.AdslotAnswer{}, unknown("adslot", in.AdslotID)
	}
	return rtb.AdslotAnswer{Adslot: slot}, nil
}
