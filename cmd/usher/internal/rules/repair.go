package rules

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/decisions"
)

// RepairMemory returns usher repair memory.
func RepairMemory() *cobra.Command {
	return command.Task[*queues.Queue]{
		About: command.About{
			Use:   "memory",
			Short: "Rebuild rule memory from the audit",
			Long: `Rebuild rule memory from the audit of the last 400 days, and from the jobs that may
have changed a budget or bid without an audit, after the bucket usher_rules was lost.
The memory records which rule paused a creative or set a number, and when a rule last
changed it. Existing entries are kept. Workers may run meanwhile.`,
			Example: "  usher repair memory",
		},
		On: connect.Queue(),
		Run: func(ctx context.Context, c *command.Call, q *queues.Queue) error {
			n, err := decisions.New(q, nil).RebuildMemory(ctx)
			if err != nil {
				return err
			}
			return c.Println(fmt.Sprintf("rebuilt rule memory from the audit: %s creatives, budgets and bids", readable.Number(int64(n))))
		},
	}.Command()
}

// liftReport is the order that usher repair order has lifted, as printed by --json.
type liftReport struct {
	Creative string              `json:"creative"`
	Lifted   usher.CreativeEntry `json:"lifted"` // the entry as it was
}

// RepairOrder returns usher repair order.
func RepairOrder() *cobra.Command {
	return command.Act[*queues.Queue, liftReport]{
		About: command.About{
			Use:   "order CREATIVE",
			Short: "Lift an order that supersedes all jobs of a creative",
			Long: `Lift the order of a creative if it is above that of every published job. Such an order
makes each pause and resume of the creative end as superseded. It remains after the stream of
jobs was deleted; 'usher rules why CREATIVE' shows it. Jobs that are published from now on set
the creative again; older ones stay superseded. An order that a job can have is not lifted.`,
			Example: "  usher repair order spring-1 --reason 'the stream of jobs was deleted, incident 12'",
			Args:    command.ExactArgs("CREATIVE"),
			JSON:    "the lifted order as JSON",
		},
		On: connect.Queue(),
		Do: func(ctx context.Context, c *command.Call, q *queues.Queue) (liftReport, error) {
			stuck, err := q.Creatives().LiftOrder(ctx, c.Args[0], c.By())
			if errors.Is(err, queues.ErrNotStuck) {
				err = fmt.Errorf("the order of creative %q is not stuck, nothing was lifted: 'usher rules why' shows who set it", c.Args[0])
			}
			return liftReport{Creative: c.Args[0], Lifted: stuck}, err
		},
		Print: func(c *command.Call, r liftReport) error {
			return c.Println(fmt.Sprintf("lifted order %d of job %s: publish the pause or resume of creative %s again",
				r.Lifted.Order, readable.Printable(r.Lifted.Job), readable.Printable(r.Creative)))
		},
	}.Command()
}
