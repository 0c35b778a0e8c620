package hash

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/records"
	"usher/cmd/usher/internal/terminal"
	"usher/hashing"
	"usher/internal/readable"
)

// Command returns usher hash.
func Command() *cobra.Command {
	profile, input, explain := command.Profile{Profile: usher.Profile{Type: usher.IDFA}}, string(usher.InputRaw), ""
	var keep bool
	cmd := &cobra.Command{
		Use:   "hash",
		Short: "Ids on stdin, their MD5 digests on stdout",
		Long: `Reads device ids from stdin, one a line, and writes their MD5 digests to stdout,
one a line, in order: what a job would upload. A BOM, blanks, quotes and braces
around an id are taken off; what is junk or no id of the profile is left out and
counted on stderr. Nothing is de-duplicated. All cores hash, in order all the
same. It exits 0 whatever was left out.`,
		Example: `  usher hash < ids.txt > digests.txt
  cut -d, -f3 export.csv | usher hash --profile aaid --keep-lines
  usher hash --explain 6d92078a-8246-4ba4-ae5b-76104861e7dc`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return command.Usagef("hash takes no arguments: ids come on stdin; one id is explained by --explain ID")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("explain") {
				return explainID(cmd.OutOrStdout(), explain)
			}
			if terminal.IsTerminal(cmd.InOrStdin()) {
				return command.Usagef("ids come on stdin, and stdin is the terminal: try 'usher hash < ids.txt', or 'usher hash --explain ID' for one id")
			}
			return hashLines(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(),
				hashing.StreamOptions{Profile: profile.Profile, Input: usher.Input(input), KeepLines: keep})
		},
	}
	command.ProfileVar(cmd, &profile, "what is hashed")
	command.ChoiceVar(cmd, &input, "input", "what the lines are", string(usher.InputRaw), string(usher.InputMD5))
	cmd.Flags().BoolVar(&keep, "keep-lines", false, "write an empty line for every line without a digest")
	cmd.Flags().StringVar(&explain, "explain", "", "print what every profile makes of one id, and read nothing")
	return cmd
}

func hashLines(ctx context.Context, in io.Reader, out, errs io.Writer, o hashing.StreamOptions) error {
	tally, err := hashing.Stream(ctx, in, out, o)
	if err != nil {
		return err
	}
	left := tally.Read - tally.Accepted
	fmt.Fprintf(errs, "%s read, %s written, %s left out%s\n", readable.Count(tally.Read, "row"), readable.Count(tally.Accepted, "digest"), readable.Number(left), records.Reasons(tally))
	if tally.Read > 0 && tally.Accepted == 0 {
		fmt.Fprintln(errs, "no line is an id of this profile: a table's column is cut out first, and 'usher inspect FILE' says what a file holds")
	}
	return nil
}

// explainID prints what every profile makes of an id, but not the id.
func explainID(w io.Writer, id string) error {
	table := terminal.Table{Header: []string{"PROFILE", "DIGEST", ""}}
	for _, v := range hashing.Explain(id) {
		digest, note := v.Digest, ""
		if v.Default {
			note = "what " + string(v.Profile.Type) + " stands for"
		}
		if v.Reason != hashing.None {
			column := "junk "
			if v.Reason.Invalid() {
				column = "invalid "
			}
			digest = column + v.Reason.String()
		}
		table.Add(v.Profile.String(), digest, note)
	}
	return table.Write(w)
}
