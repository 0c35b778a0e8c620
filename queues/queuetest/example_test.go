package queuetest_test

import (
	"context"
	"fmt"

	"usher"
	"usher/queues/queuetest"
)

// An example has no testing.TB, so it opens a queue by Open. Tests use New and Broker.Queue.
func ExampleOpen() {
	q, stop := queuetest.Open()
	defer stop()
	answer, err := q.Submit(context.Background(), usher.SegmentAdd, []byte(queuetest.AddJob))
	fmt.Println(answer.ID, err)
	// Output: j1 <nil>
}
