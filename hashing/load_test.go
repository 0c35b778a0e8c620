package hashing_test

import (
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

// TestLoadEveryCorruption puts every byte at every position of sixteen lines. All other
// lines must be clean, and the changed one exactly if it still holds an id.
func TestLoadEveryCorruption(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	const id = "6D92078a-8246-4bA4-aE5B-76104861e7dC"
	for _, hyphens := range []bool{true, false} {
		for _, end := range []string{"\n", "\r\n"} {
			stride := len(id) + len(end)
			text := []byte(strings.Repeat(id+end, 16) + "more")
			clean := make([][256]bool, stride) // whether a line with a byte at a position is clean
			for at := range clean {
				for c := range 256 {
					line := []byte(id + end)
					line[at] = byte(c)
					clean[at][c] = refClean(string(line), end)
				}
			}
			h := newHasher(t, usher.Profile{Type: usher.IDFA, Hyphens: &hyphens}, usher.InputRaw)
			for _, k := range hashing.Kernels() {
				if !k.LoadsUUIDs() {
					continue
				}
				for at := range 16 * stride {
					was := text[at]
					for c := range 256 {
						text[at] = byte(c)
						want := at / stride
						if clean[at%stride][c] {
							want = 16
						}
						testLoad(t, k, h, text, end, 1, want)
					}
					text[at] = was
				}
			}
		}
	}
}

// TestLoadManyEveryCorruption does the same with one line of the largest number of lines
// that are loaded at once.
func TestLoadManyEveryCorruption(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	const id = "6D92078a-8246-4bA4-aE5B-76104861e7dC"
	for _, hyphens := range []bool{true, false} {
		for _, end := range []string{"\n", "\r\n"} {
			stride := len(id) + len(end)
			text := []byte(strings.Repeat(id+end, hashing.Lanes) + "more")
			h := newHasher(t, usher.Profile{Type: usher.IDFA, Hyphens: &hyphens}, usher.InputRaw)
			for _, k := range hashing.Kernels() {
				if !k.LoadsUUIDs() {
					continue
				}
				for _, line := range []int{0, 3, 5, 16, 63, 64, 127} {
					for at := range stride {
						for c := range 256 {
							text[line*stride+at] = byte(c)
							want := line
							if refClean(string(text[line*stride:][:stride]), end) {
								want = hashing.Lanes
							}
							testLoad(t, k, h, text, end, hashing.Lanes/16, want)
						}
						text[line*stride+at] = (id + end)[at]
					}
				}
			}
		}
	}
}

// testLoad loads groups of sixteen lines, of which all are clean except line want.
func testLoad(t *testing.T, k hashing.Kernel, h *hashing.Hasher, text []byte, end string, groups, want int) {
	t.Helper()
	if n := k.LoadUUIDs(h, text, end, groups); n != want {
		t.Fatalf("%v: %d lines of %q are clean, want %d", k, n, text, want)
	}
}

// refClean reports whether a kernel may take a line. It must not take one whose first
// four characters are equal.
func refClean(line, end string) bool {
	id, found := strings.CutSuffix(line, end)
	return found && refHyphened.MatchString(id) && !refSame(id[:4])
}
