package backups_test

import (
	"context"
	"fmt"
	"os"

	"github.com/nats-io/nats.go"

	"usher/queues/backups"
	"usher/queues/queuetest"
)

// quiet is a Progress that shows nothing.
type quiet struct{}

func (quiet) Stream(string) {}
func (quiet) Add(int)       {}

// Save all streams of usher while it runs, and check what was written.
func ExampleSave() {
	ctx := context.Background()
	q, url, stop := queuetest.OpenServer()
	defer stop()
	if _, err := q.Submit(ctx, "campaign.pause", []byte(`{"id":"pause-17","campaign":"SANDBOX1-spring"}`)); err != nil {
		fmt.Println(err)
		return
	}
	folder, err := os.MkdirTemp("", "backup-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	nc, err := nats.Connect(url)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer nc.Close()
	if _, err := backups.Save(ctx, nc, "", "1.0.0", backups.Folder(folder), quiet{}); err != nil {
		fmt.Println(err)
		return
	}
	manifest, err := backups.Read(ctx, backups.Folder(folder))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range manifest.Streams {
		fmt.Println(s.Name, s.Messages, s.Verify(ctx, backups.Folder(folder)))
	}
	// Output:
	// USHER_JOBS 0 <nil>
	// USHER_CAMPAIGNS 1 <nil>
	// USHER_PARTS 0 <nil>
	// KV_usher_state 1 <nil>
	// USHER_DEAD 0 <nil>
	// USHER_EVENTS 1 <nil>
	// KV_usher_rules 0 <nil>
}
