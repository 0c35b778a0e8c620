package sandbox

import (
	"slices"
	"strings"

	"usher/internal/rtb"
)

func mobileMembers(campaign string) string { return "mobile/" + campaign }

func userMembers(campaign, segment string) string { return "users/" + campaign + "/" + segment }

func (w *world) mobileTargets(c *call, in rtb.CampaignPath) (rtb.MobileAnswer, error) {
	if _, err := w.ownCampaign(c, in.CampaignCode); err != nil {
		return rtb.MobileAnswer{}, err
	}
	t, found := w.targets.rows[mobileMembers(in.CampaignCode)]
	if !found {
		return rtb.MobileAnswer{}, unknown("mobile device targeting of campaign", in.CampaignCode)
	}
	return rtb.MobileAnswer{MobileDeviceTargeting: w.mobileRecord(t)}, nil
}

func (w *world) mobileRecord(t target) rtb.MobileTargeting {
	return rtb.MobileTargeting{
		CampaignCode: t.Campaign, BatchName: t.Batch,
		NumberOfIDs: rtb.Count(w.print(mobileMembers(t.Campaign)).Count), LastModificationTime: stamp(t.Modified),
	}
}

func (w *world) addMobileTargets(c *call, in rtb.MobileUpload) (rtb.MobileAdded, error) {
	if _, err := w.ownCampaign(c, in.CampaignCode); err != nil {
		return rtb.MobileAdded{}, err
	}
	key := mobileMembers(in.CampaignCode)
	t := target{Campaign: in.CampaignCode, Batch: c.upload.filename, Modified: c.now}
	changes := []change{w.targets.put(key, t), c.upload.added(key)}
	if w.o.TargetPost == "replace" {
		changes = slices.Insert(changes, 0, change{Do: doClear, Key: key})
	}
	err := w.commit(c.upload.digests, changes...)
	return rtb.MobileAdded{MobileDeviceTargeting: w.mobileRecord(t)}, err
}

func (w *world) clearMobileTargets(c *call, in rtb.CampaignPath) (rtb.Nothing, error) {
	if _, err := w.ownCampaign(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	key := mobileMembers(in.CampaignCode)
	return rtb.Nothing{}, w.commit(nil, w.targets.drop(key), change{Do: doClear, Key: key})
}

func (w *world) addUserTargets(c *call, in rtb.UserUpload) (rtb.UsersAdded, error) {
	if _, err := w.ownCampaign(c, in.CampaignCode); err != nil {
		return rtb.UsersAdded{}, err
	}
	if _, err := w.ownSegment(c, in.SegmentID); err != nil {
		return rtb.UsersAdded{}, err
	}
	key := userMembers(in.CampaignCode, in.SegmentID)
	t := target{Campaign: in.CampaignCode, Segment: in.SegmentID, Modified: c.now}
	err := w.commit(c.upload.digests, w.targets.put(key, t), change{Do: doClear, Key: key}, c.upload.added(key))
	return rtb.UsersAdded{SegmentUserIDsTargeting: w.userRecord(t)}, err
}

func (w *world) userRecord(t target) rtb.UserTargeting {
	return rtb.UserTargeting{
		CampaignCode: t.Campaign, SegmentID: t.Segment,
		NumberOfIDs: rtb.Count(w.print(userMembers(t.Campaign, t.Segment)).Count), LastModificationTime: stamp(t.Modified),
	}
}

// ofUsers are a campaign's targetings by user ids, the latest first.
func (w *world) ofUsers(campaign string) []target {
	var list []target
	for _, t := range w.targets.rows {
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

func (w *world) userTargets(c *call, in rtb.CampaignPath) (rtb.UsersAnswer, error) {
	if _, err := w.ownCampaign(c, in.CampaignCode); err != nil {
		return rtb.UsersAnswer{}, err
	}
	list := rtb.UserTargetings{}
	for _, t := range w.ofUsers(in.CampaignCode) {
		list = append(list, w.userRecord(t))
	}
	if len(list) == 0 {
		return rtb.UsersAnswer{}, unknown("targeting by user ids of campaign", in.CampaignCode)
	}
	return rtb.UsersAnswer{SegmentUserIDsTargeting: list}, nil
}

func (w *world) clearUserTargets(c *call, in rtb.CampaignPath) (rtb.Nothing, error) {
	if _, err := w.ownCampaign(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	var changes []change
	for _, t := range w.ofUsers(in.CampaignCode) {
		key := userMembers(t.Campaign, t.Segment)
		changes = append(changes, w.targets.drop(key), change{Do: doClear, Key: key})
	}
	return rtb.Nothing{}, w.commit(nil, changes...)
}
