package unpack_test

import (
	"testing"

	"usher/internal/exports/unpack"
)

// Text that begins like compressed data is text. A skippable frame belongs to what follows.
func TestDetect(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"":                         "none",
		"\x1f\x8b\x08\x00":         "gzip",
		"\x1f":                     "none",
		"BZh91AY&SY":               "bzip2",
		"BZh9\x17rE8P\x90":         "bzip2",
		"BZh9":                     "bzip2",
		"BZh91234":                 "none",
		"BZh0":                     "none",
		"\xfd7zXZ\x00":             "xz",
		"\x28\xb5\x2f\xfd":         "zstd",
		"\x04\x22\x4d\x18":         "lz4",
		"\x02\x21\x4c\x18":         "lz4",
		"\x50\x2a\x4d\x18":         "zstd",
		"6D92078A-8246-4BA4-AE5B-": "none",
		"\x5f\x2a\x4d\x18\x01\x00\x00\x00x\x04\x22\x4d\x18": "lz4",
		"\x5f\x2a\x4d\x18\x01\x00\x00\x00x\x28\xb5\x2f\xfd": "zstd",
	} {
		if got := unpack.DetectCompression([]byte(head)); got != want {
			t.Errorf("%q is %s, not %s", head, got, want)
		}
	}
}
