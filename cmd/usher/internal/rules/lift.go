package rules

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
)

// liftReport is the result of a lift, as printed by --json.
type liftReport struct {
	Creative string              `json:"creative"`
	Lifted   usher.CreativeEntry `json:"lifted"` // the entry as it was
}

func rulesLift() *cobra.Command {
	var who command.Actor
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "lift CREATIVE",
		Short: "Lift an order that supersedes all jobs of a creative",
		Long: `Lift the order of a creative if it is above that of every published job. Such an order
makes each pause and resume of the creative end as superseded. It remains from an older
version, which accepted headers from publishers, or after the stream of jobs was deleted;
'usher rules why CREATIVE' shows it. Jobs that are published from now on set the creative
again; older ones stay superseded. An order that a job can have is not lifted.`,
		Example: "  usher rules lift spring-1 --reason 'forged by a publisher, incident 12'",
		Args:    command.ExactArgs("CREATIVE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				stuck, err := q.Creatives().Lift(ctx, args[0], who.Act())
				if errors.Is(err, queues.ErrNotStuck) {
					return fmt.Errorf("the order of creative %q is not stuck, nothing was lifted: 'usher rules why' shows who set it", args[0])
				}
				if err != nil {
					return err
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), liftReport{Creative: args[0], Lifted: stuck})
				}
				fmt.Fprintf(cmd.OutOrStdout(), "lifted order %d of job %s: publish the pause or resume of creative %s again\n",
					stuck.Order, readable.Printable(stuck.Job), readable.Printable(args[0]))
				return nil
			})
		},
	}
	who.AddFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the lifted order as JSON")
	connect.AddQueueFlags(cmd)
	return cmd
}
