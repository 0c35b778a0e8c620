package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/settings"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules"
	"usher/internal/rules/figures"
	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/presence"
)

// activeRule is a rule that workers use, as printed by --json.
type activeRule struct {
	File     string            `json:"file"`
	Rule     string            `json:"rule"` // "" if the file is new and not valid
	Mode     rules.Mode        `json:"mode"`
	Level    figures.Level     `json:"level"`
	Window   string            `json:"window"`
	Extras   []rules.Key       `json:"extras"` // the selection of creatives, for, min_age, active_hours and notify
	Schedule string            `json:"schedule,omitempty"`
	Next     *time.Time        `json:"next"` // null if it has no schedule
	Last     *usher.Evaluation `json:"last"` // null if it has not run
	Held     []string          `json:"held"` // ids of the runs in which it waits for approval
	Stopped  bool              `json:"stopped"`
	Paused   *usher.Setting    `json:"paused"`           // null: it is not paused
	Unused   bool              `json:"unused,omitempty"` // no worker that runs has the file any more
	Wrong    string            `json:"wrong,omitempty"`  // the error in a newer version of the file
	Path     string            `json:"path"`
	Blind    *usher.Blindness  `json:"blind"`    // what it cannot decide on; null: nothing
	TookBack *usher.Blindness  `json:"tookBack"` // what it took back in the last days of what somebody had changed on the platform; null: nothing

	rule *rules.Rule
}

func rulesList() *cobra.Command {
	var found workersRules
	return command.List[*queues.Queue, activeRule]{
		About: command.About{
			Use: "ls", Aliases: []string{"list"},
			Short: "List the rules that workers use",
			Long: `List the rules that workers use: those in rules.files of their configuration, or in
--rules of 'usher dev'. Workers read a changed file when they use it next. If the new
version is not valid, they keep the version before it, and this list shows the error.
A rule that cannot decide on something that is ACTIVE and has had spend in the last 7 days,
because data are missing or conflict, is shown with what is missing; so are creatives that
stay paused because the rule that paused them is in no file any more. It also shows new
files that are not valid and, for three hours, rules that no worker uses any more. The
column WITH has the selection of creatives, for, min_age, active_hours and notify;
'usher rules show RULE' shows all keys.`,
			Example: `  usher rules ls
  usher rules ls --json`,
			JSON: "an array of rules",
		},
		On: connect.Queue(),
		Load: func(ctx context.Context, _ *command.Call, q *queues.Queue) (list []activeRule, err error) {
			found, err = readWorkersRules(ctx, q)
			return found.list, err
		},
		Columns: []command.Column{
			{Header: "FILE", Cut: 1, Drop: 4}, {Header: "RULE", Cut: 3}, {Header: "MODE"}, {Header: "WITH", Drop: 1}, {Header: "SCHEDULE", Drop: 2},
			{Header: "NEXT", Drop: 3}, {Header: "LAST"}, {Header: "RESULT", Cut: 2},
		},
		Row:   found.row,
		None:  "workers use no rules: set rules.files, or start 'usher dev --rules FILE'; a worker announces its rules within seconds",
		After: found.writeNotes,
	}.Command()
}

// workersRules are the rules that workers use, and the stop switch.
type workersRules struct {
	list  []activeRule
	stop  *usher.Setting    // nil: it is off
	blind []usher.Blindness // of all files
}

func readWorkersRules(ctx context.Context, q *queues.Queue) (w workersRules, err error) {
	if w.stop, err = q.Settings().Get(ctx, usher.StopSwitch, ""); err != nil {
		return w, err
	}
	if w.list, err = activeRules(ctx, q, w.stop != nil); err != nil {
		return w, err
	}
	found, err := decisions.New(q, nil).Blindness(ctx)
	w.blind = usher.JoinTookBack(found)
	for i := range w.blind {
		b := &w.blind[i]
		for k := range w.list {
			switch a := &w.list[k]; {
			case b.Orphaned || a.File != b.File || a.Rule != b.Rule:
			case b.TookBack != "":
				a.TookBack = b
			default:
				a.Blind = b
			}
		}
	}
	return w, err
}

// activeRules returns the rules that workers use, with their runs.
func activeRules(ctx context.Context, q *queues.Queue, stopped bool) ([]activeRule, error) {
	files, err := decisions.NewFileRegistry(q).List(ctx)
	if err != nil {
		return nil, err
	}
	evaluations, err := decisions.New(q, nil).Evaluations(ctx, 0)
	if err != nil {
		return nil, err
	}
	pauses, err := q.Settings().List(ctx, usher.RulePause)
	if err != nil {
		return nil, err
	}
	waiting, err := waitingRules(ctx, q, evaluations)
	if err != nil {
		return nil, err
	}
	unused := unusedFiles(ctx, q)
	list := []activeRule{}
	for _, file := range files {
		set, _ := rules.LoadAnnounced(&file)
		if set == nil { // a new file that is not valid, or one that needs a newer version of usher
			if file.Wrong != "" {
				list = append(list, activeRule{File: file.Name, Extras: []rules.Key{}, Held: []string{}, Stopped: stopped, Wrong: file.Wrong, Path: file.Path})
			}
			continue
		}
		for _, rule := range set.Rules {
			a := activeRule{
				File: set.Name, Rule: rule.Name, Mode: rule.Mode, Level: rule.Scope.Level, Window: rule.Window.String(), Unused: unused(set.Name),
				Extras: append([]rules.Key{}, rule.Extras()...), Held: []string{}, Stopped: stopped, Wrong: file.Wrong, Path: file.Path,
				rule: rule,
			}
			if rule.Schedule != nil {
				next := rule.Schedule.Next(q.Now()).UTC()
				a.Schedule, a.Next = rule.Schedule.String(), &next
			}
			if pause, ok := pauses[set.Key(rule.Name)]; ok {
				a.Paused = &pause
			}
			a.addRuns(evaluations, waiting)
			list = append(list, a)
		}
	}
	return list, nil
}

// unusedNow is what lists say of a rule that no worker uses any more.
const unusedNow = "no worker uses it now"

// unusedFiles returns a function that reports whether no worker acts by the rule file with a name. It
// reports false if that is not known because no worker has answered.
func unusedFiles(ctx context.Context, q *queues.Queue) func(name string) bool {
	workers, err := q.Presence().Workers(ctx)
	return func(name string) bool {
		return err == nil && !slices.ContainsFunc(workers, func(w presence.Answer) bool {
			return slices.Contains(w.Rules, name)
		})
	}
}

// waitingRules returns the rules whose decisions wait for approval in the held ones of runs, by run.
func waitingRules(ctx context.Context, q *queues.Queue, runs []usher.Evaluation) (map[string][]string, error) {
	waiting := map[string][]string{}
	for i := range runs {
		if runs[i].State != usher.EvaluationHeld {
			continue
		}
		all, err := decisions.New(q, nil).Decisions(ctx, runs[i].ID)
		if err != nil {
			return nil, err
		}
		for _, d := range decisions.Waiting(&runs[i], all) {
			if !slices.Contains(waiting[runs[i].ID], d.Rule) {
				waiting[runs[i].ID] = append(waiting[runs[i].ID], d.Rule)
			}
		}
	}
	return waiting, nil
}

// addRuns sets the rule's last run and the runs in which it waits for approval from all runs, newest
// first.
func (a *activeRule) addRuns(runs []usher.Evaluation, waiting map[string][]string) {
	for _, e := range runs {
		if e.File != a.File || e.UndoOf != "" || e.Rule != "" && e.Rule != a.Rule || e.Event && !a.rule.TakesEvents() {
			continue
		}
		if a.Last == nil {
			a.Last = &e
		}
		if slices.Contains(waiting[e.ID], a.Rule) {
			a.Held = append(a.Held, e.ID)
		}
	}
}

// row returns the cells of a rule.
func (w *workersRules) row(a *activeRule, times terminal.Times) []string {
	if a.Rule == "" {
		return []string{a.File, "–", "–", "–", "–", "–", "never", "not valid"}
	}
	next, last, result := "–", "never", ""
	if a.Next != nil && !a.Unused {
		next = times.Text(*a.Next)
	}
	if a.Last != nil {
		last, result = times.Text(a.Last.At), jobs.Summary(a.Last)
		if a.Last.Rule == "" && w.rulesIn(a.File) > 1 {
			result += " (whole file)"
		}
	}
	if a.Blind != nil {
		what := "campaign"
		if a.Level == figures.CreativeLevel {
			what = "creative"
		}
		result = "cannot decide on " + readable.Count(a.Blind.Count, what)
	}
	if len(a.Held) > 0 {
		result = "waits for approval: " + a.Held[0]
	}
	if a.Paused != nil {
		result = describePause(a.Paused, times.Text)
	}
	if a.Unused {
		result = unusedNow
	}
	return []string{a.File, a.Rule, string(a.Mode), orDash(extrasText(a.Extras)), orDash(a.Schedule), next, last, result}
}

// rulesIn returns the number of rules in a file.
func (w *workersRules) rulesIn(file string) int {
	n := 0
	for i := range w.list {
		if w.list[i].File == file {
			n++
		}
	}
	return n
}

// extrasText returns keys in one line: for 3 days, notify each.
func extrasText(keys []rules.Key) string {
	var parts []string
	for _, k := range keys {
		parts = append(parts, k.Name+" "+k.Value)
	}
	return strings.Join(parts, ", ")
}

// writeNotes prints what is wrong with files, and whether campaign actions are stopped.
func (w *workersRules) writeNotes(c *command.Call) error {
	var wrong []string
	for _, a := range w.list {
		if a.Wrong != "" && !slices.Contains(wrong, a.Wrong) {
			wrong = append(wrong, a.Wrong)
			if a.Rule == "" {
				fmt.Fprintf(c.Out(), "a new file is not valid, and workers do not use it: %s\n", printableLines(a.Wrong))
				continue
			}
			fmt.Fprintf(c.Out(), "a newer version is not valid, and workers keep the version before it: %s\n", printableLines(a.Wrong))
		}
	}
	for i := range w.blind {
		for _, line := range blindLines(&w.blind[i]) {
			fmt.Fprintln(c.Out(), line)
		}
	}
	return c.Println(settings.DescribeSwitch(w.stop))
}

// blindLines say on what a rule cannot decide, a line for each cause; which creatives nothing resumes; or
// what a rule has taken back.
func blindLines(b *usher.Blindness) (lines []string) {
	s := &b.On[0]
	name := readable.Printable(s.Name())
	if more := b.Count - 1; more > 0 {
		name += fmt.Sprintf(" and %d more", more)
	}
	if b.Orphaned {
		return []string{fmt.Sprintf("nothing resumes %s: rule %s, which paused it, is in no file; formerly: in another rule takes over what it did", name, b.Rule)}
	}
	if b.TookBack != "" {
		return []string{fmt.Sprintf("rule %s of %s took back what somebody had changed on the platform: %s (%s, at %s); 'usher rules keep' leaves it to you", b.Rule, b.File, name, readable.Printable(s.Changed), s.Since.UTC().Format("2006-01-02 15:04 MST"))}
	}
	for _, cause := range b.Causes() {
		name := readable.Printable(cause.On[0].Name())
		if more := len(cause.On) - 1; more > 0 {
			name += fmt.Sprintf(" and %d more", more)
		}
		spend, day := cause.Spent()
		lines = append(lines, fmt.Sprintf("rule %s of %s cannot decide on %s: %s; %s spent on %s", b.Rule, b.File, name, readable.Printable(cause.Missing), readable.Short(spend), day))
	}
	if more := b.Count - len(b.On); more > 0 {
		lines = append(lines, fmt.Sprintf("rule %s of %s cannot decide on %s more", b.Rule, b.File, readable.Number(int64(more))))
	}
	return lines
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
