package dead

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/time/rate"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues/letters"
)

// replay has the flags of usher dead replay.
type replay struct {
	flags letterFlags
	rate  command.Rate
	force bool
	wait  bool
	// deadline is the time that jobs with a deadline get; 0: they keep theirs.
	deadline time.Duration
}

func replayCommand() *cobra.Command {
	r := replay{}
	return command.Act[selection, letters.ReplayReport]{
		About: command.About{
			Use: "replay [SEQ…]", SuggestFor: []string{"retry", "rerun"},
			Short: "Replay dead letters",
			Long: `Publish the jobs of dead letters again, each as its next run, and remove the letters.
Uploads continue from their checkpoints if body and source are unchanged. They begin anew if
the platform has refused ids, or a newer job that runs alone has changed the target.

replay shows its plan and asks for confirmation. --yes skips the question, and --dry-run only
shows the plan. The plan skips jobs that would add ids that a newer job has removed, and jobs
that a newer pause or resume supersedes: --force replays these as well. It also skips jobs whose
deadline has passed, which would fail at once: --deadline gives all jobs that have a deadline at
least that much time from now, which begins an interrupted upload anew.

With --wait, replay exits 0 if all replayed jobs are done, 3 if one of them ends in the
dead letters again, and 1 if one is cancelled or the waiting ends first. It exits 0 as well
if the plan skips all letters.

Ctrl-C stops the replay cleanly; repeat the command to continue. Each letter is replayed
once, even if several people replay the same letters.`,
			Example: `  usher dead replay --id segment-add-2026-11-21-7kq2mzbd
  usher dead replay --class source_missing --since 24h --yes --rate 5/s --wait
  usher dead replay 17 18 --dry-run`,
			Args: cobra.ArbitraryArgs,
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().Var(&r.rate, "rate", "maximum rate, such as 5/s or 100/m (default: as fast as the limits allow)")
				cmd.Flags().BoolVar(&r.wait, "wait", false, "wait until the replayed jobs have ended, and report their states")
				cmd.Flags().BoolVar(&r.force, "force", false, "also replay jobs that newer jobs have superseded")
				cmd.Flags().DurationVar(&r.deadline, "deadline", 0, "time from now that jobs with a deadline have at least, such as 2h (default: their own deadline)")
			},
			Check: func(*command.Call) error {
				if r.deadline < 0 {
					return command.Usagef("flag --deadline takes a duration from now, such as 2h")
				}
				return nil
			},
			JSON: planned,
		},
		On:   r.flags.session(),
		Plan: r.plan,
		Verb: "replay", Done: "replayed",
		Print:   r.print,
		Partial: true,
		Failure: r.verdict,
	}.Command()
}

func (r *replay) plan(ctx context.Context, c *command.Call, s selection) (plan command.Plan[letters.ReplayReport], err error) {
	found, err := s.PlanReplay(ctx, s.filter, r.options(c))
	if err != nil {
		return plan, err
	}
	if err := r.flags.mustMatch(found.Count + found.LeftOut.Count); err != nil {
		return plan, err
	}
	plan.Show = func(out io.Writer) error { return r.show(c, out, &found) }
	plan.Leave = func(context.Context) (letters.ReplayReport, error) {
		return letters.ReplayReport{Planned: found.Count, Skipped: found.LeftOut.Letters, Left: found.LeftOut.Count}, nil
	}
	if found.Count > 0 || found.Replayed > 0 { // a letter whose job was replayed is removed without a question
		plan.Do = func(ctx context.Context) (letters.ReplayReport, error) { return r.carryOut(ctx, c, s.Letters, &found) }
	}
	if found.Count > 0 {
		plan.Question = fmt.Sprintf("Replay %s?", readable.Count(found.Count, "job"))
	}
	return plan, nil
}

// options returns how the letters are replayed.
func (r *replay) options(c *command.Call) letters.ReplayOptions {
	return letters.ReplayOptions{Act: c.By(), Force: r.force, Deadline: r.deadline}
}

// verdict returns the error of a replay whose jobs were waited for, if not all of them are done.
func (r *replay) verdict(_ *command.Call, report letters.ReplayReport) error {
	switch {
	case !r.wait:
		return nil
	case report.FailedAgain > 0:
		return &command.ExitError{Code: command.DeadLetter, Err: fmt.Errorf("%s failed again: 'usher dead groups' says why", readable.Count(report.FailedAgain, "job"))}
	case report.Cancelled > 0:
		return fmt.Errorf("%s cancelled", readable.Count(report.Cancelled, "job"))
	}
	return nil
}

// show prints the plan with an estimate of its duration and the skipped letters.
func (r *replay) show(c *command.Call, w io.Writer, plan *letters.ReplayPlan) error {
	if err := writePlan(w, &plan.Survey, "to be replayed"); err != nil {
		return err
	}
	if text := r.estimate(c.Cmd, plan.Count); text != "" {
		fmt.Fprintln(w, text)
	}
	left := plan.LeftOut
	if left.Count == 0 {
		return nil
	}
	fmt.Fprintf(w, "%s skipped:\n", readable.Count(left.Count, "letter"))
	table := terminal.Table{Header: []string{"SEQ", "ID", "WHY"}, Right: []int{1}}
	for _, s := range left.Letters[:min(len(left.Letters), planGroups)] {
		table.Add(fmt.Sprint(s.Seq), jobs.LetterID(&usher.DeadLetter{ID: s.ID}), s.Why)
	}
	if err := table.Write(w); err != nil {
		return err
	}
	andMore(w, left.Count-planGroups)
	return nil
}

// estimate describes how long a replay of n letters takes, at --rate and under the
// platform's rate limit. It returns "" below ten seconds.
func (r *replay) estimate(cmd *cobra.Command, n int) string {
	const shortest = 10 * time.Second
	var parts []string
	if took := time.Duration(float64(n) / float64(r.rate.Limit()) * float64(time.Second)); r.rate.PerSecond > 0 && took >= shortest {
		parts = append(parts, fmt.Sprintf("takes about %s at %s", readable.Duration(took), r.rate.Text))
	}
	if c, err := config.Load(cmd, os.LookupEnv); err == nil {
		calls := c.Float64("platform.rate")
		if took := time.Duration(letters.CallsPerJob * float64(n) / calls * float64(time.Second)); took >= shortest {
			parts = append(parts, fmt.Sprintf("the jobs need at least %s at the platform's %g calls per second", readable.Duration(took), calls))
		}
	}
	return strings.Join(parts, "; ")
}

// carryOut replays the plan until it is done or interrupted.
func (r *replay) carryOut(ctx context.Context, c *command.Call, ls *letters.Letters, plan *letters.ReplayPlan) (letters.ReplayReport, error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	count := terminal.NewCounter(c.Errs())
	defer count.Clear()
	options := r.options(c)
	options.Progress = func(now letters.ReplayReport) {
		count.Printf("%s of %s replayed", readable.Number(int64(now.Replayed)), readable.Number(int64(now.Planned)))
	}
	if r.rate.PerSecond > 0 {
		options.Pace = rate.NewLimiter(r.rate.Limit(), 1).Wait
	}
	report, err := ls.Replay(ctx, plan, options)
	switch {
	case ctx.Err() != nil:
		return report, fmt.Errorf("replay dead letters: stopped after %d of %d; repeat the command to continue", report.Replayed, plan.Count)
	case err != nil:
		return report, fmt.Errorf("%w; %d of %d were replayed; repeat the command to continue", err, report.Replayed, plan.Count)
	case !r.wait:
		return report, nil
	}
	err = ls.AwaitReplay(ctx, &report, func(now letters.ReplayReport) {
		count.Printf("%s of %s ended", readable.Number(int64(now.Done+now.FailedAgain+now.Cancelled)), readable.Number(int64(now.Replayed)))
	})
	if ctx.Err() != nil {
		err = fmt.Errorf("wait for replayed jobs: stopped; the jobs continue, see 'usher jobs ls'")
	}
	return report, err
}

// print prints the result of the replay.
func (r *replay) print(c *command.Call, report letters.ReplayReport) error {
	if err := c.Conclude(report.Replayed, "job", "replayed"); err != nil || report.Replayed == 0 {
		return err
	}
	if r.wait {
		fmt.Fprintf(c.Out(), "%s done, %s failed again, %s cancelled\n", readable.Number(int64(report.Done)), readable.Number(int64(report.FailedAgain)), readable.Number(int64(report.Cancelled)))
	} else if report.FailedAgain > 0 {
		fmt.Fprintf(c.Out(), "%s of them have already failed again\n", readable.Number(int64(report.FailedAgain)))
	}
	if report.Left > 0 {
		fmt.Fprintf(c.Out(), "%s skipped\n", readable.Count(report.Left, "letter"))
	}
	return nil
}
