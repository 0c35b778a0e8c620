package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/jobs"
	"usher/internal/ledger"
	"usher/internal/readable"
)

func rollback() *cobra.Command {
	r := restoration{}
	cmd := &cobra.Command{
		Use:   "rollback TARGET GENERATION",
		Short: "Make a target equal to an older generation of its ledger",
		Long: `Publish a mirror that makes a target equal to an older generation of its ledger, and print
the job's id. The guard against too many removals holds; --force skips it. 'usher ledger show
TARGET' lists the generations that are kept, with their numbers of ids. Only mirrors and
adopt make generations with ids: that of a target.replace or target.clear is the target
when it had been cleared. TARGET is segment/ID or campaign/CODE.

With --wait, rollback exits 0 if the job is done, and 3 if it ends in the dead letters.`,
		Example: "  usher ledger rollback segment/17 12 --wait",
		Args:    command.ExactArgs("TARGET", "GENERATION"),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil || number < 1 {
				return command.Usagef("GENERATION is a number such as 12: usher ledger show %s lists those that are kept", args[0])
			}
			return openTarget(cmd, args[0], func(ctx context.Context, s *session, t ledger.Target) error {
				return r.run(ctx, s, t, number)
			})
		},
	}
	r.question.addFlags(cmd)
	cmd.Flags().BoolVar(&r.wait, "wait", false, "wait until the job has ended, and show its progress")
	cmd.Flags().BoolVar(&r.force, "force", false, "remove more than maxRemovePercent")
	addFlags(cmd)
	return cmd
}

type restoration struct {
	question    question
	wait, force bool
}

func (r *restoration) run(ctx context.Context, s *session, t ledger.Target, number int64) error {
	g, err := s.store.Generation(ctx, t, number)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("Make %s equal to generation %d of %s, with %s?", t, number, readable.Time(g.At), readable.Count(g.Fingerprint.Count, "id"))
	if confirmed, err := r.question.confirmed(s.cmd, text); !confirmed {
		return err
	}
	kind := usher.TargetMirror
	job := usher.Job{
		ID: newID("rollback-" + strings.ReplaceAll(time.Now().UTC().Format(time.DateOnly), "-", "")), Advertiser: t.Advertiser, Force: r.force,
		Profile: &g.Profile, Source: &usher.Source{URL: fmt.Sprintf("ledger:%d", number)},
	}
	if g.Profile.Type == "" { // made by a job that has no profile
		job.Profile = &usher.Profile{Type: usher.IDFA}
	}
	if t.IsSegment() {
		kind, job.Segment = usher.SegmentMirror, t.ID()
	} else {
		job.Campaign = t.ID()
	}
	body, err := json.Marshal(job)
	if err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	call, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	answer, err := s.queue.Submit(call, kind, body)
	if err != nil {
		return fmt.Errorf("publish the mirror: %w", err)
	}
	if len(answer.Errors) > 0 {
		return fmt.Errorf("publish the mirror: %s %s", answer.Errors[0].Pointer, answer.Errors[0].Message)
	}
	if err := s.queue.Audit().Setting(ctx, s.queue.Now(), "ledger of "+t.Name, "current", fmt.Sprintf("rolled back to generation %d by job %s", number, job.ID), r.question.Act()); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(s.cmd.OutOrStdout(), answer.ID); err != nil || !r.wait {
		return err
	}
	w := jobs.Waiter{Queue: s.queue, Out: s.cmd.OutOrStdout(), Errs: s.cmd.ErrOrStderr()}
	return w.Wait(ctx, answer.ID)
}
