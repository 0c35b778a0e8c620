package feeds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/hashing"
	"usher/internal/exports/places"
	"usher/internal/feeds"
	"usher/internal/readable"
)

// written is what usher feeds put has written, as printed by --json.
type written struct {
	Feed  string `json:"feed"`
	File  string `json:"file"`  // masked
	Place string `json:"place"` // the folder, masked
	Bytes int64  `json:"bytes"`
}

func put() *cobra.Command {
	var name string
	return command.Task[command.Nothing]{
		About: command.About{
			Use:   "put NAME [--file NAME] -- COMMAND …",
			Short: "Write an export for a feed with a command",
			Long: `Run a command, such as psql, mysql, sqlite3, duckdb or bq, and put what it writes to stdout into
the place of a feed, on a disk that this machine has, too, or in a bucket. The file appears there as
a whole, and only if the command has exited with 0 and written something. If it fails, is
interrupted or killed, or the disk is full, the place stays as it was. What a killed put leaves is
hidden, no feed reads it, and the next put removes it.

If the feed watches names with one *, the file is named after the time, such as
crm-20261126T060000Z.csv for crm-*.csv; if it watches one file, that is replaced. If it watches a
folder, which is one export with all of its files, --file is required. A done marker is written by
itself, when all files are there: usher feeds put NAME --file _SUCCESS -- true.

The command gets stdin, and its stderr is shown. It is no line of a shell: for pipes, write
-- sh -c 'set -o pipefail; … | …' with a shell that has pipefail, which otherwise exits with 0 if
the first command fails.`,
			Example: `  usher feeds put crm-daily -- psql -h crm -c "copy (select idfa from customers) to stdout csv header"
  usher feeds put crm-daily --file customers.csv -- sqlite3 -csv -header crm.db "select idfa from customers"`,
			Args: func(cmd *cobra.Command, args []string) error {
				switch before := cmd.ArgsLenAtDash(); {
				case len(args) == 0 || before == 0:
					return command.Usagef("NAME is missing: %s", cmd.UseLine())
				case before != 1 && len(args) > 1:
					return command.Usagef("-- is missing before the command: %s", cmd.UseLine())
				case len(args) == 1:
					return command.Usagef("COMMAND is missing: %s", cmd.UseLine())
				}
				return nil
			},
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().StringVar(&name, "file", "", "name of the file in the place of the feed (default: the name that the feed watches, with the time for its *)")
				connect.AddQueueFlags(cmd)
			},
			JSON: "an object with the feed, the file, its place and its size",
		},
		Run: func(_ context.Context, c *command.Call, _ command.Nothing) error {
			ctx, stop := signal.NotifyContext(c.Cmd.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
			defer stop()
			return runPut(ctx, c, name)
		},
	}.Command()
}

// runPut runs the command. NATS says what the feed watches, and is not needed while the command runs.
func runPut(ctx context.Context, c *command.Call, name string) error {
	cfg, err := config.Load(c.Cmd, os.LookupEnv)
	if err != nil {
		return err
	}
	var feed *feeds.State
	var remark string
	err = one().Open(c.Cmd, func(ctx context.Context, s *session) error {
		if feed, err = s.states.Get(ctx, c.Args[0]); err != nil {
			return err
		}
		remark = remarkOf(feed, name, s.now())
		return nil
	})
	if err != nil {
		return err
	}
	at, err := places.Parse(feed.Spec.Watch)
	switch {
	case err != nil:
		return fmt.Errorf("put an export of feed %s: %w", feed.Name, err)
	case strings.Contains(feed.Spec.Watch, "****"): // a part of it was masked
		return fmt.Errorf("put an export of feed %s: the name of its place, %s, looks like a device id, which usher does not keep: watch a place with another name", feed.Name, feed.Spec.Watch)
	}
	if at.Scheme() == "https" {
		return fmt.Errorf("put an export of feed %s: it watches an https server, where usher writes nothing: copy the export there by other means", feed.Name)
	}
	access, err := connect.OpenFolder(cfg, at.Dir())
	if err != nil {
		return fmt.Errorf("put an export of feed %s: %w", feed.Name, err)
	}
	defer access.Close()
	p := &putting{c: c, feed: feed, access: access, at: access.AsFolder(places.Origin(feed.Spec.Watch), at), program: filepath.Base(c.Args[1])}
	if p.name, err = p.fileName(ctx, name, time.Now()); err != nil {
		return err
	}
	if err := p.put(ctx, c.Args[1:]); err != nil {
		return err
	}
	if c.JSON {
		return terminal.WriteJSON(c.Out(), written{feed.Name, p.shown(), hashing.MaskIDs(p.at.Dir().String()), p.bytes.Load()})
	}
	if err := c.Println(fmt.Sprintf("feed %s: %s has %s", feed.Name, p.shown(), readable.Bytes(p.bytes.Load()))); err != nil {
		return err
	}
	fmt.Fprintln(c.Errs(), remark)
	return nil
}

// remarkOf says what happens to a file of an export that is put into the place of a feed.
func remarkOf(feed *feeds.State, file string, now time.Time) string {
	show := "; see usher feeds show " + feed.Name
	switch {
	case feed.Paused != nil:
		return fmt.Sprintf("the feed is paused by %s and takes nothing until usher feeds resume %s", feed.Paused.By, feed.Name)
	case feed.Overdue(now):
		return "no worker looks at the feed: " + noWorker
	case feed.Blind != "":
		return "workers cannot look at the place of the feed" + show
	case feed.Spec.Marker != "" && file == feed.Spec.Marker:
		return "the feed takes its export when it looks next" + show
	case feed.Spec.Marker != "":
		return "the feed takes its export when " + feed.Spec.Marker + " is there" + show
	}
	return "the feed takes it when it is unchanged for " + feed.Spec.Settle + show
}

// putting is an export that is being put into the place of a feed.
type putting struct {
	c       *command.Call
	feed    *feeds.State
	access  *places.Access
	at      places.Location
	name    string // of the file
	program string

	draft  places.Draft
	bytes  atomic.Int64
	failed error // of the first write that failed
}

// shown returns the name of the file as people see it.
func (p *putting) shown() string { return hashing.MaskIDs(readable.Printable(p.name)) }

// errorf returns an error about the export.
func (p *putting) errorf(format string, args ...any) error {
	return fmt.Errorf("put an export of feed %s: "+format, append([]any{p.feed.Name}, args...)...)
}

// fileName returns the name of the file that --file or the feed gives it.
func (p *putting) fileName(ctx context.Context, given string, now time.Time) (string, error) {
	watched := hashing.MaskIDs(p.at.Name())
	switch {
	case !p.at.IsFolder() && given != "" && given != p.at.Name():
		return "", p.errorf("it watches one file, %s: leave out --file", watched)
	case !p.at.IsFolder():
		return p.at.Name(), nil
	case given == "":
		name, ok := p.at.Filled(now.UTC().Format("20060102T150405Z"))
		if !ok {
			return "", p.errorf("it watches %s: name the file with --file, or another one for each export", p.feed.Spec.Watch)
		}
		return name, p.checkNewest(ctx, name)
	case given == p.feed.Spec.Marker:
		return given, nil
	case strings.ContainsAny(given, "/\\\x00") || !p.at.Takes(given):
		return "", p.errorf("--file %q is not a name that the feed takes from %s: names begin with no dot or underscore and do not end as what is being written (.part, .tmp)",
			hashing.MaskIDs(given), p.feed.Spec.Watch)
	}
	return given, p.checkNewest(ctx, given)
}

// checkNewest refuses a name that a mirror would not take, because another file is newer by name.
func (p *putting) checkNewest(ctx context.Context, name string) error {
	if !p.feed.Spec.Each || !p.feed.Spec.Kind.Mirrors() {
		return nil
	}
	found, err := p.access.Watch(ctx, places.Origin(p.feed.Spec.Watch), p.at, "", true, places.MostFiles)
	var refused *usher.Permanent
	if errors.As(err, &refused) && refused.Class == usher.SourceMissing {
		return nil // there is no file yet, or no folder, which the draft says
	}
	if err != nil {
		return p.errorf("%w", err)
	}
	if newest := found.Files[len(found.Files)-1].Name; newest > name {
		return p.errorf("a mirror takes only the newest file by name, and that is %s: name the file with --file, or move that one away", hashing.MaskIDs(newest))
	}
	return nil
}

// Write counts what the command writes, and keeps why it cannot be written.
func (p *putting) Write(data []byte) (int, error) {
	n, err := p.draft.Write(data)
	p.bytes.Add(int64(n))
	p.failed = cmp.Or(p.failed, err)
	return n, err
}

// put runs the command and publishes what it has written.
func (p *putting) put(ctx context.Context, line []string) error {
	var err error
	p.draft, err = p.access.Draft(ctx, places.Origin(p.feed.Spec.Watch), p.at.Dir(), p.name)
	var refused *usher.Permanent
	switch {
	case errors.As(err, &refused) && refused.Class == usher.SourceMissing:
		return p.errorf("there is no folder %s on this machine: run usher feeds put where the workers' folder is, too", hashing.MaskIDs(p.at.Dir().String()))
	case err != nil:
		return p.errorf("%w", err)
	}
	defer p.draft.Discard()
	if err := p.run(ctx, line); err != nil {
		return err
	}
	if p.bytes.Load() == 0 && p.name != p.feed.Spec.Marker {
		return p.errorf("%s has written nothing, and an empty export is not put there, because a query that finds nothing is nearly always a mistake", p.program)
	}
	if ctx.Err() != nil { // a command that is interrupted may exit with 0
		return p.interrupted()
	}
	if err := p.draft.Publish(); err != nil {
		return p.errorf("write %s: %w", p.shown(), err)
	}
	return nil
}

// stopTime is how long a command that is interrupted may take to end.
const stopTime = 10 * time.Second

// run runs the command until it ends.
func (p *putting) run(ctx context.Context, line []string) error {
	cmd := exec.CommandContext(ctx, line[0], line[1:]...) //nolint:gosec // the person who runs usher gives the command
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.c.Cmd.InOrStdin(), p, p.c.Errs()
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopTime
	stop := p.showProgress()
	err := cmd.Run()
	stop()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return p.interrupted()
	case p.failed != nil:
		return p.errorf("write %s: %w; the place is as it was", p.shown(), p.failed)
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return p.errorf("%s ended with exit code %d, so its output is not put there", p.program, exit.ExitCode())
	case errors.As(err, &exit):
		return p.errorf("%s was ended by a %s, so its output is not put there", p.program, exit)
	case errors.Is(err, exec.ErrNotFound):
		return p.errorf("%s is not installed, or not in PATH", p.program)
	case err != nil:
		return p.errorf("run %s: %w", p.program, err)
	}
	return nil
}

func (p *putting) interrupted() error {
	return p.errorf("interrupted; the place is as it was")
}

// showProgress says on stderr how much was written, until stop is called.
func (p *putting) showProgress() (stop func()) {
	began, line := time.Now(), terminal.NewCounter(p.c.Errs())
	ended, shown := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(shown)
		ticker := time.NewTicker(terminal.PrintInterval / 4)
		defer ticker.Stop()
		for {
			select {
			case now := <-ticker.C:
				n, elapsed := p.bytes.Load(), now.Sub(began)
				line.Printf("%s: %s in %s, %s/s", p.shown(), readable.Bytes(n), readable.Duration(elapsed), readable.Bytes(int64(float64(n)/elapsed.Seconds())))
			case <-ended:
				line.Clear()
				return
			}
		}
	}()
	return func() { close(ended); <-shown }
}
