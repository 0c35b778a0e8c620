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
