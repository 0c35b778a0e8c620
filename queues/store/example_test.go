package store_test

import (
	"context"
	"fmt"

	"usher/queues/store"
)

func ExampleToken() {
	fmt.Println(store.Token("segment 17"))
	// Output: segment=2017
}

func ExampleNames() {
	n := store.Names{Namespace: "staging"}
	fmt.Println(n.JobsStream(), n.Job("segment.add"))
	// Output: staging_USHER_JOBS staging.usher.jobs.segment.add
}

// Increment a counter that several processes share.
func ExampleChange() {
	var bucket *store.Bucket // of store.Open
	err := store.Change(context.Background(), bucket, "visits", func(n *int, _ bool) bool {
		*n++
		return true
	})
	if err != nil {
		fmt.Println(err)
	}
}
