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
	"usher/internal/readable"
	"usher/queues/audit"
)

// rollbackFlags are the flags of usher ledger rollback.
type rollbackFlags struct{ wait, force bool }

func rollback() *cobra.Command {
	r := rollbackFlags{}
	return command.Act[*session, func() error]{
		About: command.About{
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
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().BoolVar(&r.wait, "wait", false, "wait until the job has ended, and show its progress")
				cmd.Flags().BoolVar(&r.force, "force", false, "remove more than maxRemovePercent")
			},
			Check: func(c *command.Call) error {
				if number, err := strconv.ParseInt(c.Args[1], 10, 64); err != nil || number < 1 {
					return command.Usagef("GENERATION is a number such as 12: usher ledger show %s lists those that are kept", c.Args[0])
				}
				return nil
			},
		},
		On: one(),
		Plan: func(ctx context.Context, c *command.Call, s *session) (plan command.Plan[func() error], err error) {
			number, _ := strconv.ParseInt(c.Args[1], 10, 64) // Check has parsed it
			g, err := s.store.Generation(ctx, s.target, number)
			if err != nil {
				return plan, err
			}
			plan.Question = fmt.Sprintf("Make %s equal to generation %d of %s, with %s?", s.target, number, readable.Time(g.At), readable.Count(g.Fingerprint.Count, "id"))
			plan.Do = func(ctx context.Context) (func() error, error) {
				id, err := s.publishMirror(ctx, number, g.Profile, r.force, c.By())
				return func() error { return r.await(ctx, c, s, id) }, err
			}
			return plan, nil
		},
		Verb: "roll back", Done: "rolled back",
		Print: func(_ *command.Call, await func() error) error { return await() },
	}.Command()
}

// publishMirror publishes the mirror that makes the target equal to a generation, and returns its id.
func (s *session) publishMirror(ctx context.Context, number int64, profile usher.Profile, force bool, by audit.Act) (string, error) {
	kind, t := usher.TargetMirror, s.target
	job := usher.Job{
		ID: newID("rollback-" + strings.ReplaceAll(time.Now().UTC().Format(time.DateOnly), "-", "")), Advertiser: t.Advertiser, Force: force,
		Profile: &profile, Source: &usher.Source{URL: fmt.Sprintf("ledger:%d", number)},
	}
	if profile.Type == "" { // made by a job that has no profile
		job.Profile = &usher.Profile{Type: usher.IDFA}
	}
	if t.IsSegment() {
		kind, job.Segment = usher.SegmentMirror, t.ID()
	} else {
		job.Campaign = t.ID()
	}
	body, err := json.Marshal(job)
	if err != nil {
		return "", fmt.Errorf("encode job: %w", err)
	}
	call, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	answer, err := s.queue.Submit(call, kind, body)
	if err != nil {
		return "", fmt.Errorf("publish the mirror: %w", err)
	}
	if len(answer.Errors) > 0 {
		return "", fmt.Errorf("publish the mirror: %s %s", answer.Errors[0].Pointer, answer.Errors[0].Message)
	}
	return answer.ID, s.queue.Audit().Setting(ctx, s.queue.Now(), "ledger of "+t.Name, "current", fmt.Sprintf("rolled back to generation %d by job %s", number, job.ID), by)
}

// await prints the id of the mirror, and with --wait waits for its end.
func (r *rollbackFlags) await(ctx context.Context, c *command.Call, s *session, id string) error {
	if err := c.Println(id); err != nil || !r.wait {
		return err
	}
	w := jobs.Waiter{Queue: s.queue, Out: c.Out(), Errs: c.Errs()}
	return w.Wait(ctx, id)
}
