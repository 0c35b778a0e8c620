package feeds

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/terminal"
	"usher/hashing"
	"usher/internal/exports/places"
	"usher/internal/feeds"
	"usher/internal/readable"
	"usher/internal/rules/document"
)

// report is the result for a file, as printed by `usher feeds check --json`.
type report struct {
	File     string          `json:"file"`
	Valid    bool            `json:"valid"`
	Feeds    []string        `json:"feeds"`
	Problems []feeds.Problem `json:"problems"`

	loaded []*feeds.Feed
}

func check() *cobra.Command {
	var asJSON bool
	var schema bool
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Check feed files",
		Long: `Read feed files as a worker does and print every error and warning, with its position
and what to write instead. A file with an error is not used (exit code 1).

The files are also compared with each other: two feeds must not change one target. Watched
places must be allowed by sources.allow; check says so if that is not configured, as without
--config. If the platform responds, the segments and campaigns must exist.

--schema prints the JSON Schema of feed files for editors.`,
		Example: `  usher feeds check feeds/*.yaml
  usher feeds check --schema > feeds.schema.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case schema:
				return command.NoArgs(cmd, args)
			case len(args) == 0:
				return command.Usagef("FILE is missing: usher feeds check FILE…")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema {
				_, err := cmd.OutOrStdout().Write(feeds.Schema())
				return err
			}
			c, err := config.Load(cmd, os.LookupEnv)
			if err != nil {
				return err
			}
			reports, err := readReports(args)
			if err != nil {
				return err
			}
			if err := addPlaces(cmd, c, reports); err != nil {
				return err
			}
			if err := addTargets(cmd, c, reports); err != nil {
				return err
			}
			return writeReports(cmd, reports, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of files with their problems")
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of feed files")
	config.AddFlags(cmd, "platform", "username", "advertiser")
	return cmd
}

// readReports checks each of the files, and then compares them.
func readReports(paths []string) ([]report, error) {
	reports := []report{}
	var all []*feeds.Feed
	for _, path := range paths {
		data, err := document.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read feed file: %w", err)
		}
		loaded, problems := feeds.Load(path, data)
		r := report{File: path, Feeds: []string{}, Problems: slices.Concat([]feeds.Problem{}, problems), loaded: loaded}
		for _, f := range loaded {
			r.Feeds = append(r.Feeds, f.Name)
			if i := slices.IndexFunc(all, func(other *feeds.Feed) bool { return other.Name == f.Name }); i >= 0 {
				r.Problems = append(r.Problems, f.Problem("name", "rename one", "a feed of %s is called %s, too", all[i].File, f.Name))
			}
		}
		all = append(all, loaded...)
		reports = append(reports, r)
	}
	for _, p := range feeds.Overlaps(all) {
		i := slices.IndexFunc(reports, func(r report) bool { return r.File == p.File })
		reports[i].Problems = append(reports[i].Problems, p)
	}
	return reports, nil
}

// addPlaces adds an error for each place that sources.allow does not have.
func addPlaces(cmd *cobra.Command, c config.Config, reports []report) error {
	allowed, err := places.Allow(c.Strings("sources.allow"))
	if err != nil {
		return fmt.Errorf("read sources.allow: %w", err)
	}
	if allowed.IsEmpty() {
		fmt.Fprintln(cmd.ErrOrStderr(), "the watched places were not checked: sources.allow is not configured here; --config FILE or USHER_SOURCES_ALLOW names the places that workers may read")
		return nil
	}
	for i := range reports {
		r := &reports[i]
		for _, f := range r.loaded {
			if !allowed.Covers(f.Watch) {
				r.Problems = append(r.Problems, f.Problem("watch", "allow the place in sources.allow, or watch another one; allowed are: "+allowed.String(), "watch %s is outside sources.allow", f.Shown))
			}
			if f.Move != nil && !allowed.Covers(*f.Move) {
				r.Problems = append(r.Problems, f.Problem("move", "allow the place in sources.allow, or move to another one; allowed are: "+allowed.String(), "move %s is outside sources.allow", hashing.MaskIDs(f.Move.String())))
			}
		}
	}
	return nil
}

func writeReports(cmd *cobra.Command, reports []report, asJSON bool) error {
	invalid := 0
	for i := range reports {
		r := &reports[i]
		document.Sort(r.Problems)
		if r.Valid = !document.Errors(r.Problems); !r.Valid {
			invalid++
		}
		if asJSON {
			continue
		}
		for _, p := range r.Problems {
			for line := range strings.SplitSeq(p.String(), "\n") {
				fmt.Fprintln(cmd.ErrOrStderr(), readable.Printable(line))
			}
		}
		if r.Valid {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: valid, %s: %s\n", r.File, readable.Count(int64(len(r.Feeds)), "feed"), strings.Join(r.Feeds, ", "))
		}
	}
	if asJSON {
		if err := terminal.WriteJSON(cmd.OutOrStdout(), reports); err != nil {
			return err
		}
	}
	if invalid > 0 {
		return fmt.Errorf("%s not valid", readable.Count(int64(invalid), "feed file"))
	}
	return nil
}
