package differential_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// platform serves the campaigns and reports of accounts. The token of an account is its
// code.
type platform struct {
	mu       sync.Mutex
	accounts map[string]*account
	status   map[string]string // of creatives
	updated  map[string]int    // the number of changes of a creative
	made     []statusChange
	refusals int // the number of calls that it is to refuse
	calls    int
	hooks    map[int]func() // called before it responds, by the number of the call
}

// statusChange is a change of a creative's status. A person's may leave it as it is.
type statusChange struct {
	creative, before, status string
	byPerson                 bool
}

func newPlatform() *platform {
	return &platform{accounts: map[string]*account{}, status: map[string]string{}, updated: map[string]int{}, hooks: map[int]func(){}}
}

// add adds an account, all of whose creatives are ACTIVE.
func (p *platform) add(a *account) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.accounts[a.code] = a
	for _, list := range a.creatives {
		for _, creative := range list {
			p.status[creative] = "ACTIVE"
		}
	}
}

// setByPerson changes the status of a creative as a person does.
func (p *platform) setByPerson(creative, status string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(creative, status, true)
}

func (p *platform) set(creative, status string, byPerson bool) {
	p.made = append(p.made, statusChange{creative, p.status[creative], status, byPerson})
	p.status[creative] = status
	p.updated[creative]++
}

// statusOf returns the status of a creative.
func (p *platform) statusOf(creative string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status[creative]
}

// after calls a function before the platform responds to a later call.
func (p *platform) after(calls int, do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hooks[p.calls+calls] = do
}

// refuse makes the platform refuse the next calls.
func (p *platform) refuse(calls int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusals = calls
}

// dropPending removes the hooks and refusals that are left.
func (p *platform) dropPending() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hooks, p.refusals = map[int]func(){}, 0
}

// changes returns the changes since a number of them.
func (p *platform) changes(since int) []statusChange {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.made[since:])
}

// begin counts a call. It reports whether the platform refuses it.
func (p *platform) begin() (refused bool) {
	p.mu.Lock()
	do := p.hooks[p.calls]
	delete(p.hooks, p.calls)
	p.calls++
	refused = p.refusals > 0
	p.refusals = max(p.refusals-1, 0)
	p.mu.Unlock()
	if do != nil {
		do()
	}
	return refused
}

func (p *platform) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if p.begin() {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	parts := strings.Split(strings.Trim(strings.TrimPrefix(req.URL.Path, "/v3/"), "/"), "/")
	data := map[string]any{}
	token := req.Header.Get("Authorization")
	a := p.accounts[token[strings.LastIndexByte(token, ' ')+1:]]
	switch {
	case parts[0] == "oauth":
		data["accessToken"] = req.URL.Query().Get("advertiser")
	case parts[0] == "segments": // by which workers see that the platform is up
		data["segments"] = []any{}
	case a == nil:
		w.WriteHeader(http.StatusForbidden)
		return
	case parts[0] == "reporting":
		data["reports"] = p.reports(a, parts[2:])
	case len(parts) == 1:
		data["campaignCodes"] = a.campaigns
	case len(parts) == 2 && parts[0] == "campaigns":
		data["campaign"] = definition(a, parts[1])
	case parts[len(parts)-1] == "status":
		data["status"] = p.statuses(a, parts[0], parts[1], req)
	}
	if err := json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": data}); err != nil {
		return // the caller was killed
	}
}

// statuses sets and returns the statuses of a campaign's creatives, or of one creative.
func (p *platform) statuses(a *account, kind, code string, req *http.Request) any {
	creatives := []string{code}
	if kind == "campaigns" {
		creatives = a.creatives[code]
	}
	var list []map[string]any
	for _, creative := range creatives {
		if wanted := req.FormValue("status"); req.Method == http.MethodPost && p.status[creative] != wanted {
			p.set(creative, wanted, false)
		}
		updated := time.Date(2013, 1, 1, 0, 0, p.updated[creative], 0, time.UTC).Format("2006-01-02T15:04:05.000")
		list = append(list, map[string]any{"creativeID": "file-" + creative, "creativeCode": creative, "approvalStatus": p.status[creative], "latestUpdate": updated})
	}
	if kind == "campaigns" {
		return list
	}
	return list[0]
}

// definition returns a campaign with its budget and bid, and with those of its creatives that
// have a type.
func definition(a *account, campaign string) map[string]any {
	creatives := []map[string]any{}
	for _, creative := range a.creatives[campaign] {
		if kind := a.types[creative]; kind != "" {
			creatives = append(creatives, map[string]any{"code": creative, "type": kind})
		}
	}
	return map[string]any{"code": campaign, "creatives": creatives, "biddingSettings": map[string]any{
		"budget": map[string]any{"daily": a.budget[campaign], "currency": a.currency[campaign]}, "biddingStrategy": map[string]any{"maxBid": a.bid[campaign]},
	}}
}

// reports returns the rows of all campaigns, or of one with its creatives. path is what the
// address has after reporting/campaigns.
func (p *platform) reports(a *account, path []string) []map[string]any {
	campaigns, detailed := a.campaigns, len(path) == 3
	if detailed {
		campaigns, path = path[:1], path[1:]
	}
	from, to := dayNamed(path[0]), dayNamed(path[1])
	rows := []map[string]any{}
	for _, campaign := range campaigns {
		days := map[int]bool{}
		for _, entity := range append([]string{campaign}, a.creatives[campaign]...) {
			for day := range a.reports[entity] {
				days[day] = day >= from && day <= to
			}
		}
		for _, day := range slices.Sorted(maps.Keys(days)) {
			own, known := a.reports[campaign][day]
			if !days[day] || !detailed && !known {
				continue
			}
			row := jsonRow(own, a.currency[campaign])
			row["reportDate"], row["campaignCode"] = dateOf(day), campaign
			if detailed {
				row["creatives"] = p.breakdown(a, campaign, day)
			}
			if rows = append(rows, row); a.comesTwice(day) {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// dayNamed returns the day of a date.
func dayNamed(date string) int {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err) // the connection ends, and the command says so
	}
	return int(at.Unix() / 86_400)
}

func (p *platform) breakdown(a *account, campaign string, day int) []map[string]any {
	list := []map[string]any{}
	for _, creative := range a.creatives[campaign] {
		if values, known := a.reports[creative][day]; known {
			row := jsonRow(values, a.currency[campaign])
			row["creativeCode"], row["approvalStatus"] = creative, p.status[creative]
			list = append(list, row)
		}
	}
	return list
}

func jsonRow(values row, currency string) map[string]any {
	out := map[string]any{"currencyCode": currency}
	for name, v := range values {
		out[name] = v
	}
	return out
}
