package hashing_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

// TestRuns compares the results of long texts with the reference: dirty lines of every
// kind at several distances, with both line endings.
func TestRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
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

// FuzzRuns puts any text between lines that the kernels take sixteen at a time.
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

// cleanLine returns a clean line for the profile, a different one for each i.
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
