package submit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/hashing"
	"usher/internal/exports/places"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/schema"
)

// Command returns usher submit.
func Command() *cobra.Command {
	s := submission{}
	cmd := &cobra.Command{
		Use:   "submit KIND [FILE]",
		Short: "Publish a job",
		Long: `Publish a job and print its id. FILE is an export: a local path or a URL. Workers open it, so
it must be readable for them, and complete. A local FILE that does not exist is asked about on a
terminal, and refused elsewhere, unless --later is given.

The job is validated first; an invalid job is not published. Inline ids (--ids) are
stored only as digests. Publishing the same job with the same id again has no effect, so
if a response is lost, it is safe to repeat the command with the same --id.

With --wait, submit exits 0 if the job is done, 3 if it ends in the dead letters, and 1
if it is cancelled or the waiting ends first. Ctrl-C and --timeout end the waiting, not
the job.`,
		Example: `  usher submit segment.add --segment 1 --profile idfa export.csv --wait
  usher submit segment.mirror --segment 1 --profile idfa today.csv --dry-run --wait
  usher submit target.replace --campaign SANDBOX1-spring --profile aaid s.txt --dry-run
  usher submit campaign.pause --campaign SANDBOX1-spring --reason "budget spent" --deadline 2h
  usher submit segment.add --segment 1 --profile idfa --ids - < few.txt
  usher submit device.forget --ids 6D92078A-8246-4BA4-AE5B-76104861E7DC --reason "request 4711" --wait
  usher submit segment.add --schema`,
		Args:              command.RangeArgs(1, "KIND", "FILE"),
		ValidArgsFunction: completeKind,
		RunE:              s.run,
	}
	s.flags.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&s.body, "body", "", "file with the job's JSON instead of flags; - for stdin")
	flags.BoolVar(&s.schema, "schema", false, "print the JSON Schema of KIND and publish nothing")
	flags.BoolVar(&s.wait, "wait", false, "wait until the job has ended, and show its progress")
	flags.DurationVar(&s.timeout, "timeout", 0, "maximum time to wait (default: until the job has ended)")
	flags.BoolVar(&s.json, "json", false, `print {"id"} as JSON; with --wait, the job's record`)
	config.AddFlags(cmd, "nats", "namespace", "platform", "username")
	connect.CompleteFlag(cmd, "segment", jobs.NamesOf("segment/"))
	connect.CompleteFlag(cmd, "campaign", jobs.NamesOf("campaign/"))
	connect.CompleteFlag(cmd, "except", jobs.TargetNames)
	addHelp(cmd)
	return cmd
}

// submission is one run of usher submit.
type submission struct {
	flags   jobFlags
	body    string
	schema  bool
	wait    bool
	timeout time.Duration
	json    bool
}

func (s *submission) run(cmd *cobra.Command, args []string) error {
	schemas := schema.Load()
	kind := usher.Kind(args[0])
	text, known := schemas.Text(kind)
	if !known {
		return unknownKind(args[0])
	}
	if s.schema {
		if _, err := cmd.OutOrStdout().Write(text); err != nil {
			return fmt.Errorf("print schema: %w", err)
		}
		return nil
	}
	if s.timeout < 0 || s.timeout > 0 && !s.wait {
		return command.Usagef("flag --timeout takes a duration such as 10m and needs --wait")
	}
	body, err := s.job(cmd, kind, text, args[1:])
	if err != nil {
		return err
	}
	if issues := schemas.Validate(kind, body); len(issues) > 0 {
		return s.refuse(cmd, kind, body, issues)
	}
	if err := s.checkURL(body); err != nil {
		return err
	}
	if err := s.checkFile(cmd); err != nil {
		return err
	}
	warnUnlikely(cmd.ErrOrStderr(), body)
	return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
		if s.wait { // before publishing, so that an interrupt always says what happens to the job
			var stop context.CancelFunc
			ctx, stop = signal.NotifyContext(ctx, os.Interrupt)
			defer stop()
		}
		return s.publish(ctx, cmd, q, kind, body)
	})
}

// checkURL refuses a source.url that no worker reads, such as one of plain http, with the
// worker's error.
func (s *submission) checkURL(body []byte) error {
	var job usher.Job
	if err := json.Unmarshal(body, &job); err != nil {
		return fmt.Errorf("read job: %w", err)
	}
	if job.Source == nil || job.Source.URL == "" {
		return nil
	}
	_, err := places.Locate(places.OriginOf(job.Source), job.Source)
	var p *usher.Permanent
	if !errors.As(err, &p) {
		return err
	}
	text := fmt.Sprintf("%s\nhint: %s", err, p.Hint)
	if s.body == "" {
		text = command.InFlags(text)
	}
	return errors.New(text)
}

// checkFile refuses a local FILE that does not exist, unless --later is given or a person at a
// terminal agrees. Of one that exists and that only workers may be able to read, it warns.
func (s *submission) checkFile(cmd *cobra.Command) error {
	err := s.flags.unreadable
	switch {
	case err == nil:
		return nil
	case s.flags.later || !errors.Is(err, fs.ErrNotExist):
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %v; the job is published anyway, because workers may have other disks\n", err)
		return nil
	case terminal.IsTerminal(cmd.InOrStdin()):
		fmt.Fprintln(cmd.ErrOrStderr(), err)
		if yes, err := command.Confirm(cmd.InOrStdin(), cmd.ErrOrStderr(), "Publish the job anyway, because the file arrives later, or only workers have it?"); yes || err != nil {
			return err
		}
	}
	return fmt.Errorf("%w; nothing was published, and the id is still free; if the file arrives later, or only workers have it, give --later", err)
}

func unknownKind(word string) error {
	return command.Usagef("unknown kind of job %q: accepted are %s%s", word, strings.Join(offered(), ", "), command.DidYouMean(word, offered()))
}

// job returns the job's JSON, from flags or --body.
func (s *submission) job(cmd *cobra.Command, kind usher.Kind, schema []byte, args []string) ([]byte, error) {
	if !cmd.Flags().Changed("body") {
		return s.flags.job(cmd, kind, schema, args)
	}
	if flag := s.flags.given(cmd); flag != "" || len(args) > 0 {
		if flag == "" {
			flag = "FILE"
		}
		return nil, command.Usagef("%s and --body exclude each other: --body is the whole job", flag)
	}
	return readBody(cmd.InOrStdin(), s.body)
}

// readBody reads a job's JSON from a file, or from stdin for "-".
func readBody(in io.Reader, path string) ([]byte, error) {
	const most = 16 << 20
	read := func(r io.Reader) ([]byte, error) {
		body, err := io.ReadAll(io.LimitReader(r, most+1))
		if err != nil {
			return nil, fmt.Errorf("read job: %w", err)
		}
		if len(body) > most {
			return nil, fmt.Errorf("read job: more than %d bytes: use an export and source.url", most)
		}
		return bytes.TrimSpace(body), nil
	}
	if path == "-" {
		return read(in)
	}
	f, err := openArgument(path)
	if err != nil {
		return nil, fmt.Errorf("read job (--body): %w", err)
	}
	defer func() { _ = f.Close() }() // opened for reading
	return read(f)
}

// openArgument opens the file named by an argument. It refuses folders.
func openArgument(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, command.FileError(path, err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder, not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, command.FileError(path, err)
	}
	return f, nil
}

// refuse prints the issues of an invalid job, one per line.
func (s *submission) refuse(cmd *cobra.Command, kind usher.Kind, body []byte, issues []schema.Issue) error {
	if s.json {
		if err := terminal.WriteJSON(cmd.OutOrStdout(), queues.Answer{Errors: issues}); err != nil {
			return err
		}
	}
	for _, issue := range issues {
		pointer, flag := issue.Pointer, ""
		switch name := flagOf(issue.Pointer); {
		case pointer == "" && strings.HasPrefix(issue.Message, "the job "):
			pointer, issue.Message = "the", strings.TrimPrefix(issue.Message, "the ")
		case pointer == "":
			pointer = "the job"
		case s.body != "":
		case name != "":
			flag, issue.Message = " ("+name+")", command.InFlags(issue.Message)
		default:
			flag = " (no flag; use --body)"
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%s%s%s %s\n", pointer, flag, given(body, issue), issue.Message)
	}
	return fmt.Errorf("the job is invalid and was not published; 'usher submit %s --schema' prints its schema", kind)
}

// given returns the text of a job that an issue says must or may be something else, or "". Issues
// quote no values, because they are stored; whoever has typed the value reads it here.
func given(body []byte, issue schema.Issue) string {
	var value any
	if json.Unmarshal(body, &value) != nil || !strings.HasPrefix(issue.Message, "must ") && !strings.HasPrefix(issue.Message, "may ") {
		return ""
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(issue.Pointer, "/"), "/") {
		switch inner := value.(type) {
		case map[string]any:
			value = inner[name]
		case []any:
			n, err := strconv.Atoi(name)
			if err != nil || n >= len(inner) {
				return ""
			}
			value = inner[n]
		default:
			return ""
		}
	}
	text, ok := value.(string)
	if !ok || text == "" || issue.Pointer == "/source/url" { // which may hold a password
		return ""
	}
	if text = hashing.MaskIDs(text); len(text) > 80 {
		text = strings.ToValidUTF8(text[:80], "") + "…"
	}
	return " " + strconv.Quote(text)
}

func (s *submission) publish(ctx context.Context, cmd *cobra.Command, q *queues.Queue, kind usher.Kind, body []byte) error {
	call, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	warned := warnWaiting(call, cmd.ErrOrStderr())
	answer, err := q.Submit(call, kind, body)
	cancel()
	<-warned
	if errors.Is(err, queues.ErrNotPublished) {
		return fmt.Errorf("submit %s: %w; check that no disk of NATS is full, that its cluster has a quorum, and that the stream of jobs is below nats.max_bytes: 'usher doctor' and 'usher lanes ls' show this", kind, err)
	}
	if err != nil {
		return fmt.Errorf("submit %s: %w; it is not known whether the job was published: repeat the command with the same --id%s", kind, err, idIn(body))
	}
	if len(answer.Errors) > 0 {
		return s.refuse(cmd, kind, body, answer.Errors)
	}
	if answer.Known {
		s.noteKnown(ctx, cmd, q, answer.ID)
	}
	out := cmd.OutOrStdout()
	switch {
	case !s.json:
		if _, err := fmt.Fprintln(out, answer.ID); err != nil {
			return fmt.Errorf("print id: %w", err)
		}
	case !s.wait:
		if err := terminal.WriteJSON(out, answer); err != nil {
			return err
		}
	}
	noteReversals(ctx, cmd, q, kind, body)
	if !s.wait {
		return nil
	}
	w := jobs.Waiter{Queue: q, Out: out, Errs: cmd.ErrOrStderr(), Timeout: s.timeout, JSON: s.json, Rows: s.flags.rows, Calls: connect.UploadCalls(ctx, cmd, q, s.flags.advertiser), Flags: s.body == ""}
	return w.Wait(ctx, answer.ID)
}

// noteKnown says what became of a job that was published before, and is not published again.
func (s *submission) noteKnown(ctx context.Context, cmd *cobra.Command, q *queues.Queue, id string) {
	call, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	r, err := q.Status().Record(call, id)
	if err != nil {
		return // it has no record yet
	}
	again := "give it another --id"
	if s.body != "" {
		again = "give it another id"
	}
	text := "was published before and is " + string(r.State) + ": it is not published again"
	switch {
	case r.State == usher.Failed:
		text = "failed before, and does not run again under this id: 'usher dead replay --id " + id + "' replays it, or " + again
	case r.State.Ended():
		text = fmt.Sprintf("was %s at %s, and does not run again: to run it again, %s", r.State, readable.Time(*cmp.Or(r.Finished, &r.Submitted)), again)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "note: job %s %s\n", id, text)
}

// warnWaiting prints after five seconds what publishing waits for, unless ctx ends before.
// The returned channel is closed when it will print nothing more.
func warnWaiting(ctx context.Context, w io.Writer) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if usher.Sleep(ctx, 5*time.Second) == nil {
			fmt.Fprintln(w, "waiting for NATS to store the job: it is connected, but has not responded for 5 s; check whether its disk is full and whether the cluster has lost its quorum")
		}
	}()
	return done
}

// idIn returns " ID" for the id in a job's JSON, or "".
func idIn(body []byte) string {
	var job struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(body, &job) != nil || job.ID == "" {
		return ""
	}
	return " " + job.ID
}

func completeKind(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return offered(), cobra.ShellCompDirectiveNoFileComp
}
