package audiences

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/ledger"
	"usher/internal/readable"
)

// overlapView says how many members targets have in common.
type overlapView struct {
	Targets []targetView `json:"targets"`
	Pairs   []pairView   `json:"pairs"`   // each pair of targets once
	Union   int64        `json:"union"`   // members of any target
	All     int64        `json:"all"`     // members of all targets
	Without int64        `json:"without"` // members of the first target that are in no other one
}

// targetView is a target of an overlap.
type targetView struct {
	Target     string        `json:"target"`
	Name       *string       `json:"name"`
	Profile    usher.Profile `json:"profile"`
	Members    int64         `json:"members"`
	Only       int64         `json:"only"` // members that are in no other target
	Uncertain  int64         `json:"uncertain"`
	Lapsed     int64         `json:"lapsed"`
	Generation int64         `json:"generation"`
	At         time.Time     `json:"at"` // when the generation was made

	label string
}

// pairView is the intersection of two targets.
type pairView struct {
	A       string `json:"a"`
	B       string `json:"b"`
	Members int64  `json:"members"` // of both
}

func overlap() *cobra.Command {
	return command.View[*session, *overlapView]{
		About: command.About{
			Use:   "overlap A B [C...]",
			Short: "Count the members that audiences have in common",
			Long: `Read the ledgers of 2 to 10 targets and count their members: of each, of each pair, of all
together, and those of the first that are in no other one. The numbers are exact: members
are those of the newest generation and of what other jobs have added and removed since,
without those that have lapsed. Targets must have the same profile, because the same
device has another digest under another one. A target is segment/ID or campaign/CODE.`,
			Example: "  usher audiences overlap segment/4 segment/5\n  usher audiences overlap segment/4 segment/5 campaign/SANDBOX1-spring --json",
			Args:    cobra.ArbitraryArgs,
			Check:   checkOverlap,
			JSON:    "an object",
		},
		On: onLedger().Completing(func(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			return connect.Complete(jobs.TargetNames)(cmd, nil, word)
		}),
		Load: func(ctx context.Context, c *command.Call, s *session) (*overlapView, error) {
			return s.overlap(ctx, c.Args)
		},
		Print: func(c *command.Call, v *overlapView) error { return v.write(c.Out()) },
	}.Command()
}

// checkOverlap returns an error if the arguments are not 2 to 10 different targets.
func checkOverlap(c *command.Call) error {
	if n := len(c.Args); n < 2 || n > ledger.MaxOverlap {
		return command.Usagef("overlap takes 2 to %d targets, such as segment/4 segment/5; usher audiences ls lists them", ledger.MaxOverlap)
	}
	for i, name := range c.Args {
		if slices.Contains(c.Args[:i], name) {
			return command.Usagef("%s is named twice", name)
		}
	}
	return checkTargets(c.Args)
}

func (s *session) overlap(ctx context.Context, names []string) (*overlapView, error) {
	targets := make([]ledger.Target, len(names))
	for i, name := range names {
		targets[i] = ledger.Target{Advertiser: s.advertiser, Name: name}
	}
	o, err := s.store.Overlap(ctx, targets)
	if err != nil {
		return nil, err
	}
	v := &overlapView{Pairs: []pairView{}, Union: o.Union(), All: o.All(), Without: o.Only(0)}
	for i := range o.Targets {
		t := &o.Targets[i]
		v.Targets = append(v.Targets, targetView{
			Target: t.Name, Name: s.name(t.Target), Profile: t.Profile, Members: o.Members(i), Only: o.Only(i), Uncertain: t.Uncertain, Lapsed: t.Lapsed,
			Generation: t.Generation, At: t.At, label: s.label(t.Target),
		})
		for j := i + 1; j < len(names); j++ {
			v.Pairs = append(v.Pairs, pairView{names[i], names[j], o.Both(i, j)})
		}
	}
	return v, nil
}

func (v *overlapView) write(out io.Writer) error {
	table := &terminal.Table{Header: []string{"AUDIENCE", "MEMBERS", "ONLY HERE"}, Right: []int{2, 3}, Whole: true}
	for j := range v.Targets {
		table.Header = append(table.Header, fmt.Sprintf("AND %d", j+1))
		table.Right = append(table.Right, 4+j)
	}
	for i := range v.Targets {
		t := &v.Targets[i]
		row := []string{fmt.Sprintf("%d %s", i+1, t.label), readable.Number(t.Members), readable.Number(t.Only)}
		for j := range v.Targets {
			row = append(row, v.both(i, j))
		}
		table.Add(row...)
	}
	if err := table.Write(out); err != nil {
		return err
	}
	facts := terminal.Table{}
	facts.Add("together", readable.Number(v.Union))
	if len(v.Targets) > 2 {
		facts.Add("in all", readable.Number(v.All))
	}
	facts.Add("only in "+v.Targets[0].label, readable.Number(v.Without))
	for i := range v.Targets {
		if t := &v.Targets[i]; t.Uncertain > 0 {
			facts.Add("not counted", fmt.Sprintf("%s of %s, which may be members: a job has begun to change it and has not ended as it should", readable.Count(t.Uncertain, "id"), t.label))
		}
	}
	return facts.Write(out)
}

// both returns the number of members of two targets, with their share of the first.
func (v *overlapView) both(i, j int) string {
	a, b := v.Targets[min(i, j)].Target, v.Targets[max(i, j)].Target
	for _, p := range v.Pairs {
		if p.A == a && p.B == b {
			return fmt.Sprintf("%s (%.1f %%)", readable.Number(p.Members), 100*float64(p.Members)/float64(max(v.Targets[i].Members, 1)))
		}
	}
	return "–"
}
