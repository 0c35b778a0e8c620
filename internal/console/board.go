package console

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"usher"
	"usher/queues/audit"
)

// Bounds of the board.
const (
	statusAge   = time.Minute // after which the statuses of a campaign are read again
	statusShare = 4           // the board uses one in so many of the calls to the platform
	boardAudits = 5000        // entries of the audit in which changes are looked for
	boardRuns   = 20          // held runs whose decisions are counted
)

// campaignRow is a campaign on the board.
type campaignRow struct {
	Code     string      `json:"code"`
	Active   int         `json:"active"`
	Paused   int         `json:"paused"`
	Pending  int         `json:"pending"`
	At       *time.Time  `json:"at"` // when the statuses were read; null: not yet
	Error    string      `json:"error,omitempty"`
	PausedBy []pausedBy  `json:"pausedBy"`
	Held     int         `json:"held"`    // decisions that wait for approval
	HeldRun  string      `json:"heldRun"` // a run that has them
	Last     *lastChange `json:"last"`    // null: usher has changed nothing
	Spend    *Spend      `json:"spend"`   // null: not known
}

// pausedBy counts the paused creatives of a campaign by who paused them.
type pausedBy struct {
	Rule  string `json:"rule"`  // "": a person, or somebody outside usher
	Actor string `json:"actor"` // "": outside usher
	Count int    `json:"count"`
}

// lastChange is the newest change of a campaign.
type lastChange struct {
	At     time.Time `json:"at"`
	By     string    `json:"by"` // a rule or a person
	What   string    `json:"what"`
	Reason string    `json:"reason"`
}

// Spend is what a campaign has spent on a day.
type Spend struct {
	Date     string  `json:"date"` // YYYY-MM-DD
	Spent    float64 `json:"spent"`
	Budget   float64 `json:"budget"` // 0: not known
	Currency string  `json:"currency"`
}

// board keeps the statuses of all campaigns. Reading them takes a call for each campaign, so
// they are read in the background, and only while somebody looks.
type board struct {
	campaigns func() Campaigns
	pace      func() rate.Limit
	now       func() time.Time
	notify    func()

	mu      sync.Mutex
	work    context.Context // ends with the console; nil before run
	busy    bool
	known   map[string]statuses
	running sync.WaitGroup
}

// statuses are the creatives of a campaign when they were read last.
type statuses struct {
	creatives []Creative
	at        time.Time
	err       string
}

// run lets the board read until ctx ends.
func (b *board) run(ctx context.Context) {
	b.mu.Lock()
	b.work = ctx
	b.mu.Unlock()
	<-ctx.Done()
	b.mu.Lock()
	b.work = nil // no refresh starts to read after Wait
	b.mu.Unlock()
	b.running.Wait()
}

// refresh reads the statuses that are old, or older than the newest change of their campaign.
// If it reads already, it does nothing.
func (b *board) refresh(codes []string, changed map[string]time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.busy || b.work == nil || b.work.Err() != nil {
		return
	}
	now := b.now()
	old := slices.DeleteFunc(slices.Clone(codes), func(code string) bool {
		s, known := b.known[code]
		return known && now.Sub(s.at) < statusAge && !changed[code].After(s.at)
	})
	slices.SortStableFunc(old, func(a, c string) int { return b.known[a].at.Compare(b.known[c].at) })
	if len(old) == 0 {
		return
	}
	b.busy = true
	work := b.work
	b.running.Go(func() { b.read(work, old) })
}

func (b *board) read(ctx context.Context, codes []string) {
	defer func() {
		b.mu.Lock()
		b.busy = false
		b.mu.Unlock()
		b.notify()
	}()
	pace := rate.NewLimiter(b.pace(), 1)
	for _, code := range codes {
		if pace.Wait(ctx) != nil {
			return
		}
		try, cancel := context.WithTimeout(ctx, answerTime)
		found, err := b.campaigns().Creatives(try, code)
		cancel()
		if ctx.Err() != nil {
			return
		}
		b.mu.Lock()
		s := statuses{creatives: found, at: b.now().UTC()}
		if err != nil {
			s.creatives, s.err = b.known[code].creatives, err.Error()
		}
		b.known[code] = s
		b.mu.Unlock()
		b.notify()
	}
}

func (b *board) get(code string) (statuses, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, known := b.known[code]
	return s, known
}

// changes are the newest entries of the audit by campaign and creative.
type changes struct {
	campaigns map[string]usher.Audit
	creatives map[string]usher.Audit // those that have paused it last
}

func (c *Console) loadChanges(ctx context.Context) (changes, error) {
	found, n := changes{map[string]usher.Audit{}, map[string]usher.Audit{}}, 0
	err := c.options.Audit.Newest(ctx, audit.Filter{}, func(a usher.Audit) bool {
		if a.Campaign == "" {
			n++
			return n < boardAudits
		}
		if _, known := found.campaigns[a.Campaign]; !known {
			found.campaigns[a.Campaign] = a
		}
		if _, known := found.creatives[a.Creative]; !known && a.Creative != "" {
			found.creatives[a.Creative] = a
		}
		n++
		return n < boardAudits
	})
	return found, err
}

// heldBy counts the decisions that wait for approval by campaign, and describes the held runs.
type heldBy struct {
	campaigns map[string]heldCount
	runs      map[string]heldRun // by id
}

// heldRun names whose decisions of a held run wait for approval, and where.
type heldRun struct {
	Rules     []string `json:"rules"`
	Campaigns []string `json:"campaigns"`
}

// add adds a decision.
func (h *heldRun) add(d *usher.StoredDecision) {
	if !slices.Contains(h.Rules, d.Rule) {
		h.Rules = append(h.Rules, d.Rule)
	}
	if !slices.Contains(h.Campaigns, d.Campaign) {
		h.Campaigns = append(h.Campaigns, d.Campaign)
	}
}

type heldCount struct {
	count int
	run   string
}

func (c *Console) loadHeld(ctx context.Context) (heldBy, error) {
	all, err := c.runs.get(ctx)
	runs := all.newest
	found, n := heldBy{map[string]heldCount{}, map[string]heldRun{}}, 0
	for i := range runs {
		if runs[i].State != usher.EvaluationHeld || n >= boardRuns || err != nil {
			continue
		}
		n++
		var decisions []usher.StoredDecision
		decisions, err = c.options.Runs.Decisions(ctx, runs[i].ID)
		var run heldRun
		for j := range decisions {
			d := &decisions[j]
			if !d.Approvable() {
				continue
			}
			found.campaigns[d.Campaign] = heldCount{found.campaigns[d.Campaign].count + 1, runs[i].ID}
			run.add(d)
		}
		if len(run.Rules) > 0 {
			found.runs[runs[i].ID] = run
		}
	}
	return found, err
}

// listCampaigns returns the board.
func (c *Console) listCampaigns(ctx context.Context, _ *http.Request, _ User) (any, error) {
	codes, err := c.codes.get(ctx)
	if err != nil {
		return nil, err
	}
	changed, err := c.changes.get(ctx)
	if err != nil {
		return nil, err
	}
	held, err := c.held.get(ctx)
	if err != nil {
		return nil, err
	}
	spends, spendErr := c.spends.get(ctx)
	newest := map[string]time.Time{}
	rows := make([]campaignRow, 0, len(codes))
	for _, code := range codes {
		row := campaignRow{Code: code, PausedBy: []pausedBy{}, Held: held.campaigns[code].count, HeldRun: held.campaigns[code].run}
		if a, known := changed.campaigns[code]; known {
			newest[code] = a.At
			row.Last = &lastChange{At: a.At, By: firstWord(a.Rule, a.Actor), What: whatOf(&a), Reason: a.Reason}
		}
		if s, known := spends[code]; known {
			row.Spend = &s
		}
		if s, known := c.board.get(code); known {
			row.add(&s, changed.creatives)
		}
		rows = append(rows, row)
	}
	c.board.refresh(codes, newest)
	out := map[string]any{"campaigns": rows}
	if spendErr != nil {
		out["spendError"] = spendErr.Error()
	}
	return out, nil
}

// add adds the statuses of the creatives.
func (r *campaignRow) add(s *statuses, changed map[string]usher.Audit) {
	r.At, r.Error = &s.at, s.err
	for _, cr := range s.creatives {
		switch cr.Status {
		case "ACTIVE":
			r.Active++
		case "INACTIVE":
			r.Paused++
			a, known := changed[cr.Code]
			if known && a.At.After(s.at) {
				continue // the status is about to be read again
			}
			by := pausedBy{Count: 1}
			if known && a.After == cr.Status {
				by.Rule, by.Actor = a.Rule, a.Actor
			}
			i := slices.IndexFunc(r.PausedBy, func(p pausedBy) bool { return p.Rule == by.Rule && p.Actor == by.Actor })
			if i < 0 {
				r.PausedBy = append(r.PausedBy, by)
			} else {
				r.PausedBy[i].Count++
			}
		default:
			r.Pending++
		}
	}
}

func firstWord(words ...string) string {
	i := slices.IndexFunc(words, func(w string) bool { return w != "" })
	if i < 0 {
		return ""
	}
	return words[i]
}

// whatOf says what an entry of the audit has changed.
func whatOf(a *usher.Audit) string {
	what := a.Creative
	if a.Bidding != nil {
		what = a.Bidding.Field.String()
	}
	return strings.TrimSpace(what + " " + a.Before + " → " + a.After)
}
