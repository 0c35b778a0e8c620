package audiences

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/feeds"
	"usher/internal/ledger"
	"usher/internal/readable"
	"usher/queues/status"
)

// view is an audience as people see it.
type view struct {
	Target     string      `json:"target"`
	Advertiser string      `json:"advertiser"`
	Name       *string     `json:"name"`       // on the platform; null: it has none, or the platform does not say
	Listed     *bool       `json:"listed"`     // whether the platform lists the segment; null: it does not say, or the target is no segment
	Type       string      `json:"type"`       // of the segment, such as IDFA, or of the ids in the ledger; "": not known
	Members    *int64      `json:"members"`    // null: not known, because there is no ledger, it is broken, or a job or a restore may have removed all
	Uncertain  int64       `json:"uncertain"`  // ids that may be members, which are not among them
	Lapsed     int64       `json:"lapsed"`     // ids that have left the segment because of its duration, which are not among the members
	Generation int64       `json:"generation"` // 0: there is no ledger
	LastChange *changeView `json:"lastChange"` // null: none on record
	Expiry     *int64      `json:"expiry"`     // days after which a member lapses; null: never, or not known
	Feed       *string     `json:"feed"`       // that writes to it; null: none
	Except     []excepted  `json:"except"`     // audiences whose members the last mirror has left out
	Holdout    *holdout    `json:"holdout"`    // what the last mirror has held out; null: nothing
	Error      string      `json:"error,omitempty"`

	label   string
	lapsing *ledger.Lapsing // nil: no member leaves soon
}

// excepted is an audience whose members were left out, as of a generation.
type excepted struct {
	ledger.Excepted

	label string
}

// holdout is a share of the ids that was kept out.
type holdout struct {
	usher.Holdout
	Count int64 `json:"count"`
}

// changeView is the newest change of an audience by a job.
type changeView struct {
	At      time.Time  `json:"at"`
	Job     string     `json:"job"`
	Kind    usher.Kind `json:"kind,omitempty"` // "": the job is not on record any more
	Added   int64      `json:"added"`
	Removed int64      `json:"removed"`
}

func list() *cobra.Command {
	return command.List[*session, *view]{
		About: command.About{
			Use: "ls", Aliases: []string{"list"},
			Short: "List the segments and campaign targets that usher knows",
			Long: `List the segments and campaign targets of which a job, a ledger or a feed is known, with their
names on the platform, the numbers of their members, their newest changes, the days after
which members lapse, and the feeds that write to them. Members are those of the ledger
without those that have lapsed.`,
			Example: "  usher audiences ls --json",
			JSON:    "an array of audiences",
		},
		On:   onLedger(),
		Load: func(ctx context.Context, _ *command.Call, s *session) ([]*view, error) { return s.views(ctx) },
		Columns: []command.Column{
			{Header: "AUDIENCE", Cut: 3}, {Header: "TYPE", Drop: 1}, {Header: "MEMBERS", Right: true}, {Header: "CHANGED", Drop: 4},
			{Header: "LAST CHANGE", Drop: 3}, {Header: "EXPIRY", Drop: 2}, {Header: "FEED", Cut: 2}, {Header: "REMARK", Cut: 1},
		},
		Row: func(v **view, times terminal.Times) []string { return (*v).row(times) },
	}.Command()
}

// views returns all audiences, by their names.
func (s *session) views(ctx context.Context) ([]*view, error) {
	all := map[ledger.Target]*view{}
	view := func(t ledger.Target) *view {
		if all[t] == nil {
			all[t] = s.newView(t)
		}
		return all[t]
	}
	if err := s.addJobs(ctx, view); err != nil {
		return nil, err
	}
	if err := s.addLedgers(ctx, view); err != nil {
		return nil, err
	}
	if err := s.addFeeds(ctx, view); err != nil {
		return nil, err
	}
	return sorted(all), nil
}

func sorted(all map[ledger.Target]*view) []*view {
	list := make([]*view, 0, len(all))
	for _, v := range all {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b *view) int {
		return strings.Compare(strings.ToLower(a.label)+"\x00"+a.Target, strings.ToLower(b.label)+"\x00"+b.Target)
	})
	return list
}

func (s *session) newView(t ledger.Target) *view {
	v := &view{Target: t.Name, Advertiser: t.Advertiser, Name: s.name(t), Type: s.typeOf(t, usher.Profile{}), label: s.label(t), Except: []excepted{}}
	if s.segments != nil && t.IsSegment() && t.Advertiser == s.advertiser {
		v.Listed = new(s.segment(t) != nil)
	}
	if segment := s.segment(t); segment != nil && segment.DurationInDays > 0 {
		days := int64(segment.DurationInDays)
		v.Expiry = &days
	}
	return v
}

// addJobs adds the targets of the jobs on record, and their newest changes.
func (s *session) addJobs(ctx context.Context, view func(ledger.Target) *view) error {
	records, err := s.queue.Status().Records(ctx, status.Filter{})
	for i := range records {
		r := &records[i]
		var job usher.Job
		_ = json.Unmarshal(r.Job, &job) // unreadable fields are left empty
		if family := r.Kind.Family(); family != "segment" && family != "target" {
			continue
		}
		v := view(ledger.TargetOf(s.advertiser, r.Kind, &job))
		added, removed := r.Change()
		if v.LastChange == nil && r.Finished != nil && !job.DryRun && added+removed > 0 {
			v.LastChange = &changeView{*r.Finished, r.ID, r.Kind, added, removed}
		}
	}
	return err
}

// addLedgers adds what the ledgers say. One that cannot be read is an error of its audience.
func (s *session) addLedgers(ctx context.Context, view func(ledger.Target) *view) error {
	var heads []ledger.Head
	err := s.store.Heads(ctx, func(h ledger.Head, damaged string) {
		if damaged != "" {
			advertiser, name, _ := strings.Cut(damaged, " ")
			view(ledger.Target{Advertiser: advertiser, Name: name}).Error = "the head of its ledger is damaged"
			return
		}
		heads = append(heads, h)
	})
	if err != nil {
		return err
	}
	for i := range heads {
		v := view(heads[i].Target)
		if err := s.addLedger(ctx, v, &heads[i]); err != nil {
			v.Error = err.Error()
		}
	}
	return nil
}

func (s *session) addLedger(ctx context.Context, v *view, h *ledger.Head) (err error) {
	if h.Generation == 0 {
		return nil
	}
	v.Generation = h.Generation
	if v.LastChange == nil {
		v.LastChange = &changeView{At: h.At, Job: h.Job}
	}
	state, err := s.store.Load(ctx, *h)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, state.Close(ctx)) }()
	size, err := s.store.Count(ctx, state)
	if err != nil {
		return err
	}
	v.Uncertain, v.Lapsed, v.lapsing = size.Uncertain, size.Lapsed, size.Lapses(h.Target)
	if !h.MayBeCleared() {
		v.Members = &size.Members
	}
	v.Type = s.typeOf(h.Target, state.Profile())
	if err := s.addWithheld(ctx, v, h); err != nil {
		return err
	}
	if days := int64(state.Duration()); v.Expiry == nil && days > 0 {
		v.Expiry = &days
	}
	return nil
}

func (s *session) addWithheld(ctx context.Context, v *view, h *ledger.Head) error {
	w, err := s.store.Withheld(ctx, h)
	if err != nil || w == nil {
		return err
	}
	for _, e := range w.Except {
		v.Except = append(v.Except, excepted{e, s.label(ledger.Target{Advertiser: h.Advertiser, Name: e.Target})})
	}
	if w.Holdout != nil {
		v.Holdout = &holdout{*w.Holdout, ledger.Digests(w.HeldOut)}
	}
	return nil
}

func (s *session) addFeeds(ctx context.Context, view func(ledger.Target) *view) error {
	states, err := feeds.NewStates(s.queue).List(ctx)
	for i := range states {
		family, id, _ := strings.Cut(states[i].Spec.Target, " ")
		id, advertiser, other := strings.Cut(id, " of ")
		if !other {
			advertiser = s.advertiser
		}
		switch family {
		case "segment":
			view(ledger.Target{Advertiser: advertiser, Name: "segment/" + id}).Feed = &states[i].Name
		case "target":
			view(ledger.Target{Advertiser: advertiser, Name: "campaign/" + id}).Feed = &states[i].Name
		}
	}
	return err
}

func (v *view) row(times terminal.Times) []string {
	members, changed, change, expiry, feed := "", "", "", "", ""
	if v.Members != nil {
		members = readable.Number(*v.Members)
	}
	if c := v.LastChange; c != nil {
		changed, change = times.Text(c.At), c.text()
	}
	if v.Expiry != nil {
		expiry = readable.Count(*v.Expiry, "day")
	}
	if v.Feed != nil {
		feed = *v.Feed
	}
	return []string{v.label, v.Type, members, changed, change, expiry, feed, v.remark()}
}

func (c *changeView) text() string {
	if c.Added+c.Removed == 0 {
		return ""
	}
	return readable.Change(c.Added, c.Removed)
}

func (v *view) remark() string {
	switch {
	case v.Error != "":
		return v.Error
	case v.Listed != nil && !*v.Listed:
		return "is not on the platform"
	case v.Generation == 0:
		return "has no ledger"
	case v.Uncertain > 0:
		return readable.Count(v.Uncertain, "id") + " may be members"
	case v.lapsing != nil:
		return v.lapsing.Says()
	case v.Lapsed > 0:
		return readable.Count(v.Lapsed, "id") + " lapsed"
	}
	return ""
}

func show() *cobra.Command {
	return command.View[*session, *view]{
		About: command.About{
			Use:     "show TARGET",
			Short:   "Show a segment or a campaign target",
			Long:    "Show what usher audiences ls says of one audience. TARGET is segment/ID or campaign/CODE.",
			Example: "  usher audiences show segment/4 --json",
			Args:    command.ExactArgs("TARGET"),
			Check:   func(c *command.Call) error { return checkTargets(c.Args) },
			JSON:    "an object",
		},
		On:    onLedger().Completing(connect.Complete(jobs.TargetNames)),
		Load:  func(ctx context.Context, c *command.Call, s *session) (*view, error) { return s.one(ctx, c.Args[0]) },
		Print: func(c *command.Call, v *view) error { return v.write(c.Out()) },
	}.Command()
}

// checkTargets returns an error if an argument is no target.
func checkTargets(names []string) error {
	for _, name := range names {
		if _, err := ledger.ParseTarget("", name); err != nil {
			return command.Usagef("%w", err)
		}
	}
	return nil
}

// one returns the audience with a name.
func (s *session) one(ctx context.Context, name string) (*view, error) {
	all, err := s.views(ctx)
	if err != nil {
		return nil, err
	}
	for _, v := range all {
		if v.Target == name && v.Advertiser == s.advertiser {
			return v, nil
		}
	}
	t, err := ledger.ParseTarget(s.advertiser, name)
	if err != nil {
		return nil, err
	}
	if s.segment(t) != nil {
		return s.newView(t), nil
	}
	return nil, fmt.Errorf("show %s: no job, ledger or feed of it is known; usher audiences ls lists the audiences", name)
}

func (v *view) write(out io.Writer) error {
	facts := terminal.Table{}
	facts.Add("target", v.Target)
	if v.Name != nil {
		facts.Add("name", *v.Name)
	}
	if v.Type != "" {
		facts.Add("type", v.Type)
	}
	members := "not known"
	if v.Members != nil {
		members = readable.Number(*v.Members)
	}
	facts.Add("members", members)
	if c := v.LastChange; c != nil {
		facts.Add("last change", strings.TrimSuffix(terminal.When(out, c.At)+" by job "+c.Job+", "+c.text(), ", "))
	}
	if v.Expiry != nil {
		facts.Add("expiry", readable.Count(*v.Expiry, "day")+" after the last upload of an id")
	}
	if v.Feed != nil {
		facts.Add("feed", *v.Feed)
	}
	for _, e := range v.Except {
		facts.Add("left out", fmt.Sprintf("members of %s, as of its generation %d, %s: %s", e.label, e.Generation, terminal.When(out, e.At), readable.Count(e.Count, "id")))
	}
	if h := v.Holdout; h != nil {
		facts.Add("held out", fmt.Sprintf("%v %% by the key %s: %s", h.Percent, h.Key, readable.Count(h.Count, "id")))
	}
	if remark := v.remark(); remark != "" {
		facts.Add("remark", remark)
	}
	return facts.Write(out)
}
