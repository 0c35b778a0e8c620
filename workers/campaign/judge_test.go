package campaign_test

import (
	"testing"

	"usher/workers/campaign"
)

func TestMentions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, code string
		want       bool
	}{
		{"from PENDING to ACTIVE of a-1", "a-1", true},
		{"from PENDING to ACTIVE of a-10", "a-1", false},
		{"creative 'a-1' (ACTIVE)", "a-1", true},
		{"creative xa-1", "a-1", false},
		{"", "a-1", false},
	} {
		if campaign.Mentions(c.text, c.code) != c.want {
			t.Errorf("%q names %s: %t", c.text, c.code, !c.want)
		}
	}
}
