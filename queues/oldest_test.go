package queues_test

import (
	"testing"

	"usher"
	"usher/queues/queuetest"
)

// A message that is no job, and that no worker has removed yet, does not hide that a pause behind it
// is not in effect.
func TestOldestChangeBehindAStray(t *testing.T) {
	t.Parallel()
	broker := queuetest.New(t)
	q := broker.Queue(t)
	broker.Publish(t, usher.CampaignPause, `{"id":"no id","campaign":"c"}`)
	broker.Publish(t, usher.CampaignPause, `{"id":"pause-1","campaign":"c","reason":"budget"}`)
	c, err := q.Status().OldestChange(t.Context())
	if err != nil || c == nil || c.Record.ID != "pause-1" {
		t.Errorf("the oldest change is %+v, %v", c, err)
	}
}
