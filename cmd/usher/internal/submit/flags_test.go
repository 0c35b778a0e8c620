package submit

import (
	"testing"
	"time"

	"usher"
	"usher/cmd/usher/internal/command"
)

func TestNewJobIDIsValidAndNew(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 23, 0, 0, 0, time.FixedZone("", -8*3600))
	seen := map[string]bool{}
	for _, word := range command.Kinds() {
		for range 10 {
			id := newJobID(usher.Kind(word), now)
			if !usher.ValidID(id) || seen[id] {
				t.Errorf("job id %q: valid %t, there before %t", id, usher.ValidID(id), seen[id])
			}
			seen[id] = true
		}
	}
}
