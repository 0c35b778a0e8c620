package faults_test

import (
	"bufio"
	"compress/gzip"
	"crypto/md5"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The targets of the jobs. The order of jobs matters in a different way for each of them.
const (
	added    = "segments/1"                 // only adds
	mixed    = "segments/4"                 // adds and removals
	grown    = "campaigns/SANDBOX1-launch"  // only adds
	replaced = "campaigns/SANDBOX1-loyalty" // replaced
	cleared  = "campaigns/SANDBOX1-brand"   // cleared, then added
)

// campaigns are paused and resumed by jobs; the number is how many creatives they have.
var campaigns = map[string]int{"SANDBOX1-spring": 2, "SANDBOX1-summer": 3, "SANDBOX1-autumn": 4, "SANDBOX1-video": 5, urgent: 4}

// urgent is the campaign that is paused and resumed while faults last.
const urgent = "SANDBOX1-retarget"

// watched is the campaign that a rule pauses and resumes.
const (
	watched          = "SANDBOX1-winter"
	watchedCreatives = 5
	watchRules       = `account: SANDBOX1
timezone: UTC
rules:
  - name: spend
    scope: {campaigns: ["SANDBOX1-winter"]}
    window: today
    pause_when: grossMediaSpend >= 0.95 * budget
    resume_when: grossMediaSpend < 0.80 * budget
    schedule: "17 3 29 2 *" # the campaign's events are enough
`
)

// source generates the jobs of waves.
type source struct {
	t       testing.TB
	random  *rand.Rand
	exports string // folder
	model   *model
	raw     []string // the ids of the mixed segment, which are removed later
	wave, n int
}

// next generates the jobs of the next wave and adds them to the model, in the order in
// which they must be published.
func (s *source) next() []*job {
	s.wave, s.n = s.wave+1, 0
	makers := []func() *job{
		func() *job { return s.addition(added, 12_000, "") }, // cut into parts
		func() *job { return s.addition(added, 6_000, ".gz") },
		func() *job { return s.addition(added, 300, "") },
		func() *job { return s.addition(grown, 2_500, "") },
		func() *job { return s.addition(mixed, 200, "") },
		func() *job { return s.addition(mixed, 150, "") },
		s.removal, s.removal, s.removal, s.removal, s.replacement, s.clearing,
		func() *job { return s.addition(cleared, 1_200, "") },
		s.submission, s.unknownField, s.missingSource, s.missingSource, s.missingSource, s.measurement,
	}
	for range 6 {
		makers = append(makers, s.action)
	}
	s.random.Shuffle(len(makers), func(i, j int) { makers[i], makers[j] = makers[j], makers[i] })
	var wave []*job
	for _, make := range makers {
		j := s.model.add(make())
		if s.random.IntN(6) == 0 && !j.submit && j.class != invalidJob {
			j.copies = 1
		}
		wave = append(wave, j)
	}
	return wave
}

func (s *source) id(name string) string {
	s.n++
	return fmt.Sprintf("wave-%04d-%02d-%s", s.wave, s.n, name)
}

// of returns the fields of a job that name its target.
func of(target string) map[string]any {
	kind, name, _ := strings.Cut(target, "/")
	return map[string]any{strings.TrimSuffix(kind, "s"): name}
}

// addition adds an export to a segment or campaign.
func (s *source) addition(target string, rows int, extension string) *job {
	j := &job{kind: "segment.add", body: of(target)}
	if strings.HasPrefix(target, "campaigns") {
		j.kind = "target.add"
	}
	j.id = s.id("add")
	members := s.model.target(target)
	j.tally = s.export(j, rows, extension, func(raw string) {
		members.add(md5.Sum([]byte(raw)))
		if target == mixed {
			s.raw = append(s.raw, raw)
		}
	})
	return j
}

// removal removes a few devices from the mixed segment.
func (s *source) removal() *job {
	j := &job{id: s.id("remove"), kind: "segment.remove", body: of(mixed)}
	members, ids := s.model.target(mixed), []string{}
	for len(ids) < 4 && len(s.raw) > 0 {
		i, last := s.random.IntN(len(s.raw)), len(s.raw)-1
		ids = append(ids, s.raw[i])
		members.remove(md5.Sum([]byte(s.raw[i])))
		s.raw[i], s.raw = s.raw[last], s.raw[:last]
	}
	if len(ids) == 0 {
		ids = append(ids, s.device()) // no member
	}
	j.body["profile"], j.body["source"] = "idfa", map[string]any{"ids": ids}
	j.tally = &tally{Read: int64(len(ids)), Accepted: int64(len(ids))}
	return j
}

// replacement replaces the members of a campaign. All lists have about the same length,
// because a much shorter one is refused.
func (s *source) replacement() *job {
	j := &job{id: s.id("replace"), kind: "target.replace", body: of(replaced)}
	members := newSet()
	s.model.targets[replaced] = members
	j.tally = s.export(j, 1_500+s.random.IntN(100), "", func(raw string) { members.add(md5.Sum([]byte(raw))) })
	return j
}

func (s *source) clearing() *job {
	s.model.targets[cleared] = newSet()
	return &job{id: s.id("clear"), kind: "target.clear", body: of(cleared)}
}

// submission submits devices by request, so that usher stores digests only.
func (s *source) submission() *job {
	j := s.inline(5)
	j.submit = true
	return j
}

// inline adds devices that are in the job.
func (s *source) inline(devices int) *job {
	j := &job{id: s.id("submit"), kind: "segment.add", body: of(added), tally: &tally{Read: int64(devices), Accepted: int64(devices)}}
	var ids []string
	for range devices {
		raw := s.device()
		ids = append(ids, raw)
		s.model.target(added).add(md5.Sum([]byte(raw)))
	}
	j.body["profile"], j.body["source"] = "idfa", map[string]any{"ids": ids}
	return j
}

const (
	invalidJob    = "invalid_job"
	sourceMissing = "source_missing"
)

func (s *source) unknownField() *job {
	return &job{id: s.id("invalid"), kind: "campaign.pause", body: map[string]any{"campaign": watched, "colour": "red"}, state: "failed", class: invalidJob}
}

// missingSource names an export that arrives too late: its letter is replayed in the next cycle.
func (s *source) missingSource() *job {
	j := &job{id: s.id("missing"), kind: "segment.add", body: of(added), state: "failed", class: sourceMissing}
	j.missing = filepath.Join(s.exports, j.id+".txt")
	j.body["profile"], j.body["source"] = "idfa", map[string]any{"url": "file://" + j.missing}
	return j
}

// measurement sends numbers of the watched campaign, after which its rule pauses or
// resumes it.
func (s *source) measurement() *job {
	spend := 10
	s.model.watched = active
	if s.random.IntN(2) == 0 {
		spend, s.model.watched = 97, inactive
	}
	return &job{id: s.id("event"), kind: "rules.evaluate", body: map[string]any{"rules": "watch", "metrics": map[string]any{
		"campaign": watched, "at": time.Now().UTC(), "values": map[string]any{"grossMediaSpend": spend, "budget": 100},
	}}}
}

// action pauses or resumes some creatives of a campaign.
func (s *source) action() *job {
	return s.actionOn(oneOf(s.random, "SANDBOX1-spring", "SANDBOX1-summer", "SANDBOX1-autumn", "SANDBOX1-video"))
}

// urgent pauses or resumes some creatives of the campaign that no wave changes.
func (s *source) urgent() *job { return s.actionOn(urgent) }

func (s *source) actionOn(campaign string) *job {
	j := &job{kind: "campaign.pause", wanted: inactive, campaign: campaign}
	if s.random.IntN(2) == 0 {
		j.kind, j.wanted = "campaign.resume", active
	}
	j.id = s.id(strings.TrimPrefix(j.kind, "campaign."))
	j.body = map[string]any{"campaign": j.campaign, "actor": "campaign", "reason": "fault campaign"}
	for i := range campaigns[j.campaign] {
		if s.random.IntN(3) > 0 {
			j.creatives = append(j.creatives, fmt.Sprintf("%s-%d", strings.TrimPrefix(j.campaign, "SANDBOX1-"), i+1))
		}
	}
	if len(j.creatives) == 0 {
		j.creatives = []string{strings.TrimPrefix(j.campaign, "SANDBOX1-") + "-1"}
	}
	j.body["creatives"] = j.creatives
	return j
}

// device returns a new device id.
func (s *source) device() string { return newDevice(s.random) }

func newDevice(random *rand.Rand) string {
	a, b := random.Uint64(), random.Uint64()
	return fmt.Sprintf("%08X-%04X-4%03X-A%03X-%012X", a>>32, a>>16&0xFFFF, a&0xFFF, b>>48&0xFFF, b&0xFFFFFFFFFFFF)
}

// export writes the export of a job and returns its tally. It has junk, invalid rows and,
// if it is too short to be cut, duplicates.
func (s *source) export(j *job, rows int, extension string, see func(raw string)) *tally {
	s.t.Helper()
	path := filepath.Join(s.exports, j.id+".txt"+extension)
	file, err := os.Create(path)
	if err != nil {
		s.t.Fatal(err)
	}
	buffered := bufio.NewWriter(file)
	var w io.Writer = buffered
	if extension != "" {
		packed := gzip.NewWriter(buffered)
		defer func() { _ = packed.Close(); _ = buffered.Flush(); _ = file.Close() }()
		w = packed
	} else {
		defer func() { _ = buffered.Flush(); _ = file.Close() }()
	}
	t := &tally{Read: int64(rows), Junk: map[string]int64{}, Invalid: map[string]int64{}}
	last := ""
	for i := range rows {
		switch {
		case i%50 == 49:
			t.Junk["zero_id"]++
			_, err = fmt.Fprintln(w, "00000000-0000-0000-0000-000000000000")
		case i%90 == 89:
			t.Invalid["shape"]++
			_, err = fmt.Fprintln(w, "somebody@example.org")
		case i%110 == 109 && rows < 1_600:
			t.Duplicate++
			_, err = fmt.Fprintln(w, strings.ToLower(last))
		default:
			t.Accepted++
			last = s.device()
			see(last)
			_, err = fmt.Fprintln(w, last)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	j.body["profile"], j.body["source"] = "idfa", map[string]any{"url": "file://" + path}
	return t
}
