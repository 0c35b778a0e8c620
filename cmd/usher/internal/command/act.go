package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"

	"github.com/spf13/cobra"

	"usher/internal/readable"
	"usher/queues/audit"
)

// An Act is a command that changes something: with Do at once, with Plan when a person has agreed.
type Act[S, R any] struct {
	About
	On   Session[S]
	Do   func(ctx context.Context, c *Call, s S) (R, error)
	Plan func(ctx context.Context, c *Call, s S) (Plan[R], error)

	Verb, Done string // of an act with Plan: what it does, such as "replay", and has done, such as "replayed"

	Print   func(c *Call, r R) error // prints what was done
	Partial bool                     // Print also prints what was done before an error
	Failure func(c *Call, r R) error // the error with which the command ends when it has printed that; nil: none
}

// A Plan is what an act would do.
type Plan[R any] struct {
	Show     func(out io.Writer) error            // prints the plan; nil: the question says all
	Question string                               // "": it is done without asking
	Do       func(ctx context.Context) (R, error) // nil: there is nothing to do

	// Leave cleans up if nothing is done, and returns what --json prints then; nil: the zero value.
	Leave func(ctx context.Context) (R, error)
}

// answers are the values of the flags of acts.
type answers struct {
	yes, dryRun   bool
	actor, reason string
}

// By returns who acts and why, for the audit.
func (c *Call) By() audit.Act {
	return audit.Act{Actor: ActorName(c.answers.actor), Reason: c.answers.reason}
}

// ActorName returns the value of a flag --actor, or SystemUser if that is empty.
func ActorName(flag string) string {
	if flag == "" {
		return SystemUser()
	}
	return flag
}

// SystemUser returns the name of the person who runs this process: the one who used sudo, otherwise the user
// of the process, whom several people may share.
func SystemUser() string {
	if name := os.Getenv("SUDO_USER"); name != "" {
		return readable.Printable(name)
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return readable.Printable(u.Username)
	}
	return "unknown"
}

// Command returns the act as a command.
func (a Act[S, R]) Command() *cobra.Command {
	c := &Call{}
	cmd := build(&a.About, a.On, c, func(ctx context.Context, s S) error {
		if a.Plan != nil {
			plan, err := a.Plan(ctx, c, s)
			if err != nil {
				return err
			}
			return a.carryOut(ctx, c, &plan)
		}
		r, err := a.Do(ctx, c, s)
		if err != nil {
			return err
		}
		return finish(c, r, a.Print, a.Failure)
	})
	if a.Plan != nil {
		cmd.Flags().BoolVar(&c.answers.yes, "yes", false, a.Verb+" without confirmation")
		cmd.Flags().BoolVar(&c.answers.dryRun, "dry-run", false, "only show the plan")
	}
	cmd.Flags().StringVar(&c.answers.actor, "actor", "", "person or system that acts, for the audit (default: $SUDO_USER, or the user of this system)")
	cmd.Flags().StringVar(&c.answers.reason, "reason", "", "reason, for the audit")
	return cmd
}

// carryOut shows a plan, and carries it out if the person agrees.
func (a *Act[S, R]) carryOut(ctx context.Context, c *Call, plan *Plan[R]) error {
	show := plan.Show
	if show == nil && c.answers.dryRun {
		show = func(out io.Writer) error {
			_, err := fmt.Fprintln(out, plan.Question)
			return err
		}
	}
	if show != nil {
		out := c.Out()
		if c.JSON { // stdout has only the report
			out = c.Errs()
		}
		if err := show(out); err != nil {
			return err
		}
	}
	agreed, err := a.agreed(c, plan)
	if !agreed {
		return errors.Join(err, a.leave(ctx, c, plan))
	}
	r, err := plan.Do(ctx)
	switch {
	case err == nil:
		return finish(c, r, a.Print, a.Failure)
	case a.Partial:
		return errors.Join(err, finish(c, r, a.Print, nil))
	}
	return err
}

// agreed reports whether to carry out a plan. Without an answer it returns errNoAnswer.
func (a *Act[S, R]) agreed(c *Call, plan *Plan[R]) (bool, error) {
	switch {
	case plan.Do == nil || c.answers.dryRun:
		return false, nil
	case plan.Question == "" || c.answers.yes:
		return true, nil
	}
	return Confirm(c.Cmd.InOrStdin(), c.Errs(), plan.Question)
}

// leave says that nothing was done.
func (a *Act[S, R]) leave(ctx context.Context, c *Call, plan *Plan[R]) error {
	var r R
	if plan.Leave != nil {
		var err error
		if r, err = plan.Leave(ctx); err != nil {
			return err
		}
	}
	return finish(c, r, func(c *Call, _ R) error { return c.Conclude(0, "", a.Done) }, a.Failure)
}

// Conclude prints how many things were changed: "3 letters discarded", or "nothing was discarded".
func (c *Call) Conclude(n int, thing, done string) error {
	text := "nothing was " + done
	switch {
	case n > 0:
		text = readable.Count(n, thing) + " " + done
	case c.answers.dryRun:
		text = "dry run: " + text
	}
	return c.Println(text)
}

// Println prints a line, such as what an act has done.
func (c *Call) Println(text string) error {
	if _, err := fmt.Fprintln(c.Out(), text); err != nil {
		return fmt.Errorf("print result: %w", err)
	}
	return nil
}

// errNoAnswer reports that the input ended instead of an answer: the command may run without a
// terminal.
var errNoAnswer = errors.New("no answer, so nothing is done; --yes does not ask")

// Confirm asks a question on errs and reports whether the answer read from in is yes. It
// fails if the input ends instead.
func Confirm(in io.Reader, errs io.Writer, question string) (bool, error) {
	fmt.Fprintf(errs, "%s [y/N] ", question)
	answer, err := bufio.NewReader(io.LimitReader(in, 1<<10)).ReadString('\n')
	if err != nil && answer == "" {
		fmt.Fprintln(errs)
		return false, errNoAnswer
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}
