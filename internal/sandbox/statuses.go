package sandbox

import (
	"fmt"
	"time"

	"usher/internal/rtb"
)

// approved reports whether the approval delay has passed.
func (c creative) approved(now time.Time, delay time.Duration) bool {
	return delay < 0 || !now.Before(c.Submitted.Add(delay))
}

// status is where the creative stands now, and since when. Approval is not an
// event: it follows from the clock, so that it needs no timer and no record.
func (c creative) status(now time.Time, delay time.Duration) (string, time.Time) {
	if c.Creative.Status == rtb.Pending && c.approved(now, delay) {
		return rtb.Active, c.Submitted.Add(max(delay, 0))
	}
	return c.Creative.Status, c.Updated
}

// shown is the creative as a campaign shows it.
func (c creative) shown(now time.Time, delay time.Duration) rtb.Creative {
	c.Creative.Status, _ = c.status(now, delay)
	return c.Creative
}

// record is the creative's status record.
func (c creative) record(now time.Time, delay time.Duration) rtb.CreativeStatus {
	status, since := c.status(now, delay)
	message := "Approved"
	if !c.approved(now, delay) {
		message = "Waiting for approval"
	}
	return rtb.CreativeStatus{
		CreativeID: c.Creative.CreativeID, CreativeCode: c.Creative.Code,
		ApprovalStatus: status, ApprovalMessage: message, LatestUpdate: stamp(since),
	}
}

func (w *world) campaignStatus(c *call, in rtb.CampaignPath) (rtb.StatusesAnswer, error) {
	row, err := w.ownCampaign(c, in.CampaignCode)
	list := []rtb.CreativeStatus{}
	for _, code := range row.Creatives {
		list = append(list, w.creatives.rows[code].record(c.now, w.o.ApprovalDelay))
	}
	return rtb.StatusesAnswer{Status: list}, err
}

// ownCreative finds a creative whose campaign the caller may reach.
func (w *world) ownCreative(c *call, code string) (creative, error) {
	row, found := w.creatives.rows[code]
	if !found {
		return creative{}, unknown("creative", code)
	}
	_, err := w.ownCampaign(c, row.Campaign)
	return row, err
}

func (w *world) creativeStatus(c *call, in rtb.CreativePath) (rtb.StatusAnswer, error) {
	row, err := w.ownCreative(c, in.CreativeCode)
	if err != nil {
		return rtb.StatusAnswer{}, err
	}
	return rtb.StatusAnswer{Status: row.record(c.now, w.o.ApprovalDelay)}, nil
}

func (w *world) setCreativeStatus(c *call, in rtb.CreativeStatusChange) (rtb.Nothing, error) {
	row, err := w.ownCreative(c, in.CreativeCode)
	if err != nil {
		return rtb.Nothing{}, err
	}
	changes, notes, err := w.changeStatuses(c, row.Campaign, in.Status, []string{in.CreativeCode})
	if err != nil {
		return rtb.Nothing{}, err
	}
	if len(notes) > 0 {
		return rtb.Nothing{}, failure{status: 400, notes: notes}
	}
	return rtb.Nothing{}, w.commit(nil, changes...)
}

func (w *world) setCampaignStatus(c *call, in rtb.CampaignStatusChange) (rtb.Nothing, error) {
	row, err := w.ownCampaign(c, in.CampaignCode)
	if err != nil {
		return rtb.Nothing{}, err
	}
	changes, notes, err := w.changeStatuses(c, in.CampaignCode, in.Status, row.Creatives)
	if err != nil {
		return rtb.Nothing{}, err
	}
	if len(notes) == len(row.Creatives) {
		return rtb.Nothing{}, failure{status: 400, notes: notes}
	}
	c.warnings = append(c.warnings, notes...)
	return rtb.Nothing{}, w.commit(nil, changes...)
}

// changeStatuses is the changes that make the creatives wanted, and a note for
// each that cannot be.
func (w *world) changeStatuses(c *call, campaign, wanted string, codes []string) ([]change, []note, error) {
	if wanted != rtb.Active && wanted != rtb.Inactive {
		return nil, nil, invalid("status", "must be ACTIVE or INACTIVE")
	}
	if err := w.needLock(c, campaign); err != nil {
		return nil, nil, err
	}
	var changes []change
	var notes []note
	for _, code := range codes {
		row := w.creatives.rows[code]
		from, _ := row.status(c.now, w.o.ApprovalDelay)
		switch {
		case from == wanted:
		case wanted == rtb.Active && !row.approved(c.now, w.o.ApprovalDelay):
			notes = append(notes, note{codeStatus, fmt.Sprintf("Creative status change from %s to %s is not possible for creative %s", from, wanted, code)})
		default:
			row.Creative.Status, row.Updated = wanted, c.now
			changes = append(changes, w.creatives.put(code, row), w.fly(w.campaigns.rows[campaign], row, c.now))
		}
	}
	return changes, notes, nil
}
