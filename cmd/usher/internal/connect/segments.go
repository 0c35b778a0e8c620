package connect

import (
	"context"

	"usher/cmd/usher/internal/config"
	"usher/internal/rtb"
	"usher/queues"
	"usher/queues/names"
)

// NoteSegments notes segments of an advertiser, so that lists call them by their names.
func NoteSegments(ctx context.Context, c config.Config, q *queues.Queue, advertiser string, segments ...rtb.Segment) error {
	known := make(map[string]names.Segment, len(segments))
	for _, s := range segments {
		known[s.ID] = names.Segment{Name: s.Name, Type: s.Type, Days: int64(s.DurationInDays)}
	}
	return q.Names().Note(ctx, advertiser, advertiser == c.String("platform.advertiser"), known)
}
