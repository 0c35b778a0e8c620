package evaluation_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails where a goroutine outlives its owner.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
