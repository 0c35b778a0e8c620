package hashing_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"usher"
	"usher/hashing"
)

// guardedPages returns three pages of memory between two that are not accessible: a read
// or a write outside ends the process.
func guardedPages(t *testing.T) []byte {
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

// TestReadsWithinText checks that Lines reads nothing outside a text of any length. The
// text ends at the end of the accessible memory, or begins at its beginning.
func TestReadsWithinText(t *testing.T) {
	t.Parallel()
	page := guardedPages(t)
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

// TestReadsWithinManyLines does the same with twice as many lines as there are lanes, one
// fewer and one more.
func TestReadsWithinManyLines(t *testing.T) {
	t.Parallel()
	page := guardedPages(t)
	h, out := newHasher(t, idfa, usher.InputRaw), hashing.NewOut(4*hashing.Lanes, 4*hashing.Lanes)
	for _, end := range []string{"\n", "\r\n"} {
		for lines := 2*hashing.Lanes - 1; lines <= 2*hashing.Lanes+1; lines++ {
			var b strings.Builder
			for i := range lines {
				b.WriteString(cleanLine(idfa, usher.InputRaw, i) + end)
			}
			text := b.String()
			for n := len(text) - 40; n <= len(text); n++ {
				for _, cut := range []string{text[:n], text[len(text)-n:]} {
					testReadsWithin(t, h, out, page, cut)
				}
			}
		}
	}
}

// testReadsWithin puts a text at the end and at the beginning of the accessible memory.
func testReadsWithin(t *testing.T, h *hashing.Hasher, out *hashing.Out, page []byte, text string) {
	t.Helper()
	for _, k := range hashing.Kernels() {
		k.Use(h)
		for _, place := range [][]byte{page[len(page)-len(text):], page[:len(text)]} {
			copy(place, text)
			if used := h.Lines(out, place, false, true); used != len(text) {
				t.Fatalf("%v: %d of %d bytes used", k, used, len(text))
			}
		}
	}
}

// TestStaysWithinList checks the same for lists of digests, both for reads and for
// writes.
func TestStaysWithinList(t *testing.T) {
	t.Parallel()
	page, target := guardedPages(t), guardedPages(t)
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
							t.Fatalf("%v: Join did not write %d digests in place", k, len(parsed))
						}
					}
				}
			}
		}
	}
}
