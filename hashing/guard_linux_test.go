package hashing_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"usher"
	"usher/hashing"
)

// guarded are three pages that may be touched between two that must not be: whoever
// reads or writes a byte outside it dies.
func guarded(t *testing.T) []byte {
	t.Helper()
	page := unix.Getpagesize()
	all, err := unix.Mmap(-1, 0, 5*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(all) })
	for _, guard := range [][]byte{all[:page], all[4*page:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return all[page : 4*page : 4*page]
}

// TestNothingBehindTheText: a text of any length that ends where memory ends, or
// begins where it begins, is read whole and no further.
func TestNothingBehindTheText(t *testing.T) {
	t.Parallel()
	page := guarded(t)
	out := hashing.NewOut(200, 200)
	for _, p := range []usher.Profile{idfa, {Type: usher.AAID, Hyphens: no()}, android} {
		for _, input := range []usher.Input{usher.InputRaw, usher.InputMD5} {
			dirty := []string{"x", `"` + cleanLine(idfa, usher.InputRaw, 1) + `"`, "6D92078A82464BA4AE5B76104861E7DC"}
			for every, end := range map[int]string{24: "\n", 23: "\r\n", 3: "\n", 4: "\r\n"} {
				var b strings.Builder
				for i := range 24 {
					if i%every == every-1 {
						b.WriteString(dirty[i/every%3] + end)
						continue
					}
					b.WriteString(cleanLine(p, input, i) + end)
				}
				text := []byte(b.String())
				for _, k := range hashing.Kernels() {
					h := newHasher(t, p, input)
					k.Use(h)
					for n := range text {
						for _, place := range [][]byte{page[len(page)-n:], page[:n]} {
							copy(place, text[len(text)-n:])
							if used := h.Lines(out, place, false, true); used != n {
								t.Fatalf("%v, %v: %d of %d bytes used", k, p, used, n)
							}
						}
					}
				}
			}
		}
	}
}

// TestNothingBehindManyLines does the same with one line more, as many and one fewer
// than fill the lanes twice.
func TestNothingBehindManyLines(t *testing.T) {
	t.Parallel()
	page := guarded(t)
	for _, end := range []string{"\n", "\r\n"} {
		for lines := 2*hashing.Lanes - 1; lines <= 2*hashing.Lanes+1; lines++ {
			var b strings.Builder
			for i := range lines {
				b.WriteString(cleanLine(idfa, usher.InputRaw, i) + end)
			}
			text := b.String()
			for n := len(text) - 40; n <= len(text); n++ {
				for _, cut := range []string{text[:n], text[len(text)-n:]} {
					testNothingBehind(t, page, cut)
				}
			}
		}
	}
}

// TestNothingBehindManyDirtyLines does the same with every sixteenth line dirty, so
// that the kernels search for the beginnings of lines: those of lines 159 to 286 in
// blocks of 64 characters, the last of which ends with the text once.
func TestNothingBehindManyDirtyLines(t *testing.T) {
	t.Parallel()
	page := guarded(t)
	for _, end := range []string{"\n", "\r\n"} {
		for lines := 2*hashing.Lanes + 26; lines < 2*hashing.Lanes+36; lines++ {
			for longer := range 64 {
				var b strings.Builder
				for i := range lines {
					switch {
					case i == 175:
						b.WriteString(strings.Repeat("x", longer) + end)
					case i%16 == 15:
						b.WriteString("x" + end)
					default:
						b.WriteString(cleanLine(idfa, usher.InputRaw, i) + end)
					}
				}
				testNothingBehind(t, page, b.String())
			}
		}
	}
}

// testNothingBehind reads a text where memory ends and where it begins.
func testNothingBehind(t *testing.T, page []byte, text string) {
	t.Helper()
	out := hashing.NewOut(4*hashing.Lanes, 4*hashing.Lanes)
	for _, k := range hashing.Kernels() {
		h := newHasher(t, idfa, usher.InputRaw)
		k.Use(h)
		for _, place := range [][]byte{page[len(page)-len(text):], page[:len(text)]} {
			copy(place, text)
			if used := h.Lines(out, place, false, true); used != len(text) {
				t.Fatalf("%v: %d of %d bytes used", k, used, len(text))
			}
		}
	}
}

// TestNothingBehindTheList is the same for lists of digests, read and written.
func TestNothingBehindTheList(t *testing.T) {
	t.Parallel()
	page, target := guarded(t), guarded(t)
	const digest = "f2d1311ca5c1ecb214c19a26e9ddbad0"
	digests := make([]hashing.Digest, 40)
	for _, separator := range []string{",", "\r\n"} {
		text := bytes.Repeat([]byte(digest+separator), len(digests))
		for _, k := range hashing.Kernels() {
			for n := range text {
				for _, place := range [][]byte{page[len(page)-n:], page[:n]} {
					copy(place, text)
					k.ParseJoined(digests[:n%len(digests)], place)
					parsed, _, _ := k.ParseDigests(nil, place, true)
					if len(parsed) < n/(32+len(separator)) {
						t.Fatalf("%v: %d digests of %d bytes", k, len(parsed), n)
					}
					if len(parsed) > 0 {
						length := 33*len(parsed) - 1
						to := target[len(target)-length:]
						if joined := k.Join(to[:0], parsed); &joined[0] != &to[0] || len(joined) != length {
							t.Fatalf("%v: %d digests joined elsewhere", k, len(parsed))
						}
					}
				}
			}
		}
	}
}
