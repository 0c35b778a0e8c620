package ledger

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
)

// probePrefix begins the names of Probe's files. They lie in no folder, because a folder would
// remain and belong to the user who ran the probe, such as root.
const probePrefix = "probe."

// Probe writes a file, reads it and removes it again, and returns why that is not possible.
func (s *Store) Probe(ctx context.Context) error {
	name, data := probePrefix+rand.Text(), []byte(rand.Text())
	if err := s.bucket.WriteAll(ctx, name, data, nil); err != nil {
		return fmt.Errorf("write ledger file %s: %w", name, err)
	}
	read, err := s.bucket.ReadAll(ctx, name)
	if err != nil {
		return readError(name, err)
	}
	if !bytes.Equal(read, data) {
		return &DamagedError{name, "is not what was written"}
	}
	if err := s.bucket.Delete(ctx, name); err != nil {
		return fmt.Errorf("remove ledger file %s: %w", name, err)
	}
	return nil
}
