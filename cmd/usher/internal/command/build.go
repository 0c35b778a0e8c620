package command

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/terminal"
)

// About says what a command is called, what it does, and what it takes.
type About struct {
	Use, Short, Long, Example string
	Aliases, SuggestFor       []string

	Args  cobra.PositionalArgs     // nil: none
	Flags func(cmd *cobra.Command) // adds the command's own flags; nil: none
	Check func(c *Call) error      // checks flags and arguments before anything is opened; nil: they need no check
	JSON  string                   // what --json prints, such as "an array of jobs"; "": there is no --json
}

// A Session opens what a command works with, such as the queue of jobs.
type Session[S any] struct {
	Flags func(cmd *cobra.Command) // adds the flags that Open reads
	Open  func(cmd *cobra.Command, use func(ctx context.Context, s S) error) error

	Complete cobra.CompletionFunc // completes the arguments; nil: by files
}

// Completing returns the session of commands whose arguments the shell completes by f.
func (s Session[S]) Completing(f cobra.CompletionFunc) Session[S] {
	s.Complete = f
	return s
}

// Nothing is the session of commands that open nothing.
type Nothing struct{}

// A Call is one run of a command.
type Call struct {
	Cmd  *cobra.Command
	Args []string
	JSON bool // --json

	answers answers // of an act
}

// Out returns where results go.
func (c *Call) Out() io.Writer { return c.Cmd.OutOrStdout() }

// Errs returns where notes and warnings go.
func (c *Call) Errs() io.Writer { return c.Cmd.ErrOrStderr() }

// Times returns how times are printed in tables.
func (c *Call) Times() terminal.Times { return Times(c.Cmd) }

// A Task is a command that is no List, View or Act: it prints by itself what it does.
type Task[S any] struct {
	About
	On  Session[S]
	Run func(ctx context.Context, c *Call, s S) error
}

// Command returns the task as a command.
func (t Task[S]) Command() *cobra.Command {
	c := &Call{}
	return build(&t.About, t.On, c, func(ctx context.Context, s S) error { return t.Run(ctx, c, s) })
}

// build returns a command that calls run in an open session. It fills c for each run.
func build[S any](about *About, on Session[S], c *Call, run func(ctx context.Context, s S) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: about.Use, Short: about.Short, Long: about.Long, Example: about.Example,
		Aliases: about.Aliases, SuggestFor: about.SuggestFor, Args: about.Args, ValidArgsFunction: on.Complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.Cmd, c.Args = cmd, args
			if about.Check != nil {
				if err := about.Check(c); err != nil {
					return err
				}
			}
			if on.Open == nil {
				var none S
				return run(cmd.Context(), none)
			}
			return on.Open(cmd, run)
		},
	}
	if cmd.Args == nil {
		cmd.Args = NoArgs
	}
	if about.Flags != nil {
		about.Flags(cmd)
	}
	if about.JSON != "" {
		cmd.Flags().BoolVar(&c.JSON, "json", false, "print "+about.JSON)
	}
	if on.Flags != nil {
		on.Flags(cmd)
	}
	return cmd
}

// absoluteFlag is the flag of all commands that asks for dates instead of ages.
const absoluteFlag = "absolute"

// AddAbsolute adds the flag --absolute to all commands below root.
func AddAbsolute(root *cobra.Command) {
	root.PersistentFlags().Bool(absoluteFlag, false, "print times as dates, which a terminal otherwise gets as ages")
}

// Times returns how the command prints times in lists.
func Times(cmd *cobra.Command) terminal.Times {
	absolute, err := cmd.Flags().GetBool(absoluteFlag)
	return terminal.NewTimes(cmd.OutOrStdout(), err == nil && absolute, time.Now())
}
