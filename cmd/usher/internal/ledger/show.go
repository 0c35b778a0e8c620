package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/internal/readable"
)

// targetOf returns the target of a job's record, or the zero target.
func targetOf(c config.Config, r *usher.Record) ledger.Target {
	var job usher.Job
	err := json.Unmarshal(r.Job, &struct {
		Advertiser *string `json:"advertiser"`
		Segment    *string `json:"segment"`
		Campaign   *string `json:"campaign"`
	}{&job.Advertiser, &job.Segment, &job.Campaign})
	if family := r.Kind.Family(); err != nil || family != "segment" && family != "target" {
		return ledger.Target{}
	}
	return ledger.TargetOf(c.String("platform.advertiser"), r.Kind, &job)
}

// view is a ledger as people see it.
type view struct {
	Advertiser string `json:"advertiser"`
	Target     string `json:"target"`
	Generation int64  `json:"generation"`
	// Count, Sum and Xor are null if they are not known, because of Error, or because the job
	// Unfinished may have removed all ids.
	Count *int64    `json:"count"`
	Sum   *string   `json:"sum"`
	Xor   *string   `json:"xor"`
	At    time.Time `json:"at"`
	Job   string    `json:"job"`
	// Changed reports whether other jobs have changed the target since the generation.
	Changed    bool   `json:"changed"`
	Uncertain  int64  `json:"uncertain"`            // ids that the target may or may not hold
	Unfinished string `json:"unfinished,omitempty"` // a job that has begun to change the target
	// Lapsing says how many members leave by the end of tomorrow, because nothing uploads them again.
	Lapsing *lapsingView `json:"lapsing,omitempty"`
	Error   string       `json:"error,omitempty"`
	// Memory is how the last good export was read, which the next mirror compares with its own.
	Memory *usher.Memory `json:"memory,omitempty"`
	Kept   []keptView    `json:"generations,omitempty"`
	// Except and Holdout are what the last mirror has left out.
	Except  []ledger.Excepted `json:"except,omitempty"`
	Holdout *holdoutView      `json:"holdout,omitempty"`
}

// lapsingView is what leaves a segment soon.
type lapsingView struct {
	Count   int64     `json:"count"`
	Members int64     `json:"members"`
	First   time.Time `json:"first"` // the day on which the first of them leave

	says string
}

// holdoutView is the holdout of the last mirror.
type holdoutView struct {
	usher.Holdout
	Count int64 `json:"count"` // ids that it has kept out
}

// setWithheld adds what the last mirror has left out.
func (v *view) setWithheld(w *ledger.Withheld) {
	if w == nil {
		return
	}
	v.Except = w.Except
	if w.Holdout != nil {
		v.Holdout = &holdoutView{*w.Holdout, ledger.Digests(w.HeldOut)}
	}
}

// keptView is a generation that is kept.
type keptView struct {
	Generation int64     `json:"generation"`
	Count      int64     `json:"count"`
	At         time.Time `json:"at"`
	Job        string    `json:"job"`
}

// view reads what is known of a target.
func (s *session) view(ctx context.Context, h *ledger.Head) (v view, err error) {
	v = view{Advertiser: h.Advertiser, Target: h.Name, Generation: h.Generation, At: h.At, Job: h.Job}
	if h.Pending != nil {
		v.Unfinished = h.Pending.Job
	}
	state, err := s.store.Load(ctx, *h)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, state.Close(ctx)) }()
	v.Changed = state.IsChanged()
	print, uncertain, err := s.store.Fingerprint(ctx, state)
	if err != nil {
		return v, err
	}
	v.Uncertain = uncertain
	if h.MayBeCleared() {
		return v, nil
	}
	if state.Duration() > 0 {
		size, err := s.store.Count(ctx, state)
		if err != nil {
			return v, err
		}
		if l := size.Lapses(h.Target); l != nil {
			v.Lapsing = &lapsingView{l.Count, l.Members, l.First, l.Says()}
		}
	}
	return v, v.setFingerprint(print)
}

func (v *view) setFingerprint(f hashing.Fingerprint) error {
	v.Count, v.Sum, v.Xor = new(int64), new(string), new(string)
	data, err := json.Marshal(f)
	if err == nil {
		err = json.Unmarshal(data, &struct {
			Count *int64  `json:"count"`
			Sum   *string `json:"sum"`
			Xor   *string `json:"xor"`
		}{v.Count, v.Sum, v.Xor})
	}
	if err != nil {
		return fmt.Errorf("write fingerprint: %w", err)
	}
	return nil
}

func list() *cobra.Command {
	return command.List[*session, view]{
		About: command.About{
			Use: "ls", Aliases: []string{"list"},
			Short:   "List the targets that have a ledger",
			Long:    "List the segments and campaigns of which usher knows the ids, with the number of their ids.",
			Example: "  usher ledger ls --json",
			JSON:    "an array of targets",
		},
		On:      all(),
		Load:    func(ctx context.Context, _ *command.Call, s *session) ([]view, error) { return s.views(ctx) },
		Columns: []command.Column{{Header: "TARGET", Cut: 2}, {Header: "IDS", Right: true}, {Header: "GENERATION", Right: true, Drop: 1}, {Header: "SINCE", Drop: 2}, {Header: "REMARK", Cut: 1}},
		Row: func(v *view, times terminal.Times) []string {
			return []string{v.Target, numberOrUnknown(v.Count), readable.Number(v.Generation), times.Text(v.At), v.remark()}
		},
	}.Command()
}

// views returns all ledgers, those first that cannot be read.
func (s *session) views(ctx context.Context) ([]view, error) {
	var heads []ledger.Head
	var views []view
	err := s.store.Heads(ctx, func(h ledger.Head, damaged string) {
		if damaged != "" {
			views = append(views, view{Target: damaged, Error: "the head is damaged"})
			return
		}
		heads = append(heads, h)
	})
	if err != nil {
		return nil, err
	}
	for i := range heads {
		v, err := s.view(ctx, &heads[i])
		if err != nil {
			v.Error = err.Error()
		}
		views = append(views, v)
	}
	return views, nil
}

func (v *view) remark() string {
	switch {
	case v.Error != "":
		return v.Error
	case v.Unfinished != "":
		return unfinished(v.Unfinished, v.Uncertain)
	case v.Lapsing != nil:
		return v.Lapsing.says
	case v.Changed:
		return "changed since"
	}
	return ""
}

// unfinished says what the unfinished job of a target means, or "" if there is none.
func unfinished(job string, uncertain int64) string {
	switch job {
	case "":
		return ""
	case ledger.Restored:
		return fmt.Sprintf("restored from a backup, may hold %s: the next mirror sends all ids again", readable.Count(uncertain, "id"))
	}
	return "changed by job " + job + ", which has not ended as it should"
}

// numberOrUnknown returns the number of ids for people.
func numberOrUnknown(n *int64) string {
	if n == nil {
		return "unknown"
	}
	return readable.Number(*n)
}

func show() *cobra.Command {
	return command.View[*session, *view]{
		About: command.About{
			Use:   "show TARGET",
			Short: "Show what the ledger says of a target",
			Long: `Show the current generation of a target's ledger, the number of ids and their
fingerprint, with what other jobs have changed since, how the last good export was read, with
which the next mirror compares its own, and the older generations that are kept. TARGET is segment/ID or campaign/CODE.

sum is the sum of all digests as numbers, modulo 2^128, and xor their exclusive or.`,
			Example: "  usher ledger show segment/17 --json",
			Args:    command.ExactArgs("TARGET"),
			JSON:    "an object",
		},
		On:    one(),
		Load:  func(ctx context.Context, _ *command.Call, s *session) (*view, error) { return s.fullView(ctx) },
		Print: func(c *command.Call, v *view) error { return v.write(c.Out(), c.Times()) },
	}.Command()
}

// fullView is the view of the target with the generations that are kept.
func (s *session) fullView(ctx context.Context) (*view, error) {
	head, err := s.head(ctx)
	if err != nil {
		return nil, err
	}
	v, err := s.view(ctx, &head)
	if err != nil {
		return nil, err
	}
	if v.Memory, err = s.store.Memory(ctx, &head); err != nil {
		return nil, err
	}
	withheld, err := s.store.Withheld(ctx, &head)
	if err != nil {
		return nil, err
	}
	v.setWithheld(withheld)
	kept, err := s.store.Generations(ctx, s.target)
	if err != nil {
		return nil, err
	}
	for i := range kept {
		v.Kept = append(v.Kept, keptView{kept[i].Generation, kept[i].Fingerprint.Count, kept[i].At, kept[i].Job})
	}
	return &v, nil
}

func (v *view) write(out io.Writer, times terminal.Times) error {
	facts := terminal.Table{}
	facts.Add("target", v.Target)
	facts.Add("generation", readable.Number(v.Generation))
	facts.Add("since", terminal.When(out, v.At))
	facts.Add("made by", v.Job)
	facts.Add("ids", numberOrUnknown(v.Count))
	if v.Uncertain > 0 {
		facts.Add("uncertain", readable.Number(v.Uncertain))
	}
	if v.Sum != nil {
		facts.Add("sum", *v.Sum)
		facts.Add("xor", *v.Xor)
	}
	if remark := v.remark(); remark != "" {
		facts.Add("remark", remark)
	}
	for _, e := range v.Except {
		facts.Add("except", fmt.Sprintf("%s, as of its generation %d, %s: %s", e.Target, e.Generation, readable.Time(e.At), readable.Count(e.Count, "id")))
	}
	if h := v.Holdout; h != nil {
		facts.Add("holdout", fmt.Sprintf("%v %% by the key %s: %s", h.Percent, readable.Printable(h.Key), readable.Count(h.Count, "id")))
	}
	if v.Memory != nil {
		jobs.AddMemory(&facts, v.Memory, readable.Time(v.Memory.At))
	}
	if err := facts.Write(out); err != nil {
		return err
	}
	table := &terminal.Table{Header: []string{"GENERATION", "IDS", "MADE", "BY JOB"}, Right: []int{1, 2}}
	for _, g := range v.Kept {
		table.Add(readable.Number(g.Generation), readable.Number(g.Count), times.Text(g.At), g.Job)
	}
	return table.Write(out)
}
