package hashing_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

// TestDocumentedIDs puts ids of documentation between others, and checks that each row has the
// reason placeholder and its own bounds.
func TestDocumentedIDs(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", "\r\n"} {
		for _, records := range []bool{false, true} {
			for _, k := range hashing.Kernels() {
				h := newHasher(t, idfa, usher.InputRaw)
				k.Use(h)
				var text strings.Builder
				for i := range 1000 {
					switch i % 7 {
					case 0:
						text.WriteString("550e8400-e29b-41d4-a716-446655440000" + end)
					case 3:
						text.WriteString(end)
					case 4:
						text.WriteString(" {3FA85F64-5717-4562-B3FC-2C963F66AFA6} " + end)
					case 5:
						text.WriteString("null" + end)
					default:
						fmt.Fprintf(&text, "%08X-0000-4000-8000-000000000000%s", i+1, end)
					}
				}
				in, out := []byte(text.String()), hashing.NewOut(300, 300)
				for at := 0; at < len(in); {
					used := h.Lines(out, in[at:], records, true)
					checkDocumented(t, in[at:at+used], out, records)
					at += used
				}
			}
		}
	}
}

// checkDocumented checks the result of lines.
func checkDocumented(t *testing.T, in []byte, out *hashing.Out, records bool) {
	t.Helper()
	if len(out.Digests) != len(out.Rows) || len(out.Digests)+len(out.Rejects) != out.Count || !slices.IsSorted(out.Rows) {
		t.Fatalf("%d digests, %d rows and %d rejects of %d", len(out.Digests), len(out.Rows), len(out.Rejects), out.Count)
	}
	rejects := out.Rejects
	row := int32(0)
	for line := range strings.SplitSeq(strings.TrimSuffix(string(in), "\n"), "\n") {
		value, want := strings.Trim(line, " \r"), hashing.None
		switch {
		case value == "" && !records:
			continue
		case value == "":
			want = hashing.Empty
		case value == "null", strings.Contains(strings.ToLower(value), "-e29b-"), strings.Contains(value, "-4562-"):
			want = hashing.Placeholder
		}
		if want != hashing.None {
			if r := rejects[0]; r.Row != row || r.Reason != want || string(in[r.From:r.To]) != value {
				t.Fatalf("row %d, %q: %+v, want %v", row, value, r, want)
			}
			rejects = rejects[1:]
		}
		row++
	}
	if len(rejects) > 0 {
		t.Fatalf("%d more rejects", len(rejects))
	}
}

// TestRandomIDs hashes a million random ids of each profile. None may be dropped. Devices before
// Android 8 write an ANDROID_ID without its leading zeros.
func TestRandomIDs(t *testing.T) {
	t.Parallel()
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	uuid := func(format string) func(*rand.Rand) string {
		return func(r *rand.Rand) string {
			return fmt.Sprintf(format, r.Uint32(), r.Uint32()&0xffff, r.Uint32()&0xfff, r.Uint32()&0x3fff|0x8000, r.Uint64()&0xffffffffffff)
		}
	}
	for _, c := range []struct {
		name    string
		profile usher.Profile
		id      func(*rand.Rand) string
	}{
		{"idfa", idfa, uuid("%08X-%04X-4%03X-%04X-%012X")},
		{"aaid", aaid, uuid("%08x-%04x-4%03x-%04x-%012x")},
		{"without hyphens", aaid, uuid("%08x%04x4%03x%04x%012x")},
		{"android_id", android, func(r *rand.Rand) string { return fmt.Sprintf("%016x", r.Uint64()) }},
		{"android_id without zeros", android, func(r *rand.Rand) string { return fmt.Sprintf("%x", r.Uint64()) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, 2))
			var text strings.Builder
			for range n {
				text.WriteString(c.id(r))
				text.WriteByte('\n')
			}
			h, out, in := newHasher(t, c.profile, usher.InputRaw), hashing.NewOut(n, n), []byte(text.String())
			if used := h.Lines(out, in, false, true); used != len(in) || len(out.Digests) != n {
				t.Fatalf("%d of %d ids, %d of %d bytes", len(out.Digests), n, used, len(in))
			}
		})
	}
}
