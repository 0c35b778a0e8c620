package store_test

import (
	"context"
	"fmt"

	"usher/queues/queuetest"
	"usher/queues/store"
)

func ExampleToken() {
	token := store.Token("segment 17")
	fmt.Println(token, store.OfToken(token) == "segment 17")
	// Output: segment=2017 true
}

func ExampleNames() {
	n := store.Names{Namespace: "staging"}
	fmt.Println(n.JobsStream(), n.Job("segment.add"))
	// Output: staging_USHER_JOBS staging.usher.jobs.segment.add
}

// Increment a counter that several processes share.
func ExampleChange() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	bucket := q.Store().Rules
	for range 3 {
		err := store.Change(ctx, bucket, "visits", func(n *int, _ bool) bool {
			*n++
			return true
		})
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	var visits int
	_, found, err := bucket.Get(ctx, "visits", &visits)
	fmt.Println(visits, found, err)
	// Output: 3 true <nil>
}
