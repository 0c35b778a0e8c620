package dead

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

func show() *cobra.Command {
	var flags letterFlags
	return command.Task[selection]{
		About: command.About{
			Use:   "show [SEQ]",
			Short: "Show a dead letter",
			Long: `Show a dead letter: what failed, what to do about it, and the job as published. With
filters instead of SEQ, show all matching letters.`,
			Example: `  usher dead show 17 --json
  usher dead show --id crm-2026-03-01`,
			Args: command.RangeArgs(0, "SEQ"),
			Check: func(c *command.Call) error {
				if len(c.Args) == 0 && !flags.given(c.Cmd) {
					return command.Usagef("SEQ or a filter such as --id is missing: %s", c.Cmd.UseLine())
				}
				return nil
			},
			JSON: "the letter as JSON; with filters, an array",
		},
		On: flags.session(),
		Run: func(ctx context.Context, c *command.Call, s selection) error {
			if c.JSON && len(s.filter.Seqs) == 0 {
				array := terminal.NewArray(c.Out(), false)
				if err := s.knowing().Each(ctx, s.filter, func(l usher.DeadLetter) error { return array.Add(l) }); err != nil {
					return errors.Join(err, array.Flush())
				}
				return array.Close()
			}
			return showLetters(ctx, c, s, &flags)
		},
	}.Command()
}

// showLetters prints all matching letters.
func showLetters(ctx context.Context, c *command.Call, s selection, flags *letterFlags) error {
	shown := 0
	err := s.knowing().Each(ctx, s.filter, func(l usher.DeadLetter) error {
		shown++
		if c.JSON {
			return terminal.WriteJSON(c.Out(), l)
		}
		if shown > 1 {
			fmt.Fprintln(c.Out())
		}
		return writeLetter(c.Out(), &l)
	})
	if err == nil {
		err = flags.mustMatch(shown)
	}
	if err == nil && shown == 0 {
		fmt.Fprintln(c.Errs(), noMatch)
	}
	return err
}

func writeLetter(w io.Writer, l *usher.DeadLetter) error {
	facts := terminal.Table{}
	facts.Add("letter", strconv.FormatUint(l.Seq, 10))
	facts.Add("job", jobs.LetterID(l))
	facts.Add("kind", string(l.Kind))
	facts.Add("target", usher.TargetLabel(l.TargetName, l.Target))
	facts.Add("error", fmt.Sprintf("%s: %s", l.Class, l.Message))
	if l.Later == nil {
		facts.Add("hint", command.WithFlags(l.Hint))
	} else {
		facts.Add("later", laterText(l.Later))
	}
	facts.Add("at", terminal.When(w, l.At))
	facts.Add("run", fmt.Sprintf("%d, %s, %s", l.Run, readable.Count(l.Attempts, "attempt"), jobs.Crashes(l.Crashes)))
	if l.Trace != "" {
		facts.Add("trace", l.Trace)
	}
	if l.Edited != nil {
		facts.Add("edited", jobs.EditText(l.Edited))
	}
	if err := facts.Write(w); err != nil {
		return err
	}
	var job bytes.Buffer
	if len(l.Job) == 0 || json.Indent(&job, l.Job, "", "  ") != nil {
		job.Reset()
		job.WriteString("(the job is not readable)")
	}
	if _, err := fmt.Fprintln(w, job.String()); err != nil {
		return fmt.Errorf("print job: %w", err)
	}
	advice := jobs.LetterAdvice(l)
	if l.Later != nil {
		advice = laterAdvice(l)
	}
	if advice != "" {
		if _, err := fmt.Fprintln(w, advice); err != nil {
			return fmt.Errorf("print advice: %w", err)
		}
	}
	return nil
}

// laterText says what a later job means for a letter.
func laterText(l *usher.Later) string {
	if l.Needless {
		return l.String() + ", so that nothing is left to do"
	}
	return "a replay would undo what was done since: the job " + l.String()
}

// laterAdvice returns the commands for a letter for which a later job means something.
func laterAdvice(l *usher.DeadLetter) string {
	discard := "discard the letter with: usher dead discard --id " + jobs.LetterID(l)
	if l.Later.Needless {
		return discard
	}
	return discard + "\nto undo what was done since: usher dead replay --force --id " + jobs.LetterID(l)
}
