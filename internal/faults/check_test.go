package faults_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A checker compares the model with what is there. Each function adds the violations that
// it finds.
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
	if n, err := o.waiting(); c.read(err) && n > 0 {
		c.violatedf("%d messages are on the streams of jobs and parts although all jobs have ended", n)
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

// events checks that each run of a job has ended once, and that the last one ended as its
// record says.
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

// audit checks that the lines of the audit tell how each creative came to its status, and
// that each is of a job that wanted it.
func (c *checker) audit() {
	lines := map[string][]change{} // by job and creative
	last := map[string]string{}    // by creative, the status after the last line
	for _, line := range c.history.audit {
		last[line.Creative] = line.After
		if line.Late || line.Restores != "" {
			continue // a change that arrived after the newest word, and its correction
		}
		key := line.Job + " " + line.Creative
		lines[key] = append(lines[key], line)
		j := c.model.byID[line.Job]
		byRule := line.Rule == "spend" && line.Campaign == watched
		switch {
		case len(lines[key]) > 1:
			c.violatedf("job %s has changed creative %s %d times by the audit", line.Job, line.Creative, len(lines[key]))
		case line.Before == line.After || line.After != line.Wanted:
			c.violatedf("audit of job %s: creative %s from %s to %s, wanted %s", line.Job, line.Creative, line.Before, line.After, line.Wanted)
		case !byRule && (j == nil || !slices.Contains(j.creatives, line.Creative) || j.wanted != line.Wanted):
			c.violatedf("audit of job %s: nobody wanted creative %s to be %s", line.Job, line.Creative, line.Wanted)
		}
	}
	status := map[string]string{}
	for _, j := range c.model.jobs {
		for _, creative := range j.creatives {
			if len(lines[j.id+" "+creative]) > 0 {
				status[creative] = j.wanted
			}
		}
	}
	for creative, told := range status {
		// If an older change came after the newest word, a line at the end restores it.
		if want := statusOf(c.model, creative); told != want && last[creative] != want {
			c.violatedf("by the audit, creative %s is %s, want %s", creative, told, want)
		}
	}
	for creative, want := range c.model.status {
		if want == inactive && status[creative] == "" {
			c.violatedf("no line of the audit tells how creative %s became %s", creative, want)
		}
	}
}

// letters checks that each job that must fail has one letter, and no other job has one.
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
		id := "of no readable job"
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
