package workers_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails if a goroutine outlives its owner.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
