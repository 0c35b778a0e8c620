package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/hashing"
)

func hashCommand() *cobra.Command {
	profile, input, explain := profileValue{usher.Profile{Type: usher.IDFA}}, string(usher.InputRaw), ""
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
				return usage("hash takes no arguments: ids come on stdin; one id is explained by --explain ID")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("explain") {
				return explainID(cmd.OutOrStdout(), explain)
			}
			if onTerminal(cmd.InOrStdin()) {
				return usage("ids come on stdin, and stdin is the terminal: try 'usher hash < ids.txt', or 'usher hash --explain ID' for one id")
			}
			return hashLines(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(),
				hashing.StreamOptions{Profile: profile.profile, Input: usher.Input(input), KeepLines: keep})
		},
	}
	profileFlag(cmd, &profile, "what is hashed")
	choiceFlag(cmd, &input, "input", "what the lines are", string(usher.InputRaw), string(usher.InputMD5))
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
	fmt.Fprintf(errs, "%s read, %s written, %s left out%s\n", plural(tally.Read, "row"), plural(tally.Accepted, "digest"), number(left), reasons(tally))
	if tally.Read > 0 && tally.Accepted == 0 {
		fmt.Fprintln(errs, "no line is an id of this profile: a table's column is cut out first, and 'usher inspect FILE' says what a file holds")
	}
	return nil
}

// reasons says why rows were left out: " (junk zero_id 3, invalid shape 1)".
func reasons(t usher.Tally) string {
	var list []string
	for _, column := range columnsOf(t) {
		for _, reason := range slices.Sorted(maps.Keys(column.counts)) {
			list = append(list, fmt.Sprintf("%s %s %s", column.name, reason, number(column.counts[reason])))
		}
	}
	if list == nil {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// explainID prints what every profile makes of an id, but not the id.
func explainID(w io.Writer, id string) error {
	table := grid{header: []string{"PROFILE", "DIGEST", ""}}
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
		table.add(v.Profile.String(), digest, note)
	}
	return table.write(w)
}
