package queues_test

import (
	"flag"
	"runtime"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	"usher/queues/audit"
)

var operator = audit.Act{Actor: "alice", Reason: "mended"}

// TestMain fails if a goroutine outlives the tests. The tests mostly wait for
// redeliveries, so more of them run at once than there are cores, unless -parallel is
// given.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))) // before the command line is read
	goleak.VerifyTestMain(m)
}
