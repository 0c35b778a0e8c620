package hashing_test

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/hashing"
)

// dirtyLines are junk values, and ids that are not in the usual form.
var dirtyLines = []string{
	"null", "", "00000000-0000-0000-0000-000000000000", `"6D92078A-8246-4BA4-AE5B-76104861E7DC"`, "af3802a465767e36",
	"6D92078A82464BA4AE5B76104861E7DC", "{idfa}", "6D92078A-8246-4BA4-AE5B-76104861E7D", "f2d1311ca5c1ecb214c19a26e9ddbad0", "n/a",
}

// exportOf returns n lines of ids. The given percentage of them is dirty.
func exportOf(n, percent int) []byte {
	var in []byte
	for i := range n {
		if i*percent%100 < percent && percent > 0 {
			in = append(in, dirtyLines[i*percent/100%len(dirtyLines)]+"\n"...)
			continue
		}
		d := md5.Sum(fmt.Append(nil, i))
		in = fmt.Appendf(in, "%X-%X-%X-%X-%X\n", d[:4], d[4:6], d[6:8], d[8:10], d[10:])
	}
	return in
}

// TestStandard compares the text that the benchmark's program writes with that of Hasher.
func TestStandard(t *testing.T) {
	t.Parallel()
	for _, percent := range []int{0, 1, 10, 50} {
		in := exportOf(2000, percent)
		h, out := newHasher(t, idfa, usher.InputRaw), hashing.NewOut(2000, 2000)
		h.Lines(out, in, false, true)
		want := string(hashing.Join(nil, out.Digests)) + ","
		if got := string(new(standard).join(make([]byte, 0, 33*2000), in)); got != want {
			t.Errorf("%d %% dirty: %d bytes of text, want our %d", percent, len(got), len(want))
		}
	}
}

// BenchmarkLadder measures the way from the lines of an export to joined hex: the steps
// of a careful program that uses the standard library, and all steps with every kernel.
func BenchmarkLadder(b *testing.B) {
	const n = 36 * hashing.Lanes // the size of a job's Out
	for _, percent := range []int{0, 1, 10, 50} {
		b.Run(fmt.Sprintf("dirty=%d%%", percent), func(b *testing.B) {
			in := exportOf(n, percent)
			text := make([]byte, 0, n*(hashing.HexLen+1))
			var s standard
			contenders := []contender{
				{"std", func() { text = s.join(text[:0], in) }},
				{"std-scan", func() { s.scan(in) }},
				{"std-validate", func() { s.validate(in) }},
				{"std-hash", func() { s.hash(in) }},
			}
			for _, k := range hashing.Kernels() {
				h := newHasher(b, idfa, usher.InputRaw)
				k.Use(h)
				out := hashing.NewOut(n, n)
				contenders = append(contenders,
					contender{k.String() + "-hash", func() { h.Lines(out, in, false, true) }},
					contender{k.String(), func() {
						h.Lines(out, in, false, true)
						text = k.Join(text[:0], out.Digests)
					}})
			}
			sideBySide(b, n, contenders...)
		})
	}
}

// standard is the careful program: it does not allocate and writes the same digests, but
// it does not count reasons.
type standard struct {
	lines, ids int
	sum        [16]byte
}

func (s *standard) scan(in []byte) {
	for len(in) > 0 {
		_, in, _ = bytes.Cut(in, []byte{'\n'})
		s.lines++
	}
}

func (s *standard) each(in []byte, do func(id *[36]byte)) {
	var id [36]byte
	for len(in) > 0 {
		var line []byte
		line, in, _ = bytes.Cut(in, []byte{'\n'})
		if (canonical(&id, line) || repaired(&id, line)) && string(id[:]) != zeroID {
			do(&id)
		}
	}
}

func (s *standard) validate(in []byte) { s.each(in, func(*[36]byte) { s.ids++ }) }

func (s *standard) hash(in []byte) { s.each(in, func(id *[36]byte) { s.sum = md5.Sum(id[:]) }) }

func (s *standard) join(text, in []byte) []byte {
	s.each(in, func(id *[36]byte) {
		sum := md5.Sum(id[:])
		n := len(text)
		text = text[:n+33]
		hex.Encode(text[n:], sum[:])
		text[n+32] = ','
	})
	return text
}

const zeroID = "00000000-0000-0000-0000-000000000000"

// repaired removes the characters around a UUID and inserts its hyphens.
func repaired(id *[36]byte, line []byte) bool {
	line = bytes.TrimSpace(line)
	if n := len(line); n > 2 && (line[0] == line[n-1] && (line[0] == '"' || line[0] == '\'') || line[0] == '{' && line[n-1] == '}') {
		line = bytes.TrimSpace(line[1 : n-1])
	}
	if len(line) != 32 || line[12] != '4' { // a UUID of another version counts as an MD5 digest
		return canonical(id, line)
	}
	var with [36]byte
	text := append(with[:0], line[:8]...)
	for _, group := range [][]byte{line[8:12], line[12:16], line[16:20], line[20:]} {
		text = append(append(text, '-'), group...)
	}
	return canonical(id, text)
}

// canonical converts a UUID to upper case; it returns false if line is not a UUID.
func canonical(id *[36]byte, line []byte) bool {
	if len(line) == 37 && line[36] == '\r' {
		line = line[:36]
	}
	if len(line) != 36 {
		return false
	}
	for i, c := range line {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
			id[i] = c
			continue
		}
		if id[i] = uppers[c]; id[i] == 0 {
			return false
		}
	}
	return true
}

// uppers maps hex characters to upper case, and all others to 0.
var uppers = func() (table [256]byte) {
	for _, c := range []byte("0123456789abcdefABCDEF") {
		table[c] = bytes.ToUpper([]byte{c})[0]
	}
	return table
}()

// BenchmarkLines measures the kernel in use on every kind of clean line, on exports with
// some dirty lines, and on every kind of dirty line alone.
func BenchmarkLines(b *testing.B) {
	const n = 18 * hashing.Lanes
	androids, digests := []byte(nil), []byte(nil)
	for i := range n {
		androids = append(androids, cleanLine(android, usher.InputRaw, i)+"\n"...)
		digests = append(digests, cleanLine(idfa, usher.InputMD5, i)+"\n"...)
	}
	type lines struct {
		profile usher.Profile
		input   usher.Input
		in      []byte
	}
	all := map[string]lines{
		"uuid":    {idfa, usher.InputRaw, exportOf(n, 0)},
		"crlf":    {idfa, usher.InputRaw, bytes.ReplaceAll(exportOf(n, 0), []byte("\n"), []byte("\r\n"))},
		"bare":    {usher.Profile{Type: usher.IDFA, Hyphens: no()}, usher.InputRaw, exportOf(n, 0)},
		"android": {android, usher.InputRaw, androids},
		"md5":     {idfa, usher.InputMD5, digests},
	}
	for _, percent := range []int{1, 10, 50} {
		all[fmt.Sprintf("dirty=%d%%", percent)] = lines{idfa, usher.InputRaw, exportOf(n, percent)}
	}
	for _, kind := range dirtyLines {
		all["only="+kind] = lines{idfa, usher.InputRaw, []byte(strings.Repeat(kind+"\n", n))}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(name, func(b *testing.B) {
			h := newHasher(b, all[name].profile, all[name].input)
			out := hashing.NewOut(n, n)
			b.ReportAllocs()
			for b.Loop() {
				h.Lines(out, all[name].in, false, true)
			}
			perID(b, n)
		})
	}
}

func perID(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/id")
}

// BenchmarkKernel compares the MD5 of every kernel with crypto/md5.
func BenchmarkKernel(b *testing.B) {
	for name, test := range map[string]struct {
		profile usher.Profile
		id      string
	}{
		"uuid":  {idfa, "6D92078A-8246-4BA4-AE5B-76104861E7DC"},
		"bare":  {usher.Profile{Type: usher.IDFA, Hyphens: no()}, "6D92078A82464BA4AE5B76104861E7DC"},
		"short": {android, "af3802a465767e36"},
	} {
		b.Run(name, func(b *testing.B) {
			h := newHasher(b, test.profile, usher.InputRaw)
			const n = 1920 // a multiple of the lanes of each kernel
			id := []byte(test.id)
			w, to := new(hashing.Messages), make([]hashing.Digest, hashing.Lanes+16)
			for lane := range hashing.Lanes {
				h.Set(w, lane, test.id)
			}
			contenders := []contender{{"crypto/md5", func() {
				for i := range n {
					to[i%hashing.Lanes] = md5.Sum(id)
				}
			}}}
			for _, k := range hashing.Kernels() {
				contenders = append(contenders, contender{k.String(), func() {
					for range n / k.Lanes() {
						k.Sum(h, w, k.Lanes(), to)
					}
				}})
			}
			sideBySide(b, n, contenders...)
		})
	}
}

// BenchmarkList compares how every kernel reads and writes lists of digests with
// encoding/hex.
func BenchmarkList(b *testing.B) {
	const n = 2048
	digests := make([]hashing.Digest, n)
	for i := range digests {
		digests[i] = md5.Sum([]byte{byte(i), byte(i >> 8)})
	}
	text := append(hashing.Join(nil, digests), ',')
	b.Run("parse", func(b *testing.B) {
		contenders := []contender{{"encoding/hex", func() {
			for i := range digests {
				if _, err := hex.Decode(digests[i][:], text[33*i:33*i+32]); err != nil || text[33*i+32] != ',' {
					b.Fatal(err)
				}
			}
		}}}
		for _, k := range hashing.Kernels() {
			contenders = append(contenders, contender{k.String(), func() { k.ParseJoined(digests, text) }})
		}
		sideBySide(b, n, contenders...)
	})
	b.Run("join", func(b *testing.B) {
		to := make([]byte, 0, len(text))
		contenders := []contender{{"encoding/hex", func() {
			to = to[:0]
			for i := range digests {
				to = append(hex.AppendEncode(to, digests[i][:]), ',')
			}
		}}}
		for _, k := range hashing.Kernels() {
			contenders = append(contenders, contender{k.String(), func() { to = k.Join(to[:0], digests) }})
		}
		sideBySide(b, n, contenders...)
	})
}

// contender is one way to do the work that a benchmark measures.
type contender struct {
	name string
	do   func()
}

// sideBySide runs all contenders one after the other in every iteration. It reports the
// median time per id of each, and how many times faster than the first contender it is.
// That ratio is the median of the ratios of single iterations, so it is reliable even if
// the load of the machine changes from one iteration to the next.
func sideBySide(b *testing.B, ids int, contenders ...contender) {
	b.Helper()
	times, ratios := make([][]float64, len(contenders)), make([][]float64, len(contenders))
	for b.Loop() {
		for i, c := range contenders {
			warmUp(c)
			start := time.Now()
			c.do()
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds())/float64(ids))
			round := len(times[i]) - 1
			ratios[i] = append(ratios[i], times[0][round]/times[i][round])
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, c := range contenders {
		b.ReportMetric(median(times[i]), c.name+"-ns/id")
		if i > 0 {
			b.ReportMetric(median(ratios[i]), c.name+"-×"+contenders[0].name)
		}
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// warmUp brings the processor to the state of a long run: it fills the caches, and the wide
// vector units reach their full rate, for which the processor first raises the voltage.
// Until then, which takes 0.4 ms on a Xeon of 2023, hashing is slower by a fifth.
func warmUp(c contender) {
	for start := time.Now(); ; {
		c.do()
		if time.Since(start) > time.Millisecond {
			return
		}
	}
}
