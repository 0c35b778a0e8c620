package faults_test

import (
	"crypto/md5"
	"errors"
	"fmt"
	"os"
	"slices"
)

// twoReplays replays the letters of the wave before while a wave runs and its faults last, by
// two processes at the same time, as two operators do who see the same letters.
type twoReplays struct {
	c    *cycle
	jobs []*job // whose exports have arrived since
	ends chan error
}

// operators is how many processes replay the same letters.
const operators = 2

// replayBefore lets the exports of the last wave arrive that were missing, and starts the replays
// of their jobs. The model expects each job to be done in its second run, however often it is
// replayed and whatever fails meanwhile.
func (c *cycle) replayBefore() (*twoReplays, error) {
	r := &twoReplays{c: c, ends: make(chan error, operators)}
	for _, j := range c.model.jobs {
		if j.class != sourceMissing || j.damaged || slices.Contains(c.wave, j) {
			continue
		}
		raw := newDevice(c.random)
		if err := os.WriteFile(j.missing, []byte(raw+"\n"), 0o644); err != nil {
			return nil, err
		}
		c.model.target(added).add(md5.Sum([]byte(raw)))
		j.state, j.class, j.run, j.tally = "done", "", 2, &tally{Read: 1, Accepted: 1}
		r.jobs = append(r.jobs, j)
	}
	if len(r.jobs) > 0 {
		for range operators {
			go func() { r.ends <- r.replay() }()
		}
	}
	return r, nil
}

// replay replays the letters until a replay exits 0, as an operator repeats a command that NATS
// did not answer.
func (r *twoReplays) replay() error {
	wave := r.jobs[0].id[:len("wave-0000")]
	return within(2*patience, func() error {
		if out, err := r.c.site.usher("dead", "replay", "--class", sourceMissing, "--match", wave, "--yes"); err != nil {
			return fmt.Errorf("usher dead replay: %w: %s", err, out)
		}
		return nil
	})
}

// wait waits for the end of both replays and of the replayed jobs.
func (r *twoReplays) wait() (violations []string) {
	if len(r.jobs) == 0 {
		return nil
	}
	var err error
	for range operators {
		err = errors.Join(err, <-r.ends)
	}
	if err != nil {
		return []string{err.Error()}
	}
	for _, j := range r.jobs {
		if err := within(patience, func() error { return r.c.ended(j) }); err != nil {
			violations = append(violations, fmt.Sprintf("replayed job %s does not end: %v", j.id, err))
		}
	}
	return violations
}
