package faults_test

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// tally counts the rows of an export, as usher's records do.
type tally struct {
	Read       int64            `json:"read"`
	Accepted   int64            `json:"accepted"`
	Duplicate  int64            `json:"duplicate"`
	Suppressed int64            `json:"suppressed"`
	Junk       map[string]int64 `json:"junk"`
	Invalid    map[string]int64 `json:"invalid"`
	Refused    map[string]int64 `json:"refused"`
}

// fingerprint is that of a set of digests, as the sandbox computes it.
type fingerprint struct {
	Count int64  `json:"count"`
	Sum   string `json:"sum"`
	Xor   string `json:"xor"`
}

// set is a set of digests and its fingerprint.
type set struct {
	members                    map[digest]bool
	sumHi, sumLo, xorHi, xorLo uint64
}

type digest [16]byte

func newSet() *set { return &set{members: map[digest]bool{}} }

func (s *set) add(d digest) {
	if s.members[d] {
		return
	}
	s.members[d] = true
	hi, lo := binary.BigEndian.Uint64(d[:8]), binary.BigEndian.Uint64(d[8:])
	var carry uint64
	s.sumLo, carry = bits.Add64(s.sumLo, lo, 0)
	s.sumHi, _ = bits.Add64(s.sumHi, hi, carry)
	s.xorHi, s.xorLo = s.xorHi^hi, s.xorLo^lo
}

func (s *set) remove(d digest) {
	if !s.members[d] {
		return
	}
	delete(s.members, d)
	hi, lo := binary.BigEndian.Uint64(d[:8]), binary.BigEndian.Uint64(d[8:])
	var borrow uint64
	s.sumLo, borrow = bits.Sub64(s.sumLo, lo, 0)
	s.sumHi, _ = bits.Sub64(s.sumHi, hi, borrow)
	s.xorHi, s.xorLo = s.xorHi^hi, s.xorLo^lo
}

func (s *set) fingerprint() fingerprint {
	return fingerprint{int64(len(s.members)), fmt.Sprintf("%016x%016x", s.sumHi, s.sumLo), fmt.Sprintf("%016x%016x", s.xorHi, s.xorLo)}
}

// job is a job that the publisher publishes, with the result that it must have.
type job struct {
	id, kind string
	body     map[string]any
	submit   bool // by a request to usher.submit
	copies   int  // how many more times it is published with the same id and body

	state string // in which it must end
	class string // of its error and of its letter
	run   int    // the run in which it must end
	tally *tally // nil: not known

	missing string // the path of an export that does not exist yet

	campaign  string // of a pause or resume
	creatives []string
	wanted    string // status of its creatives

	damaged bool // values of the job were overwritten: its record and its events are not compared
}

// model is the state that usher must have reached when no job waits or runs.
type model struct {
	jobs    []*job // in the order of publication
	byID    map[string]*job
	targets map[string]*set
	status  map[string]string // of creatives; ACTIVE if absent
	watched string            // status of the watched campaign's creatives, which a rule pauses and resumes
}

func newModel() *model {
	return &model{byID: map[string]*job{}, targets: map[string]*set{}, status: map[string]string{}, watched: active}
}

// The statuses of creatives.
const (
	active   = "ACTIVE"
	inactive = "INACTIVE"
)

// target returns the expected members of a segment or campaign.
func (m *model) target(name string) *set {
	if m.targets[name] == nil {
		m.targets[name] = newSet()
	}
	return m.targets[name]
}

// add adds a job, which is published after all others.
func (m *model) add(j *job) *job {
	if j.state == "" {
		j.state = "done"
	}
	j.run = 1
	m.jobs = append(m.jobs, j)
	m.byID[j.id] = j
	for _, creative := range j.creatives {
		m.status[creative] = j.wanted
	}
	return j
}
