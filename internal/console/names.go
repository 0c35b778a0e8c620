package console

import (
	"context"
	"maps"
	"time"

	"usher"
	"usher/internal/ledger"
	"usher/queues/names"
)

// namesTime limits how long the platform is asked for segments.
const namesTime = 10 * time.Second

// names returns what is known of segments. No page waits for the platform: it is asked meanwhile, at most
// every statusAge.
func (c *Console) names(ctx context.Context) names.Known {
	if c.options.Names == nil {
		return nil
	}
	signal(c.asked)
	return c.options.Names.Known(ctx)
}

// listSegments asks the platform for all segments after a page has needed names, until ctx ends.
func (c *Console) listSegments(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.asked:
		}
		before := c.options.Names.Known(ctx)
		asking, cancel := context.WithTimeout(ctx, namesTime)
		err := c.options.ListSegments(asking)
		cancel()
		if err != nil {
			c.options.Logger.Debug("the names of segments are not known", "error", err)
		}
		if !maps.EqualFunc(before, c.options.Names.Known(ctx), maps.Equal) {
			c.audiences.invalidate()
			c.causes.invalidate()
			for _, topic := range []string{topicAudiences, topicJobs, topicLetters, topicOverview} {
				c.live.notify(topic)
			}
		}
		if usher.Sleep(ctx, statusAge) != nil {
			return
		}
	}
}

// segmentOf returns what the platform has said of the segment of an audience; false: it is none, or the
// platform has not said it.
func (c *Console) segmentOf(ctx context.Context, t ledger.Target) (names.Segment, bool) {
	if !t.IsSegment() {
		return names.Segment{}, false
	}
	segment, known := c.names(ctx)[t.Advertiser][t.ID()]
	return segment, known
}

// labelOf returns how people call an audience: iOS customers (4), or the audience if its name is not known.
func (c *Console) labelOf(ctx context.Context, audience string) string {
	segment, _ := c.segmentOf(ctx, c.ledgerTarget(audience))
	return usher.TargetLabel(segment.Name, audience)
}
