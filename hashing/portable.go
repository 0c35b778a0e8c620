package hashing

import "bytes"

// portable is the kernel in pure Go, the reference for all others. It has none of the
// operations that load lines in groups.
var portable = kernel{name: "go", sum: sumPairs, batch: 2, lanes: Lanes, encode: encodeEach, parse: parseEach, passSingles: passChunks}

func sumPairs(layout layout, m *messages, n int, to []Digest) {
	for l := 0; l < n; l += 2 {
		x, y := m.get(layout, l), m.get(layout, l+1)
		sumPair(&x, &y, &to[l], &to[l+1])
	}
}

func encodeEach(text []byte, digests []Digest, separator byte) int {
	for i := range digests {
		digests[i].hex((*[HexLen]byte)(text[i*(HexLen+1):]))
		text[i*(HexLen+1)+HexLen] = separator
	}
	return len(digests)
}

func parseEach(digests []Digest, text, separator []byte) int {
	stride := HexLen + len(separator)
	for i := range digests {
		if len(text) < stride || !bytes.Equal(text[HexLen:stride], separator) || !digests[i].parse((*[HexLen]byte)(text)) {
			return i
		}
		text = text[stride:]
	}
	return len(digests)
}

func passChunks(text []byte) (size, lines int) {
	for size < len(text) {
		next := text[size:min(size+passReach, len(text))]
		if hasListSeparator(next) || hasLoneCR(text[size:min(size+passReach+1, len(text))]) {
			break
		}
		size += len(next)
		lines += bytes.Count(next, []byte{'\n'})
	}
	return size, lines
}

// hasListSeparator reports whether text has a character of listSeparators. It is much
// faster than bytes.ContainsAny.
func hasListSeparator(text []byte) bool {
	for _, c := range []byte(listSeparators) {
		if bytes.IndexByte(text, c) >= 0 {
			return true
		}
	}
	return false
}

// hasLoneCR reports whether text has a CR without LF, except perhaps at the end.
func hasLoneCR(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '\r')
		if i < 0 || i == len(text)-1 {
			return false
		}
		if text[i+1] != '\n' {
			return true
		}
		text = text[i+2:]
	}
}
