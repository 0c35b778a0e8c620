package ledger

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/ledger"
	"usher/internal/readable"
)

func diff() *cobra.Command {
	e := exportFlags{}
	w := withheldFlags{}
	return command.View[*session, *differenceView]{
		About: command.About{
			Use:   "diff TARGET EXPORT",
			Short: "Show what a mirror of an export would change",
			Long: `Read an export and compare it with the ledger of a target: how many ids a mirror would
add and remove, how many it would leave alone, and how long the removals would take under
platform.rate. diff sends nothing. Without --except and --holdout it leaves out what the last
mirror has left out; '--except none' and '--holdout none' leave out nothing. TARGET is
segment/ID or campaign/CODE.`,
			Example: "  usher ledger diff segment/17 today.csv --profile idfa",
			Args:    command.ExactArgs("TARGET", "EXPORT"),
			Flags: func(cmd *cobra.Command) {
				e.addFlags(cmd)
				w.addFlags(cmd)
			},
			Check: func(*command.Call) error { return w.check() },
			JSON:  "an object",
		},
		On: one(),
		Load: func(ctx context.Context, c *command.Call, s *session) (*differenceView, error) {
			return s.diff(ctx, c, &e, &w)
		},
		Print: func(c *command.Call, v *differenceView) error { return v.write(c.Out()) },
	}.Command()
}

// differenceView is the result of usher ledger diff.
type differenceView struct {
	Target    string `json:"target"`
	Members   int64  `json:"members"`
	Added     int64  `json:"added"`
	Removed   int64  `json:"removed"`
	Unchanged int64  `json:"unchanged"`
	// RemoveSeconds is how long the removals would take. A campaign is cleared and filled
	// again instead.
	RemoveSeconds int64 `json:"removeSeconds"`
	Clear         bool  `json:"clear"`

	Withheld usher.Counts      `json:"withheld"` // ids of the export that would be left out, by reason
	Except   []ledger.Excepted `json:"except,omitempty"`
}

func (s *session) diff(ctx context.Context, call *command.Call, e *exportFlags, w *withheldFlags) (*differenceView, error) {
	t := s.target
	head, err := s.head(ctx)
	if err != nil {
		return nil, err
	}
	suppressed, err := connect.LoadSuppression(s.config)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "usher-diff-")
	if err != nil {
		return nil, fmt.Errorf("create a folder for the sorted export: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	own, err := ledger.Open(ctx, ledger.Options{URL: folder})
	if err != nil {
		return nil, err
	}
	defer func() { _ = own.Close() }()
	c := &ledger.Comparison{Job: newID("diff"), Run: run, Head: head, Today: ledger.DayOf(s.store.Now())}
	if err := w.set(ctx, s, c, e.profile.Profile); err != nil {
		return nil, err
	}
	if c.Runs, _, err = e.read(ctx, call.Cmd, call.Args[1], t, own, c.Job, suppressed); err != nil {
		return nil, err
	}
	found, err := s.store.Diff(ctx, c, own, nil)
	if err != nil {
		return nil, err
	}
	v := &differenceView{Target: t.Name, Members: found.Members, Added: found.Added, Removed: found.Removed, Unchanged: found.Unchanged, Withheld: found.Withheld}
	for i := range c.Except {
		h := &c.Except[i].Head
		v.Except = append(v.Except, ledger.Excepted{Target: h.Name, Generation: h.Generation, At: h.At, Count: found.Withheld[c.Except[i].Reason()]})
	}
	v.Clear = !t.IsSegment() && v.Removed > 0
	if shared := connect.PlatformRate(s.config).Shared(); !v.Clear && shared > 0 {
		v.RemoveSeconds = int64(float64(v.Removed) / shared)
	}
	return v, nil
}

func (v *differenceView) write(out io.Writer) error {
	facts := terminal.Table{}
	facts.Add("members", readable.Number(v.Members))
	facts.Add("to add", readable.Number(v.Added))
	facts.Add("to remove", v.removals())
	facts.Add("unchanged", readable.Number(v.Unchanged))
	for _, reason := range slices.Sorted(maps.Keys(v.Withheld)) {
		facts.Add("left out", readable.Count(v.Withheld[reason], "id")+": "+readable.Printable(reason)+v.asOf(reason))
	}
	switch {
	case v.Clear:
		facts.Add("removal", "the list would be cleared and filled again")
	case v.Removed > 0:
		facts.Add("removal", v.removalTime()+", one call for each id")
	}
	return facts.Write(out)
}

// asOf says as of which generation the members of an excepted target are left out.
func (v *differenceView) asOf(reason string) string {
	for _, e := range v.Except {
		if usher.ExceptReason(e.Target) == reason {
			return fmt.Sprintf(", as of generation %d, %s", e.Generation, readable.Time(e.At))
		}
	}
	return ""
}

// withheldFlags say what a mirror would leave out, if that is not what the last one has left out.
type withheldFlags struct {
	except  []string
	holdout string
	parsed  command.Holdout // the holdout
}

// none stands for no exceptions, or no holdout.
const none = "none"

func (w *withheldFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&w.except, "except", nil, "a target whose members are not wanted, such as segment/5, repeatable, or none (default: those of the last mirror)")
	cmd.Flags().StringVar(&w.holdout, "holdout", "", "a share of the ids that is not wanted, and the key that chooses it, such as 10%:autumn, or none (default: that of the last mirror)")
}

func (w *withheldFlags) check() error {
	if w.holdout == "" || w.holdout == none {
		return nil
	}
	if err := w.parsed.Set(w.holdout); err != nil {
		return command.Usagef("flag --holdout: %w", err)
	}
	return nil
}

// set sets what a comparison leaves out.
func (w *withheldFlags) set(ctx context.Context, s *session, c *ledger.Comparison, profile usher.Profile) error {
	before, err := s.store.Withheld(ctx, &c.Head)
	if err != nil {
		return err
	}
	names := before.Names()
	switch {
	case len(w.except) == 1 && w.except[0] == none:
		names = nil
	case len(w.except) > 0:
		names = w.except
	}
	switch {
	case w.parsed.Value != nil:
		c.Holdout = w.parsed.Value
	case before != nil && w.holdout != none:
		c.Holdout = before.Holdout
	}
	c.Except, err = s.store.Except(ctx, c.Head.Target, profile, names)
	return err
}

// removals returns the number of removals, and what a mirror with default limits would do.
func (v *differenceView) removals() string {
	text := readable.Number(v.Removed)
	if v.Removed == 0 || v.Members == 0 {
		return text
	}
	share := float64(v.Removed) / float64(v.Members) * 100
	text += fmt.Sprintf(", %.1f %% of the members", share)
	if share > usher.DefaultMaxRemovePercent {
		text += fmt.Sprintf(": a mirror needs --force, or --max-remove-percent above the default %d", usher.DefaultMaxRemovePercent)
	}
	return text
}

// removalTime says how long the removals would take.
func (v *differenceView) removalTime() string {
	if v.RemoveSeconds == 0 {
		return "less than a second"
	}
	return "about " + readable.Duration(time.Duration(v.RemoveSeconds)*time.Second)
}
