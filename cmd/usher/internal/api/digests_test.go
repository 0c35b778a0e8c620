package api

import (
	"strings"
	"testing"
)

func TestCheckDigests(t *testing.T) {
	t.Parallel()
	const a = "f2d1311ca5c1ecb214c19a26e9ddbad0"
	for name, c := range map[string]struct {
		text string
		bad  string // how the error begins; "": no error
	}{
		"one":                {a, ""},
		"upper case":         {strings.ToUpper(a), ""},
		"several":            {a + "," + a + "," + a, ""},
		"comma at the end":   {a + ",", ""},
		"line ends":          {a + ",\r\n" + a + "\n", ""},
		"more than a buffer": {strings.Repeat(a+",", 10_000) + a, ""},
		"nothing":            {"", "item 1 "},
		"raw ids":            {"6D92078A-8246-4BA4-AE5B-76104861E7DC\n", "item 1 "},
		"a digest a line":    {a + "\n" + a, "item 1 "},
		"two commas":         {a + ",," + a, "item 2 "},
		"no hex":             {a + "," + a[:31] + "g", "item 2 "},
		"a very long item":   {strings.Repeat("x", 200_000), "item 1 "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := checkDigests(strings.NewReader(c.text))
			if (err == nil) != (c.bad == "") || err != nil && !strings.HasPrefix(err.Error(), c.bad) {
				t.Errorf("%v, want %q", err, c.bad)
			}
			if err != nil && (strings.Contains(err.Error(), "6D92") || strings.Contains(err.Error(), a)) {
				t.Errorf("an id is in the error: %v", err)
			}
		})
	}
}
