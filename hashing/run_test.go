package hashing_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

// TestLoadEveryCorruption puts every byte at every place of sixteen lines: the
// others are clean, and that one only where it is an id still.
func TestLoadEveryCorruption(t *testing.T) {
	t.Parallel()
	const id = "6D92078a-8246-4bA4-aE5B-76104861e7dC"
	for _, hyphens := range []bool{true, false} {
		for _, end := range []string{"\n", "\r\n"} {
			stride := len(id) + len(end)
			text := []byte(strings.Repeat(id+end, 16) + "more")
			clean := make([][256]bool, stride) // a line with a byte at a place
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

// TestLoadManyEveryCorruption does the same with one of as many lines as are loaded
// at once at most.
func TestLoadManyEveryCorruption(t *testing.T) {
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

// testLoad loads groups of sixteen lines, of which only the one that want says may be
// dirty.
func testLoad(t *testing.T, k hashing.Kernel, h *hashing.Hasher, text []byte, end string, sixteens, want int) {
	t.Helper()
	for i, clean := range k.StageUUIDs(h, text, end, sixteens) {
		marks := uint16(0xffff)
		if want/16 == i {
			marks &^= 1 << (want % 16)
		}
		if clean != marks {
			t.Fatalf("%v: the clean ones of lines %d to %d of %q are %016b, want %016b", k, 16*i, 16*i+15, text, clean, marks)
		}
	}
	if n := k.LoadUUIDs(h, text, end, sixteens); n != want {
		t.Fatalf("%v: %d lines of %q are clean, want %d", k, n, text, want)
	}
}

// TestPlaceEveryCorruption does the same with single UUIDs, with hyphens and without:
// what is taken is what the reference makes of it, and no other lane is touched.
func TestPlaceEveryCorruption(t *testing.T) {
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
							t.Fatalf("%v: %q becomes other words", k, text)
						}
					}
				}
			}
		}
	}
}

// refClean reports whether a kernel may take a line: one whose first four
// characters are the same is left to others.
func refClean(line, end string) bool {
	id, found := strings.CutSuffix(line, end)
	return found && refHyphened.MatchString(id) && !refSame(id[:4])
}

// TestLoadShortEveryCorruption is the same for ANDROID_IDs of several lengths.
func TestLoadShortEveryCorruption(t *testing.T) {
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
		checked, line := 0, 0 // line is the one that at is in
		for at, was := range text[:len(text)-64] {
			from := bytes.LastIndexByte(text[:at], '\n') + 1
			for c := range 256 {
				text[at] = byte(c)
				want := min(line, 16)
				if to := from + bytes.IndexByte(text[from:], '\n'); c == '\n' || was == '\n' {
					want = refShortsClean(string(text)) // the lines are others
				} else if refShortClean(string(text[from:to])) {
					want = 16
				}
				switch clean := k.LoadAndroidIDs(h, text); clean {
				case want:
					checked++
				case -1: // a \r before an end
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

// refShortsClean is how many of the first sixteen lines a kernel may take.
func refShortsClean(text string) int {
	for i, line := range strings.Split(text, "\n")[:16] {
		if !refShortClean(line) {
			return i
		}
	}
	return 16
}

// refShortClean reports whether a kernel may take an ANDROID_ID: one that may be
// junk is left to others.
func refShortClean(id string) bool {
	return len(id) >= 4 && len(id) <= 16 && refHex.MatchString(id) && !refSame(id[:4]) &&
		!strings.HasPrefix(id, "9774") && !refFifteen.MatchString(id)
}

// TestRuns holds long texts, in which dirty lines stand at planted places,
// against the reference: every share of them, every kind, both ends of lines.
func TestRuns(t *testing.T) {
	t.Parallel()
	dirty := append(dirt(), "", " ", strings.Repeat("x", 300), "6D92078A-8246-4BA4-AE5B-76104861E7DC\r")
	for _, p := range []usher.Profile{idfa, aaid, {Type: usher.AAID, Hyphens: no()}, android} {
		for _, input := range []usher.Input{usher.InputRaw, usher.InputMD5} {
			for every, end := range map[int]string{0: "\n", 1: "\r\n", 2: "\n", 10: "\r\n", 11: "\n", 100: "\n"} {
				t.Run(fmt.Sprint(p, "/", input, "/", every), func(t *testing.T) {
					t.Parallel()
					var text strings.Builder
					if every > 0 {
						text.WriteString("\ufeff")
					}
					for i := range 500 {
						if every > 0 && i%every == 0 {
							text.WriteString(dirty[(i/every+i)%len(dirty)] + end)
							continue
						}
						text.WriteString(cleanLine(p, input, i) + end)
					}
					text.WriteString(cleanLine(p, input, 500))
					records := every%2 == 0
					want := reference{profile: p, input: input}.lines(text.String(), records)
					for _, k := range hashing.Kernels() {
						for _, room := range []int{1, 100, hashing.Lanes, 2000} {
							compareKernel(t, k, p, input, text.String(), want, records, room, room/2+1)
						}
					}
				})
			}
		}
	}
}

// FuzzRuns puts any text among lines that are taken sixteen at a time.
func FuzzRuns(f *testing.F) {
	for i, v := range dirt() {
		f.Add(v, uint8(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, which, before uint8) {
		all := profiles()
		p, input := all[int(which)%len(all)], usher.InputRaw
		if which >= 128 {
			input = usher.InputMD5
		}
		end := []string{"\n", "\r\n"}[before%2]
		var b strings.Builder
		for i := range int(before) + 40 {
			b.WriteString(cleanLine(p, input, i) + end)
			if i%40 == int(before)%40 {
				b.WriteString(text + end)
			}
		}
		b.WriteString(text)
		compare(t, p, input, b.String(), which%2 == 0, 300, 300)
	})
}

// cleanLine is an id of the profile as it should be, another one for every i.
func cleanLine(p usher.Profile, input usher.Input, i int) string {
	d := refMD5(fmt.Sprint(i))
	switch {
	case input == usher.InputMD5:
		return d
	case p.Type == usher.AndroidID && i%8 == 0:
		return d[:1+i/8%15]
	case p.Type == usher.AndroidID:
		return d[:16]
	}
	id := strings.Join([]string{d[:8], d[8:12], d[12:16], d[16:20], d[20:]}, "-")
	if i%2 == 0 {
		return strings.ToUpper(id)
	}
	return id
}
