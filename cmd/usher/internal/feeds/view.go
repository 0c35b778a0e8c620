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
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/feeds"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/letters"
	"usher/queues/names"
)

// view is a feed as people see it.
type view struct {
	Name       string     `json:"name"`
	Watch      string     `json:"watch"`
	Every      string     `json:"every"` // a duration or a schedule
	Kind       usher.Kind `json:"kind"`
	Target     string     `json:"target"`
	TargetName string     `json:"targetName,omitempty"` // of the segment on the platform; absent: not known

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
	Blind      bool       `json:"blind"`                 // the last look could not see what is in the place
	BlindSince *time.Time `json:"blindSince,omitempty"`
	BlindWhy   string     `json:"blindReason,omitempty"`
	Problem    string     `json:"problem,omitempty"`   // what is wrong with it in the feed files
	OtherCase  string     `json:"otherCase,omitempty"` // files that were not taken because of the case of their names
	Late       bool       `json:"late"`
	LateSince  *time.Time `json:"lateSince,omitempty"`

	LastSeen           *time.Time         `json:"lastSeen"` // when a new version was seen
	Export             *feeds.Sighting    `json:"export,omitempty"`
	LastJob            *string            `json:"lastJob"`
	LastJobAt          *time.Time         `json:"lastJobAt"`
	LastJobState       usher.State        `json:"lastJobState,omitempty"`
	LastJobError       string             `json:"lastJobError,omitempty"`
	LastJobNew         *int64             `json:"lastJobNew,omitempty"`         // ids that were new in it; only of usher feeds show
	LastJobConsequence *usher.Consequence `json:"lastJobConsequence,omitempty"` // of a mirror; only of usher feeds show
	LastLook           *time.Time         `json:"lastLook"`
	NextLook           *time.Time         `json:"nextLook"`
	NextExpected       *time.Time         `json:"nextExpected"`
	Why                *string            `json:"why"` // why nothing happened at the last look

	// Memory is how the last good export was read, with which the next one is compared; only of
	// usher feeds show.
	Memory *usher.Memory `json:"memory,omitempty"`
	// Same says that the last job's export has the content of the one before, under another name.
	Same string `json:"sameContent,omitempty"`
	// Differences are those of the last job's export from it, of a kind of job that nothing holds.
	Differences []string `json:"differences,omitempty"`

	spec     feeds.Spec    // of usher feeds show
	remedies []string      // commands for a last job that has failed
	lasting  string        // what to change in the feed file, so that the next one does not fail
	last     *usher.Record // the last job, of usher feeds show; nil: it is not on record
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
		Name: s.Name, Watch: s.Spec.Watch, Every: s.Spec.Every, Kind: s.Spec.Kind, Target: s.Spec.Target, Refused: s.Refused, Problem: s.Problem, OtherCase: s.OtherCase,
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
	if s.Blind != "" {
		v.Blind, v.BlindSince, v.BlindWhy = true, timeOf(s.BlindSince), s.Blind
	}
	if by, late := s.Late(now); late {
		v.Late, v.LateSince = true, timeOf(by)
	}
	if s.Seen != nil {
		v.LastSeen, v.Export = timeOf(s.Seen.At), s.Seen
	}
	v.TargetName = nameOf(q.Names().Known(ctx), v.Target)
	why := s.WhyNothing()
	if v.Unattended = s.Overdue(now); v.Unattended {
		why = "no worker looks at it since " + readable.Time(s.Next) + ": " + noWorker + " One that is in no file any more leaves the lists after three hours"
	}
	if why != "" {
		v.Why = &why
	}
	if s.Last == nil {
		return v, nil
	}
	v.LastJob, v.LastJobAt, v.Differences, v.Same = &s.Last.Job, timeOf(s.Last.At), s.Last.Differences, s.Last.Same
	if s.Spec.Kind == usher.Outcomes { // there is no job: its numbers are stored
		v.LastJobState = usher.Done
		return v, nil
	}
	run, found, err := q.Reruns().Latest(ctx, s.Last.Job)
	if v.LastJobState = run.State; err == nil && !found {
		v.LastJobState = usher.Queued
	}
	if v.LastJobState == usher.Failed {
		v.LastJobError, v.remedies, v.lasting = problemOf(ctx, q, s.Last.Job)
	}
	return v, err
}

// nameOf returns the name of a feed's target, segment 4 or segment 4 of ADVERTISER, or "".
func nameOf(known names.Known, target string) string {
	target, advertiser, _ := strings.Cut(target, " of ")
	return known.Name(advertiser, target)
}

// label returns how people call the target.
func (v *view) label() string { return usher.TargetLabel(v.TargetName, v.Target) }

// problemOf returns why a job has failed, the commands that change the job as its error asks for and replay
// it, and what to change in the feed file. It returns "" if the record cannot be read.
func problemOf(ctx context.Context, q *queues.Queue, job string) (why string, remedies []string, lasting string) {
	r, err := q.Status().Record(ctx, job)
	if err != nil || r.Error == nil {
		return "", nil, ""
	}
	var fields []string
	for _, remedy := range letters.Remedies(r.Error.Class, r.Error.Hint) {
		remedies = append(remedies, "if the export is right: "+remedy.Commands("--id "+job))
		for _, a := range remedy {
			// A feed has the field of a job; one whose target is wrong says so itself.
			if field := "job." + a.Field; strings.HasPrefix(a.Field, "source.") && a.Field != "source.url" && !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
	}
	if len(fields) > 0 {
		lasting = "set " + strings.Join(fields, " or ") + " in the feed file in the same way: without it, each export like this one fails"
	}
	return string(r.Error.Class) + ": " + r.Error.Message, remedies, lasting
}

func timeOf(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC()
	return &at
}

func list() *cobra.Command {
	return command.List[*session, view]{
		About: command.About{
			Use: "ls", Aliases: []string{"list"},
			Short:   "List the feeds that workers watch",
			Long:    "List the feeds that workers watch, with their last jobs and what holds them up.",
			Example: "  usher feeds ls --json",
			JSON:    "an array of feeds",
		},
		On: all(),
		Load: func(ctx context.Context, _ *command.Call, s *session) ([]view, error) {
			known, err := s.states.List(ctx)
			if err != nil {
				return nil, err
			}
			var views []view
			for i := range known {
				v, err := viewOf(ctx, s.queue, &known[i])
				if err != nil {
					return nil, err
				}
				views = append(views, v)
			}
			return views, nil
		},
		Columns: []command.Column{
			{Header: "FEED", Cut: 3}, {Header: "WATCHES", Cut: 1, Drop: 3}, {Header: "JOB", Drop: 1}, {Header: "TARGET"}, {Header: "STATE"},
			{Header: "LAST JOB", Cut: 2}, {Header: "AT", Drop: 2},
		},
		Row: func(v *view, times terminal.Times) []string {
			last, at := "", ""
			if v.LastJob != nil {
				last, at = *v.LastJob+" "+string(v.LastJobState), times.Text(*v.LastJobAt)
			}
			return []string{v.Name, v.Watch, string(v.Kind), v.label(), v.state(), last, at}
		},
	}.Command()
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
	case v.Blind:
		return "blind"
	case v.Problem != "":
		return "wrong"
	case v.Late:
		return "late"
	case v.LastJobState == usher.Failed, v.LastJobState == usher.Cancelled: // its export was not uploaded
		return "job " + string(v.LastJobState)
	}
	return "watching"
}

func show() *cobra.Command {
	return command.View[*session, *view]{
		About: command.About{
			Use:   "show NAME",
			Short: "Show a feed",
			Long: `Show what a feed watches, the export that it saw last, its last job, how the last good export
was read, with which the next one is compared, when the next export is expected, and why the
last look published no job.`,
			Example: "  usher feeds show crm-daily --json",
			Args:    command.ExactArgs("NAME"),
			JSON:    "an object",
		},
		On: one(),
		Load: func(ctx context.Context, c *command.Call, s *session) (*view, error) {
			state, err := s.states.Get(ctx, c.Args[0])
			if err != nil {
				return nil, err
			}
			v, err := viewOf(ctx, s.queue, state)
			v.spec, v.Memory = state.Spec, state.Memory
			if err == nil {
				v.addLast(ctx, s.queue)
			}
			return &v, err
		},
		Print: func(c *command.Call, v *view) error { return v.write(c.Out()) },
	}.Command()
}

// addLast adds what the last job has changed, if it is on record.
func (v *view) addLast(ctx context.Context, q *queues.Queue) {
	if v.LastJob == nil || v.LastJobState != usher.Done {
		return
	}
	if r, err := q.Status().Record(ctx, *v.LastJob); err == nil {
		v.last, v.LastJobNew, v.LastJobConsequence = &r, r.New, r.Consequence
	}
}

func (v *view) write(out io.Writer) error {
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
	add("done marker", v.spec.Marker)
	add("settle", v.spec.Settle)
	add("job", string(v.Kind)+" on "+v.label())
	add("moves to", v.spec.Move)
	for _, e := range v.Exports {
		add("held", strings.TrimPrefix(e.Name+", version "+e.Version+": "+e.Reason, ", "))
	}
	if v.Blind {
		add("blind since", at(v.BlindSince)+": "+v.BlindWhy)
	}
	add("wrong", v.Problem)
	add("not taken", v.OtherCase)
	add("late since", at(v.LateSince))
	if e := v.Export; e != nil {
		add("last seen", at(v.LastSeen)+", "+e.Name+", "+readable.Count(e.Files, "file")+", "+readable.Bytes(e.Bytes)+", version "+e.Version)
	}
	if v.LastJob != nil {
		add("last job", *v.LastJob+", "+string(v.LastJobState)+", "+at(v.LastJobAt))
		if v.last != nil {
			jobs.AddConsequence(facts, "changed", v.last)
		}
		if v.LastJobError != "" {
			add("failed", v.LastJobError+" (usher dead show --id "+*v.LastJob+")")
		}
		for i, line := range v.remedies {
			add([]string{"to go on", "or"}[min(i, 1)], line)
		}
		add("from now on", v.lasting)
	}
	add("same content", v.Same)
	for _, text := range v.Differences {
		add("differs", text)
	}
	if v.Memory != nil {
		jobs.AddMemory(facts, v.Memory, at(&v.Memory.At))
	}
	add("last look", at(v.LastLook))
	add("next look", at(v.NextLook))
	switch {
	case v.NextExpected != nil:
		add("next expected", "by "+at(v.NextExpected))
	case !v.Paused:
		add("next expected", "at any time: the feed has no expect.by")
	}
	if v.Why != nil {
		add("why nothing", *v.Why)
	}
	return facts.Write(out)
}
