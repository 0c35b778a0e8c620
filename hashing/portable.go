package hashing

import "bytes"

// portable is the kernel in pure Go, the reference for all others. It has none of the
// operations that load lines in groups.
var portable = kernel{name: "go", sum: sumPairs, batch: 2, lanes: Lanes, encode: encodeEach, parse: parseEach}

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
