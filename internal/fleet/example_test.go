package fleet_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/alicebob/miniredis/v2"

	"usher"
	"usher/internal/fleet"
)

// Two workers request the same lock. The error of the second one names the holder.
func ExampleFleet_Lock() {
	server, err := miniredis.Run()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	rdb, err := fleet.Dial("redis://"+server.Addr(), nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rdb.Close()
	first := fleet.New(rdb, fleet.Options{Worker: "host-a"})
	defer first.Close()
	second := fleet.New(rdb, fleet.Options{Worker: "host-b"})
	defer second.Close()

	held, release, err := first.Lock(context.Background(), "campaign/SANDBOX1-spring")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _, err = second.Lock(context.Background(), "campaign/SANDBOX1-spring")
	var later *usher.RetryAfter
	if errors.As(err, &later) {
		fmt.Println(later.Why)
	}
	release()
	fmt.Println("the first worker's context:", held.Err())
	// Output:
	// lock campaign/SANDBOX1-spring held by host-a
	// the first worker's context: context canceled
}
