package rules

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/rulings"
)

func rulesWhy() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "why CREATIVE",
		Short: "Tell the story of a creative: who, which rule, which numbers",
		Long: `Tells all that usher knows of a creative, oldest first: what was done to it, by
which rule or person and on which numbers, and what rules wanted and did not do.
What people do on the platform itself is not in it; that rules leave such a
creative alone is.`,
		Example: "  usher rules why spring-1",
		Args:    command.ExactArgs("CREATIVE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				s, err := rulings.New(q, nil).Why(ctx, args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), s)
				}
				if len(s.Pages) == 0 {
					return fmt.Errorf("nothing is on record of creative %q: no job or rule has touched it, or wanted to", args[0])
				}
				return writeStory(cmd.OutOrStdout(), s)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the story as JSON")
	connect.AddQueueFlags(cmd)
	return cmd
}

func writeStory(w io.Writer, s rulings.Story) error {
	for _, campaign := range s.Campaigns {
		fmt.Fprintf(w, "creative %s of campaign %s\n", readable.Printable(s.Creative), readable.Printable(campaign))
	}
	if o := s.Owner; o != nil {
		fmt.Fprintf(w, "it was last changed by rule %s (%s), which may resume it as long as nobody else touches it\n", o.Rule, o.File)
	}
	for _, p := range s.Pages {
		fmt.Fprintf(w, "\n%s  %s\n", readable.Time(p.At), readable.Printable(headline(&p)))
		for _, text := range details(&p) {
			if text != "" {
				fmt.Fprintf(w, "    %s\n", readable.Printable(text))
			}
		}
	}
	return nil
}

// details are a page's reason, numbers and where to read on.
func details(p *rulings.Page) []string {
	if d := p.Decision; d != nil {
		return []string{d.Reason, numbers(d.Metrics, d.Values), "run " + p.Evaluation, p.Outcome}
	}
	a := p.Audit
	where := "job " + a.Job
	if a.Evaluation != "" {
		where = "run " + a.Evaluation + ", " + where
	}
	return []string{a.Reason, numbers(a.Metrics, a.Values), where}
}

// headline is a page of a story in a sentence.
func headline(p *rulings.Page) string {
	if p.Audit != nil {
		return auditLine(p.Audit)
	}
	d := p.Decision
	by := "rule " + d.Rule + " (" + p.File + ")"
	if d.Rule == "" { // an undo is a person's
		by = p.By
	}
	switch {
	case d.Action == usher.Unknown:
		return by + " could not tell"
	case d.Action == usher.None && d.Guard == usher.GuardHandsOff:
		return by + " left it alone"
	case d.Action == usher.None:
		return by + " left it as it is"
	case d.Action != usher.Held:
		return by + " decided to " + string(d.Action) + " it"
	case p.State == usher.EvaluationHeld && d.Guard.Approvable():
		return by + " wants to " + string(d.Wants) + " it, and waits for approval"
	case p.State == usher.EvaluationRejected:
		return by + " wanted to " + string(d.Wants) + " it; " + p.By + " rejected it"
	}
	return by + " wanted to " + string(d.Wants) + " it, and did not"
}

// auditLine is what was done, in a sentence.
func auditLine(a *usher.Audit) string {
	did := map[string]string{"INACTIVE": "paused", "ACTIVE": "resumed"}[a.Wanted]
	if did == "" {
		did = "set to " + a.Wanted
	}
	by := "somebody"
	switch file := usher.FileOfActor(a.Actor); {
	case file != "":
		by = "rule " + a.Rule + " (" + file + ")"
	case a.Actor != "":
		by = a.Actor
	}
	if a.Restores != "" {
		by = "usher, for job " + a.Restores + "," // whoever the job that found it is by
	}
	if a.After != a.Wanted {
		return fmt.Sprintf("%s wanted it %s, but it is %s", by, did, a.After)
	}
	return fmt.Sprintf("%s %s it: %s → %s", by, did, a.Before, a.After)
}
