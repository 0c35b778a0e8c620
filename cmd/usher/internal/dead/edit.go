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
	"usher/cmd/usher/internal/records"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues/letters"
	"usher/queues/schema"
)

func deadEdit() *cobra.Command {
	e := edit{}
	cmd := &cobra.Command{
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
		RunE: e.run,
	}
	e.filter.addFlags(cmd)
	e.question.addFlags(cmd, "edit")
	cmd.Flags().StringArrayVar(&e.set, "set", nil, "FIELD=VALUE to set in every job, repeatable (default: edit one job in $EDITOR)")
	return cmd
}

// edit has the flags of usher dead edit.
type edit struct {
	filter   letterFlags
	question question
	set      []string
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

func (e *edit) run(cmd *cobra.Command, args []string) error {
	assignments, err := parseAssignments(e.set)
	if err != nil {
		return err
	}
	if len(args) == 0 && !e.filter.given(cmd) {
		return command.Usagef("SEQ or a filter such as --group is missing: %s", cmd.UseLine())
	}
	return e.filter.withLetters(cmd, args, func(ctx context.Context, ls *letters.Letters, f letters.Filter) error {
		survey, err := ls.Survey(ctx, f)
		if err != nil {
			return err
		}
		if err := e.filter.mustMatch(survey.Count); err != nil {
			return err
		}
		change := ls.Assign(assignments)
		if len(assignments) == 0 {
			if change, err = e.editInEditor(ctx, cmd, &survey); err != nil {
				return err
			}
		}
		return e.carryOut(ctx, cmd, ls, &survey, change)
	})
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
func (e *edit) editInEditor(ctx context.Context, cmd *cobra.Command, survey *letters.Survey) (letters.Change, error) {
	if survey.Count != 1 {
		return nil, command.Usagef("%s match: select one by SEQ to use the editor, or use --set to change all", readable.Count(int64(survey.Count), "letter"))
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

// carryOut shows what would change, asks for confirmation, and edits the letters.
func (e *edit) carryOut(ctx context.Context, cmd *cobra.Command, ls *letters.Letters, survey *letters.Survey, change letters.Change) error {
	plan, err := e.plan(ctx, e.question.planOutput(cmd), ls, survey, change)
	if err != nil {
		return err
	}
	report := editReport{Same: plan.Same, Refused: plan.Refused, Letters: []renumbered{}}
	if plan.Edited > 0 && e.question.confirm(cmd, fmt.Sprintf("Edit %s?", readable.Count(int64(plan.Edited), "letter"))) {
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
		defer stop()
		report = editReport{Refused: []letters.Edited{}, Letters: []renumbered{}}
		err = ls.Edit(ctx, survey.Filter, change, e.question.Act(), report.add)
		if ctx.Err() != nil {
			err = fmt.Errorf("edit dead letters: stopped after %d of %d; the others were not changed", report.Edited, plan.Edited)
		}
	}
	if e.question.json {
		err = errors.Join(err, terminal.WriteJSON(cmd.OutOrStdout(), report))
	} else {
		e.question.conclude(cmd, report.Edited, "letter", "edited")
		report.writeNumbers(cmd.OutOrStdout())
	}
	if err == nil && len(report.Refused) > 0 {
		err = fmt.Errorf("%s could not be edited; the first: %s", readable.Count(int64(len(report.Refused)), "letter"), schema.Describe(report.Refused[0].Issues))
	}
	return err
}

// plan prints how many letters would change, with the first as an example.
func (e *edit) plan(ctx context.Context, w io.Writer, ls *letters.Letters, survey *letters.Survey, change letters.Change) (editReport, error) {
	plan := editReport{Refused: []letters.Edited{}}
	var example *letters.Edited
	err := ls.PlanEdit(ctx, survey.Filter, change, func(one letters.Edited) error {
		plan.add(one)
		if example == nil && len(one.Issues) == 0 && len(one.Fields) > 0 {
			example = &one
		}
		return nil
	})
	if err != nil {
		return plan, err
	}
	fmt.Fprintf(w, "%s to be edited, %s unchanged, %s refused\n", readable.Count(int64(plan.Edited), "letter"), readable.Number(int64(plan.Same)), readable.Number(int64(len(plan.Refused))))
	if example != nil {
		facts := terminal.Table{}
		facts.Add("example", records.LetterID(&usher.DeadLetter{ID: example.ID}))
		facts.Add("changed", strings.Join(example.Fields, ", "))
		facts.Add("before", records.JobText(example.Before))
		facts.Add("after", records.JobText(example.After))
		err = facts.Write(w)
	}
	return plan, err
}
