package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/pipeline"
)

func inspectCommand() *cobra.Command {
	i := inspection{input: string(usher.InputAuto)}
	cmd := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Report on an export, without sending",
		Long: `Reads an export as a job would and sends nothing: what it is, which ids are in
it, where every row would go, and the submit command that fits. It needs neither
NATS nor a platform. What it shows of rows is masked. FILE may be a folder, all of
whose files are then one export, or a URL as a job names it: that is read from
where the configuration allows jobs to read (sources.allow, sources.buckets), and
from nowhere else.

Without --profile it takes the one that fits a sample of the rows best. Nobody
can see from an export which letter case a platform's other suppliers hash, so
the profile stays yours to decide.`,
		Example: `  usher inspect export.csv
  usher inspect export.csv.gz --profile aaid --column gaid --limit 100000
  usher inspect mixed.parquet --type-column os
  usher inspect s3://crm-exports/daily/ --done-marker _SUCCESS --limit 1000000
  usher inspect export.csv --json | jq .tally`,
		Args: exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if i.limit < 0 {
				return usage("flag --limit takes a number of rows, 0 for all")
			}
			i.errs = cmd.ErrOrStderr()
			report, err := i.run(cmd, args[0])
			if err != nil {
				return inFlagWords(err)
			}
			if i.json {
				return writeJSON(cmd.OutOrStdout(), report)
			}
			return report.write(cmd.OutOrStdout())
		},
	}
	profileFlag(cmd, &i.profile, "what would be hashed")
	choiceFlag(cmd, &i.input, "input", "what the values are", "raw", "md5", "auto")
	i.source.addFlags(cmd)
	addConfigFlags(cmd)
	cmd.Flags().Int64Var(&i.limit, "limit", 0, "how many rows to read at most (default all)")
	cmd.Flags().BoolVar(&i.json, "json", false, "print the report as JSON")
	return cmd
}

// inFlagWords says of a refused export what to do in this command's words.
func inFlagWords(err error) error {
	var p *usher.Permanent
	if !errors.As(err, &p) || p.Hint == "" {
		return err
	}
	replaced := []string{"set source.cut: false", "give --no-cut", " and submit the job again", "", "source.url", "FILE"}
	for flag, field := range sourceFields() {
		replaced = append(replaced, "set source."+field, "give --"+flag, "source."+field, "--"+flag)
	}
	words := strings.NewReplacer(replaced...)
	return fmt.Errorf("%s\nhint: %s", words.Replace(err.Error()), words.Replace(p.Hint))
}

// inspection is one run of usher inspect.
type inspection struct {
	profile profileValue
	input   string
	source  sourceFlags
	limit   int64
	json    bool
	errs    io.Writer
}

func (i *inspection) run(cmd *cobra.Command, file string) (*inspectReport, error) {
	ctx, source := cmd.Context(), i.source.source()
	access, options, err := i.find(cmd, source, file)
	if err != nil {
		return nil, fmt.Errorf("inspect: %w", err)
	}
	options.Unverified = true
	defer access.Close()
	opener := exports.New(access, options)
	plan, err := opener.Plan(ctx, source, 0)
	if err != nil {
		return nil, err
	}
	survey, err := opener.Survey(ctx, source, plan)
	if err != nil {
		return nil, err
	}
	if _, local := localPath(file); !local {
		file = source.Shown() // without the keys of a signed URL
	}
	report := &inspectReport{File: file, Bytes: plan.Size, Parts: len(plan.Parts)}
	report.surveyed(&survey, source.TypeColumn)
	report.inFolder(&plan, doneMarker(ctx, opener, source, &plan))
	if err := i.look(ctx, opener, source, &plan, report); err != nil {
		return nil, err
	}
	if err := i.count(ctx, opener, source, plan, report); err != nil {
		return nil, err
	}
	report.judge()
	report.Submit = i.submitLine(file, report)
	return report, nil
}

// find has source name the export, and says from where it may be read: what lies
// here from its own folder, anything else as the configuration has it.
func (i *inspection) find(cmd *cobra.Command, source *usher.Source, file string) (*places.Access, exports.Options, error) {
	path, local := localPath(file)
	if !local {
		source.URL = file
		c, err := loadConfig(cmd, os.LookupEnv)
		if err != nil {
			return nil, exports.Options{}, err
		}
		access, err := openAccess(c)
		return access, exportOptions(c), err
	}
	path, err := realFile(path)
	if err != nil {
		return nil, exports.Options{}, err
	}
	place := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		place, path = path, strings.TrimSuffix(path, "/")+"/" // all files in it
	}
	source.URL = (&url.URL{Scheme: "file", Path: path}).String()
	allowed, err := places.Allow([]string{place})
	return places.New(places.Options{Allowed: allowed}), exports.Options{}, err
}

// realFile is the absolute path of a file, links followed: one may lead
// anywhere, and the export's place is where it really lies.
func realFile(file string) (string, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", file, err)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isDeviceID(file):
		return "", usage("FILE looks like a device id, and there is no file of that name: one id is explained by 'usher hash --explain ID'")
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() && !info.IsDir():
		return "", fmt.Errorf("%s is no regular file: an export is read more than once, so write it to one", path)
	}
	return filepath.EvalSymlinks(path)
}

// doneMarker is the marker that a folder is known to be whole by: the one that was
// named, or else the usual one where that is there.
func doneMarker(ctx context.Context, opener *exports.Opener, source *usher.Source, plan *usher.Plan) string {
	const usual = "_SUCCESS"
	if source.DoneMarker != "" || !inFolder(plan) {
		return source.DoneMarker
	}
	marked := *source
	marked.DoneMarker = usual
	if _, err := opener.Plan(ctx, &marked, 0); err != nil {
		return ""
	}
	return usual
}

// look says what the sample holds, and settles profile and input.
func (i *inspection) look(ctx context.Context, opener *exports.Opener, source *usher.Source, plan *usher.Plan, report *inspectReport) error {
	sample, err := opener.Sample(ctx, source, *plan)
	if err != nil {
		return err
	}
	defer sample.Release()
	report.understood(plan)
	report.Types = typesIn(sample, report.UUIDBytes)
	profile := i.profile.profile
	if profile.Type == "" {
		likely, told := likelyType(report.Types, plan.Header+plan.Path)
		profile, report.ProfileUntold = usher.Profile{Type: likely}, !told
	}
	if plan.Input = usher.Input(i.input); plan.Input == usher.InputAuto {
		plan.Input = pipeline.DecideInput(profile, sample)
	}
	report.Profile, report.Input = profile, plan.Input
	report.Profiles, err = tryProfiles(sample, plan)
	return err
}

// count runs the whole export, part by part, through what a job runs it
// through, without sending.
func (i *inspection) count(ctx context.Context, opener *exports.Opener, source *usher.Source, plan usher.Plan, report *inspectReport) error {
	left := &countedRows{limit: i.limit, errs: i.errs, began: time.Now(), total: report.estimate(i.limit)}
	defer left.end()
	var sketch []byte
	var buffers pipeline.Buffers
	for _, part := range plan.Parts {
		if left.used() {
			report.Whole = false
			break
		}
		reader, err := opener.Open(ctx, source, plan, part)
		if err != nil {
			return err
		}
		left.blocks = reader
		c, err := pipeline.Upload(ctx, left, pipeline.Options{
			Profile: report.Profile, Input: plan.Input, Header: plan.Header,
			MaxRejectPercent: 100, DryRun: true, Buffers: &buffers,
		})
		if err = errors.Join(err, reader.Close()); err != nil {
			return err
		}
		report.add(c)
		sketch = pipeline.MergeSketch(sketch, c.Sketch)
	}
	if left.cut {
		report.Whole = false
	}
	report.Distinct = min(pipeline.Distinct(sketch), report.Tally.Accepted) // an estimate, and these are known
	return nil
}

// submitLine is the command that uploads the export as it was read here.
func (i *inspection) submitLine(file string, report *inspectReport) string {
	words := []string{"usher submit segment.add --segment ID --profile", report.Profile.String()}
	if report.ProfileUntold {
		words[1] = "PROFILE"
	}
	if report.Input != usher.InputRaw {
		words = append(words, "--input", string(report.Input))
	}
	for _, f := range []struct{ flag, value string }{
		{"column", i.source.column}, {"type-column", i.source.typeColumn}, {"format", i.source.format}, {"delimiter", i.source.delimiter},
		{"encoding", i.source.encoding}, {"compression", i.source.compression},
		{"done-marker", report.DoneMarker},
	} {
		if f.value != "" {
			words = append(words, "--"+f.flag, quoted(f.value))
		}
	}
	if i.source.noCut {
		words = append(words, "--no-cut")
	}
	return strings.Join(append(words, quoted(file), "--wait"), " ")
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=@%+") == "" && word != "" {
		return word
	}
	if word == "\t" {
		return "tab"
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
