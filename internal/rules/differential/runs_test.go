package differential_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// byTicks runs the files at times of two days, once by a single rule, and carries out what
// was decided. In between, people change creatives, approve and undo runs, and edit files.
func (c *trial) byTicks() {
	r := newRun(c.file, c.account)
	times := map[time.Time]bool{}
	for len(times) < 4 {
		times[c.account.begin(c.day+1+c.IntN(2)).Add(time.Duration(pick(c.drawer, 1, 6, 9, 14, 22, 23))*time.Hour)] = true
	}
	for n, at := range slices.SortedFunc(maps.Keys(times), time.Time.Compare) {
		c.as(r, pick(c.drawer, c.files...), at)
		args := []string{"--rules", r.file.name, "--as-of", at.UTC().Format(time.RFC3339)}
		if n == 1 {
			only := pick(c.drawer, r.file.rules...)
			r.due = func(by *rule) bool { return by.name == only.name }
			args = append(args, "--rule", only.name)
		}
		want := r.decide()
		id := fmt.Sprintf("%s-tick-%d", c.name, n)
		got := c.evaluate(id, args...)
		c.equal(fmt.Sprintf("tick %d of %s", n, r.file.name), want, got.Decisions, true)
		r.carryOut(want, false)
		if got.Run.State == "held" && c.chance(2) {
			c.approve(r, id, want)
		}
		if c.chance(3) {
			c.setByPerson(r)
		}
		if c.chance(4) {
			c.undo(r, id)
		}
		c.isAs(r, id)
		if c.chance(3) {
			c.rename(r)
		}
	}
}

// rename gives a rule another name. It takes over what it did under its former one.
func (c *trial) rename(r *run) {
	f := pick(c.drawer, c.files...)
	by := pick(c.drawer, f.rules...)
	if by.formerly != "" {
		return
	}
	old := by.key()
	by.name, by.formerly = by.name+"x", by.name
	c.write(f.name, f.String())
	for creative, owner := range r.owner {
		if owner == old {
			r.owner[creative] = by.key()
		}
	}
	for key, at := range maps.Clone(r.changed) {
		if creative, isOld := strings.CutPrefix(key, old+" "); isOld {
			r.changed[by.key()+" "+creative] = at
			delete(r.changed, key)
		}
	}
	for key, n := range maps.Clone(r.flips) {
		if rest, isOld := strings.CutPrefix(key, old+" "); isOld {
			r.flips[by.key()+" "+rest] = n
			delete(r.flips, key)
		}
	}
}

// as makes a run one of a file at a time.
func (c *trial) as(r *run, f *file, at time.Time) {
	r.file, r.others, r.at, r.day, r.due, r.before = f, nil, at, c.account.dayOf(at), nil, map[string]string{}
	for _, other := range c.files {
		if other != f {
			r.others = append(r.others, other)
		}
	}
}

// isAs fails the test unless the creatives have the statuses of a run.
func (c *trial) isAs(r *run, after string) {
	for creative, status := range r.status {
		if now := c.platform.statusOf(creative); now != status {
			c.t.Errorf("after %s, %s is %s; the evaluator has %s\n%s", after, creative, now, status, c.allFiles())
		}
	}
}

// approve approves a run. If its file was edited before, nothing is carried out: it is refused or, if
// no worker has read the file again, its jobs are dropped.
func (c *trial) approve(r *run, id string, want map[string]decision) {
	isEdited := c.chance(2)
	if isEdited {
		c.edit(r)
	}
	if stderr, ok := c.run(nil, "rules", "approve", id, "--yes"); !ok {
		if isEdited && strings.Contains(stderr, "nothing of it can be carried out any more") {
			return
		}
		c.t.Errorf("approve %s: %s", id, stderr)
		return
	}
	report := c.ended(id)
	waits := slices.ContainsFunc(slices.Collect(maps.Values(want)), decision.waits) // otherwise other rules decided on all that is over a cap
	dropped := slices.ContainsFunc(report.Jobs, func(j job) bool { return j.warns("rule_changed") })
	if dropped != (isEdited && waits) {
		c.t.Errorf("%s was approved; its file was edited before: %t; jobs: %+v\n%s", id, isEdited, report.Jobs, c.allFiles())
	}
	if !isEdited {
		r.carryOut(want, true)
	}
}

// edit changes the text of a run's file, and sometimes its rules.
func (c *trial) edit(r *run) {
	if c.chance(2) {
		if f := c.valid(r.file.name); f != nil {
			c.files[slices.Index(c.files, r.file)] = f
			return
		}
	}
	r.file.edits++
	c.write(r.file.name, r.file.String())
}

// undo undoes a run. What it changed, and nobody else has changed since, is a person's
// until it is released.
func (c *trial) undo(r *run, id string) {
	var report struct{ Run struct{ ID string } }
	if stderr, ok := c.run(&report, "rules", "undo", id, "--yes", "--json"); !ok {
		c.t.Errorf("undo %s: %s", id, stderr)
		return
	}
	if report.Run.ID != "" {
		c.ended(report.Run.ID)
	}
	for creative, before := range r.before {
		r.status[creative], r.undone[creative] = before, true
		delete(r.owner, creative)
	}
	for _, creative := range slices.Sorted(maps.Keys(r.undone)) {
		if !c.chance(3) {
			continue
		}
		if stderr, ok := c.run(nil, "rules", "release", creative); !ok {
			c.t.Errorf("release %s: %s", creative, stderr)
		}
		delete(r.undone, creative)
	}
}

// setByPerson changes a creative as a person does on the platform. Rules leave it alone if it
// is INACTIVE then, and undo leaves it alone.
func (c *trial) setByPerson(r *run) {
	campaign := pick(c.drawer, c.account.campaigns...)
	creative := pick(c.drawer, c.account.creatives[campaign]...)
	r.status[creative] = pick(c.drawer, "ACTIVE", "INACTIVE")
	c.platform.setByPerson(creative, r.status[creative])
	delete(r.owner, creative)
	delete(r.before, creative)
}

// eventAge is the age above which metrics are not used by a rule without max_report_age.
const eventAge = 15 * time.Minute

// byEvents runs the files on the numbers of three events.
func (c *trial) byEvents() {
	r := newRun(c.file, c.account)
	for n := range 3 {
		age := pick(c.drawer, 0, 0, 0, 3*time.Minute, 10*time.Minute, 20*time.Minute, 4*time.Hour, 6*time.Hour, 26*time.Hour)
		values := c.row()
		if c.chance(12) {
			values[pick(c.drawer, fields...)] = pick(c.drawer, -1, 2e12)
		}
		c.byEvent(r, fmt.Sprintf("%s-event-%d", c.name, n), age, values)
	}
}

// byEvent runs a file on the numbers of an event of an age.
func (c *trial) byEvent(r *run, id string, age time.Duration, values row) {
	now := time.Now()
	c.as(r, pick(c.drawer, c.files...), now.Add(-age))
	r.only = pick(c.drawer, c.account.campaigns...)
	r.events = map[string]row{r.only: values}
	r.due = func(by *rule) bool {
		most := max(time.Duration(by.maxAgeHours)*time.Hour, 0)
		if most == 0 {
			most = eventAge
		}
		return !by.creativeLevel && !by.together && by.window.kind == "today" && age <= most
	}
	metrics, err := json.Marshal(map[string]any{"campaign": r.only, "at": r.at.UTC().Format(time.RFC3339Nano), "values": map[string]float64(values)})
	if err != nil {
		c.t.Error(err)
		return
	}
	want := map[string]decision{}
	isRefused := c.account.dayOf(now) != r.day || slices.ContainsFunc(slices.Collect(maps.Values(values)), func(v float64) bool { return v < 0 || v > 1e12 })
	if !isRefused {
		want = r.decide()
	}
	for creative, d := range want {
		if r.posted[creative].After(r.at) && slices.Contains([]string{"pause", "resume", "notify"}, d.action) {
			want[creative] = decision{action: "unknown"} // the numbers are from before the change
		}
	}
	got := c.evaluate(id, "--rules", r.file.name, "--metrics", string(metrics))
	if c.account.dayOf(now) != c.account.dayOf(time.Now()) { // midnight has passed
		return
	}
	if isRefused && got.Run.Why == "" {
		c.t.Errorf("event %s is refused without a reason", metrics)
	}
	c.equal(fmt.Sprintf("event %s for %s", metrics, r.file.name), want, got.Decisions, true)
	r.carryOut(want, false)
	for creative := range r.before {
		r.posted[creative] = time.Now()
	}
	c.isAs(r, "event "+id)
}
