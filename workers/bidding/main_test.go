package bidding_test

import (
	"flag"
	"runtime"
	"strconv"
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails if a goroutine outlives its owner. The tests mostly wait for NATS and
// the platform, so more of them run at once than there are cores, unless -parallel is
// given.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))) // before the command line is read
	goleak.VerifyTestMain(m)
}
