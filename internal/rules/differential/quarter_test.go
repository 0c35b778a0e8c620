package differential_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestQuarter lets rules act on an account for some days while reports come late, in part,
// twice and wrong, people change creatives, judge and undo runs and edit files, workers and
// servers are killed, and the platform fails. After each step it checks what was changed;
// see check. It runs in make nightly. USHER_TEST_QUARTER_DAYS=90, USHER_TEST_QUARTER_CAMPAIGNS=200 and
// USHER_TEST_QUARTER_FILES=20 make a quarter of it, and USHER_TEST_RULE_SEED draws another one.
// On a busy machine, set USHER_NATS_ACK_WAIT=20s as well: a worker without CPU time for longer counts
// as crashed, and three crashes bury its job.
func TestQuarter(t *testing.T) {
	days := number(t, "USHER_TEST_QUARTER_DAYS", 0)
	if days == 0 {
		t.Skip("it runs in make nightly, which sets USHER_TEST_QUARTER_DAYS")
	}
	t.Parallel()
	seed := number(t, "USHER_TEST_RULE_SEED", 1)
	// usher dev is only the servers here.
	u := startUsher(t, "USHER_NATS_ACK_WAIT="+ackWait(), "USHER_RETRY_FIRST=20ms", "USHER_RETRY_ATTEMPTS=50", "USHER_LANES_RULES=0", "USHER_LANES_CAMPAIGN=0")
	q := newQuarter(u, seed, number(t, "USHER_TEST_QUARTER_CAMPAIGNS", 12), number(t, "USHER_TEST_QUARTER_FILES", 6))
	for day := range days {
		if t.Failed() {
			break
		}
		if q.oneDay(); day%10 == 9 {
			t.Logf("after %d of %d days: %d runs, %d changes", day+1, days, q.runs, q.changes)
		}
	}
	for _, w := range q.workers {
		w.end(os.Interrupt)
	}
	t.Logf("%d runs, %d changes by rules, %d resumes among them; %d runs approved, %d undone, %d edits; %d workers and %d servers killed, %d outages",
		q.runs, q.changes, q.resumes, q.runsApproved, q.runsUndone, q.edits, q.killed, q.restarted, q.outages)
	if q.changes < q.runs/20 {
		t.Errorf("rules changed only %d creatives in %d runs", q.changes, q.runs)
	}
}

// ackWait returns the time after which the jobs of a killed worker are taken over.
func ackWait() string {
	if wait := os.Getenv("USHER_NATS_ACK_WAIT"); wait != "" {
		return wait
	}
	return "3s"
}

// quarter is an account, its rule files, and what happens to them.
type quarter struct {
	*usher
	*world
	files   []*file
	workers []*process
	state   *run // of the last step: statuses, owners and changes
	day     int
	steps   int

	mu      sync.Mutex
	touched map[string]bool // creatives that a person changed in this step

	runs, changes, resumes, runsApproved, runsUndone, edits, killed, restarted, outages int
}

func newQuarter(u *usher, seed, campaigns, files int) *quarter {
	d := &drawer{Rand: rand.New(rand.NewPCG(uint64(seed), 0))}
	day := int(time.Date(2014, pick(d, time.February, time.March, time.October), 1+d.IntN(28), 0, 0, 0, 0, time.UTC).Unix() / 86_400)
	q := &quarter{usher: u, day: day}
	q.world = newWorld(d, "Q", campaigns, day, func(do func()) {
		u.platform.mu.Lock()
		defer u.platform.mu.Unlock()
		do()
	})
	u.platform.add(q.account)
	for len(q.files) < files {
		if f := q.valid(fmt.Sprintf("f%02d", len(q.files))); f != nil {
			q.files = append(q.files, f)
		}
	}
	q.state = newRun(nil, q.account)
	for n := range 2 {
		q.workers = append(q.workers, q.worker(n))
	}
	return q
}

// worker starts the n-th worker.
func (q *quarter) worker(n int) *process {
	return q.start([]string{
		fmt.Sprintf("USHER_WORKER=worker-%d-%d", n, q.killed), "USHER_RULES_FILES=" + q.rules, "USHER_LANES_RULES=4", "USHER_LANES_CAMPAIGN=8",
		"USHER_CONSOLE_LISTEN=", "USHER_LOG_LEVEL=error",
	}, "run")
}

// valid draws and writes a valid file of a name. It returns nil if the one that it drew is
// not valid.
func (q *quarter) valid(name string) *file {
	q.drawer.today = q.chance(2)
	return q.writeIfValid(q.file(name, q.account, q.day))
}

// oneDay lets a day pass: a morning with yesterday's reports, and two times at which there
// are reports of the running day.
func (q *quarter) oneDay() {
	q.begin(q.day)
	begin := q.account.begin(q.day)
	for n, at := range []time.Duration{7 * time.Hour, 14 * time.Hour, 21 * time.Hour} {
		if n > 0 {
			q.addToday(q.day, at.Hours()/24)
		}
		some := slices.DeleteFunc(slices.Clone(q.files), func(*file) bool { return !q.chance(max(len(q.files)/3, 2)) }) // about three
		q.step(begin.Add(at), some)
		if q.chance(2) {
			q.edit()
		}
	}
	q.day++
}

// edit replaces a file by a new one.
func (q *quarter) edit() {
	n := q.IntN(len(q.files))
	if f := q.valid(q.files[n].name); f != nil {
		q.files[n] = f
		q.edits++
	}
}

// step evaluates files at a time, several at once, while something goes wrong.
func (q *quarter) step(at time.Time, files []*file) {
	q.steps++
	s := &step{quarter: q, at: at, last: map[string]*act{}, before: map[string]string{}, owners: maps.Clone(q.state.owner), since: len(q.platform.changes(0))}
	q.touched = map[string]bool{}
	isStopped := q.chance(12)
	if isStopped {
		q.must("stop-switch", "on", "--yes", "--reason", "a drill")
	}
	q.trouble()
	var running sync.WaitGroup
	s.reports = make([]stepReport, len(files))
	for n, f := range files {
		running.Go(func() {
			id := fmt.Sprintf("%s-%d", f.name, q.steps)
			q.must("submit", "rules.evaluate", "--id", id, "--wait", "--rules", f.name, "--as-of", at.UTC().Format(time.RFC3339))
			s.reports[n] = stepReport{id: id, file: f, runReport: q.ended(id)}
		})
	}
	running.Wait()
	q.platform.dropPending()
	if q.t.Failed() {
		return
	}
	q.runs += len(files)
	if isStopped {
		for _, change := range q.platform.changes(s.since) {
			if !change.byPerson {
				q.t.Errorf("the switch is thrown, and usher set %s %s", change.creative, change.status)
			}
		}
		q.must("stop-switch", "off", "--yes")
	}
	for n := range s.reports {
		if s.reports[n].Run.State == "held" && !isStopped {
			s.judge(&s.reports[n])
		}
	}
	s.check()
	changed := slices.DeleteFunc(slices.Clone(s.reports), func(r stepReport) bool {
		return !slices.ContainsFunc(slices.Collect(maps.Values(s.last)), func(a *act) bool { return a.id == r.id })
	})
	if len(changed) > 0 && q.chance(2) {
		s.undo(pick(q.drawer, changed...))
	}
}

// trouble lets a person change creatives in the course of the step, and perhaps kills a
// process or makes the platform fail.
func (q *quarter) trouble() {
	for range 1 + len(q.account.campaigns)/20 {
		campaign := pick(q.drawer, q.account.campaigns...)
		creative, status := pick(q.drawer, q.account.creatives[campaign]...), pick(q.drawer, "ACTIVE", "INACTIVE")
		q.platform.after(1+q.IntN(60), func() { q.setByPerson(creative, status) })
	}
	switch q.IntN(8) {
	case 0, 1:
		q.outages++
		q.platform.after(1+q.IntN(20), func() { q.platform.refuse(5) })
	case 2: // its jobs wait until they count as lost
		n := q.IntN(len(q.workers))
		q.killed++
		q.platform.after(1+q.IntN(20), func() {
			q.workers[n].end(os.Kill)
			q.workers[n] = q.worker(n)
		})
	case 3:
		if q.chance(4) {
			q.restarted++
			q.platform.after(1+q.IntN(20), func() {
				q.host.end(os.Kill)
				q.serve()
			})
		}
	}
}

// setByPerson changes a creative as a person does.
func (q *quarter) setByPerson(creative, status string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.touched[creative] = true
	q.platform.setByPerson(creative, status)
}

// must runs the command until it succeeds, because a server may be down. A job whose workers
// were killed too often is replayed, as its dead letter says.
func (q *quarter) must(args ...string) {
	poll := time.NewTicker(100 * time.Millisecond)
	defer poll.Stop()
	late := time.After(patience)
	for {
		stderr, ok := q.run(nil, args...)
		if ok {
			return
		}
		if _, letter, isDead := strings.Cut(stderr, "usher dead replay --id "); isDead {
			_, _ = q.run(nil, "dead", "replay", "--id", strings.Fields(letter)[0])
		}
		select {
		case <-poll.C:
		case <-late:
			q.t.Fatalf("usher %v: %s", args, stderr)
		}
	}
}
