package hashing

// IsUnlikely reports whether a value is hashed as an ANDROID_ID, because it has the form of
// one, but is more likely a customer number, a telephone number or a short word: it has at most
// 12 characters, or no letters. Fewer than 6 in 10,000 random ids of 64 bits are like this.
func IsUnlikely(value []byte) bool {
	const most, longest = 12, 16
	value, _ = trim(value)
	value = unquote(value)
	if n := len(value); n == 0 || n > longest || !isHex(value) || sameDigit(value) {
		return false
	}
	if len(value) <= most {
		return true
	}
	for _, c := range value {
		if c > '9' {
			return false
		}
	}
	return !isIMEI(value)
}
