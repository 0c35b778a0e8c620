package submit

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/hashing"
	"usher/internal/inspection"
)

// jobFlags has the flags that describe a job.
type jobFlags struct {
	id, advertiser, segment, campaign  string
	profile                            command.Profile
	input                              string
	source                             command.SourceFlags
	ids                                []string
	rejects, malformed, removes, shift command.Percent
	refreshDays                        int
	dryRun, force, acceptChange        bool
	except                             []string
	holdout                            command.Holdout
	creatives                          []string
	reason, actor                      string
	rules, rule, asOf, metrics         string
	targets                            string
	deadline                           command.Deadline

	rows       int64 // estimated rows of the export; 0: unknown
	unreadable error // why this machine cannot read FILE; nil: it can, or FILE is a URL
	later      bool  // FILE need not exist yet
}

// fieldByFlag maps the job's flags to the fields that they set.
func fieldByFlag() map[string]string {
	fields := map[string]string{
		"id": "id", "advertiser": "advertiser", "deadline": "deadline", "segment": "segment", "campaign": "campaign",
		"profile": "profile", "input": "input", "max-reject-percent": "maxRejectPercent", "max-malformed-percent": "maxMalformedPercent", "max-remove-percent": "maxRemovePercent", "refresh-days": "refreshDays", "max-shift": "maxShift", "accept-change": "acceptChange", "except": "except", "holdout": "holdout", "dry-run": "dryRun",
		"force": "force", "creative": "creatives", "reason": "reason", "actor": "actor", "ids": "source", "later": "source",
		"targets": "targets", "rules": "rules", "rule": "rule", "as-of": "asOf", "metrics": "metrics",
	}
	for name := range command.SourceFields() {
		fields[name] = "source"
	}
	return fields
}

// flagOf returns the flag for the field at a JSON pointer, or "".
func flagOf(pointer string) string {
	field := strings.TrimPrefix(pointer, "/")
	if field == "source/url" || field == "source" {
		return "FILE or --ids"
	}
	if strings.HasPrefix(field, "ids") {
		return "--ids"
	}
	if inner, ok := strings.CutPrefix(field, "source/"); ok {
		inner, _, _ = strings.Cut(inner, "/") // an entry of a list
		for name, f := range command.SourceFields() {
			if f == inner {
				return "--" + name
			}
		}
	}
	field, _, _ = strings.Cut(field, "/")
	for name, f := range fieldByFlag() {
		if f == field && f != "source" {
			return "--" + name
		}
	}
	return ""
}

func (f *jobFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.id, "id", "", "the job's id (default: kind, date and random characters)")
	flags.StringVar(&f.advertiser, "advertiser", "", "the advertiser's code (default: the configured advertiser)")
	flags.Var(&f.deadline, "deadline", "time by which the job must be done: RFC 3339, or a duration such as 2h")
	flags.StringVar(&f.segment, "segment", "", "the segment's id")
	flags.StringVar(&f.campaign, "campaign", "", "the campaign's code")
	command.ProfileVar(cmd, &f.profile, "form in which ids are hashed")
	command.ChoiceVar(cmd, &f.input, "input", "form of the values (default raw)", "raw", "md5", "auto")
	f.source.AddFlags(cmd)
	flags.BoolVar(&f.later, "later", false, "publish the job although FILE does not exist on this machine: it arrives later, or only workers have it")
	flags.StringArrayVar(&f.ids, "ids", nil, "an id instead of FILE, repeatable; - reads ids from stdin")
	flags.Var(&f.rejects, "max-reject-percent", "percentage of invalid and refused rows above which the job fails, 0 to 100 (default 90)")
	flags.Var(&f.malformed, "max-malformed-percent", "percentage of rows that cannot be parsed above which the job fails, 0 to 100 (default 1)")
	flags.Var(&f.removes, "max-remove-percent", "segment.mirror, target.mirror: percentage of the members above which nothing is removed and the job fails, 0 to 100 (default 20)")
	flags.IntVar(&f.refreshDays, "refresh-days", 2, "segment.mirror: upload members again that leave the segment in fewer days")
	flags.Var(&f.shift, "max-shift", "segment.mirror, target.mirror: points of percent by which the share of rows without a usable id may grow, for each reason, since the last good export, 0 to 100 (default 5)")
	flags.BoolVar(&f.acceptChange, "accept-change", false, "segment.mirror, target.mirror: upload an export that differs from the last good one in its format, column, sheet, kind of ids or shares of rows without a usable id")
	command.ExceptVar(cmd, &f.except, "segment.mirror, target.mirror: ")
	command.HoldoutVar(cmd, &f.holdout, "segment.mirror, target.mirror: ")
	flags.BoolVar(&f.dryRun, "dry-run", false, "do everything except the calls that change something")
	flags.BoolVar(&f.force, "force", false, "target.replace: replace even if the new list is much shorter; segment.mirror, target.mirror: remove more than --max-remove-percent")
	flags.StringArrayVar(&f.creatives, "creative", nil, "code of a creative, repeatable (default: all creatives of the campaign)")
	flags.StringVar(&f.reason, "reason", "", "reason, for the audit")
	flags.StringVar(&f.actor, "actor", "", "person or system that requests the job, for the audit (default: $SUDO_USER, or the user of this system)")
	command.ChoiceVar(cmd, &f.targets, "targets", "device.forget: when ids leave the targeting of campaigns (default next: at its next mirror or replace)", "next", "now")
	flags.StringVar(&f.rules, "rules", "", "rules.evaluate: the rule file's name, without .yaml")
	flags.StringVar(&f.rule, "rule", "", "rules.evaluate: the only rule that may act (default: all)")
	flags.StringVar(&f.asOf, "as-of", "", "rules.evaluate: time of the evaluation, RFC 3339 (default now)")
	flags.StringVar(&f.metrics, "metrics", "", `rules.evaluate: metrics of a campaign as JSON: {"campaign":"…","at":"…","values":{"grossMediaSpend":97}}`)
}

// given returns a flag of the job that was set, or "".
func (f *jobFlags) given(cmd *cobra.Command) string {
	for _, name := range slices.Sorted(maps.Keys(fieldByFlag())) {
		if cmd.Flags().Changed(name) {
			return "--" + name
		}
	}
	return ""
}

// job returns the job's JSON. It refuses flags that the kind does not take.
func (f *jobFlags) job(cmd *cobra.Command, kind usher.Kind, schema []byte, args []string) ([]byte, error) {
	fields, err := fieldsOf(schema)
	if err != nil {
		return nil, err
	}
	if err := f.checkFields(cmd, kind, fields, args); err != nil {
		return nil, err
	}
	if f.segment == "ID" { // as usher inspect prints it
		return nil, command.Usagef("flag --segment takes the id of a segment in place of ID: usher api segments list shows all ids")
	}
	job := usher.Job{
		ID: f.id, Advertiser: f.advertiser, Segment: f.segment, Campaign: f.campaign,
		Input: usher.Input(f.input), DryRun: f.dryRun, Force: f.force,
		Creatives: f.creatives, Reason: f.reason, Actor: f.actor,
		Rules: f.rules, Rule: f.rule, AsOf: f.asOf,
		Deadline: f.deadline.At(time.Now()), MaxRejectPercent: f.rejects.Value, MaxMalformedPercent: f.malformed.Value,
	}
	job.MaxRemovePercent, job.MaxShift, job.AcceptChange = f.removes.Value, f.shift.Value, f.acceptChange
	job.Except, job.Holdout = f.except, f.holdout.Value
	if cmd.Flags().Changed("refresh-days") {
		job.RefreshDays = &f.refreshDays
	}
	if job.ID == "" {
		job.ID = newJobID(kind, time.Now())
	}
	if f.profile.Profile.Type != "" {
		job.Profile = &f.profile.Profile
	}
	if job.Actor == "" && slices.Contains(fields, "actor") {
		job.Actor = command.SystemUser()
	}
	if job.Source, err = f.sourceOf(cmd, args); err != nil {
		return nil, err
	}
	if job.Targets = f.targets; kind == usher.DeviceForget && job.Source != nil && job.Source.IDs != nil {
		job.IDs, job.Source = job.Source.IDs, nil
	}
	if f.metrics == "" {
		body, err := json.Marshal(job)
		if err != nil {
			return nil, fmt.Errorf("encode job: %w", err)
		}
		return body, nil
	}
	return f.withMetrics(&job)
}

// withMetrics returns a job with the metrics as they were given, so that the schema judges them: a null is no 0.
func (f *jobFlags) withMetrics(job *usher.Job) ([]byte, error) {
	var metrics usher.Metrics
	if err := json.Unmarshal([]byte(f.metrics), &metrics); err != nil {
		return nil, command.Usagef("flag --metrics takes a campaign's metrics as JSON: %w", err)
	}
	body, err := json.Marshal(struct {
		*usher.Job

		Metrics json.RawMessage `json:"metrics"`
	}{job, json.RawMessage(f.metrics)})
	if err != nil {
		return nil, fmt.Errorf("encode job: %w", err)
	}
	return body, nil
}

// fieldsOf returns the names of the fields in a kind's schema.
func fieldsOf(schema []byte) ([]string, error) {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	return slices.Sorted(maps.Keys(s.Properties)), nil
}

// checkFields refuses flags whose field the kind does not have.
func (f *jobFlags) checkFields(cmd *cobra.Command, kind usher.Kind, fields, args []string) error {
	byFlag := fieldByFlag()
	var flags []string
	for _, name := range slices.Sorted(maps.Keys(byFlag)) {
		if slices.Contains(fields, byFlag[name]) {
			flags = append(flags, "--"+name)
		}
	}
	takes := fmt.Sprintf("%s takes %s", kind, strings.Join(flags, ", "))
	for _, name := range slices.Sorted(maps.Keys(byFlag)) {
		if cmd.Flags().Changed(name) && !slices.Contains(fields, byFlag[name]) {
			return command.Usagef("%s does not take --%s; %s", kind, name, takes)
		}
	}
	if len(args) > 0 && !slices.Contains(fields, "source") {
		return command.Usagef("%s does not take FILE; %s", kind, takes)
	}
	return nil
}

// sourceOf returns the job's source: an export, inline ids, or nil.
func (f *jobFlags) sourceOf(cmd *cobra.Command, args []string) (*usher.Source, error) {
	inline := cmd.Flags().Changed("ids")
	switch {
	case inline && len(args) > 0:
		return nil, command.Usagef("FILE and --ids exclude each other")
	case inline && f.source.Changed(cmd) != "":
		return nil, command.Usagef("%s describes FILE and cannot be combined with --ids", f.source.Changed(cmd))
	case inline:
		ids, err := inlineIDs(cmd.InOrStdin(), f.ids)
		return &usher.Source{IDs: ids}, err
	case len(args) == 0:
		if flag := f.source.Changed(cmd); flag != "" {
			return nil, command.Usagef("%s describes FILE, which is missing", flag)
		}
		return nil, nil
	}
	source := f.source.Source()
	var err error
	if source.URL, err = f.locate(args[0]); err != nil {
		return nil, err
	}
	return source, nil
}

// locate returns the URL of FILE. A local file that cannot be read is not an error here, because
// workers may have other disks: it sets unreadable.
func (f *jobFlags) locate(file string) (string, error) {
	if strings.Contains(file, "://") {
		return file, nil
	}
	if file == "-" {
		return "", command.Usagef("FILE is opened by workers, so it cannot be stdin; use --ids - for a few ids")
	}
	path, err := filepath.Abs(file)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", file, err)
	}
	address := (&url.URL{Scheme: "file", Path: path}).String()
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist) && strings.Contains(filepath.Base(path), "*"):
		// The star is a pattern and must not be escaped.
		dir := (&url.URL{Scheme: "file", Path: filepath.Dir(path)}).String()
		words := strings.Split(filepath.Base(path), "*")
		for i := range words {
			words[i] = url.PathEscape(words[i])
		}
		return strings.TrimSuffix(dir, "/") + "/" + strings.Join(words, "*"), nil
	case errors.Is(err, fs.ErrNotExist) && hashing.IsDeviceID(file):
		return "", command.Usagef("FILE looks like a device id, and there is no file of that name: use --ids for ids")
	case err != nil:
		f.unreadable = command.FileError(path, err)
	case info.IsDir():
		address = strings.TrimSuffix(address, "/") + "/"
	case info.Mode().IsRegular():
		f.rows = inspection.EstimateRows(path, info.Size())
	}
	return address, nil
}

// inlineIDs returns the ids of --ids. The value - means the ids on stdin.
func inlineIDs(in io.Reader, given []string) ([]string, error) {
	const most = 10_000
	var ids []string
	for _, id := range given {
		if id != "-" {
			ids = append(ids, id)
			continue
		}
		lines := bufio.NewScanner(in)
		for lines.Scan() && len(ids) <= most {
			if line := strings.TrimSpace(lines.Text()); line != "" {
				ids = append(ids, line)
			}
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("read ids from stdin: %w", err)
		}
		in = strings.NewReader("")
	}
	if len(ids) > most {
		return nil, fmt.Errorf("read --ids: more than %d ids: write them to a file that workers can read, and use FILE", most)
	}
	if len(ids) == 0 {
		return nil, errors.New("read --ids: no ids")
	}
	return ids, nil
}

// newJobID returns a readable id, such as segment-add-2026-11-21-7kq2mzbd.
func newJobID(kind usher.Kind, now time.Time) string {
	return fmt.Sprintf("%s-%s-%s", strings.ReplaceAll(string(kind), ".", "-"),
		now.UTC().Format("2006-01-02"), strings.ToLower(rand.Text()[:8]))
}
