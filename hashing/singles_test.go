package hashing_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"usher/hashing"
)

// singleLines is the reference of hashing.SingleLines.
func singleLines(text []byte) (size, lines int) {
	for line := range bytes.Lines(text) {
		if bytes.ContainsAny(line, ", ;|\t[") || line[len(line)-1] != '\n' {
			break
		}
		size += len(line)
		lines++
	}
	return size, lines
}

func TestSingleLines(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 3000)
	for range 3000 {
		text := text[:random.IntN(len(text))]
		for i := range text {
			text[i] = byte('a' + random.IntN(26))
			if random.IntN(30) == 0 {
				text[i] = '\n'
			}
		}
		for range random.IntN(3) {
			if len(text) > 0 {
				text[random.IntN(len(text))] = byte(random.IntN(256))
			}
		}
		compareSingleLines(t, text)
	}
}

// Each character but the separators of lists is passed, wherever it stands.
func TestSingleLinesPassAllCharacters(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		for at := range 130 {
			text := bytes.Repeat([]byte{'x'}, 130)
			text[129] = '\n'
			text[at] = byte(c)
			compareSingleLines(t, text)
		}
	}
}

func compareSingleLines(t *testing.T, text []byte) {
	t.Helper()
	wantSize, wantLines := singleLines(text)
	for _, k := range hashing.Kernels() {
		if size, lines := k.SingleLines(text); size != wantSize || lines != wantLines {
			t.Fatalf("%v: %d bytes and %d lines of %q, not %d and %d", k, size, lines, text, wantSize, wantLines)
		}
	}
}
