package hashing_test

import (
	"testing"

	"usher/hashing"
)

func TestIsUnlikely(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"DE":               true,
		"1001":             true,
		`"1001"`:           true,
		"49170123456":      true,
		"4915112345678":    true,
		"1234567890123456": true,
		"bad":              true,

		"9f86d081884c7d65":                     false,
		"f86d081884c7d":                        false,
		"F86D081884C7D":                        false,
		"":                                     false,
		"0":                                    false, // zero_id
		"0000000000000000":                     false,
		"490154203237518":                      false, // an IMEI
		"Smith":                                false,
		"null":                                 false,
		"12345678901234567":                    false, // too long
		"6D92078A-8246-4BA4-AE5B-76104861E7DC": false,
	} {
		if got := hashing.IsUnlikely([]byte(value)); got != want {
			t.Errorf("IsUnlikely(%q) = %v", value, got)
		}
	}
}
