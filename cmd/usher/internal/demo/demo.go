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

// Sizes of the demo's export, in rows. Fewer than the least do not have all
// the dirt; more than the most do not fit into a minute and a small disk.
const (
	demoRows     = 1_000_000
	demoLeastIDs = 1_000
	demoMostIDs  = 20_000_000
)

// demoTime is how long the demo may take before something must be wrong.
const demoTime = 10 * time.Minute

// Command returns usher demo; serve runs the worker.
func Command(serve dev.Wiring) *cobra.Command {
	d := demo{serve: serve}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "The main job from end to end in one process: half a minute, nothing to set up",
		Long: `Starts NATS with JetStream, Redis, the platform's sandbox and a worker in this
process, makes an export of device ids with the dirt of real ones, and shows what
usher does with it: the upload with its tally, proof of what the platform holds,
a pause of a campaign, a job that fails and is replayed.

It reads no configuration, uses free ports of the loopback only, and removes its
folder at the end, unless --keep is given or a step did not come out as it must.
Exit 0 means that every step did.`,
		Example: `  usher demo
  usher demo --ids 5000000
  usher demo --keep`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if d.ids < demoLeastIDs || d.ids > demoMostIDs {
				return command.Usagef("flag --ids takes a number from %d to %d, not %d", demoLeastIDs, demoMostIDs, d.ids)
			}
			d.page = page{out: cmd.OutOrStdout(), errs: cmd.ErrOrStderr()}
			// A closed terminal or pipe ends it as Ctrl-C does: the folder goes.
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
			defer stop()
			ctx, cancel := context.WithTimeout(ctx, demoTime)
			defer cancel()
			return d.run(ctx)
		},
	}
	cmd.Flags().Int64Var(&d.ids, "ids", demoRows, "rows of the export")
	cmd.Flags().BoolVar(&d.keep, "keep", false, "keep the folder, and say where it is")
	return cmd
}

// demo is one run of usher demo.
type demo struct {
	serve dev.Wiring
	ids   int64
	keep  bool
	page  page

	folder string // of everything that it writes
}

// run makes the folder, plays the demo in it, and removes it. What is left of
// a demo that failed is kept: it is needed to find out why.
func (d *demo) run(ctx context.Context) error {
	var err error
	if d.folder, err = os.MkdirTemp("", "usher-demo-"); err != nil {
		return fmt.Errorf("make a folder for the demo: %w", err)
	}
	err = d.play(ctx)
	late := errors.Is(ctx.Err(), context.DeadlineExceeded)
	if late {
		err = fmt.Errorf("the demo has not ended in time, so something must be wrong: %w", err)
	}
	switch interrupted := ctx.Err() != nil && !late; {
	case interrupted && !d.keep:
		return errors.Join(errors.New("the demo was interrupted: everything in it is stopped, and its folder removed"), os.RemoveAll(d.folder))
	case interrupted:
		return fmt.Errorf("the demo was interrupted: everything in it is stopped; its folder is kept: %s", d.folder)
	case err != nil:
		return fmt.Errorf("%w\nwhat it made is kept in %s, its log is %s", err, d.folder, d.logFile())
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

// play shows the steps while the house is up, and then takes it down.
func (d *demo) play(ctx context.Context) error {
	house, closeLog, err := d.house()
	if err != nil {
		return err
	}
	defer closeLog()
	shown, fell := context.WithCancelCause(ctx)
	defer fell(nil)
	worker, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	up := make(chan dev.Addresses, 1)
	var down sync.WaitGroup
	var failed error
	down.Go(func() {
		failed = house.Run(worker, worker, func(where dev.Addresses) { up <- where })
		fell(fmt.Errorf("run the demo's parts: they ended too early: %w", errors.Join(failed, io.ErrUnexpectedEOF)))
	})
	select {
	case where := <-up:
		err = d.steps(shown, where)
	case <-shown.Done():
		err = context.Cause(shown)
	}
	stop(usher.ErrShutdown)
	down.Wait()
	return errors.Join(err, failed)
}

// house is what usher dev runs, on free ports, with the defaults and nothing
// of this machine's configuration. It logs to a file of the folder.
func (d *demo) house() (house *dev.Dev, closeLog func(), err error) {
	if err := os.Mkdir(d.exports(), 0o700); err != nil {
		return nil, nil, fmt.Errorf("make a folder for the demo's exports: %w", err)
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
		return nil, nil, fmt.Errorf("make the demo's log: %w", err)
	}
	house = &dev.Dev{
		Serve: d.serve, Config: c, Logger: slog.New(slog.NewTextHandler(log, nil)),
		Data: d.folder, NATS: anyPort, Redis: anyPort, Sandbox: anyPort, Console: anyPort,
	}
	return house, func() { _ = log.Close() }, nil
}

// steps are the demo, in order. The first that does not come out as it must
// ends it.
func (d *demo) steps(ctx context.Context, where dev.Addresses) error {
	began := time.Now()
	s, err := openStage(ctx, where)
	if err != nil {
		return err
	}
	defer s.close()
	d.page.heading("Everything in one process")
	d.page.sayf("usher takes exports of device ids, makes MD5 digests of them and uploads these to a real-time-bidding platform; and it pauses and resumes campaigns there. NATS with JetStream on disk, Redis, the platform's sandbox, a worker and its console are up, on free ports of this machine. They end with the demo.")
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

// next says what to try next.
func (d *demo) next(took time.Duration) {
	command := invocation(os.Args[0])
	d.page.heading("What to try next")
	d.page.sayf("All steps came out as they must, in %s. The same parts stay up with:", took.Round(100*time.Millisecond))
	if d.keep {
		d.page.codef("%s dev --data %s --allow %s", command, d.folder, d.exports())
		d.page.sayf("That folder is this demo's (--keep): its jobs, its members, its export and its log are in it. Then, in another terminal:")
	} else {
		d.page.codef("%s dev", command)
		d.page.sayf("Then, in another terminal, with an export of your own below the folder that dev was started in:")
	}
	export := "export.csv"
	if d.keep {
		export = filepath.Join(d.exports(), CustomersFile)
	}
	d.page.codef("%s inspect %s", command, export)
	d.page.codef("%s submit segment.add --segment 4 --profile idfa %s --wait", command, export)
	d.page.codef("%s submit campaign.resume --campaign SANDBOX1-summer --reason \"new budget\" --wait", command)
	d.page.codef("%s jobs ls", command)
	d.page.codef("%s dead ls", command)
	d.page.sayf("README.md tells the rest; every command has --help.")
}

// invocation is how usher was called, for commands to copy: from its sources,
// or by its name.
func invocation(called string) string {
	if strings.Contains(called, string(filepath.Separator)+"go-build") {
		return "go run ./cmd/usher"
	}
	return "usher"
}
