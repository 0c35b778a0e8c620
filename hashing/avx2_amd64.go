//go:build amd64 && !purego

package hashing

// batch256 is the number of messages that the AVX2 kernel hashes at once.
const batch256 = 24

var avx2 = kernel{
	name: "avx2",
	sum:  sum256, batch: batch256, lanes: Lanes / batch256 * batch256,
	loadUUIDs:   loadUUIDs256,
	encode:      encode256,
	parse:       parse256,
	passSingles: blocksOf(passSingles256),
}

func sum256(layout layout, m *messages, n int, to []Digest) {
	for l := 0; l < n; l += batch256 {
		words, digests := &m[0][l], &to[l:][:batch256][0][0]
		switch layout {
		case hyphenLayout:
			sumHyphenUUIDs256(words, digests)
		case bareLayout:
			sumBareUUIDs256(words, digests)
		case shortLayout:
			sumAndroidIDs256(words, digests)
		}
	}
}

func loadUUIDs256(f *form, layout layout, text []byte, l *lanes, row, groups int) int {
	_, _ = text[(16*groups-1)*f.stride+lineReach-1], l.rows[l.count+16*groups-1]
	to, rows := &l.messages[0][l.count], &l.rows[l.count]
	if layout == bareLayout {
		return loadBareUUIDs256(&text[0], &f.fold[0], to, rows, row, 2*groups)
	}
	return loadHyphenUUIDs256(&text[0], &f.fold[0], to, rows, row, 2*groups)
}

func encode256(text []byte, digests []Digest, separator byte) int {
	if len(digests) > 0 {
		_ = text[len(digests)*(HexLen+1)-1]
		encodeHex256(&text[0], &digests[0][0], len(digests), separator)
	}
	return len(digests)
}

func parse256(digests []Digest, text, separator []byte) int {
	n := min(len(digests), len(text)/(HexLen+len(separator)))
	switch {
	case n == 0:
		return 0
	case len(separator) == 1:
		return parseHex256(&digests[0][0], &text[0], n, uint16(separator[0]))
	}
	return parseHexWide256(&digests[0][0], &text[0], n, uint16(separator[0])|uint16(separator[1])<<8)
}

// blocksOf turns an operation on blocks of 64 characters into one on text.
func blocksOf(pass func(text *byte, blocks int) (passed, lines int)) func(text []byte) (size, lines int) {
	const block = 64
	return func(text []byte) (size, lines int) {
		if len(text) < block {
			return 0, 0
		}
		passed, lines := pass(&text[0], len(text)/block)
		return passed * block, lines
	}
}
