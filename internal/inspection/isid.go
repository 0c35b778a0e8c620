package inspection

import (
	"usher/hashing"
)

// IsDeviceID reports whether a word is what some profile would hash. Short words
// of hex, such as "feed", are just words.
func IsDeviceID(word string) bool {
	const shortest = 12
	if len(word) < shortest {
		return false
	}
	for _, v := range hashing.Explain(word) {
		if v.Reason == hashing.None {
			return true
		}
	}
	return false
}
