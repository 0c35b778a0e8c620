package intake

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/internal/intake"
)

// Command returns usher intake.
func Command() *cobra.Command {
	return command.Group("intake", "Manage the tokens of jobs over HTTP", tokenCommand())
}

func tokenCommand() *cobra.Command {
	var kinds []string
	var advertisers []string
	var file string
	var all bool
	cmd := &cobra.Command{
		Use:   "token NAME",
		Short: "Create a token for jobs over HTTP",
		Long: `Create a token with which a publisher submits jobs over HTTP, and print it. It is
printed once and stored nowhere: the token file has its hash, in a line
name:kinds:advertisers:hash. It reads and cancels the jobs that were submitted with
its name; with --all, those of others, too, of its kinds and advertisers. With --kind outcomes it
stores numbers from outside, which no other token may. Workers that run see a change of the file within ten
seconds. To withdraw a token, delete its line; to replace one, create a second one
with the same name, and delete the older line when the publisher uses the new one.

Without --file the line is appended to the file that intake.tokens names. If there
is none, the line is printed on stderr.`,
		Example: `  usher intake token crm --file tokens
  usher intake token budgets --kind campaign.pause --kind campaign.resume --advertiser SANDBOX1`,
		Args: command.ExactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := config.Load(cmd, os.LookupEnv)
			if err != nil {
				return err
			}
			g := intake.Grant{Name: args[0], Advertisers: advertisers, All: all}
			for _, kind := range kinds {
				g.Kinds = append(g.Kinds, usher.Kind(kind))
			}
			token, line, err := intake.NewToken(g, usher.Kinds())
			if err != nil {
				return command.Usagef("%w", err)
			}
			if file == "" {
				file = c.String("intake.tokens")
			}
			if file == "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "Append this line to the file of intake.tokens:\n%s\n", line)
			} else if err := AppendLine(file, line); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), token)
			return nil
		},
	}
	command.ChoicesVar(cmd, &kinds, "kind", "kind of job that the token is for, or outcomes, repeatable (default: all jobs, no outcomes)", append(command.Kinds(), string(usher.Outcomes))...)
	cmd.Flags().StringSliceVar(&advertisers, "advertiser", nil, "advertiser that the token is for, repeatable (default: all)")
	cmd.Flags().BoolVar(&all, "all", false, "the token may also read and cancel the jobs of others")
	cmd.Flags().StringVar(&file, "file", "", "token file to append the line to (default: the file of intake.tokens)")
	config.AddFlags(cmd)
	return cmd
}
