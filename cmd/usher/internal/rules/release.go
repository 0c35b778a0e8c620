package rules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/decisions"
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
				report, err := release(ctx, decisions.New(q, nil).Interventions(), args[0], who.Act())
				switch {
				case errors.Is(err, decisions.ErrNotUndone):
					return fmt.Errorf("there is nothing to release: %w; 'usher rules why' shows who changed it", err)
				case err != nil:
					return err
				case asJSON:
					return terminal.WriteJSON(cmd.OutOrStdout(), report)
				}
				report.write(cmd.OutOrStdout())
				return nil
			})
		},
	}
	who.AddFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the creative and its campaigns as JSON")
	connect.AddQueueFlags(cmd)
	return cmd
}

// release releases a creative or, if there is none of that code, the numbers of a campaign.
func release(ctx context.Context, i decisions.Interventions, code string, act audit.Act) (releaseReport, error) {
	campaigns, err := i.Release(ctx, code, act)
	if !errors.Is(err, decisions.ErrNotUndone) {
		return releaseReport{Creative: code, Campaigns: campaigns}, err
	}
	fields, failed := i.ReleaseNumbers(ctx, code, act)
	if errors.Is(failed, decisions.ErrNotUndone) {
		failed = err // which is about both
	}
	return releaseReport{Campaigns: []string{code}, Fields: fields}, failed
}

// write prints what was released.
func (r releaseReport) write(w io.Writer) {
	campaigns := readable.Printable(strings.Join(r.Campaigns, ", "))
	if r.Creative != "" {
		fmt.Fprintf(w, "released creative %s of %s: rules may change it again\n", readable.Printable(r.Creative), campaigns)
	}
	for _, field := range r.Fields {
		fmt.Fprintf(w, "released the %s of campaign %s: rules may change it again\n", field, campaigns)
	}
}
