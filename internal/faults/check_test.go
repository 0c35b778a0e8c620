package faults_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A checker compares usher's state with the model. Each method adds the violations that it
// finds.
type checker struct {
	model   *model
	observe *observer
	history *history
	found   []string
	err     error // of reading
}

func (c *checker) violatedf(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

// read keeps the first error of reading, and reports whether there was none.
func (c *checker) read(err error) bool {
	if c.err == nil {
		c.err = err
	}
	return err == nil
}

// check compares the jobs, and all targets, creatives and letters, with the model.
func check(m *model, o *observer, h *history, jobs []*job) ([]string, error) {
	c := &checker{model: m, observe: o, history: h}
	c.read(h.read(o))
	for _, j := range jobs {
		c.job(j)
	}
	c.targets()
	c.creatives()
	c.audit()
	c.letters()
	if messages, err := o.waiting(); c.read(err) && messages != "" {
		c.violatedf("messages are left although all jobs have ended: %s", messages)
	}
	return c.found, c.err
}

// job checks a job's record and events.
func (c *checker) job(j *job) {
	if j.damaged {
		return
	}
	r, err := c.observe.record(j.id)
	if !c.read(err) {
		return
	}
	if r.State != j.state || r.class() != j.class || r.Run != j.run {
		c.violatedf("job %s is %s %s in run %d, want %s %s in run %d", j.id, r.State, r.class(), r.Run, j.state, j.class, j.run)
		return
	}
	if j.tally != nil && !equal(&r.Tally, j.tally) {
		c.violatedf("the tally of job %s is %+v, want %+v", j.id, r.Tally, *j.tally)
	}
	c.events(j)
}

func equal(a, b *tally) bool {
	return a.Read == b.Read && a.Accepted == b.Accepted && a.Duplicate == b.Duplicate && a.Suppressed == b.Suppressed &&
		maps.Equal(a.Junk, b.Junk) && maps.Equal(a.Invalid, b.Invalid) && maps.Equal(a.Refused, b.Refused)
}

// events checks that there is one event for the end of each run of a job, and that the last
// event agrees with the record.
func (c *checker) events(j *job) {
	events := c.history.events[j.id]
	ended := map[int]int{}
	for _, e := range events {
		if e.ID != j.id {
			c.violatedf("an event of job %s is under job %s", e.ID, j.id)
		}
		if e.State == "done" || e.State == "failed" {
			ended[e.Run]++
		}
	}
	for run := range j.run {
		if n := ended[run+1]; n != 1 {
			c.violatedf("run %d of job %s has %d events of its end, want 1", run+1, j.id, n)
		}
	}
	if len(events) == 0 {
		return
	}
	if last := slices.MaxFunc(events, func(a, b event) int { return a.At.Compare(b.At) }); last.State != j.state || last.Run != j.run {
		c.violatedf("the last event of job %s is %s in run %d, want %s in run %d", j.id, last.State, last.Run, j.state, j.run)
	}
	if j.class != invalidJob && events[0].State == j.state {
		c.violatedf("job %s has no event before its end", j.id)
	}
}

func (c *checker) targets() {
	for _, name := range slices.Sorted(maps.Keys(c.model.targets)) {
		got, err := c.observe.members(name)
		if want := c.model.targets[name].fingerprint(); c.read(err) && got != want {
			c.violatedf("%s has the members %+v, want %+v", name, got, want)
		}
	}
}

// creatives checks the statuses of all creatives.
func (c *checker) creatives() {
	for campaign, n := range campaigns {
		got, err := c.observe.statuses(campaign)
		if !c.read(err) {
			return
		}
		for i := range n {
			creative := fmt.Sprintf("%s-%d", strings.TrimPrefix(campaign, "SANDBOX1-"), i+1)
			if want := statusOf(c.model, creative); got[creative] != want {
				c.violatedf("creative %s is %s, want %s", creative, got[creative], want)
			}
		}
	}
	got, err := c.observe.statuses(watched)
	if !c.read(err) {
		return
	}
	for creative, status := range got {
		if status != c.model.watched {
			c.violatedf("creative %s is %s, want %s by the rule", creative, status, c.model.watched)
		}
	}
}

func statusOf(m *model, creative string) string {
	if status := m.status[creative]; status != "" {
		return status
	}
	return active
}

// audit checks that the audit explains the status of each creative, and that each of its
// entries is from a job that wanted the change.
func (c *checker) audit() {
	entries := map[string][]change{} // by job and creative
	last := map[string]string{}      // by creative, the status after the last entry
	for _, e := range c.history.audit {
		last[e.Creative] = e.After
		if e.Late || e.Restores != "" {
			continue // a change that took effect after a newer order, and its correction
		}
		key := e.Job + " " + e.Creative
		entries[key] = append(entries[key], e)
		j := c.model.byID[e.Job]
		byRule := e.Rule == "spend" && e.Campaign == watched
		switch {
		case len(entries[key]) > 1:
			c.violatedf("by the audit, job %s has changed creative %s %d times: %+v", e.Job, e.Creative, len(entries[key]), entries[key])
		case (e.Before == e.After || e.After != e.Wanted) && !c.overtaken(j, e):
			c.violatedf("audit of job %s: creative %s from %s to %s, wanted %s", e.Job, e.Creative, e.Before, e.After, e.Wanted)
		case !byRule && (j == nil || !slices.Contains(j.creatives, e.Creative) || j.wanted != e.Wanted):
			c.violatedf("audit of job %s: no job wanted creative %s to be %s", e.Job, e.Creative, e.Wanted)
		}
	}
	status := map[string]string{}
	for _, j := range c.model.jobs {
		for _, creative := range j.creatives {
			if len(entries[j.id+" "+creative]) > 0 {
				status[creative] = j.wanted
			}
		}
	}
	for creative, audited := range status {
		// If an older change took effect after the newest order, a later entry restores it.
		if want := statusOf(c.model, creative); audited != want && last[creative] != want {
			c.violatedf("by the audit, creative %s is %s, want %s", creative, audited, want)
		}
	}
	for creative, want := range c.model.status {
		if want == inactive && status[creative] == "" {
			c.violatedf("the audit has no entry for creative %s becoming %s", creative, want)
		}
	}
}

// overtaken reports whether a newer job has set the creative before this one, whose change the
// platform had confirmed, could record it: its audit says then what the newer job has left.
func (c *checker) overtaken(j *job, e change) bool {
	at := slices.Index(c.model.jobs, j)
	return at >= 0 && slices.ContainsFunc(c.model.jobs[at+1:], func(newer *job) bool {
		return newer.wanted == e.After && slices.Contains(newer.creatives, e.Creative)
	})
}

// letters checks that each job that must fail has one dead letter, and that no other job
// has one.
func (c *checker) letters() {
	all, err := c.observe.letters()
	if !c.read(err) {
		return
	}
	want := map[string]string{}
	for _, j := range c.model.jobs {
		if j.state == "failed" {
			want[j.id] = j.class
		}
	}
	for _, l := range all {
		id := "without a readable job"
		if l.ID != nil {
			id = *l.ID
		}
		class, expected := want[id]
		if !expected || class != l.Class {
			c.violatedf("there is an unexpected letter %s of class %s", id, l.Class)
		}
		delete(want, id)
	}
	for id, class := range want {
		c.violatedf("job %s has no letter of class %s", id, class)
	}
}
