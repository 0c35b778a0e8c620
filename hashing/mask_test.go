package hashing_test

import (
	"strings"
	"testing"
	"unicode"

	"usher/hashing"
)

func TestMask(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"6D92078A-8246-4BA4-AE5B-76104861E7DC":   "6D92****-E7DC",
		"{6D92078A-8246-4BA4-AE5B-76104861E7DC}": "6D92****-E7DC",
		"\"6D92078A82464BA4AE5B76104861E7DC\"\t": "6D92****-E7DC",
		"af3802a465767e36":                       "af****-36",
		"490154203237518":                        "49****-18",
		"null":                                   "****",
		"":                                       "****",
		"****":                                   "####",
		"jane.doe.long.name@example.com":         "****",
		"6D92078A-8246\n4BA4-AE5B-76104861E7DC":  "****",
	} {
		if got := hashing.Mask([]byte(value)); got != want {
			t.Errorf("Mask(%q) = %q, want %q", value, got, want)
		}
	}
}

func FuzzMask(f *testing.F) {
	for _, v := range dirt() {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, value string) {
		masked := hashing.Mask([]byte(value))
		if value != "" && strings.Contains(masked, value) {
			t.Fatalf("%q holds %q", masked, value)
		}
		for _, c := range masked {
			if !unicode.IsPrint(c) {
				t.Fatalf("%q is not printable", masked)
			}
		}
		from, to, shown := strings.Cut(masked, "****-")
		if shown && (len(from) > 4 || len(to) > 4 || 3*(len(from)+len(to)) > len(value) ||
			!strings.Contains(value, from) || !strings.Contains(value, to)) {
			t.Fatalf("%q shows too much of %q", masked, value)
		}
	})
}

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
