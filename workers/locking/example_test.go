package locking_test

import (
	"errors"
	"fmt"
	"net"

	"usher"
	"usher/workers/locking"
)

// A change may arrive after its response was lost, unless the connection was never made.
func ExampleMayStillArrive() {
	reset := &usher.Unavailable{Err: errors.New("connection reset by peer")}
	refused := &usher.Unavailable{Err: &net.OpError{Op: "dial", Err: errors.New("connection refused")}}
	fmt.Println(locking.IsLost(reset), locking.MayStillArrive(reset))
	fmt.Println(locking.IsLost(refused), locking.MayStillArrive(refused))
	// Output:
	// true true
	// true false
}
