package hashing

import "usher"

// DecideInput says what the lines of a sample are: raw ids, or MD5 digests. A
// single value does not tell: 32 hex characters are an MD5, or a UUID without
// hyphens. But of UUIDs of phones nearly all are of version 4, of digests 1 in
// 64 looks so: the column tells. A sample without either is raw.
func DecideInput(profile usher.Profile, sample []byte) usher.Input {
	raw, digests := 0, 0
	for len(sample) > 0 {
		line, n := cutLine(sample, true)
		sample = sample[n:]
		value, _ := trim(line)
		value = unquote(value)
		if n := len(value); n > 2 && value[0] == '{' && value[n-1] == '}' {
			value = value[1 : n-1]
		}
		switch n := len(value); {
		case n == 36 && isUUID((*[36]byte)(value)):
			raw++
		case n > 32 || !isHex(value) || sameDigit(value):
		case n == 32 && (profile.Type == usher.AndroidID || !isVersion4((*[32]byte)(value))):
			digests++
		case n == 32, n <= 16 && profile.Type == usher.AndroidID:
			raw++
		}
	}
	if digests > raw {
		return usher.InputMD5
	}
	return usher.InputRaw
}
