package operations

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox/store"
)

func (s *State) pushCreative(c *Call, _ rtb.CreativePush) (rtb.Upload, error) {
	return s.storeCreative(c)
}

func (s *State) pullCreative(c *Call, _ rtb.CreativePull) (rtb.Upload, error) {
	return s.storeCreative(c)
}

// storeCreative gives the file of a creative an id. The location is not served.
func (s *State) storeCreative(c *Call) (rtb.Upload, error) {
	number, counted := s.next("asset")
	id := strconv.FormatInt(number, 10)
	row := asset{Advertiser: c.Advertiser, Format: c.Creative.Format, Bytes: c.Creative.Bytes, At: c.Now}
	location := fmt.Sprintf("https://cdn.example.com/%s/%s.%s", c.Advertiser, id, row.Format)
	return rtb.Upload{ID: id, Location: location}, s.store.Commit(counted, s.assets.Put(id, row))
}

// approved reports whether the approval delay has passed.
func (c creative) approved(now time.Time, delay time.Duration) bool {
	return delay < 0 || !now.Before(c.Submitted.Add(delay))
}

// status returns the current status of the creative, and since when it has that status.
// Approval follows from the clock, so that it needs neither a timer nor a record.
func (c creative) status(now time.Time, delay time.Duration) (string, time.Time) {
	if c.Creative.Status == rtb.Pending && c.approved(now, delay) {
		return rtb.Active, c.Submitted.Add(max(delay, 0))
	}
	return c.Creative.Status, c.Updated
}

// current returns the creative with its current status.
func (c creative) current(now time.Time, delay time.Duration) rtb.Creative {
	c.Creative.Status, _ = c.status(now, delay)
	return c.Creative
}

// statusRecord returns the creative's status in the form of answers.
func (c creative) statusRecord(now time.Time, delay time.Duration) rtb.CreativeStatus {
	status, since := c.status(now, delay)
	message := "Approved"
	if !c.approved(now, delay) {
		message = "Waiting for approval"
	}
	return rtb.CreativeStatus{
		CreativeID: c.Creative.CreativeID, CreativeCode: c.Creative.Code,
		ApprovalStatus: status, ApprovalMessage: message, LatestUpdate: formatTime(since),
	}
}

func (s *State) campaignStatus(c *Call, in rtb.CampaignPath) (rtb.StatusesAnswer, error) {
	row, err := s.findCampaign(c, in.CampaignCode)
	list := []rtb.CreativeStatus{}
	for _, code := range row.Creatives {
		list = append(list, s.creatives.Row(code).statusRecord(c.Now, s.config.ApprovalDelay))
	}
	return rtb.StatusesAnswer{Status: list}, err
}

// findCreative returns a creative, or an error if it does not exist or the caller has no
// access to its campaign.
func (s *State) findCreative(c *Call, code string) (creative, error) {
	row, found := s.creatives.Get(code)
	if !found {
		return creative{}, Unknown("creative", code)
	}
	_, err := s.findCampaign(c, row.Campaign)
	return row, err
}

func (s *State) creativeStatus(c *Call, in rtb.CreativePath) (rtb.StatusAnswer, error) {
	row, err := s.findCreative(c, in.CreativeCode)
	if err != nil {
		return rtb.StatusAnswer{}, err
	}
	return rtb.StatusAnswer{Status: row.statusRecord(c.Now, s.config.ApprovalDelay)}, nil
}

func (s *State) setCreativeStatus(c *Call, in rtb.CreativeStatusChange) (rtb.Nothing, error) {
	row, err := s.findCreative(c, in.CreativeCode)
	if err != nil {
		return rtb.Nothing{}, err
	}
	changes, notes, err := s.changeStatuses(c, row.Campaign, in.Status, []string{in.CreativeCode})
	if err != nil {
		return rtb.Nothing{}, err
	}
	if len(notes) > 0 {
		return rtb.Nothing{}, Failure{Status: http.StatusBadRequest, Notes: notes}
	}
	return rtb.Nothing{}, s.store.Commit(changes...)
}

func (s *State) setCampaignStatus(c *Call, in rtb.CampaignStatusChange) (rtb.Nothing, error) {
	row, err := s.findCampaign(c, in.CampaignCode)
	if err != nil {
		return rtb.Nothing{}, err
	}
	changes, notes, err := s.changeStatuses(c, in.CampaignCode, in.Status, row.Creatives)
	if err != nil {
		return rtb.Nothing{}, err
	}
	if len(notes) == len(row.Creatives) {
		return rtb.Nothing{}, Failure{Status: http.StatusBadRequest, Notes: notes}
	}
	c.Warnings = append(c.Warnings, notes...)
	return rtb.Nothing{}, s.store.Commit(changes...)
}

// changeStatuses returns the changes that give the creatives the wanted status,
// and a note for each creative that cannot get it.
func (s *State) changeStatuses(c *Call, campaign, wanted string, codes []string) ([]store.Change, []Note, error) {
	if wanted != rtb.Active && wanted != rtb.Inactive {
		return nil, nil, Invalid("status", "must be ACTIVE or INACTIVE")
	}
	if err := s.requireLock(c, campaign); err != nil {
		return nil, nil, err
	}
	var changes []store.Change
	var notes []Note
	for _, code := range codes {
		row := s.creatives.Row(code)
		from, _ := row.status(c.Now, s.config.ApprovalDelay)
		switch {
		case from == wanted:
		case wanted == rtb.Active && !row.approved(c.Now, s.config.ApprovalDelay):
			notes = append(notes, Note{
				Code:        CodeStatus,
				Description: fmt.Sprintf("Creative status change from %s to %s is not possible for creative %s", from, wanted, code),
			})
		default:
			row.Creative.Status, row.Updated = wanted, c.Now
			changes = append(changes, s.creatives.Put(code, row), s.updateFlight(s.campaigns.Row(campaign), row, c.Now))
		}
	}
	return changes, notes, nil
}
