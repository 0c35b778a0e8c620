package rtb_test

import (
	"encoding/json"
	"math"
	"testing"

	"usher/internal/rtb"
)

// TestMissingNumbers checks that a number that is absent, null or of another type is NaN,
// and that the rest of the row is read.
func TestMissingNumbers(t *testing.T) {
	t.Parallel()
	var row rtb.CampaignDetail
	err := json.Unmarshal([]byte(`{"reportDate":"2026-05-19","clicks":null,"impressions":"12","won":1E3,"budget":{},"netMediaSpend":1e999,"mediaMargin":5,
		"creatives":[{"creativeCode":"c","clicks":3,"budget":"much"}]}`), &row)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]float64{
		"absent": row.Auctions, "null": row.Clicks, "text": row.Impressions, "object": row.Budget, "too large": row.NetMediaSpend,
		"absent of a creative": row.Creatives[0].Impressions, "text of a creative": row.Creatives[0].Budget,
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s is %v", name, v)
		}
	}
	if row.ReportDate != "2026-05-19" || row.Won != 1000 || row.MediaMargin != 5 || row.Creatives[0].CreativeCode != "c" || row.Creatives[0].Clicks != 3 {
		t.Errorf("the row is %+v", row)
	}
	if json.Unmarshal([]byte(`{"reportDate":7}`), &row) == nil {
		t.Error("a number is read as a date")
	}
}
