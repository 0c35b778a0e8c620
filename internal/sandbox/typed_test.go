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
	creative, err := c.Campaigns.GetCreative(ctx, "SANDBOX1-summer", "summer-1")
	if err != nil || creative.Code != "summer-1" || creative.Status != rtb.Active {
		t.Errorf("creative is %+v, %v", creative, err)
	}
	id, err := c.Segments.Create(ctx, rtb.Segment{Name: "before", Type: rtb.TypeIDFA, DurationInDays: 30})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Segments.Update(ctx, id, rtb.Segment{Name: "after", Type: rtb.TypeIDFA, DurationInDays: 30}); err != nil {
		t.Fatal(err)
	}
	segments, err := c.Segments.ByType(ctx, rtb.TypeIDFA)
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
	if err := c.Segments.AddUser(ctx, id, rtb.TypeIDFA, "f2d1311ca5c1ecb214c19a26e9ddbad0"); err != nil {
		t.Fatal(err)
	}
	const two = "third-party-1,third-party-2"
	ids := rtb.File{Content: strings.NewReader(two), Size: int64(len(two))}
	if _, _, err := c.Campaigns.AddUserTargets(ctx, "SANDBOX1-summer", id, ids); err != nil {
		t.Fatal(err)
	}
	targeted, err := c.Campaigns.UserTargets(ctx, "SANDBOX1-summer")
	if err != nil || len(targeted) != 1 || targeted[0].NumberOfIDs != 2 {
		t.Errorf("targeting is %+v, %v", targeted, err)
	}
	if err := c.Campaigns.ClearUserTargets(ctx, "SANDBOX1-summer"); err != nil {
		t.Fatal(err)
	}
	if targeted, err := c.Campaigns.UserTargets(ctx, "SANDBOX1-summer"); err == nil && len(targeted) != 0 {
		t.Errorf("after it was cleared targeting is %+v", targeted)
	}
}
