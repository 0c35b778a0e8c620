package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/dev"
)

// Rows of the demo's export. A smaller export would not have every kind of invalid row;
// a larger one would not finish within a minute or fit on a small disk.
const (
	defaultRows = 1_000_000
	minRows     = 1_000
	maxRows     = 20_000_000
)

// timeout ends a demo that hangs.
const timeout = 10 * time.Minute

// Command returns usher demo. serve runs the worker.
func Command(serve dev.Wiring) *cobra.Command {
	d := demo{serve: serve}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show usher from end to end in one process, without any set-up",
		Long: `Start NATS with JetStream, Redis, the platform's sandbox and a worker in this process,
generate an export of device ids with the defects of real ones, and show what usher
does with it: the upload with its tally, proof of what the platform holds, the pause
of a campaign, and a job that fails and is replayed. This takes about ten seconds.

The demo reads no configuration and uses free ports on loopback. It removes its folder
at the end, unless --keep is given or a step fails. It exits 0 if every step succeeds.`,
		Example: `  usher demo
  usher demo --ids 5000000
  usher demo --keep`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if d.ids < minRows || d.ids > maxRows {
				return command.Usagef("flag --ids takes a number from %d to %d, not %d", minRows, maxRows, d.ids)
			}
			d.page = page{out: cmd.OutOrStdout(), errs: cmd.ErrOrStderr()}
			// A closed terminal or pipe ends the demo like Ctrl-C, so that the folder is
			// removed. A closed pipe is detected by an error of printing. SIGPIPE is ignored,
			// because it is also raised when a client closes a connection to one of the
			// demo's servers.
			signal.Ignore(syscall.SIGPIPE)
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
			defer stop()
			ctx, cancel := context.WithTimeout(ctx, timeout)
			defer cancel()
			return d.run(ctx)
		},
	}
	cmd.Flags().Int64Var(&d.ids, "ids", defaultRows, "number of rows of the export")
	cmd.Flags().BoolVar(&d.keep, "keep", false, "keep the demo's folder")
	return cmd
}

// demo is one run of usher demo.
type demo struct {
	serve dev.Wiring
	ids   int64
	keep  bool
	page  page

	folder string // contains all files of the demo
}

// run plays the demo in a new folder and removes the folder. The folder of a failed demo
// is kept, because its log shows what went wrong.
func (d *demo) run(ctx context.Context) error {
	var err error
	if d.folder, err = os.MkdirTemp("", "usher-demo-"); err != nil {
		return fmt.Errorf("create the demo's folder: %w", err)
	}
	err = d.play(ctx)
	timedOut := errors.Is(ctx.Err(), context.DeadlineExceeded)
	if timedOut {
		err = fmt.Errorf("the demo did not finish within %s: %w", timeout, err)
	}
	closed := errors.Is(d.page.err, syscall.EPIPE)
	switch interrupted := ctx.Err() != nil && !timedOut || closed; {
	case interrupted && !d.keep:
		return errors.Join(errors.New("the demo was interrupted: all parts are stopped and its folder is removed"), os.RemoveAll(d.folder))
	case interrupted:
		return fmt.Errorf("the demo was interrupted: all parts are stopped; its folder is kept in %s", d.folder)
	case err != nil:
		return fmt.Errorf("%w\nthe demo's folder is kept in %s; its log is %s", err, d.folder, d.logFile())
	case d.keep:
		return nil
	}
	if err := os.RemoveAll(d.folder); err != nil {
		return fmt.Errorf("remove the demo's folder: %w", err)
	}
	return nil
}

func (d *demo) logFile() string { return filepath.Join(d.folder, "usher.log") }
func (d *demo) exports() string { return filepath.Join(d.folder, "exports") }

// play starts the parts, shows the steps, and stops the parts.
func (d *demo) play(ctx context.Context) error {
	parts, closeLog, err := d.parts()
	if err != nil {
		return err
	}
	defer closeLog()
	running, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	worker, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	up := make(chan dev.Addresses, 1)
	var stopped sync.WaitGroup
	var failed error
	stopped.Go(func() {
		failed = parts.Run(worker, worker, func(where dev.Addresses) { up <- where })
		fail(fmt.Errorf("run the demo's parts: they stopped early: %w", errors.Join(failed, io.ErrUnexpectedEOF)))
	})
	select {
	case where := <-up:
		err = d.steps(running, where)
	case <-running.Done():
		err = context.Cause(running)
	}
	stop(usher.ErrShutdown)
	stopped.Wait()
	return errors.Join(err, failed)
}

// parts returns the parts of usher dev on free ports, with the default configuration
// and a log file in the demo's folder.
func (d *demo) parts() (parts *dev.Dev, closeLog func(), err error) {
	if err := os.Mkdir(d.exports(), 0o700); err != nil {
		return nil, nil, fmt.Errorf("create the folder for exports: %w", err)
	}
	c, err := config.Defaults()
	if err != nil {
		return nil, nil, err
	}
	const anyPort = "127.0.0.1:0"
	set := map[string]any{"worker": "demo", "console.listen": anyPort, "sources.allow": []string{d.exports()}}
	for key, value := range set {
		if err := c.Set(key, value); err != nil {
			return nil, nil, fmt.Errorf("configure %s: %w", key, err)
		}
	}
	log, err := os.Create(d.logFile())
	if err != nil {
		return nil, nil, fmt.Errorf("create the demo's log: %w", err)
	}
	parts = &dev.Dev{
		Serve: d.serve, Config: c, Logger: slog.New(slog.NewTextHandler(log, nil)),
		Data: d.folder, NATS: anyPort, Redis: anyPort, Sandbox: anyPort, Console: anyPort,
	}
	return parts, func() { _ = log.Close() }, nil
}

// steps shows the steps in order and stops at the first that fails.
func (d *demo) steps(ctx context.Context, where dev.Addresses) error {
	began := time.Now()
	s, err := openStage(ctx, where)
	if err != nil {
		return err
	}
	defer s.close()
	d.page.heading("Everything in one process")
	d.page.textf("usher reads exports of device ids, hashes the ids with MD5 and uploads the digests to a real-time-bidding platform. It also pauses and resumes campaigns there. NATS with JetStream on disk, Redis, the platform's sandbox, a worker and its console now run on free ports of this machine, until the demo ends.")
	d.page.codef("NATS %s   Redis %s", where.NATS, where.Redis)
	d.page.codef("platform %s   console %s/readyz", where.Platform, where.Console)
	for _, step := range []func(context.Context, *stage) error{d.upload, d.pause, d.replay} {
		if err := step(ctx, s); err != nil {
			return err
		}
		if d.page.err != nil {
			return fmt.Errorf("print the demo: %w", d.page.err)
		}
	}
	d.next(time.Since(began))
	return d.page.err
}

// next shows commands to try next.
func (d *demo) next(took time.Duration) {
	command := invocation(os.Args[0])
	d.page.heading("What to try next")
	d.page.textf("All steps succeeded, in %s. To run the same parts until Ctrl-C:", took.Round(100*time.Millisecond))
	if d.keep {
		d.page.codef("%s dev --data %s --allow %s", command, d.folder, d.exports())
		d.page.textf("--keep has kept this folder, with the demo's jobs, segment members, exports and log. Then, in another terminal:")
	} else {
		d.page.codef("%s dev", command)
		d.page.textf("Then, in another terminal, in the same folder, where dev puts an export:")
	}
	export := filepath.Join("usher-data", "crm.csv")
	if d.keep {
		export = filepath.Join(d.exports(), CustomersFile)
	}
	d.page.codef("%s inspect %s", command, export)
	d.page.codef("%s submit segment.add --segment 4 --profile idfa %s --wait", command, export)
	d.page.codef("%s submit campaign.resume --campaign SANDBOX1-summer --reason \"new budget\" --wait", command)
	d.page.codef("%s jobs ls", command)
	d.page.codef("%s dead ls", command)
	d.page.textf("docs/guide has a page for each task; every command has --help.")
}

// invocation returns the first words of commands that the user can copy: usher, or go run
// if the demo was started that way.
func invocation(called string) string {
	if strings.Contains(called, string(filepath.Separator)+"go-build") {
		return "go run ./cmd/usher"
	}
	return "usher"
}
