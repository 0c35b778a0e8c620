//go:build amd64 && !purego

package hashing

import (
	"math/bits"

	"golang.org/x/sys/cpu"
)

// fastest is the kernel that is used. It is the same as long as the program runs.
var fastest = kernels()[0]

// kernels are those that this processor can run, the fastest first.
func kernels() []kernel {
	var list []kernel
	x := &cpu.X86
	if x.HasBMI1 && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VL && x.HasAVX512VBMI && x.HasAVX512VBMI2 {
		list = append(list, kernel{name: "avx512", sum: sum512, together: 64, lanes: Lanes, load: load512, loadAt: loadAt512, place: place512, keep: keep512, index: indexLines512, loadShort: loadShorts512, hex: hexPairs512, parse: parseFours512})
	}
	if x.HasBMI1 && x.HasAVX2 {
		list = append(list, kernel{name: "avx2", sum: sum256, together: 24, lanes: Lanes / 24 * 24, load: load256, hex: hexes256, parse: parseEach256})
	}
	return append(list, portable)
}

// few is how many messages the portable kernel hashes in the time of 64 by AVX-512.
const few = 2

func sum512(s shape, w *words, n int, to []Digest) {
	if n <= few {
		sumPairs(s, w, n, to)
		return
	}
	times := (n + 63) / 64
	from, digests := &w[0][0], &to[:64*times][0][0]
	switch s {
	case hyphened:
		sumUUID512(from, digests, times)
	case bare:
		sumBare512(from, digests, times)
	case short:
		sumShort512(from, digests, times)
	}
}

func sum256(s shape, w *words, n int, to []Digest) {
	for l := 0; l < n; l += 24 {
		from, digests := &w[0][l], &to[l:][:24][0][0]
		switch s {
		case hyphened:
			sumUUID256(from, digests)
		case bare:
			sumBare256(from, digests)
		case short:
			sumShort256(from, digests)
		}
	}
}

func load512(f *form, s shape, text []byte, l *lanes, row, sixteens int) int {
	_, _ = text[(16*sixteens-1)*f.stride+reach-1], l.rows[l.count+16*sixteens-1]
	to, rows := &l.words[0][l.count], &l.rows[l.count]
	if s == bare {
		return loadBareLines512(&text[0], &f.fold[0], to, rows, row, sixteens)
	}
	return loadLines512(&text[0], &f.fold[0], to, rows, row, sixteens)
}

func loadAt512(f *form, s shape, text []byte, starts []uint32, to *stage, sixteens int) {
	_, _ = starts[16*sixteens], to.clean[sixteens-1]
	_ = text[int(starts[16*sixteens-1]-starts[0])+reach-1]
	if s == bare {
		loadBareLinesAt512(&text[0], &starts[0], &f.fold[0], &to.words[0][0], &to.clean[0], sixteens)
		return
	}
	loadLinesAt512(&text[0], &starts[0], &f.fold[0], &to.words[0][0], &to.clean[0], sixteens)
}

// digits has a bit for each of a UUID's 36 characters that is no hyphen.
const digits = (1<<36 - 1) &^ (1<<8 | 1<<13 | 1<<18 | 1<<23)

func place512(f *form, s shape, id []byte, to *words, lane int) bool {
	characters := uint64(1<<36 - 1)
	places := characters
	if len(id) == 32 {
		characters, places = 1<<32-1, digits
	}
	_, _ = id[bits.Len64(characters)-1], to[0][lane]
	place := placeUUID512
	if s == bare {
		place = placeBare512
	}
	return place(&id[0], characters, places, &f.fold[0], &to[0][lane])
}

func keep512(l *lanes, i, sixteens, row int) (left, behind int) {
	s := &l.stage
	_, _ = l.rows[l.count+15], s.clean[sixteens-1]
	kept, behind, left := compress512(&l.words[0][l.count], &s.words[0][16*i], &l.rows[l.count], row, &s.clean[i], &s.rows[i], sixteens-i, Lanes-l.count)
	l.count += kept
	return left, behind
}

func indexLines512(text []byte, starts []uint32, alike, crlf bool) int {
	_ = starts[127+64+16]
	blocks := len(text) / 64
	switch {
	case blocks == 0:
		return 0
	case !alike:
		return index512(&text[0], blocks, &starts[0])
	case crlf:
		return indexAlike512(&text[0], blocks, &starts[0], ^uint64(0))
	}
	return indexAlike512(&text[0], blocks, &starts[0], 0)
}

func loadShorts512(f *form, text []byte, starts []uint32, end int, l *lanes, row int) int {
	_, _ = text[starts[15]-starts[0]+15], starts[16]
	return loadShort512(&text[0], &starts[0], &f.fold[0], &l.words[0][l.count], &l.rows[l.count], row, end)
}

func hexPairs512(text []byte, digests []Digest, separator byte) int {
	many, pairs := len(digests)/64, len(digests)%64/2
	done := 64*many + 2*pairs
	if done == 0 {
		return 0
	}
	_ = text[done*(HexLen+1)-1]
	if many > 0 {
		hexMany512(&text[0], &digests[0][0], many, separator)
	}
	if pairs > 0 {
		hex512(&text[64*many*(HexLen+1)], &digests[64*many][0], pairs, separator)
	}
	return done
}

func parseFours512(digests []Digest, text, separator []byte) int {
	fours := min(len(digests), len(text)/(HexLen+len(separator))) / 4
	switch {
	case fours == 0:
		return 0
	case len(separator) == 1:
		return parse512(&digests[0][0], &text[0], fours, uint16(separator[0]))
	}
	return parseWide512(&digests[0][0], &text[0], fours, uint16(separator[0])|uint16(separator[1])<<8)
}

func hexes256(text []byte, digests []Digest, separator byte) int {
	if len(digests) > 0 {
		_ = text[len(digests)*(HexLen+1)-1]
		hex256(&text[0], &digests[0][0], len(digests), separator)
	}
	return len(digests)
}

func parseEach256(digests []Digest, text, separator []byte) int {
	n := min(len(digests), len(text)/(HexLen+len(separator)))
	switch {
	case n == 0:
		return 0
	case len(separator) == 1:
		return parse256(&digests[0][0], &text[0], n, uint16(separator[0]))
	}
	return parseWide256(&digests[0][0], &text[0], n, uint16(separator[0])|uint16(separator[1])<<8)
}

func load256(f *form, s shape, text []byte, l *lanes, row, sixteens int) int {
	_, _ = text[(16*sixteens-1)*f.stride+reach-1], l.rows[l.count+16*sixteens-1]
	to, rows := &l.words[0][l.count], &l.rows[l.count]
	if s == bare {
		return loadBareLines256(&text[0], &f.fold[0], to, rows, row, 2*sixteens)
	}
	return loadLines256(&text[0], &f.fold[0], to, rows, row, 2*sixteens)
}
