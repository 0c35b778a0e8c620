package feeds

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/feeds"
	"usher/internal/readable"
	"usher/queues"
)

// Command returns usher feeds.
func Command() *cobra.Command {
	return command.Group("feeds", "Check, show and control the places that are watched for new exports",
		check(), list(), show(), put(), run(), approve(), reject(), pause(), resume())
}

// session is what a command works with.
type session struct {
	queue  *queues.Queue
	states *feeds.States
	now    func() time.Time // NATS's time
	notes  io.Writer
}

// all opens the states of the feeds.
func all() command.Session[*session] {
	return command.Session[*session]{
		Flags: connect.AddQueueFlags,
		Open: func(cmd *cobra.Command, use func(ctx context.Context, s *session) error) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				return use(ctx, &session{q, feeds.NewStates(q), q.Now, cmd.ErrOrStderr()})
			})
		},
	}
}

// one is all for commands whose first argument is a feed. If no worker has it, the error says which
// ones there are.
func one() command.Session[*session] {
	s := all().Completing(connect.Complete(feedNames))
	open := s.Open
	s.Open = func(cmd *cobra.Command, use func(ctx context.Context, s *session) error) error {
		return open(cmd, func(ctx context.Context, s *session) error {
			err := use(ctx, s)
			if !errors.Is(err, feeds.ErrUnknown) {
				return err
			}
			known, listErr := s.states.List(ctx)
			if listErr != nil {
				return err
			}
			names := []string{}
			for i := range known {
				names = append(names, known[i].Name)
			}
			return fmt.Errorf("%w: %s", err, readable.Suggest(cmd.Flags().Arg(0), names, "usher feeds ls lists them"))
		})
	}
	return s
}

// feedNames returns the names of the feeds, with what they are, for completion.
func feedNames(ctx context.Context, q *queues.Queue) ([]string, error) {
	known, err := feeds.NewStates(q).List(ctx)
	var list []string
	for i := range known {
		list = append(list, known[i].Name+"\t"+string(known[i].Spec.Kind)+" from "+known[i].Spec.Watch)
	}
	return list, err
}
