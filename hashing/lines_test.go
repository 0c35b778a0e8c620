package hashing_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

// rowsOf returns the rows of a text, which it reads with an Out of the given size.
func rowsOf(tb testing.TB, h *hashing.Hasher, text string, records bool, digests, rejects int) []row {
	tb.Helper()
	var rows []row
	out := hashing.NewOut(digests, rejects)
	for in := []byte(text); len(in) > 0; {
		used := h.Lines(out, in, records, true)
		if used == 0 {
			tb.Fatalf("Lines used none of %d bytes", len(in))
		}
		part := make([]row, out.Count)
		for i, d := range out.Digests {
			part[out.Rows[i]] = row{digest: d.String()}
		}
		for _, r := range out.Rejects {
			if r.From < 0 || r.To < r.From || r.To > used {
				tb.Fatalf("reject at %d–%d of %d bytes used", r.From, r.To, used)
			}
			part[r.Row] = row{reason: nameOf(r.Reason)}
		}
		if len(out.Digests)+len(out.Rejects) != out.Count {
			tb.Fatalf("%d digests and %d rejects in %d rows", len(out.Digests), len(out.Rejects), out.Count)
		}
		rows = append(rows, part...)
		in = in[used:]
	}
	return rows
}

// compare compares the rows of every kernel with those of the reference.
func compare(tb testing.TB, p usher.Profile, input usher.Input, text string, records bool, digests, rejects int) {
	tb.Helper()
	want := reference{profile: p, input: input}.lines(text, records)
	for _, k := range hashing.Kernels() {
		compareKernel(tb, k, p, input, text, want, records, digests, rejects)
	}
}

func compareKernel(tb testing.TB, k hashing.Kernel, p usher.Profile, input usher.Input, text string, want []row, records bool, digests, rejects int) {
	tb.Helper()
	h := newHasher(tb, p, input)
	k.Use(h)
	got := rowsOf(tb, h, text, records, digests, rejects)
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got) || i >= len(want):
			tb.Fatalf("%v, %v %s: %d rows of %q, want %d", k, p, input, len(got), text, len(want))
		case got[i] == want[i]:
		case got[i].reason == "header" && want[i].reason == "shape": // the reference knows fewer names
		default:
			tb.Fatalf("%v, %v %s: row %d of %q is %v, want %v", k, p, input, i, text, got[i], want[i])
		}
	}
	if used, skipped := h.Skip([]byte(text), int64(len(want)), records, true); skipped != int64(len(want)) {
		tb.Fatalf("skip: %d rows in %d of %d bytes, want %d", skipped, used, len(text), len(want))
	}
}

// dirt returns values as real exports have them, and near misses of ids.
func dirt() []string {
	ids := []string{
		"6D92078A-8246-4BA4-AE5B-76104861E7DC", "6d92078a-8246-4ba4-ae5b-76104861e7dc", "6D92078A82464BA4AE5B76104861E7DC",
		"00000000-0000-0000-0000-000000000000", "00000000000000000000000000000000", "aaaaaaaa-AAAA-aaaa-AAAA-aaaaaaaaaaaa",
		"0000000a-0000-0000-0000-000000000000", "00000000-0000-0000-0000-00000000000a", "6D92078A-8246-1BA4-1E5B-76104861E7DC",
		"af3802a465767e36", "a1b2c3d4e5f6071", "9774d56d682e549c", "0000000000000000", "0000000000000001", "7", "abc", "490154203237518", "490154203237517",
		"f2d1311ca5c1ecb214c19a26e9ddbad0", "9f89c84a559f573636a47ff8daed0d33", "d41d8cd98f00b204e9800998ecf8427e",
		"f2d1311ca5c1ecb214c19a26e9ddbad0f2d1311c", "f2d1311ca5c1ecb214c19a26e9ddbad0f2d1311ca5c1ecb214c19a26e9ddbad0",
		"02:00:00:00:00:00", "null", "N/A", `\N`, `\n`, "NA", "NaT", "#N/A", "<NA>", "<null>", "(none)", "(Not Set)", "-", "0", "idfa", "device_id", "{ifa}", "${adid}", "[x]", "%ifa%", "%5Bx%5D", "{", "}", "{}", "\"", "\"\"", "''", "'\"",
		"jane@example.com", "\x00", "\x000", "\xff\xfe", "Ünïcode", "",
	}
	var all []string
	for _, id := range ids {
		all = append(all, id, "{"+id+"}", `"`+id+`"`, "'"+id+"'", ` " `+id+"\t\" ", "\ufeff"+id, "\u00a0"+id+"\u00a0", id+",", "{ "+id+"}", "{{"+id+"}}", `"{`+id+`}"`)
	}
	return all
}

func TestAgainstReference(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	for _, p := range profiles() {
		for _, input := range []usher.Input{usher.InputRaw, usher.InputMD5} {
			t.Run(fmt.Sprint(p, "/", input), func(t *testing.T) {
				t.Parallel()
				for _, end := range []string{"\n", "\r\n"} {
					text := strings.Join(dirt(), end)
					for _, records := range []bool{false, true} {
						compare(t, p, input, text, records, 1000, 1000)
						compare(t, p, input, text+end, records, 7, 3)
					}
				}
			})
		}
	}
}

// TestEveryCorruption puts every byte at every position of an id.
func TestEveryCorruption(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	for _, test := range []struct {
		profile usher.Profile
		input   usher.Input
		id      string
	}{
		{idfa, usher.InputRaw, "6D92078A-8246-4BA4-AE5B-76104861E7DC"},
		{usher.Profile{Type: usher.AAID, Hyphens: no()}, usher.InputRaw, "97987bca-ae59-4c7d-94ba-ee4f19ab8c21"},
		{aaid, usher.InputRaw, "97987bcaae594c7d94baee4f19ab8c21"},
		{android, usher.InputRaw, "af3802a465767e36"},
		{android, usher.InputRaw, "0a1b2c3d4e5f60"},
		{idfa, usher.InputMD5, "f2d1311ca5c1ecb214c19a26e9ddbad0"},
	} {
		t.Run(fmt.Sprint(test.profile, "/", test.input, "/", len(test.id)), func(t *testing.T) {
			t.Parallel()
			var text bytes.Buffer
			for at := range len(test.id) {
				for c := range 256 {
					line := []byte(test.id)
					line[at] = byte(c)
					text.Write(line)
					text.WriteByte('\n')
				}
			}
			compare(t, test.profile, test.input, text.String(), true, 100, 100)
		})
	}
}

func FuzzLines(f *testing.F) {
	for i, v := range dirt() {
		f.Add(v+"\n"+v+"\r\n\n"+v, uint8(i), i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, text string, which uint8, records bool) {
		all := profiles()
		input := usher.InputRaw
		if which >= 128 {
			input = usher.InputMD5
		}
		compare(t, all[int(which)%len(all)], input, text, records, 1+int(which)%5, 1+int(which)%3)
	})
}

func FuzzHash(f *testing.F) {
	for i, v := range dirt() {
		f.Add(v, uint8(i))
	}
	f.Fuzz(func(t *testing.T, value string, which uint8) {
		all := profiles()
		p := all[int(which)%len(all)]
		input := usher.InputRaw
		if which >= 128 {
			input = usher.InputMD5
		}
		if strings.HasSuffix(value, "\n") {
			return // Hash ignores a final \n, which no line contains
		}
		digest, reason := newHasher(t, p, input).Hash([]byte(value))
		want, because := reference{profile: p, input: input}.judge(value)
		if reason == hashing.Header && because == "shape" {
			return
		}
		if nameOf(reason) != because || (because == "" && digest.String() != want) {
			t.Fatalf("%v %s %q: %s %q, want %s %q", p, input, value, digest, reason, want, because)
		}
	})
}

// TestLinesAllocateNothing checks that neither ids nor rejects are allocated.
func TestLinesAllocateNothing(t *testing.T) {
	in := []byte(strings.Repeat("6D92078A-8246-4BA4-AE5B-76104861E7DC\n{6d92078a82464ba4ae5b76104861e7dc}\naf3802a465767e36\nnull\n{ifa}\nidfa\nf2d1311ca5c1ecb214c19a26e9ddbad0\nx\n", 50))
	out := hashing.NewOut(1000, 1000)
	for _, p := range []usher.Profile{idfa, android} {
		for _, input := range []usher.Input{usher.InputRaw, usher.InputMD5} {
			h := newHasher(t, p, input)
			h.SetHeader("kennung")
			if n := testing.AllocsPerRun(10, func() { h.Lines(out, in, false, true) }); n != 0 {
				t.Errorf("%v %s: %v allocations for %d rows", p, input, n, out.Count)
			}
		}
	}
}

// TestLinesKeepsAnUnfinishedLine checks that Lines uses a line without an ending only if
// last is set.
func TestLinesKeepsAnUnfinishedLine(t *testing.T) {
	t.Parallel()
	const id = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
	out := hashing.NewOut(10, 10)
	h := newHasher(t, idfa, usher.InputRaw)
	for n := range len(id) + 1 {
		in := []byte(id + "\r\n" + id[:n])
		if used := h.Lines(out, in, true, false); used != len(id)+2 || out.Count != 1 {
			t.Fatalf("%d bytes after the line: %d used, %d rows", n, used, out.Count)
		}
		used := h.Lines(out, in, true, true)
		if rows := 1 + min(n, 1); used != len(in) || out.Count != rows {
			t.Fatalf("%d bytes after the line, with last set: %d of %d used, %d rows", n, used, len(in), out.Count)
		}
	}
}

func TestLongLine(t *testing.T) {
	t.Parallel()
	const id = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
	h := newHasher(t, idfa, usher.InputRaw)
	for length, want := range map[int]row{
		hashing.MaxLine:     {digest: "f2d1311ca5c1ecb214c19a26e9ddbad0"},
		hashing.MaxLine + 1: {reason: usher.Shape},
	} {
		text := strings.Repeat(" ", length-len(id)) + id + "\n"
		if rows := rowsOf(t, h, text, false, 4, 4); len(rows) != 1 || rows[0] != want {
			t.Errorf("a line of %d bytes: %v, want %v", length, rows, want)
		}
	}
	if rows := rowsOf(t, h, strings.Repeat(" ", hashing.MaxLine+1), false, 4, 4); len(rows) != 1 {
		t.Errorf("a blank line that is too long: %v, want one row", rows)
	}
}

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
