package heads_test

import (
	"context"
	"errors"
	"fmt"

	"usher/internal/ledger"
	"usher/queues/heads"
	"usher/queues/queuetest"
)

// Of two writers who have read the same head, one writes; the other must read it again.
func ExampleHeads_SetHead() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	h := heads.In(q.Store())
	target := ledger.Target{Advertiser: "SANDBOX1", Name: "segment/17"}

	_, revision, err := h.Head(ctx, target)
	fmt.Println(errors.Is(err, ledger.ErrNone), revision)
	_, err = h.SetHead(ctx, ledger.Head{V: 1, Target: target, Generation: 1, Manifest: ledger.File{Name: "manifest-1"}, Job: "crm-1"}, revision)
	fmt.Println(err)
	_, err = h.SetHead(ctx, ledger.Head{V: 1, Target: target, Generation: 1, Manifest: ledger.File{Name: "manifest-2"}, Job: "crm-2"}, revision)
	fmt.Println(errors.Is(err, ledger.ErrConflict))
	head, _, err := h.Head(ctx, target)
	fmt.Println(head.Generation, head.Job, err)
	// Output:
	// true 0
	// <nil>
	// true
	// 1 crm-1 <nil>
}
