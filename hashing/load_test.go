package hashing_test

import (
	"bytes"
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
	for i, clean := range k.StageUUIDs(h, text, end, groups) {
		marks := uint16(0xffff)
		if want/16 == i {
			marks &^= 1 << (want % 16)
		}
		if clean != marks {
			t.Fatalf("%v: clean lines among lines %d to %d of %q: %016b, want %016b", k, 16*i, 16*i+15, text, clean, marks)
		}
	}
	if n := k.LoadUUIDs(h, text, end, groups); n != want {
		t.Fatalf("%v: %d lines of %q are clean, want %d", k, n, text, want)
	}
}

// TestPlaceEveryCorruption does the same with single UUIDs, with hyphens and without. The
// message must be the reference's, and no other lane may change.
func TestPlaceEveryCorruption(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	for _, id := range []string{"6D92078a-8246-4bA4-aE5B-76104861e7dC", "6D92078a82464bA4aE5B76104861e7dC"} {
		for _, p := range []usher.Profile{idfa, aaid, {Type: usher.AAID, Hyphens: no()}} {
			h := newHasher(t, p, usher.InputRaw)
			for _, k := range hashing.Kernels() {
				for at := range id {
					for c := range 256 {
						text := id[:at] + string([]byte{byte(c)}) + id[at+1:]
						got, want := new(hashing.Messages), new(hashing.Messages)
						taken, ok := k.PlaceUUID(h, text, got, at)
						if !ok {
							continue
						}
						uuid := refHyphened.MatchString(text) || len(text) == 32 && refHex.MatchString(text)
						if taken != (uuid && !refSame(text[:4])) {
							t.Fatalf("%v: %q taken: %v", k, text, taken)
						}
						if h.Set(want, at, text); taken && *got != *want {
							t.Fatalf("%v: %q becomes a different message", k, text)
						}
					}
				}
			}
		}
	}
}

// refClean reports whether a kernel may take a line. It must not take one whose first
// four characters are equal.
func refClean(line, end string) bool {
	id, found := strings.CutSuffix(line, end)
	return found && refHyphened.MatchString(id) && !refSame(id[:4])
}

// TestLoadAndroidIDsEveryCorruption does the same with ANDROID_IDs of several lengths.
func TestLoadAndroidIDsEveryCorruption(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 20 {
		b.WriteString("aF3802a465767E36"[:4+i*5%13] + "\n")
	}
	b.WriteString(strings.Repeat("\n", 64))
	text := []byte(b.String())
	h := newHasher(t, android, usher.InputRaw)
	for _, k := range hashing.Kernels() {
		if !k.LoadsAndroidIDs() {
			continue
		}
		checked, line := 0, 0 // line is the line at position at
		for at, was := range text[:len(text)-64] {
			from := bytes.LastIndexByte(text[:at], '\n') + 1
			for c := range 256 {
				text[at] = byte(c)
				want := min(line, 16)
				if to := from + bytes.IndexByte(text[from:], '\n'); c == '\n' || was == '\n' {
					want = refAndroidsClean(string(text)) // the lines begin elsewhere
				} else if refAndroidClean(string(text[from:to])) {
					want = 16
				}
				switch clean := k.LoadAndroidIDs(h, text); clean {
				case want:
					checked++
				case -1: // a \r before an ending
				default:
					t.Fatalf("%v: %d lines of %q are clean, want %d", k, clean, text, want)
				}
			}
			text[at] = was
			if was == '\n' {
				line++
			}
		}
		if checked < 255*(len(text)-64)-1000 {
			t.Errorf("only %d texts were loaded", checked)
		}
	}
}

// refAndroidsClean returns how many of the first sixteen lines a kernel may take, up to
// the first that it must not.
func refAndroidsClean(text string) int {
	for i, line := range strings.Split(text, "\n")[:16] {
		if !refAndroidClean(line) {
			return i
		}
	}
	return 16
}

// refAndroidClean reports whether a kernel may take an ANDROID_ID. It must not take one
// that may be junk.
func refAndroidClean(id string) bool {
	return len(id) >= 4 && len(id) <= 16 && refHex.MatchString(id) && !refSame(id[:4]) &&
		!strings.HasPrefix(id, "9774") && !refFifteen.MatchString(id)
}
