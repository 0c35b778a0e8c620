package feeds

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/feeds"
	"usher/internal/readable"
	"usher/queues"
)

// view is a feed as people see it.
type view struct {
	Name   string     `json:"name"`
	Watch  string     `json:"watch"`
	Every  string     `json:"every"` // a duration or a schedule
	Kind   usher.Kind `json:"kind"`
	Target string     `json:"target"`

	Paused       bool       `json:"paused"`
	PausedBy     string     `json:"pausedBy,omitempty"`
	PausedAt     *time.Time `json:"pausedAt,omitempty"`
	PausedReason string     `json:"pausedReason,omitempty"`

	Held       *string    `json:"held"` // the key of the rule that holds an export
	HeldReason string     `json:"heldReason,omitempty"`
	HeldCount  int        `json:"heldCount"`
	Versions   []string   `json:"heldVersions,omitempty"`
	Exports    []held     `json:"heldExports,omitempty"` // the oldest first
	Unattended bool       `json:"unattended"`            // no worker looks although one should
	Refused    bool       `json:"refused"`               // workers may not read the watched place
	Late       bool       `json:"late"`
	LateSince  *time.Time `json:"lateSince,omitempty"`

	LastSeen     *time.Time      `json:"lastSeen"` // when a new version was seen
	Export       *feeds.Sighting `json:"export,omitempty"`
	LastJob      *string         `json:"lastJob"`
	LastJobAt    *time.Time      `json:"lastJobAt"`
	LastJobState usher.State     `json:"lastJobState,omitempty"`
	LastJobError string          `json:"lastJobError,omitempty"`
	LastLook     *time.Time      `json:"lastLook"`
	NextLook     *time.Time      `json:"nextLook"`
	NextExpected *time.Time      `json:"nextExpected"`
	Why          *string         `json:"why"` // why nothing happened at the last look
}

// held is an export that is held.
type held struct {
	Version string `json:"version"`
	Name    string `json:"name"` // masked
	Rule    string `json:"rule"` // the key of the rule that holds it
	Reason  string `json:"reason"`
}

// heldOf returns the exports of a feed that are held, the oldest first.
func heldOf(s *feeds.State) []held {
	versions := s.HeldVersions()
	slices.SortStableFunc(versions, func(a, b string) int { return s.Versions[a].Since.Compare(s.Versions[b].Since) })
	var all []held
	for _, version := range versions {
		v := s.Versions[version]
		all = append(all, held{version, v.Name, v.Held, v.Reason})
	}
	return all
}

// noWorker says what to check if no worker looks at a feed.
const noWorker = "is usher run running, with this feed in feeds.files, or usher dev with --feeds FILE?"

// viewOf returns the view of a feed.
func viewOf(ctx context.Context, q *queues.Queue, s *feeds.State) (view, error) {
	now := q.Now()
	v := view{
		Name: s.Name, Watch: s.Spec.Watch, Every: s.Spec.Every, Kind: s.Spec.Kind, Target: s.Spec.Target, Refused: s.Refused,
		LastLook: timeOf(s.Looked), NextLook: timeOf(s.Next), NextExpected: timeOf(s.NextExpected(now)),
	}
	if p := s.Paused; p != nil {
		v.Paused, v.PausedBy, v.PausedAt, v.PausedReason = true, p.By, &p.At, p.Reason
		v.NextLook, v.NextExpected = nil, nil
	}
	if held := s.Held(); len(held) > 0 {
		v.Held, v.HeldReason, v.HeldCount, v.Versions = &held[0].Held, held[0].Reason, len(held), s.HeldVersions()
		v.Exports = heldOf(s)
	}
	if by, late := s.Late(now); late {
		v.Late, v.LateSince = true, timeOf(by)
	}
	if s.Seen != nil {
		v.LastSeen, v.Export = timeOf(s.Seen.At), s.Seen
	}
	why := s.WhyNothing()
	if v.Unattended = s.Overdue(now); v.Unattended {
		why = "no worker looks at it since " + readable.Time(s.Next) + ": " + noWorker
	}
	if why != "" {
		v.Why = &why
	}
	if s.Last == nil {
		return v, nil
	}
	v.LastJob, v.LastJobAt = &s.Last.Job, timeOf(s.Last.At)
	run, found, err := q.Reruns().Latest(ctx, s.Last.Job)
	if v.LastJobState = run.State; err == nil && !found {
		v.LastJobState = usher.Queued
	}
	if v.LastJobState == usher.Failed {
		v.LastJobError = problemOf(ctx, q, s.Last.Job)
	}
	return v, err
}

// problemOf returns why a job has failed, or "" if its record cannot be read.
func problemOf(ctx context.Context, q *queues.Queue, job string) string {
	r, err := q.Status().Record(ctx, job)
	if err != nil || r.Error == nil {
		return ""
	}
	return string(r.Error.Class) + ": " + r.Error.Message
}

func timeOf(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC()
	return &at
}

func list() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Aliases: []string{"list"},
		Short:   "List the feeds that workers watch",
		Long:    "List the feeds that workers watch, with their last jobs and what holds them up.",
		Example: "  usher feeds ls --json",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				return writeList(ctx, cmd, q, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of feeds")
	connect.AddQueueFlags(cmd)
	return cmd
}

func writeList(ctx context.Context, cmd *cobra.Command, q *queues.Queue, asJSON bool) error {
	all, err := feeds.NewStates(q).List(ctx)
	if err != nil {
		return err
	}
	views := []view{}
	for i := range all {
		v, err := viewOf(ctx, q, &all[i])
		if err != nil {
			return err
		}
		views = append(views, v)
	}
	if asJSON {
		return terminal.WriteJSON(cmd.OutOrStdout(), views)
	}
	table := &terminal.Table{Header: []string{"FEED", "WATCHES", "JOB", "TARGET", "STATE", "LAST JOB", "AT"}, Cut: []int{2, 6, 1}, Drop: []int{3, 7, 2}}
	times := command.Times(cmd)
	for i := range views {
		v := &views[i]
		last, at := "", ""
		if v.LastJob != nil {
			last, at = *v.LastJob+" "+string(v.LastJobState), times.Text(*v.LastJobAt)
		}
		table.Add(v.Name, v.Watch, string(v.Kind), v.Target, v.state(), last, at)
	}
	return table.Write(cmd.OutOrStdout())
}

// state returns what holds the feed up, in a word.
func (v *view) state() string {
	switch {
	case v.Paused:
		return "paused"
	case v.Held != nil && v.Unattended:
		return "held: " + *v.Held + ", no worker"
	case v.Held != nil:
		return "held: " + *v.Held
	case v.Unattended:
		return "no worker"
	case v.Refused:
		return "refused"
	case v.Late:
		return "late"
	}
	return "watching"
}

func show() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show a feed",
		Long: `Show what a feed watches, the export that it saw last, its last job, when the next export is
expected, and why the last look published no job.`,
		Example: "  usher feeds show crm-daily --json",
		Args:    command.ExactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withFeed(cmd, args[0], func(ctx context.Context, q *queues.Queue, states *feeds.States) error {
				s, err := states.Get(ctx, args[0])
				if err != nil {
					return err
				}
				v, err := viewOf(ctx, q, s)
				if err != nil {
					return err
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), v)
				}
				return v.write(cmd.OutOrStdout(), s)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an object")
	connect.AddQueueFlags(cmd)
	return cmd
}

func (v *view) write(out io.Writer, s *feeds.State) error {
	facts := &terminal.Table{}
	add := func(what, value string) {
		if value != "" {
			facts.Add(what, value)
		}
	}
	at := func(t *time.Time) string {
		if t == nil {
			return ""
		}
		return terminal.When(out, *t)
	}
	add("feed", v.Name)
	add("state", v.state())
	if v.Paused {
		add("paused by", v.PausedBy+", "+at(v.PausedAt))
		add("reason", v.PausedReason)
	}
	add("watches", v.Watch)
	add("looks", v.Every)
	add("done marker", s.Spec.Marker)
	add("settle", s.Spec.Settle)
	add("job", string(v.Kind)+" on "+v.Target)
	add("moves to", s.Spec.Move)
	for _, e := range v.Exports {
		add("held", strings.TrimPrefix(e.Name+", version "+e.Version+": "+e.Reason, ", "))
	}
	add("late since", at(v.LateSince))
	if e := v.Export; e != nil {
		add("last seen", at(v.LastSeen)+", "+e.Name+", "+readable.Count(int64(e.Files), "file")+", "+readable.Bytes(e.Bytes)+", version "+e.Version)
	}
	if v.LastJob != nil {
		add("last job", *v.LastJob+", "+string(v.LastJobState)+", "+at(v.LastJobAt))
		if v.LastJobError != "" {
			add("failed", v.LastJobError+" (usher dead show --id "+*v.LastJob+")")
		}
	}
	add("last look", at(v.LastLook))
	add("next look", at(v.NextLook))
	add("next expected", at(v.NextExpected))
	if v.Why != nil {
		add("why nothing", *v.Why)
	}
	return facts.Write(out)
}
