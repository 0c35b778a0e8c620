package faults_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// campaign has usher's servers and workers, and the model of their state.
type campaign struct {
	site    *site
	observe *observer
	publish *publisher
	model   *model
	history *history
}

// TestCampaign injects faults until its time is over: see the package's comment.
func TestCampaign(t *testing.T) {
	length, err := time.ParseDuration(cmp.Or(os.Getenv("USHER_FAULTS"), "0"))
	if err != nil {
		t.Fatal("USHER_FAULTS: ", err)
	}
	if length == 0 {
		t.Skip("runs for as long as USHER_FAULTS says: make faults")
	}
	seed, err := strconv.ParseUint(cmp.Or(os.Getenv("USHER_FAULTS_SEED"), "1"), 10, 64)
	if err != nil {
		t.Fatal("USHER_FAULTS_SEED: ", err)
	}
	wanted, err := regexp.Compile(os.Getenv("USHER_FAULTS_KINDS"))
	if err != nil {
		t.Fatal("USHER_FAULTS_KINDS: ", err)
	}
	s := newSite(t)
	c := &campaign{site: s, observe: newObserver(s), publish: newPublisher(s), model: newModel(), history: newHistory()}
	random := rand.New(rand.NewPCG(seed, 15))
	jobs := &source{t: t, random: random, exports: s.path("exports"), model: c.model}
	sum := newSummary(seed)
	var choice []kind
	for _, k := range kinds() {
		switch {
		case !wanted.MatchString(k.name):
		case k.volumes && s.missing != "":
			sum.impossible = append(sum.impossible, fmt.Sprintf("%s: %s", k.name, s.missing))
		default:
			choice = append(choice, k)
		}
	}
	end := time.Now().Add(length)
	for n := 0; time.Now().Before(end); n++ {
		o, err := (&cycle{campaign: c, random: random, jobs: jobs, wave: jobs.next()}).run(choose(random, choice, n))
		t.Logf("cycle %d: %s: recovery %s, poison %d, invalid %q, violations %q", n+1, strings.Join(o.kinds, " + "), o.recovery.Round(time.Millisecond), o.poison, o.invalid, o.violations)
		if err != nil {
			t.Fatal(err)
		}
		sum.add(o)
		if len(o.violations) > 0 {
			t.Errorf("cycle %d: %s", n+1, strings.Join(o.violations, "\n"))
			break // later cycles would only report the same violations
		}
		sum.measure(s)
	}
	if !t.Failed() {
		c.plantDefects(t, jobs)
	}
	t.Logf("%d jobs\n%s", len(c.model.jobs), sum.text(choice))
	if missing := sum.neverValid(choice); len(missing) > 0 && !t.Failed() {
		t.Errorf("no valid cycle of: %s", strings.Join(missing, ", "))
	}
}

// choose returns the faults of a cycle: each kind in turn, and in two of three cycles one or
// two others at the same time.
func choose(random *rand.Rand, choice []kind, n int) []kind {
	first := choice[n%len(choice)]
	chosen := []kind{first}
	if first.alone {
		return chosen
	}
	for range random.IntN(3) {
		k := oneOf(random, choice...)
		if !k.alone && !slices.ContainsFunc(chosen, func(other kind) bool { return other.name == k.name }) {
			chosen = append(chosen, k)
		}
	}
	return chosen
}

// summary counts cycles and measures processes.
type summary struct {
	seed       uint64
	started    time.Time
	cycles     int
	invalid    int
	poison     int
	violations int
	valid      map[string]int // by kind
	missed     map[string]int
	recovery   map[string][]time.Duration
	impossible []string
	usages     map[string][]measured // by process, of one process id each
}

// measured is the usage of a process at some time.
type measured struct {
	pid int
	at  time.Time
	usage
}

func newSummary(seed uint64) *summary {
	return &summary{seed: seed, started: time.Now(), valid: map[string]int{}, missed: map[string]int{}, recovery: map[string][]time.Duration{}, usages: map[string][]measured{}}
}

func (s *summary) add(o outcome) {
	s.cycles++
	s.poison += o.poison
	s.violations += len(o.violations)
	if len(o.invalid) > 0 {
		s.invalid++
	}
	for _, k := range o.kinds {
		if len(o.invalid) > 0 {
			s.missed[k]++
			continue
		}
		s.valid[k]++
		s.recovery[k] = append(s.recovery[k], o.recovery)
	}
}

// measure notes the memory and the descriptors of all processes.
func (s *summary) measure(at *site) {
	for _, p := range slices.Concat(at.workers[:], at.cluster.nodes[:], at.cache.servers[:], []*program{at.sandbox}) {
		u, err := p.usage()
		if err != nil {
			continue // it has just ended
		}
		all := s.usages[p.name]
		m := measured{p.cmd.Process.Pid, time.Now(), u}
		if len(all) > 0 && all[0].pid != m.pid {
			all = nil
		}
		s.usages[p.name] = append(all, m)
	}
}

func (s *summary) neverValid(choice []kind) (names []string) {
	for _, k := range choice {
		if s.valid[k.name] == 0 && s.cycles >= len(choice) {
			names = append(names, k.name)
		}
	}
	return names
}

// text returns the summary as text.
func (s *summary) text(choice []kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %d cycles in %s, %d of them invalid, %d violations, %d jobs replayed as poison\n",
		s.seed, s.cycles, time.Since(s.started).Round(time.Second), s.invalid, s.violations, s.poison)
	fmt.Fprintf(&b, "%-34s %5s %7s %10s %10s\n", "fault", "valid", "invalid", "recovery", "longest")
	for _, k := range choice {
		times := slices.Sorted(slices.Values(s.recovery[k.name]))
		var median, longest time.Duration
		if len(times) > 0 {
			median, longest = times[len(times)/2], times[len(times)-1]
		}
		fmt.Fprintf(&b, "%-34s %5d %7d %10s %10s\n", k.name, s.valid[k.name], s.missed[k.name], median.Round(10*time.Millisecond), longest.Round(10*time.Millisecond))
	}
	for _, why := range s.impossible {
		fmt.Fprintf(&b, "not possible here: %s\n", why)
	}
	for name, all := range s.usages {
		first, last := all[0], all[len(all)-1]
		fmt.Fprintf(&b, "%s over %s: memory %d to %d KiB, descriptors %d to %d\n", name, last.at.Sub(first.at).Round(time.Second),
			first.anonymous, last.anonymous, first.descriptors, last.descriptors)
	}
	return b.String()
}
