package hashing_test

import (
	"testing"

	"usher/hashing"
)

func TestIDsInTextAreMasked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "",
		"idfa":                                   "idfa",
		"Geräte-ID":                              "Geräte-ID",
		"facade, feed":                           "facade, feed",
		"2026-03-01":                             "2026-03-01",
		"6D92078A-8246-4BA4-AE5B-76104861E7DC":   "6D92****-E7DC",
		"{6D92078A-8246-4BA4-AE5B-76104861E7DC}": "6D92****-E7DC",
		"6D92078A82464BA4AE5B76104861E7DC":       "6D92****-E7DC",
		"idfa_6D92078A-8246-4BA4-AE5B-76104861E7DC":                "idfa_6D92****-E7DC",
		"ids.6D92078A-8246-4BA4-AE5B-76104861E7DC.type":            "ids.6D92****-E7DC.type",
		"9774d56d682e549c of idfa":                                 "97****-9c of idfa",
		"x_6d92078a_8246_4ba4_ae5b_76104861e7dc_y":                 "x_****_y",
		"6D92078A%2D8246%2D4BA4%2DAE5B%2D76104861E7DC":             "****",
		"6D92078A\u20108246\u20104BA4\u2010AE5B\u201076104861E7DC": "****",
		"idfa6D92078A82464BA4AE5B76104861E7DC":                     "idfa6****-E7DC",
		"android9774d56d682e549cz":                                 "android9****-9cz",
		"one of 1234567890123456":                                  "one of 12****-56",
		"490154203237518":                                          "49****-18",
		"order 202603010042, of 1700000000000":                     "order 202603010042, of 1700000000000",
		"spend 0.30000000000000004 of 105.30000000000001":          "spend 0.30000000000000004 of 105.30000000000001",
	} {
		if got := hashing.MaskIDs(text); got != want {
			t.Errorf("MaskIDs(%q) = %q, want %q", text, got, want)
		}
	}
}
