package inspection

import (
	"usher/hashing"
)

// IsDeviceID reports whether a word is an id in some profile. Short hex words, such as
// "feed", are not.
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
