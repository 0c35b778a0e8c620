package feeds

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
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
	schema := false
	return command.View[command.Nothing, []report]{
		About: command.About{
			Use:   "check FILE…",
			Short: "Check feed files",
			Long: `Read feed files, or folders of them, as a worker does and print every error and warning, with
its position and what to write instead. A file with an error is not used (exit code 1).

The files are also compared with each other: two feeds must not change one target. Watched
places must be allowed by sources.allow; check says so if that is not configured, as without
--config. If the platform responds, the segments and campaigns must exist.

--schema prints the JSON Schema of feed files for editors.`,
			Example: `  usher feeds check feeds/*.yaml
  usher feeds check --schema > feeds.schema.json`,
			Args: command.FilesUnless(&schema),
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of feed files")
				config.AddFlags(cmd, "platform", "username", "advertiser")
			},
			JSON: "an array of files with their problems",
		},
		Load: func(_ context.Context, c *command.Call, _ command.Nothing) ([]report, error) {
			if schema {
				c.JSON = false
				return nil, nil
			}
			return checkFiles(c.Cmd, c.Args)
		},
		Print: func(c *command.Call, reports []report) error {
			if schema {
				_, err := c.Out().Write(feeds.Schema())
				return err
			}
			writeReports(c, reports)
			return nil
		},
		Failure: func(_ *command.Call, reports []report) error {
			reports = slices.DeleteFunc(reports, func(r report) bool { return r.Valid })
			if len(reports) == 0 {
				return nil
			}
			return fmt.Errorf("%s not valid", readable.Count(len(reports), "feed file"))
		},
	}.Command()
}

// checkFiles returns the reports on files.
func checkFiles(cmd *cobra.Command, paths []string) ([]report, error) {
	c, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	allowed, err := places.Allow(c.Strings("sources.allow"))
	if err != nil {
		return nil, fmt.Errorf("read sources.allow: %w", err)
	}
	if allowed.IsEmpty() {
		allowed = nil
		fmt.Fprintln(cmd.ErrOrStderr(), "the watched places were not checked: sources.allow is not configured here; --config FILE or USHER_SOURCES_ALLOW names the places that workers may read")
	}
	reports, err := readReports(paths, allowed)
	if err != nil {
		return nil, err
	}
	if err := addTargets(cmd, c, reports); err != nil {
		return nil, err
	}
	for i := range reports {
		document.Sort(reports[i].Problems)
		reports[i].Valid = !document.Errors(reports[i].Problems)
	}
	return reports, nil
}

// readReports checks each of the files, which may be folders of files, and then compares them.
func readReports(given []string, allowed *places.Allowed) ([]report, error) {
	paths, err := document.Paths(given)
	if err != nil {
		return nil, fmt.Errorf("read feed file: %w", err)
	}
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
		}
		all = append(all, loaded...)
		reports = append(reports, r)
	}
	for _, p := range feeds.Check(all, allowed) {
		i := slices.IndexFunc(reports, func(r report) bool { return r.File == p.File })
		reports[i].Problems = append(reports[i].Problems, p)
	}
	return reports, nil
}

// writeReports prints problems to stderr, as compilers do, and the results to stdout.
func writeReports(c *command.Call, reports []report) {
	for i := range reports {
		r := &reports[i]
		for _, p := range r.Problems {
			for line := range strings.SplitSeq(p.String(), "\n") {
				fmt.Fprintln(c.Errs(), readable.Printable(line))
			}
		}
		if r.Valid {
			fmt.Fprintf(c.Out(), "%s: valid, %s: %s\n", r.File, readable.Count(len(r.Feeds), "feed"), strings.Join(r.Feeds, ", "))
		}
	}
}

// platformTime is how long the platform may take to list an advertiser's segments and
// campaigns.
const platformTime = 20 * time.Second

// addTargets adds an error for each feed whose segment or campaign does not exist. If the
// platform does not respond, it says so on stderr.
func addTargets(cmd *cobra.Command, c config.Config, reports []report) error {
	ctx, cancel := context.WithTimeout(cmd.Context(), platformTime)
	defer cancel()
	login := connect.NewLogin(cmd, c)
	known := map[string]*feeds.Targets{} // by advertiser
	for i := range reports {
		r := &reports[i]
		for _, f := range r.loaded {
			advertiser := cmp.Or(f.Job.Advertiser, c.String("platform.advertiser"))
			if known[advertiser] == nil {
				login.Advertiser = advertiser
				client, err := login.Client(c)
				if err != nil {
					return err
				}
				found, err := feeds.ReadTargets(ctx, client)
				if err != nil {
					fmt.Fprintf(cmd.ErrOrStderr(), "the platform does not say whether segments and campaigns of %s exist: %v%s\n", advertiser, err, login.Hint(err))
					return nil
				}
				known[advertiser] = found
			}
			if p := known[advertiser].Problem(f, advertiser); p != nil {
				r.Problems = append(r.Problems, *p)
			}
		}
	}
	return nil
}
