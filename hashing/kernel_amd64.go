//go:build amd64 && !purego

package hashing

import "golang.org/x/sys/cpu"

// fastest is the kernel in use. It is chosen once, when the program starts.
var fastest = kernels()[0]

// kernels returns the kernels that this processor can run, the fastest first.
func kernels() []kernel {
	var list []kernel
	x := &cpu.X86
	if x.HasBMI1 && x.HasPOPCNT && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VL && x.HasAVX512VBMI && x.HasAVX512VBMI2 {
		list = append(list, avx512)
	}
	if x.HasBMI1 && x.HasPOPCNT && x.HasAVX2 {
		list = append(list, avx2)
	}
	return append(list, portable)
}

// batch512 is the number of messages that the AVX-512 kernel hashes at once.
const batch512 = 64

var avx512 = kernel{
	name: "avx512",
	sum:  sum512, batch: batch512, lanes: Lanes,
	loadUUIDs:   loadUUIDs512,
	encode:      encode512,
	parse:       parse512,
	passSingles: blocksOf(passSingles512),
}

// fewMessages is the number of messages that the portable kernel hashes in the time
// that AVX-512 needs for a batch.
const fewMessages = 2

func sum512(layout layout, m *messages, n int, to []Digest) {
	if n <= fewMessages {
		sumPairs(layout, m, n, to)
		return
	}
	batches := (n + batch512 - 1) / batch512
	words, digests := &m[0][0], &to[:batch512*batches][0][0]
	switch layout {
	case hyphenLayout:
		sumHyphenUUIDs512(words, digests, batches)
	case bareLayout:
		sumBareUUIDs512(words, digests, batches)
	case shortLayout:
		sumAndroidIDs512(words, digests, batches)
	}
}

func loadUUIDs512(f *form, layout layout, text []byte, l *lanes, row, groups int) int {
	_, _ = text[(16*groups-1)*f.stride+lineReach-1], l.rows[l.count+16*groups-1]
	to, rows := &l.messages[0][l.count], &l.rows[l.count]
	if layout == bareLayout {
		return loadBareUUIDs512(&text[0], &f.fold[0], to, rows, row, groups)
	}
	return loadHyphenUUIDs512(&text[0], &f.fold[0], to, rows, row, groups)
}

// encode512 encodes whole blocks of 64 digests; encode256 encodes the rest.
func encode512(text []byte, digests []Digest, separator byte) int {
	blocks := len(digests) / 64
	done := 64 * blocks
	if blocks > 0 {
		_ = text[done*(HexLen+1)-1]
		encodeHexBlocks512(&text[0], &digests[0][0], blocks, separator)
	}
	return done + encode256(text[done*(HexLen+1):], digests[done:], separator)
}

func parse512(digests []Digest, text, separator []byte) int {
	fours := min(len(digests), len(text)/(HexLen+len(separator))) / 4
	switch {
	case fours == 0:
		return 0
	case len(separator) == 1:
		return parseHex512(&digests[0][0], &text[0], fours, uint16(separator[0]))
	}
	return parseHexWide512(&digests[0][0], &text[0], fours, uint16(separator[0])|uint16(separator[1])<<8)
}

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
