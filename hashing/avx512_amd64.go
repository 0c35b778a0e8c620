//go:build amd64 && !purego

package hashing

import "math/bits"

// batch512 is the number of messages that the AVX-512 kernel hashes at once.
const batch512 = 64

var avx512 = kernel{
	name: "avx512",
	sum:  sum512, batch: batch512, lanes: Lanes,
	loadUUIDs:      loadUUIDs512,
	stageUUIDs:     stageUUIDs512,
	placeUUID:      placeUUID512,
	compress:       compress512,
	indexLines:     indexLines512,
	loadAndroidIDs: loadAndroidIDs512,
	encode:         encode512,
	parse:          parse512,
	passSingles:    blocksOf(passSingles512),
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

func stageUUIDs512(f *form, layout layout, text []byte, starts []uint32, s *stage, groups int) {
	_, _ = starts[16*groups], s.clean[groups-1]
	_ = text[int(starts[16*groups-1]-starts[0])+lineReach-1]
	if layout == bareLayout {
		stageBareUUIDs512(&text[0], &starts[0], &f.fold[0], &s.messages[0][0], &s.clean[0], groups)
		return
	}
	stageHyphenUUIDs512(&text[0], &starts[0], &f.fold[0], &s.messages[0][0], &s.clean[0], groups)
}

// uuidDigits has a bit set for each of a UUID's 36 characters that is not a hyphen.
const uuidDigits = (1<<36 - 1) &^ (1<<8 | 1<<13 | 1<<18 | 1<<23)

func placeUUID512(f *form, layout layout, id []byte, to *messages, lane int) bool {
	characters := uint64(1<<36 - 1)
	places := characters
	if len(id) == 32 {
		characters, places = 1<<32-1, uuidDigits
	}
	_, _ = id[bits.Len64(characters)-1], to[0][lane]
	if layout == bareLayout {
		return placeBareUUID512(&id[0], characters, places, &f.fold[0], &to[0][lane])
	}
	return placeHyphenUUID512(&id[0], characters, places, &f.fold[0], &to[0][lane])
}

func compress512(l *lanes, first, groups, row int) (remaining, next int) {
	s := &l.stage
	_, _ = l.rows[l.count+15], s.clean[groups-1]
	kept, next, remaining := compressLanes512(&l.messages[0][l.count], &s.messages[0][16*first], &l.rows[l.count], row, &s.clean[first], &s.rows[first], groups-first, Lanes-l.count)
	l.count += kept
	return remaining, next
}

func indexLines512(text []byte, starts []uint32, uniform, crlf bool) int {
	_ = starts[indexRoom-1-Lanes]
	blocks := len(text) / 64
	switch {
	case blocks == 0:
		return 0
	case !uniform:
		return indexAnyLines512(&text[0], blocks, &starts[0])
	case crlf:
		return indexUniformLines512(&text[0], blocks, &starts[0], ^uint64(0))
	}
	return indexUniformLines512(&text[0], blocks, &starts[0], 0)
}

func loadAndroidIDs512(f *form, text []byte, starts []uint32, end int, l *lanes, row int) int {
	_, _ = text[starts[15]-starts[0]+15], starts[16]
	return loadAndroidIDLines512(&text[0], &starts[0], &f.fold[0], &l.messages[0][l.count], &l.rows[l.count], row, end)
}

func encode512(text []byte, digests []Digest, separator byte) int {
	blocks, pairs := len(digests)/64, len(digests)%64/2
	done := 64*blocks + 2*pairs
	if done == 0 {
		return 0
	}
	_ = text[done*(HexLen+1)-1]
	if blocks > 0 {
		encodeHexBlocks512(&text[0], &digests[0][0], blocks, separator)
	}
	if pairs > 0 {
		encodeHexPairs512(&text[64*blocks*(HexLen+1)], &digests[64*blocks][0], pairs, separator)
	}
	return done
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
