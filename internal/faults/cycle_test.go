package faults_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// cycle is a wave of jobs and the faults that are injected while they run.
type cycle struct {
	*campaign
	random *rand.Rand
	jobs   *source
	wave   []*job
	added  []*publication // of jobs that were published while faults lasted
}

// errMissed is the error of a fault that would have no effect now.
type errMissed string

func (e errMissed) Error() string { return string(e) }

// errViolated is the error of what usher must do while a fault lasts.
type errViolated struct{ error }

// outcome is the outcome of a cycle.
type outcome struct {
	kinds      []string
	invalid    []string // why faults missed their window
	violations []string
	recovery   time.Duration // from the end of the faults to the end of all jobs
	poison     int           // dead letters of class poison that were replayed
}

// slowResponse is the platform's response time while faults are injected. It is long, so
// that the faults hit running jobs.
const slowResponse = 700 * time.Millisecond

// run publishes a wave, injects the faults, ends them, waits until all jobs have ended, and
// compares the result with the model. Its error is an error of the test, not of usher.
func (c *cycle) run(chosen []kind) (o outcome, err error) {
	for _, k := range chosen {
		o.kinds = append(o.kinds, k.name)
	}
	if err := c.latency(slowResponse); err != nil {
		return o, err
	}
	publication := c.publish.publish(c.site.t.Context(), c.wave, time.Duration(50+c.random.IntN(250))*time.Millisecond)
	if err := within(patience, func() error { return c.underWay(publication) }); err != nil {
		return o, errors.Join(err, publication.wait())
	}
	replays, err := c.replayBefore()
	if err != nil {
		return o, errors.Join(err, publication.wait())
	}
	o.invalid, err = c.injectFaults(chosen, publication)
	var violation errViolated
	if errors.As(err, &violation) {
		o.violations, err = append(c.exits(), violation.Error()), nil
	}
	if err != nil || len(o.violations) > 0 {
		return o, errors.Join(err, publication.wait())
	}
	start := time.Now()
	for _, p := range append(c.added, publication) {
		if err := p.wait(); err != nil {
			o.violations = append(c.exits(), err.Error())
			return o, nil
		}
	}
	for _, j := range c.wave {
		if err := within(patience, func() error { return c.ended(j) }); err != nil {
			o.violations = append(o.violations, fmt.Sprintf("job %s does not end: %v", j.id, err))
		}
	}
	o.violations = append(o.violations, replays.wait()...)
	if len(o.violations) > 0 {
		return o, nil
	}
	o.recovery = time.Since(start)
	if o.poison, err = c.replayPoison(); err != nil {
		return o, err
	}
	o.violations, err = c.settled(replays.jobs)
	if err == nil && len(o.violations) == 0 {
		var allow string // an operation of the platform works again a minute after its last failure
		if len(chosen) > 1 {
			allow = "platform"
		}
		o.violations = c.site.unwell(patience, allow)
	}
	return o, err
}

// exits names the workers that have exited although no fault ended them.
func (c *cycle) exits() (violations []string) {
	for _, w := range c.site.workers {
		if !w.running() {
			violations = append(violations, w.name+" has exited")
		}
	}
	return violations
}

// add publishes a job of the model while faults last.
func (c *cycle) add(j *job) *publication {
	c.wave = append(c.wave, c.model.add(j))
	p := c.publish.publish(c.site.t.Context(), []*job{j}, time.Second)
	c.added = append(c.added, p)
	return p
}

// published reports whether NATS has all jobs of the cycle.
func (c *cycle) published(wave *publication) bool {
	acked := wave.acked.Load()
	for _, p := range c.added {
		acked += p.acked.Load()
	}
	return acked == int64(len(c.wave))
}

// effective is how long a pause may take on a busy machine while a fault lasts that must not delay it.
const effective = 30 * time.Second

// pauses publishes a pause or resume, and returns an error unless it soon has taken effect.
func (c *cycle) pauses() error {
	j := c.jobs.urgent()
	c.add(j)
	if err := within(effective, func() error { return c.ended(j) }); err != nil {
		return fmt.Errorf("%s has not ended after %s: %w", j.id, effective, err)
	}
	return nil
}

// latency sets the platform's response time.
func (c *cycle) latency(d time.Duration) error {
	return c.site.control("PUT", "latency", map[string]any{"delayMs": d.Milliseconds()}, nil)
}

// injectFaults injects the faults, keeps them for a while, and ends them. It returns why
// faults missed.
func (c *cycle) injectFaults(chosen []kind, p *publication) (missed []string, err error) {
	var injected []fault
	hold := time.Duration(500+c.random.IntN(5_000)) * time.Millisecond
	for _, k := range chosen {
		f, err := k.inject(c)
		var miss errMissed
		switch {
		case errors.As(err, &miss):
			missed = append(missed, k.name+": "+miss.Error())
			continue
		case err != nil:
			return missed, errors.Join(fmt.Errorf("%s: %w", k.name, err), c.heal(injected))
		}
		f.kind = k.name
		injected = append(injected, f)
		hold = max(hold, f.hold)
	}
	over := time.NewTimer(hold)
	defer over.Stop()
	if len(chosen) == 1 && len(injected) == 1 && injected[0].during != nil {
		if err := injected[0].during(); err != nil {
			err = errViolated{fmt.Errorf("during %s: %w", injected[0].kind, err)}
			return nil, errors.Join(err, c.heal(injected), c.latency(0))
		}
	}
	<-over.C // the duration of the faults, not a wait for a condition
	for _, f := range injected {
		if miss := f.missed(); miss != "" {
			missed = append(missed, f.kind+": "+miss)
		}
	}
	// If the records cannot be read, NATS is down, so jobs cannot have ended.
	if open, err := c.unfinished(); err == nil && open == 0 && c.published(p) {
		missed = append(missed, "all jobs ended while the fault lasted")
	}
	return missed, errors.Join(c.heal(injected), c.latency(0))
}

// heal ends faults, the last one first.
func (c *cycle) heal(injected []fault) (err error) {
	for _, f := range slices.Backward(injected) {
		err = errors.Join(err, f.heal())
	}
	return err
}

// underWay returns nil if a third of the wave is published and a worker runs a job.
func (c *cycle) underWay(p *publication) error {
	if acked := int(p.acked.Load()); acked < len(c.wave)/3 {
		return fmt.Errorf("%d jobs are published", acked)
	}
	busy, err := c.observe.holders()
	if err == nil && len(busy) == 0 {
		err = errors.New("no job runs")
	}
	return err
}

// unfinished returns the number of jobs of the wave that have not ended.
func (c *cycle) unfinished() (n int, err error) {
	for _, j := range c.wave {
		r, err := c.observe.record(j.id)
		if err != nil {
			return 0, err
		}
		if !r.ended() {
			n++
		}
	}
	return n, nil
}

// ended returns nil if a job and the jobs that a rule published because of it have ended. If
// the record of a job was damaged after the job had ended, it is lost; then ended returns nil
// if no job waits or runs.
func (c *cycle) ended(j *job) error {
	if j.damaged {
		return c.nothingWaits()
	}
	r, err := c.observe.record(j.id)
	switch {
	case err != nil:
		return err
	case !r.ended():
		why := ""
		if r.Why != nil {
			why = *r.Why
		}
		return fmt.Errorf("it is %s: %s", r.State, why)
	case j.kind == "rules.evaluate":
		return c.nothingWaits() // its rule may have published a pause or a resume
	}
	return nil
}

func (c *cycle) nothingWaits() error {
	messages, err := c.observe.waiting()
	if err == nil && messages != "" {
		err = fmt.Errorf("messages wait: %s", messages)
	}
	return err
}

// replayPoison replays the jobs that are dead letters because workers died three times
// while they ran, as an operator would.
func (c *cycle) replayPoison() (n int, err error) {
	for _, j := range c.wave {
		r, err := c.observe.record(j.id)
		if err != nil {
			return n, err
		}
		if r.class() != "poison" || r.Crashes < 3 || j.damaged {
			continue
		}
		n++
		j.run++
		if out, err := c.site.usher("dead", "replay", "--id", j.id, "--yes", "--force"); err != nil {
			return n, fmt.Errorf("usher dead replay: %w: %s", err, out)
		}
		if err := within(patience, func() error {
			r, err := c.observe.record(j.id)
			if err == nil && (r.Run != j.run || !r.ended()) {
				err = fmt.Errorf("the replay of %s is %s in run %d", j.id, r.State, r.Run)
			}
			return err
		}); err != nil {
			return n, err
		}
	}
	return n, nil
}

// settled waits until usher's state equals the model, and returns the differences that
// remain. A message may stay on a stream for AckWait after its job has ended, and an event
// may be published later.
func (c *cycle) settled(replayed []*job) (violations []string, err error) {
	_ = within(patience/2, func() error {
		violations, err = check(c.model, c.observe, c.history, slices.Concat(c.wave, replayed))
		if err == nil && len(violations) > 0 {
			return errors.New(violations[0])
		}
		return err
	})
	violations = append(violations, c.exits()...)
	if err == nil && len(violations) == 0 {
		violations = c.examine()
	}
	return violations, err
}

// examine runs usher doctor, which must find no problem after it has repaired the damaged
// values.
func (c *cycle) examine() (violations []string) {
	if slices.ContainsFunc(c.wave, func(j *job) bool { return j.damaged }) {
		if out, err := c.doctor("--repair"); err != nil {
			violations = append(violations, "usher doctor --repair fails:\n"+out)
		}
	}
	if out, err := c.doctor(); err != nil {
		violations = append(violations, "usher doctor finds a problem although all faults have ended:\n"+out)
	}
	return violations
}

// doctor runs usher doctor. It repeats the run while all that fails is a check without a
// response, because a busy machine may be slower than doctor waits. It never repeats one
// that finds a problem.
func (c *cycle) doctor(args ...string) (out string, err error) {
	_ = within(patience/2, func() error {
		out, err = c.site.usher(append([]string{"doctor", "--nats", c.site.cluster.url("admin")}, args...)...)
		if strings.Contains(out, "doctor cannot tell") {
			return err
		}
		return nil
	})
	return out, err
}
