package rules

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/rulings"
)

// releaseReport is the result of a release, as printed by --json.
type releaseReport struct {
	Creative  string   `json:"creative"`
	Campaigns []string `json:"campaigns"`
}

func rulesRelease() *cobra.Command {
	var who command.Actor
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "release CREATIVE",
		Short: "Hand a creative back to rules after an undo",
		Long: `Hand a creative back to rules after 'usher rules undo'. Until then no rule pauses or
resumes it. The audit records who released it, when and why. 'usher rules why' shows
whether a creative was undone.`,
		Example: "  usher rules release spring-1 --reason 'the report was corrected'",
		Args:    command.ExactArgs("CREATIVE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				campaigns, err := rulings.New(q, nil).Release(ctx, args[0], who.Act())
				if errors.Is(err, rulings.ErrNotUndone) {
					return fmt.Errorf("there is nothing to release: %w; 'usher rules why' shows who changed it", err)
				}
				if err != nil {
					return err
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), releaseReport{Creative: args[0], Campaigns: campaigns})
				}
				fmt.Fprintf(cmd.OutOrStdout(), "released creative %s of %s: rules may change it again\n",
					readable.Printable(args[0]), readable.Printable(strings.Join(campaigns, ", ")))
				return nil
			})
		},
	}
	who.AddFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the creative and its campaigns as JSON")
	connect.AddQueueFlags(cmd)
	return cmd
}
