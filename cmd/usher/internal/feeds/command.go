package feeds

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/feeds"
	"usher/queues"
)

// Command returns usher feeds.
func Command() *cobra.Command {
	return command.Group("feeds", "Check, show and control the places that are watched for new exports",
		check(), list(), show(), run(), approve(), reject(), pause(), resume())
}

// withFeed connects to NATS and calls use with the states of the feeds. If no worker has the
// feed, the error says which ones there are.
func withFeed(cmd *cobra.Command, name string, use func(ctx context.Context, q *queues.Queue, states *feeds.States) error) error {
	return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
		states := feeds.NewStates(q)
		err := use(ctx, q, states)
		if !errors.Is(err, feeds.ErrUnknown) {
			return err
		}
		all, listErr := states.List(ctx)
		if listErr != nil {
			return err
		}
		names := []string{}
		for i := range all {
			names = append(names, all[i].Name)
		}
		return fmt.Errorf("%w: %s", err, feeds.Nearest(name, names))
	})
}
