package store

import (
	"crypto/md5"
	"fmt"
	"testing"

	"usher/hashing"
)

// A set grows while a log is replayed. If each yielded digests in the order of their slots,
// adding a digest would probe all digests before it: a restart with a million members took
// minutes.
func TestReloadNeedsFewProbes(t *testing.T) {
	t.Parallel()
	var m set
	for i := range 200_000 {
		m.add(md5.Sum(fmt.Append(nil, i)))
	}
	var back set
	probes, digests := 0, 0
	err := m.each(func(piece []byte) error {
		for ; len(piece) > 0; piece = piece[16:] {
			d := hashing.Digest(piece[:16])
			index, mixed := place(d)
			if s := &back.shards[index]; s.used > 0 {
				slot, _ := s.find(d, mixed)
				probes += (slot - s.home(mixed) + len(s.slots)) % len(s.slots)
			}
			digests++
			back.add(d)
		}
		return nil
	})
	if err != nil || back.fingerprint != m.fingerprint {
		t.Fatalf("%d digests were reloaded, want %d: %v", back.fingerprint.Count, m.fingerprint.Count, err)
	}
	if mean := float64(probes) / float64(digests); mean > 20 {
		t.Errorf("adding a digest takes %.0f probes", mean)
	}
}
