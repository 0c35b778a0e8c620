package exports_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// TestFlippedIsNotPlanned flips a bit in the middle of a compressed export: it is not even
// planned, so that no id is sent that was never in it.
func TestFlippedIsNotPlanned(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 12))
	var rows []string
	for range 4000 {
		rows = append(rows, fmt.Sprintf("%08X-%04X-4%03X-A%03X-%012X", random.Uint32(), random.IntN(1<<16), random.IntN(1<<12), random.IntN(1<<12), random.Uint64N(1<<48)))
	}
	text := strings.Join(rows, "\n")
	for name, whole := range map[string]string{"gzip": gzipped(t, text), "zstd": zstdPacked(t, text), "zip": zipped(t, member{"a", text, 8, 0})} {
		dir := t.TempDir()
		o := opener(t, dir, exports.Options{})
		src := &usher.Source{URL: dir + "/export", Compression: name, Format: "text"}
		for range 60 {
			data := []byte(whole)
			data[len(data)/10+random.IntN(len(data)*8/10)] ^= 1 << random.IntN(8)
			must(t, os.WriteFile(src.URL, data, 0o600))
			_, err := o.Plan(t.Context(), src, 0)
			if err == nil { // a bit that means nothing
				got, _, err := read(t, o, src, 0)
				if err != nil || !slices.Equal(got, rows) {
					t.Errorf("%s: planned, then %d rows, %v", name, len(got), err)
				}
			} else if class(err) != usher.SourceBroken || permanent(t, err).Hint == "" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
