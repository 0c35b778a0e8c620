package queues_test

import (
	"flag"
	"runtime"
	"strconv"
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails where a goroutine outlives its owner. Tests mostly wait here, for
// deliveries that come again or do not, so more of them run at once than there are
// cores, unless -parallel says otherwise.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))) // before the command line is read
	goleak.VerifyTestMain(m)
}
