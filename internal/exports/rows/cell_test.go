package rows_test

import (
	"math/rand/v2"
	"testing"

	"usher/hashing"
	"usher/internal/exports/rows"
)

// TestPutHexID checks that a cell is written as AppendCell writes it, and that all such cells
// look like ids, so that they need no other check.
func TestPutHexID(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 1))
	written := 0
	for range 200_000 {
		cell := []byte("0123456789abcdefABCDEF" + "0123456789abcdefABCDEF")[:[]int{15, 16, 17, 31, 32, 33}[random.IntN(6)]]
		alphabet := []string{"0123456789", "0123456789abcdefABCDEF", "0123456789abcdefg,", "09/:@AFG`afg \x00\xff"}[random.IntN(4)]
		for i := range cell {
			if random.IntN(30) > 0 || len(alphabet) == 10 {
				cell[i] = alphabet[random.IntN(min(len(alphabet), 22))]
			}
		}
		if !hashing.IsHexID(cell) {
			if rows.LooksLikeID(cell) && (len(cell) == 16 || len(cell) == 32) {
				t.Fatalf("%q is not written", cell)
			}
			continue
		}
		written++
		out := make([]byte, 33)
		n := rows.PutHexID(out, cell)
		want, count := rows.AppendCell(nil, cell, 100)
		if !rows.LooksLikeID(cell) || count != 1 || string(out[:n]) != string(want) {
			t.Fatalf("%q is written as %q, want %q", cell, out[:n], want)
		}
	}
	if written < 10_000 {
		t.Errorf("only %d cells were written", written)
	}
}
