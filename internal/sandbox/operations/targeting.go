package operations

import (
	"slices"
	"strings"

	"usher/internal/rtb"
	"usher/internal/sandbox/store"
)

func (s *State) mobileTargets(c *Call, in rtb.CampaignPath) (rtb.MobileAnswer, error) {
	if _, err := s.findCampaign(c, in.CampaignCode); err != nil {
		return rtb.MobileAnswer{}, err
	}
	t, found := s.targets.Get(mobileSet(in.CampaignCode))
	if !found {
		return rtb.MobileAnswer{}, Unknown("mobile device targeting of campaign", in.CampaignCode)
	}
	return rtb.MobileAnswer{MobileDeviceTargeting: s.mobileRecord(t)}, nil
}

func (s *State) mobileRecord(t target) rtb.MobileTargeting {
	return rtb.MobileTargeting{
		CampaignCode: t.Campaign, BatchName: t.Batch,
		NumberOfIDs: rtb.Count(s.store.Fingerprint(mobileSet(t.Campaign)).Count), LastModificationTime: formatTime(t.Modified),
	}
}

func (s *State) addMobileTargets(c *Call, in rtb.MobileUpload) (rtb.MobileAdded, error) {
	if _, err := s.findCampaign(c, in.CampaignCode); err != nil {
		return rtb.MobileAdded{}, err
	}
	key := mobileSet(in.CampaignCode)
	t := target{Campaign: in.CampaignCode, Batch: c.IDs.Filename, Modified: c.Now}
	changes := []store.Change{s.targets.Put(key, t), s.addIDs(key, c.IDs)}
	if s.config.ReplaceTargets {
		changes = slices.Insert(changes, 0, store.ClearSet(key))
	}
	err := s.store.Commit(changes...)
	return rtb.MobileAdded{MobileDeviceTargeting: s.mobileRecord(t)}, err
}

func (s *State) clearMobileTargets(c *Call, in rtb.CampaignPath) (rtb.Nothing, error) {
	if _, err := s.findCampaign(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	key := mobileSet(in.CampaignCode)
	return rtb.Nothing{}, s.store.Commit(s.targets.Drop(key), store.ClearSet(key))
}

func (s *State) addUserTargets(c *Call, in rtb.UserUpload) (rtb.UsersAdded, error) {
	if _, err := s.findCampaign(c, in.CampaignCode); err != nil {
		return rtb.UsersAdded{}, err
	}
	if _, err := s.findSegment(c, in.SegmentID); err != nil {
		return rtb.UsersAdded{}, err
	}
	key := userSet(in.CampaignCode, in.SegmentID)
	t := target{Campaign: in.CampaignCode, Segment: in.SegmentID, Modified: c.Now}
	err := s.store.Commit(s.targets.Put(key, t), store.ClearSet(key), s.addIDs(key, c.IDs))
	return rtb.UsersAdded{SegmentUserIDsTargeting: s.userRecord(t)}, err
}

func (s *State) userRecord(t target) rtb.UserTargeting {
	return rtb.UserTargeting{
		CampaignCode: t.Campaign, SegmentID: t.Segment,
		NumberOfIDs: rtb.Count(s.store.Fingerprint(userSet(t.Campaign, t.Segment)).Count), LastModificationTime: formatTime(t.Modified),
	}
}

// targetsOf returns a campaign's targetings by user ids, the latest first.
func (s *State) targetsOf(campaign string) []target {
	var list []target
	for _, t := range s.targets.All() {
		if t.Campaign == campaign && t.Segment != "" {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b target) int {
		if order := b.Modified.Compare(a.Modified); order != 0 {
			return order
		}
		return strings.Compare(a.Segment, b.Segment)
	})
	return list
}

func (s *State) userTargets(c *Call, in rtb.CampaignPath) (rtb.UsersAnswer, error) {
	if _, err := s.findCampaign(c, in.CampaignCode); err != nil {
		return rtb.UsersAnswer{}, err
	}
	list := rtb.UserTargetings{}
	for _, t := range s.targetsOf(in.CampaignCode) {
		list = append(list, s.userRecord(t))
	}
	if len(list) == 0 {
		return rtb.UsersAnswer{}, Unknown("targeting by user ids of campaign", in.CampaignCode)
	}
	return rtb.UsersAnswer{SegmentUserIDsTargeting: list}, nil
}

func (s *State) clearUserTargets(c *Call, in rtb.CampaignPath) (rtb.Nothing, error) {
	if _, err := s.findCampaign(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	var changes []store.Change
	for _, t := range s.targetsOf(in.CampaignCode) {
		key := userSet(t.Campaign, t.Segment)
		changes = append(changes, s.targets.Drop(key), store.ClearSet(key))
	}
	return rtb.Nothing{}, s.store.Commit(changes...)
}
