package inspect

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/exports"
	"usher/internal/inspection"
	"usher/internal/readable"
)

// Command returns usher inspect.
func Command() *cobra.Command {
	i := inspector{input: string(usher.InputAuto)}
	cmd := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Report what an export contains",
		Long: `Read an export like a job, without sending anything, and report its format, its types of
ids, how each row would be counted, and the matching submit command. inspect needs
neither NATS nor a platform, and does not know which devices are suppressed (usher suppress).
Rows are shown masked. FILE may be a folder, whose files are
one export, or a URL as in a job. URLs are read only from the locations that the
configuration allows (sources.allow, sources.buckets).

Without --profile, inspect uses the profile that fits a sample best. An export does not
show in which letter case other suppliers of the platform hash their ids: choose the
profile yourself.

If a column says which rows are of iOS and which of Android, inspect counts the rows of the
profile's system, and prints a command for each system. If columns say no of rows, it counts
those that clearly say yes, and prints the command that uploads them.

inspect exits 0 if the job of the first printed command would succeed, and 1 if it would
fail. In the second case, inspect still reports the rows before the failure.`,
		Example: `  usher inspect export.csv
  usher inspect export.csv.gz --profile aaid --column gaid --limit 100000
  usher inspect mixed.parquet --type-column os
  usher inspect s3://crm-exports/daily/ --done-marker _SUCCESS --limit 1000000
  usher inspect export.csv --rejects dropped.csv
  usher inspect export.csv --json | jq .tally`,
		Args: command.ExactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if i.limit < 0 {
				return command.Usagef("flag --limit takes a number of rows, 0 for all")
			}
			i.errs = cmd.ErrOrStderr()
			report, err := i.run(cmd, args[0])
			if report == nil {
				return flagHints(err)
			}
			return errors.Join(i.print(cmd, report), jobFailure(report))
		},
	}
	command.ProfileVar(cmd, &i.profile, "form in which ids are hashed")
	command.ChoiceVar(cmd, &i.input, "input", "form of the values", "raw", "md5", "auto")
	i.source.AddFlags(cmd)
	config.AddFlags(cmd)
	cmd.Flags().Int64Var(&i.limit, "limit", 0, "maximum number of rows to read (default all)")
	cmd.Flags().StringVar(&i.rejects, "rejects", "", "a new CSV file for every dropped row: its number, the reason, and the masked value; - for stdout")
	cmd.Flags().BoolVar(&i.json, "json", false, "print the report as JSON")
	return cmd
}

// flagHints replaces the fields of a job in an error's hint by the flags of inspect.
func flagHints(err error) error {
	var p *usher.Permanent
	if !errors.As(err, &p) || p.Hint == "" {
		return err
	}
	return fmt.Errorf("%s\nhint: %s", inFlags(err.Error()), inFlags(p.Hint))
}

func inFlags(text string) string {
	return strings.ReplaceAll(command.InFlags(text), " with usher dead edit", "")
}

// jobFailure returns the error with which a job would fail, or nil. If only the first rows
// were read, a job may fail nevertheless.
func jobFailure(report *inspection.Report) error {
	switch e := report.Error; {
	case e == nil:
		return nil
	case e.Class == usher.TooManyRejects: // the report's verdict has the hint
		return fmt.Errorf("inspect: a job would fail with %s: %s", e.Class, e.Message)
	default:
		return fmt.Errorf("%s\nhint: %s", e.Message, e.Hint)
	}
}

// inspector is one run of usher inspect.
type inspector struct {
	profile command.Profile
	input   string
	source  command.SourceFlags
	limit   int64
	rejects string // a file, or -
	json    bool
	errs    io.Writer

	url       string              // of the export
	completed command.SourceFlags // source, and what complete has added
}

// complete returns the source with --only and --type-column as the report suggests, which the command that
// it prints has; nil if they leave something that is refused.
func (i *inspector) complete(report *inspection.Report) *usher.Source {
	flags := i.source
	flags.Only = slices.Clone(flags.Only)
	for _, c := range report.Says {
		switch {
		case c.Named:
		case c.Says == usher.CheckType && flags.TypeColumn == "" && report.TypeColumn == "":
			flags.TypeColumn = c.Column
		case c.Only == "":
			return nil
		default:
			flags.Only = append(flags.Only, c.Only)
		}
	}
	if flags.TypeColumn == "" {
		flags.TypeColumn = report.TypeColumn
	}
	source := flags.Source()
	source.URL = i.url
	i.completed = flags
	return source
}

// print prints the report, to stderr if the dropped rows are on stdout.
func (i *inspector) print(cmd *cobra.Command, report *inspection.Report) error {
	out := cmd.OutOrStdout()
	if i.rejects == toStdout {
		out = cmd.ErrOrStderr()
	}
	write := func() error { return writeReport(out, report) }
	if i.json {
		write = func() error { return terminal.WriteJSON(out, report) }
	}
	if err := write(); err != nil || i.rejects == "" || i.rejects == toStdout {
		return err
	}
	dropped := report.Tally.Junk.Sum() + report.Tally.Invalid.Sum()
	fmt.Fprintf(cmd.ErrOrStderr(), "%s in %s\n", readable.Count(dropped, "dropped row"), i.rejects)
	return nil
}

func (i *inspector) run(cmd *cobra.Command, file string) (report *inspection.Report, err error) {
	dropped, err := i.openRejects(cmd, file)
	if err != nil {
		return nil, err
	}
	defer func() {
		if report != nil { // the rejects are those of the rows before the error
			err = errors.Join(err, dropped.close(nil))
			return
		}
		err = dropped.close(err)
	}()
	source := i.source.Source()
	access, options, err := connect.LocateExport(cmd, source, file)
	if err != nil {
		return nil, fmt.Errorf("inspect: %w", err)
	}
	options.Unverified = true
	defer access.Close()
	opener := exports.New(access, options)
	if _, local := connect.LocalPath(file); !local {
		file = source.Redacted() // without the query of a signed URL
	}
	progress := rowProgress{errs: i.errs, began: time.Now()}
	defer progress.end()
	i.url = source.URL
	report, err = inspection.Inspect(cmd.Context(), opener, source, inspection.Options{
		File: file, Complete: i.complete, Profile: i.profile.Profile, Input: usher.Input(i.input), ByType: true, Limit: i.limit, Rejects: dropped.Writer,
		Progress: func(rows, total int64) { progress.update(rows, total, time.Now()) },
	})
	if report == nil {
		return nil, err
	}
	if report.Without != nil {
		i.source = i.completed
	}
	if err == nil {
		i.setCommands(file, report)
	}
	for _, e := range []*usher.JobError{report.Error, report.Without} {
		if e != nil {
			e.Message, e.Hint = inFlags(e.Message), inFlags(e.Hint)
		}
	}
	return report, err
}
