package store

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// Long values are compressed only on request, and both forms can be read.
func TestEncode(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("creative ", 10_000)
	for name, c := range map[string]struct {
		value      string
		compress   bool
		compressed bool
	}{
		"short":              {"creative", true, false},
		"long":               {long, true, true},
		"long, uncompressed": {long, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := encode(c.value, c.compress)
			if err != nil {
				t.Fatal(err)
			}
			if got := data[0] == 0x1f; got != c.compressed {
				t.Errorf("compressed: %t, want %t", got, c.compressed)
			}
			var got string
			if err := (&Entry{Key: "k", Value: data}).Decode(&got); err != nil || got != c.value {
				t.Errorf("decoded %d bytes, %v", len(got), err)
			}
		})
	}
}

// A value that NATS would refuse is refused with a reason.
func TestEncodeTooLarge(t *testing.T) {
	t.Parallel()
	random := make([]byte, 2_000_000)
	source := rand.NewChaCha8([32]byte{1})
	_, _ = source.Read(random)
	if _, err := encode(random, true); !errors.Is(err, errTooLarge) {
		t.Errorf("encode returns %v", err)
	}
}

func TestDecodeDamaged(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"", "{", "\x1f\x8b", "\x1f\x8bnot gzip"} {
		var v any
		if err := (&Entry{Key: "jobs.x", Value: []byte(data)}).Decode(&v); err == nil || !strings.Contains(err.Error(), "jobs.x") {
			t.Errorf("%q decodes with %v", data, err)
		}
	}
}
