package sandbox_test

import (
	"strings"
	"testing"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// TestCallsOutsideJobs makes calls that no job makes.
func TestCallsOutsideJobs(t *testing.T) {
	t.Parallel()
	c := start(t, sandbox.Options{}).client()
	ctx := t.Context()
	creative, err := result[rtb.Creative](rtb.CampaignsGetCreative.Do(ctx, c, rtb.CampaignCreativePath{CampaignCode: "SANDBOX1-summer", CreativeCode: "summer-1"}))
	if err != nil || creative.Code != "summer-1" || creative.Status != rtb.Active {
		t.Errorf("creative is %+v, %v", creative, err)
	}
	id, err := result[string](rtb.SegmentsCreate.Do(ctx, c, rtb.NewSegment{Segment: rtb.Segment{Name: "before", Type: rtb.TypeIDFA, DurationInDays: 30}}))
	if err != nil {
		t.Fatal(err)
	}
	if err := errorOf(rtb.SegmentsUpdate.Do(ctx, c, rtb.SegmentUpdate{SegmentID: id, Segment: rtb.Segment{Name: "after", Type: rtb.TypeIDFA, DurationInDays: 30}})); err != nil {
		t.Fatal(err)
	}
	segments, err := result[[]rtb.Segment](rtb.SegmentsByType.Do(ctx, c, rtb.SegmentTypePath{SegmentType: rtb.TypeIDFA}))
	renamed := false
	for _, s := range segments {
		if s.Type != rtb.TypeIDFA {
			t.Errorf("among the IDFA segments is %+v", s)
		}
		renamed = renamed || s.ID == id && s.Name == "after"
	}
	if err != nil || !renamed {
		t.Errorf("segments are %+v, %v", segments, err)
	}
	if err := errorOf(rtb.SegmentsAddUser.Do(ctx, c, rtb.SegmentUser{SegmentID: id, SegmentType: rtb.TypeIDFA, UserID: "f2d1311ca5c1ecb214c19a26e9ddbad0"})); err != nil {
		t.Fatal(err)
	}
	const two = "third-party-1,third-party-2"
	ids := rtb.File{Content: strings.NewReader(two), Size: int64(len(two))}
	if _, _, err := rtb.CampaignsAddUserTargets.Do(ctx, c, rtb.UserUpload{CampaignCode: "SANDBOX1-summer", SegmentID: id, UserIDs: ids}); err != nil {
		t.Fatal(err)
	}
	targeted, err := result[rtb.UserTargetings](rtb.CampaignsUserTargets.Do(ctx, c, rtb.CampaignPath{CampaignCode: "SANDBOX1-summer"}))
	if err != nil || len(targeted) != 1 || targeted[0].NumberOfIDs != 2 {
		t.Errorf("targeting is %+v, %v", targeted, err)
	}
	if err := errorOf(rtb.CampaignsClearUserTargets.Do(ctx, c, rtb.CampaignPath{CampaignCode: "SANDBOX1-summer"})); err != nil {
		t.Fatal(err)
	}
	if targeted, err := result[rtb.UserTargetings](rtb.CampaignsUserTargets.Do(ctx, c, rtb.CampaignPath{CampaignCode: "SANDBOX1-summer"})); err == nil && len(targeted) != 0 {
		t.Errorf("after it was cleared targeting is %+v", targeted)
	}
}
