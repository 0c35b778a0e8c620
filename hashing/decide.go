package hashing

import "usher"

// DecideInput reports whether the lines of a sample are raw ids or MD5 digests. A
// sample without either is raw.
//
// A single value is not enough, because 32 hex characters may be an MD5 digest or a UUID
// without hyphens. A column is: nearly all UUIDs of phones have version 4, but only one
// digest in 64 looks like a UUID of version 4.
func DecideInput(profile usher.Profile, sample []byte) usher.Input {
	raw, digests := 0, 0
	for len(sample) > 0 {
		line, n := cutLine(sample, true)
		sample = sample[n:]
		switch guessInput(profile.Type, line) {
		case usher.InputRaw:
			raw++
		case usher.InputMD5:
			digests++
		}
	}
	if digests > raw {
		return usher.InputMD5
	}
	return usher.InputRaw
}

// guessInput returns what a line looks like: raw, md5, or "" if it is neither.
func guessInput(idType usher.IDType, line []byte) usher.Input {
	value, _ := trim(line)
	value = unquote(value)
	if inBraces(value) {
		value = value[1 : len(value)-1]
	}
	android := idType == usher.AndroidID
	switch n := len(value); {
	case n == 36 && isUUID((*[36]byte)(value)):
		return usher.InputRaw
	case n > 32 || !IsHex(value) || sameDigit(value):
		return ""
	case n == 32 && (android || !isVersion4((*[32]byte)(value))):
		return usher.InputMD5
	case n == 32, n <= 16 && android:
		return usher.InputRaw
	}
	return ""
}
