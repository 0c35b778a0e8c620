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
		bare := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
		if bytes.ContainsAny(bare, ", ;|\t[\r") || line[len(line)-1] != '\n' {
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
				if i > 0 && random.IntN(2) == 0 {
					text[i-1] = '\r'
				}
			}
		}
		for range random.IntN(3) {
			if len(text) > 0 {
				text[random.IntN(len(text))] = byte(random.IntN(256)) >> random.IntN(8)
			}
		}
		compareSingleLines(t, text)
	}
}

// Each character except the separators of lists is passed, at every position.
func TestSingleLinesPassAllCharacters(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		for at := range 130 {
			text := append(bytes.Repeat([]byte{'x'}, 130), "\nab\ncd"...)
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
