package rules

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/rulings"
)

// releaseReport is the result of a release, as printed by --json.
type releaseReport struct {
	Creative  string   `json:"creative,omitempty"`
	Campaigns []string `json:"campaigns"`
	// Fields are what was released of a campaign: budget, bid.
	Fields []usher.BiddingField `json:"fields,omitempty"`
}

func rulesRelease() *cobra.Command {
	var who command.Actor
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "release CREATIVE|CAMPAIGN",
		Short: "Hand a creative, or a campaign's budget and bid, back to rules",
		Long: `Hand a creative back to rules after 'usher rules undo'. Until then no rule pauses or
resumes it. With a campaign, hand back its budget and bid after an undo, or after
somebody else has changed what a rule had set. The audit records who released it, when
and why. 'usher rules why' shows whether a creative was undone.`,
		Example: `  usher rules release spring-1 --reason 'the report was corrected'
  usher rules release SANDBOX1-spring --reason 'the budget may be lowered again'`,
		Args: command.ExactArgs("CREATIVE or CAMPAIGN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				interventions := rulings.New(q, nil).Interventions()
				campaigns, err := interventions.Release(ctx, args[0], who.Act())
				if errors.Is(err, rulings.ErrNotUndone) {
					fields, failed := interventions.ReleaseNumbers(ctx, args[0], who.Act())
					if failed == nil {
						return writeReleased(cmd, args[0], fields, asJSON)
					}
					if !errors.Is(failed, rulings.ErrNotUndone) {
						return failed
					}
				}
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

// writeReleased prints what was released of a campaign.
func writeReleased(cmd *cobra.Command, campaign string, fields []usher.BiddingField, asJSON bool) error {
	if asJSON {
		return terminal.WriteJSON(cmd.OutOrStdout(), releaseReport{Campaigns: []string{campaign}, Fields: fields})
	}
	for _, field := range fields {
		fmt.Fprintf(cmd.OutOrStdout(), "released the %s of campaign %s: rules may change it again\n", field, readable.Printable(campaign))
	}
	return nil
}
