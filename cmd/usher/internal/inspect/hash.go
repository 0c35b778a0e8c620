package inspect

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/hashing"
	"usher/internal/readable"
)

// HashCommand returns usher hash.
func HashCommand() *cobra.Command {
	profile, input, explain := command.Profile{Profile: usher.Profile{Type: usher.IDFA}}, string(usher.InputRaw), ""
	var keep bool
	cmd := &cobra.Command{
		Use:   "hash",
		Short: "Hash ids from stdin",
		Long: `Read device ids from stdin, one per line, and write their MD5 digests to stdout, one
per line and in order: the digests that a job would upload. A byte order mark and
blanks, quotes and braces around an id are removed. Junk and invalid ids are skipped and
counted on stderr. Digests are not de-duplicated. hash uses all cores. It exits 0 even
if lines were skipped; with --explain it exits 1 if the value is not an id in any profile.`,
		Example: `  usher hash < ids.txt > digests.txt
  cut -d, -f3 export.csv | usher hash --profile aaid --keep-lines
  usher hash --explain 6d92078a-8246-4ba4-ae5b-76104861e7dc`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return command.Usagef("hash takes no arguments: it reads ids from stdin; use --explain ID for one id")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("explain") {
				return explainID(cmd.OutOrStdout(), explain)
			}
			if terminal.IsTerminal(cmd.InOrStdin()) {
				return command.Usagef("stdin is a terminal: try 'usher hash < ids.txt', or 'usher hash --explain ID' for one id")
			}
			return hashLines(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(),
				hashing.StreamOptions{Profile: profile.Profile, Input: usher.Input(input), KeepLines: keep})
		},
	}
	command.ProfileVar(cmd, &profile, "form in which ids are hashed")
	command.ChoiceVar(cmd, &input, "input", "form of the lines", string(usher.InputRaw), string(usher.InputMD5))
	cmd.Flags().BoolVar(&keep, "keep-lines", false, "write an empty line for every skipped line")
	cmd.Flags().StringVar(&explain, "explain", "", "print the digests of one id in every profile, and do not read stdin")
	return cmd
}

func hashLines(ctx context.Context, in io.Reader, out, errs io.Writer, o hashing.StreamOptions) error {
	tally, err := hashing.Stream(ctx, in, out, o)
	if err != nil {
		return err
	}
	skipped := tally.Read - tally.Accepted
	fmt.Fprintf(errs, "%s read, %s written, %s left out%s\n", readable.Count(tally.Read, "row"), readable.Count(tally.Accepted, "digest"), readable.Number(skipped), jobs.Reasons(tally))
	if tally.Read > 0 && tally.Accepted == 0 {
		fmt.Fprintln(errs, "no line is an id of this profile: extract the column of a table first; 'usher inspect FILE' shows what a file contains")
	}
	return nil
}

// explainID prints the digests of an id in every profile, but not the id itself. It returns
// an error if the value has no digest.
func explainID(w io.Writer, id string) error {
	table, hashed := terminal.Table{Header: []string{"PROFILE", "DIGEST", ""}}, false
	for _, v := range hashing.Explain(id) {
		digest, note := v.Digest, ""
		hashed = hashed || v.Reason == hashing.None
		if v.Default {
			note = "default of " + string(v.Profile.Type)
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
	if err := table.Write(w); err != nil || hashed {
		return err
	}
	return errors.New("the value is not a device id in any profile")
}
