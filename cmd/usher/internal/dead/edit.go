package dead

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues/letters"
	"usher/queues/schema"
)

// edit has the flags of usher dead edit.
type edit struct {
	flags       letterFlags
	set         []string
	assignments map[string]string // those of set
}

func editCommand() *cobra.Command {
	e := edit{}
	return command.Act[selection, editReport]{
		About: command.About{
			Use:   "edit [SEQ…]",
			Short: "Edit the jobs of dead letters",
			Long: `Edit the jobs of dead letters: one in $EDITOR, or all matching ones with --set. The next
replay runs the edited job. Uploads then start from the beginning, because the
checkpoints belong to the old job. The letter, the record and the audit name who changed
which fields.

Fields have dotted names, such as source.url; the value null removes a field. Invalid
edits are refused and change nothing. Inline ids are shown as a count and the query of a
URL as ?…: leave these placeholders to keep the values.`,
			Example: `  usher dead edit 17
  usher dead edit --group 3f9a21c0 --set segment=18 --reason 'segment 17 was merged into 18'
  usher dead edit --class source_missing --set source.column=idfa --set deadline=null --yes`,
			Args: cobra.ArbitraryArgs,
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().StringArrayVar(&e.set, "set", nil, "FIELD=VALUE to set in every job, repeatable (default: edit one job in $EDITOR)")
			},
			Check: e.check,
			JSON:  planned,
		},
		On:   e.flags.session(),
		Plan: e.plan,
		Verb: "edit", Done: "edited",
		Print: func(c *command.Call, r editReport) error {
			if err := c.Conclude(r.Edited, "letter", "edited"); err != nil {
				return err
			}
			r.writeNumbers(c.Out())
			return nil
		},
		Partial: true,
		Failure: func(_ *command.Call, r editReport) error {
			if len(r.Refused) == 0 {
				return nil
			}
			return fmt.Errorf("%s could not be edited; the first: %s", readable.Count(len(r.Refused), "letter"), schema.Describe(r.Refused[0].Issues))
		},
	}.Command()
}

func (e *edit) check(c *command.Call) (err error) {
	if e.assignments, err = parseAssignments(e.set); err != nil {
		return err
	}
	if len(c.Args) == 0 && !e.flags.given(c.Cmd) {
		return command.Usagef("SEQ or a filter such as --group is missing: %s", c.Cmd.UseLine())
	}
	return nil
}

// editReport is the report printed by --json.
type editReport struct {
	Edited  int              `json:"edited"`
	Same    int              `json:"same"`    // letters that the edit does not change
	Refused []letters.Edited `json:"refused"` // the first thousand
	Letters []renumbered     `json:"letters"` // the first thousand that were edited
}

// renumbered is an edited letter: a new letter replaces it.
type renumbered struct {
	ID  *string `json:"id"`
	Seq uint64  `json:"seq"` // before the edit
	Now uint64  `json:"now"`
}

func (r *editReport) add(e letters.Edited) {
	const kept = 1000
	switch {
	case len(e.Issues) > 0 && len(r.Refused) < kept:
		r.Refused = append(r.Refused, e)
	case len(e.Issues) > 0:
	case len(e.Fields) == 0:
		r.Same++
	default:
		r.Edited++
		if e.Now > 0 && len(r.Letters) < kept {
			r.Letters = append(r.Letters, renumbered{e.ID, e.Seq, e.Now})
		}
	}
}

// writeNumbers prints the new numbers of the letters.
func (r *editReport) writeNumbers(w io.Writer) {
	const shown = 10
	for _, l := range r.Letters[:min(shown, len(r.Letters))] {
		fmt.Fprintf(w, "letter %d is letter %d now\n", l.Seq, l.Now)
	}
	if more := r.Edited - shown; more > 0 {
		fmt.Fprintf(w, "%s more have new numbers, too: 'usher dead ls' shows them\n", readable.Number(int64(more)))
	}
}

// plan returns the plan of an edit, which has tried it on all letters.
func (e *edit) plan(ctx context.Context, c *command.Call, s selection) (plan command.Plan[editReport], err error) {
	survey, err := s.Survey(ctx, s.filter)
	if err != nil {
		return plan, err
	}
	if err := e.flags.mustMatch(survey.Count); err != nil {
		return plan, err
	}
	change := s.Assign(e.assignments)
	if len(e.assignments) == 0 {
		if change, err = editInEditor(ctx, c.Cmd, &survey); err != nil {
			return plan, err
		}
	}
	trial := editReport{Refused: []letters.Edited{}}
	var example *letters.Edited
	err = s.PlanEdit(ctx, survey.Filter, change, func(one letters.Edited) error {
		trial.add(one)
		if example == nil && len(one.Issues) == 0 && len(one.Fields) > 0 {
			example = &one
		}
		return nil
	})
	if err != nil {
		return plan, err
	}
	plan.Show = func(out io.Writer) error { return trial.write(out, example) }
	plan.Leave = func(context.Context) (editReport, error) {
		return editReport{Same: trial.Same, Refused: trial.Refused, Letters: []renumbered{}}, nil
	}
	if trial.Edited == 0 {
		return plan, nil
	}
	plan.Question = fmt.Sprintf("Edit %s?", readable.Count(trial.Edited, "letter"))
	plan.Do = func(ctx context.Context) (editReport, error) {
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
		defer stop()
		report := editReport{Refused: []letters.Edited{}, Letters: []renumbered{}}
		err := s.Edit(ctx, survey.Filter, change, c.By(), report.add)
		if ctx.Err() != nil {
			err = fmt.Errorf("edit dead letters: stopped after %d of %d; the others were not changed", report.Edited, trial.Edited)
		}
		return report, err
	}
	return plan, nil
}

// write prints how many letters an edit would change, with an example; nil: it would change none.
func (r *editReport) write(w io.Writer, example *letters.Edited) error {
	_, err := fmt.Fprintf(w, "%s to be edited, %s unchanged, %s refused\n", readable.Count(r.Edited, "letter"), readable.Number(int64(r.Same)), readable.Number(int64(len(r.Refused))))
	if err != nil || example == nil {
		return err
	}
	facts := terminal.Table{}
	facts.Add("example", jobs.LetterID(&usher.DeadLetter{ID: example.ID}))
	facts.Add("changed", strings.Join(example.Fields, ", "))
	facts.Add("before", jobs.JobText(example.Before))
	facts.Add("after", jobs.JobText(example.After))
	return facts.Write(w)
}

// parseAssignments parses the values of --set.
func parseAssignments(set []string) (map[string]string, error) {
	assignments := map[string]string{}
	for _, one := range set {
		field, value, found := strings.Cut(one, "=")
		if !found || field == "" || strings.HasPrefix(field, ".") || strings.HasSuffix(field, ".") {
			return nil, command.Usagef("flag --set takes FIELD=VALUE, such as segment=18 or source.column=idfa, not %q", one)
		}
		assignments[field] = value
	}
	return assignments, nil
}

// editInEditor opens a single job in $EDITOR and returns the user's change.
func editInEditor(ctx context.Context, cmd *cobra.Command, survey *letters.Survey) (letters.Change, error) {
	if survey.Count != 1 {
		return nil, command.Usagef("%s match: select one by SEQ to use the editor, or use --set to change all", readable.Count(survey.Count, "letter"))
	}
	job := survey.Sample[0].Job
	var text bytes.Buffer
	if json.Indent(&text, job, "", "  ") != nil {
		return nil, errors.New("edit dead letter: its job is not readable")
	}
	folder, err := os.MkdirTemp("", "usher-edit-")
	if err != nil {
		return nil, fmt.Errorf("edit dead letter: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "job.json")
	if err := os.WriteFile(path, append(text.Bytes(), '\n'), 0o600); err != nil {
		return nil, fmt.Errorf("edit dead letter: %w", err)
	}
	if err := openEditor(ctx, cmd, path); err != nil {
		return nil, err
	}
	changed, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the edited job: %w", err)
	}
	if !json.Valid(changed) {
		return nil, errors.New("edit dead letter: the saved file is not JSON; nothing was changed")
	}
	return func(usher.Kind, json.RawMessage) (json.RawMessage, error) { return changed, nil }, nil
}

func openEditor(ctx context.Context, cmd *cobra.Command, path string) error {
	words := strings.Fields(os.Getenv("EDITOR"))
	if len(words) == 0 {
		return command.Usagef("EDITOR is not set: set it, or use --set FIELD=VALUE")
	}
	editor := exec.CommandContext(ctx, words[0], append(words[1:], path)...) //nolint:gosec // the user configures the editor
	editor.Stdin, editor.Stdout, editor.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if e := editor.Run(); e != nil {
		return fmt.Errorf("run $EDITOR %s: %w", words[0], e)
	}
	return nil
}
