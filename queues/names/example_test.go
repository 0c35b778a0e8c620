package names_test

import (
	"context"
	"fmt"

	"usher/queues/names"
	"usher/queues/queuetest"
)

// A worker has noted a segment; lists then call it by its name.
func ExampleKnown_Name() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	n := names.New(q.Store())
	fmt.Println(n.Note(ctx, "SANDBOX1", true, map[string]names.Segment{"4": {Name: "iOS customers", Type: "IDFA"}}))
	fmt.Println(n.Note(ctx, "SANDBOX2", false, map[string]names.Segment{"4": {Name: "Prospects", Type: "IDFA"}}))

	known := n.Known(ctx)
	fmt.Println(known.Name("", "segment 4"))
	fmt.Println(known.Name("SANDBOX2", "segment/4"))
	fmt.Printf("%q\n", known.Name("", "segment 5"))
	// Output:
	// <nil>
	// <nil>
	// iOS customers
	// Prospects
	// ""
}
