package feeds

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/internal/feeds"
	"usher/internal/readable"
	"usher/queues/audit"
)

// act returns a command that changes the feed that its first argument names, and prints what do
// returns.
func act(about command.About, do func(ctx context.Context, c *command.Call, feed *session) (string, error)) *cobra.Command {
	if about.Args == nil {
		about.Args = command.ExactArgs("NAME")
	}
	return command.Act[*session, string]{About: about, On: one(), Do: do, Print: (*command.Call).Println}.Command()
}

func approve() *cobra.Command {
	return decide("approve", "approved", "Approve the exports of a feed that are held", `Approve the exports of a feed that are held because of min_rows or max_change in expect, or
because they differ from the last good export. A worker then publishes their jobs, and compares
the next export with them.

Name the VERSION that usher feeds show prints: if another export has come since, nothing is
approved. Without VERSION, all exports that are held now are approved.

After an approval, max_change allows exports like the one that was approved, and also those
like the last one that nobody had to approve.

An export that cannot be read, or has no rows, cannot be approved, because its job would fail at
once: have it written again, or correct job.source in the feed file. 'usher feeds run' reads it again.`)
}

func reject() *cobra.Command {
	return decide("reject", "rejected", "Reject the exports of a feed that are held", `Reject the exports of a feed that are held because of min_rows or max_change in expect, or
because they differ from the last good export. They get no job. A changed export is a new one.

Name the VERSION that usher feeds show prints: if another export has come since, nothing is
rejected. Without VERSION, all exports that are held now are rejected.`)
}

// decide returns a command that approves or rejects held exports.
func decide(name, done, short, long string) *cobra.Command {
	return act(command.About{
		Use: name + " NAME [VERSION…]", Short: short, Long: long,
		Example: fmt.Sprintf("  usher feeds %s crm-daily\n  usher feeds %s crm-daily hvqkmtrupgnjslhiokqvtmrg", name, name),
		Args: func(cmd *cobra.Command, args []string) error {
			return command.ExactArgs("NAME")(cmd, args[:min(len(args), 1)])
		},
	}, func(ctx context.Context, c *command.Call, feed *session) (string, error) {
		versions, err := feed.states.Decide(ctx, c.Args[0], c.Args[1:], name == "approve", c.By())
		return fmt.Sprintf("feed %s: %s %s: %s", c.Args[0], readable.Count(len(versions), "export"), done, strings.Join(versions, ", ")), err
	})
}

func pause() *cobra.Command {
	return act(command.About{
		Use: "pause NAME", Example: "  usher feeds pause crm-daily",
		Short: "Pause a feed",
		Long: `Pause a feed: it looks for no exports until it is resumed, also after a restart of all
workers. Jobs that are published already run on.`,
	}, func(ctx context.Context, c *command.Call, feed *session) (string, error) {
		return "feed " + c.Args[0] + " is paused", feed.states.Pause(ctx, c.Args[0], c.By())
	})
}

func resume() *cobra.Command {
	return act(command.About{
		Use: "resume NAME", Example: "  usher feeds resume crm-daily",
		Short: "Resume a paused feed",
		Long:  "Resume a paused feed. It looks for new exports at once.",
	}, func(ctx context.Context, c *command.Call, feed *session) (string, error) {
		return "feed " + c.Args[0] + " runs", feed.states.Resume(ctx, c.Args[0], c.By())
	})
}

func run() *cobra.Command {
	return act(command.About{
		Use: "run NAME", Example: "  usher feeds run crm-daily",
		Short: "Look for new exports of a feed now",
		Long: `Look for new exports of a feed now, and wait until a worker has looked. A version that has a
job already gets no second one. An export that may not be complete yet is not taken. If no
worker begins to look within a minute, the command ends with an error.`,
	}, func(ctx context.Context, c *command.Call, feed *session) (string, error) {
		return feed.look(ctx, c.Args[0], c.By())
	})
}

// The command notes after noteTime that no worker has begun to look, and waits for answerTime for
// one that has begun, which may have to count rows.
const (
	noteTime   = 5 * time.Second
	answerTime = 10 * time.Minute
)

// look asks workers to look at a feed, and waits until one has.
func (c *session) look(ctx context.Context, feed string, by audit.Act) (string, error) {
	s, err := c.states.Get(ctx, feed)
	if err != nil {
		return "", err
	}
	if s.Paused != nil {
		return "", fmt.Errorf("feed %s is paused by %s: usher feeds resume %s", feed, s.Paused.By, feed)
	}
	asked, err := c.states.Ask(ctx, feed, by)
	if err != nil {
		return "", err
	}
	if s, err = c.await(ctx, feed, asked); err != nil {
		return "", err
	}
	return outcome(s, asked), nil
}

// await blocks until a look has ended that was asked for at the given time.
func (c *session) await(ctx context.Context, feed string, asked time.Time) (*feeds.State, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	noted := false
	for {
		s, err := c.states.Get(ctx, feed)
		if err != nil {
			return nil, err
		}
		now := c.now()
		switch {
		case !s.Looked.Before(asked):
			return s, nil
		case s.Overdue(now):
			return nil, fmt.Errorf("no worker looks at feed %s: %s", feed, noWorker)
		case !noted && s.Looking.IsZero() && now.Sub(asked) > noteTime:
			noted = true
			fmt.Fprintf(c.notes, "no worker looks at feed %s yet: %s\n", feed, noWorker)
		}
		if err := usher.Sleep(ctx, 200*time.Millisecond); err != nil {
			return nil, fmt.Errorf("wait for a look at feed %s: %w", feed, err)
		}
	}
}

// outcome says what a look that was asked for has done.
func outcome(s *feeds.State, asked time.Time) string {
	var lines []string
	for _, job := range s.JobsSince(asked) {
		lines = append(lines, fmt.Sprintf("feed %s: published job %s", s.Name, job))
	}
	if why := s.WhyNothing(); why != "" && len(lines) == 0 {
		lines = append(lines, fmt.Sprintf("feed %s: %s", s.Name, why))
	}
	return strings.Join(lines, "\n")
}
