package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"usher/internal/readable"
	"usher/internal/rtb"
	"usher/queues"
)

// clockProblem is the difference between two clocks above which it is a problem. A
// difference of more than queues.ClockTolerance is a warning.
const clockProblem = 30 * time.Second

// The owners of the clocks that are compared with this machine's clock.
const (
	ownerNATS     = "NATS"
	ownerRedis    = "Redis"
	ownerPlatform = "the platform"
)

// repairOf returns what to do about an owner's clock that is wrong.
func repairOf(owner string) string {
	switch owner {
	case ownerNATS:
		return "synchronize the clocks of its servers by NTP, because jobs age by them"
	case ownerRedis:
		return "synchronize its server's clock by NTP"
	}
	return "report it to the platform, because rules compare the time with its reports"
}

// clocks compares this machine's clock with others.
type clocks struct {
	now func() time.Time // this machine's clock

	mu       sync.Mutex
	readings []reading
}

// reading is the result of reading another clock. This machine's clock is ahead of it by
// least to most, which differ by the round trip and the resolution of the other clock.
type reading struct {
	owner       string
	least, most time.Duration
	err         error
}

// read reads another clock by calling ask, and returns its error.
func (c *clocks) read(ctx context.Context, owner string, ask func(context.Context) (time.Time, error)) error {
	asked := c.now()
	theirs, err := ask(ctx)
	c.add(reading{owner: owner, least: asked.Sub(theirs), most: c.now().Sub(theirs), err: err})
	return err
}

// add adds a reading, in the order of the owners.
func (c *clocks) add(r reading) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.readings = append(c.readings, r)
	order := []string{ownerNATS, ownerRedis, ownerPlatform}
	slices.SortStableFunc(c.readings, func(a, b reading) int {
		return cmp.Compare(slices.Index(order, a.owner), slices.Index(order, b.owner))
	})
}

// observe reads the platform's clock from the date of a response, which has whole seconds.
func (c *clocks) observe(o rtb.Outcome) {
	if o.Date.IsZero() {
		return
	}
	most := c.now().Sub(o.Date)
	c.add(reading{owner: ownerPlatform, least: most - o.Duration - time.Second, most: most})
}

// ahead returns how far this machine's clock is ahead, or 0 if the clocks may agree.
func (r reading) ahead() time.Duration {
	if r.least <= queues.ClockTolerance && r.most >= -queues.ClockTolerance {
		return 0
	}
	return (r.least + r.most) / 2
}

func (c *clocks) results() []queues.CheckResult {
	var found []queues.CheckResult
	for i, r := range c.readings {
		f := queues.CheckResult{What: "clock of " + r.owner, OK: true}
		ahead := r.ahead()
		switch {
		case r.err != nil:
			f.Says = fmt.Sprintf("warning: it was not compared with this machine's: %v", r.err)
		case ahead == 0:
			f.Says = "agrees with this machine's"
		case ahead.Abs() > clockProblem:
			f.OK, f.Says = false, c.explain(i, ahead)
		default:
			f.Says = "warning: " + c.explain(i, ahead)
		}
		found = append(found, f)
	}
	return found
}

// explain returns by how much a clock differs from this machine's, and which of them to
// set. If the other clocks agree with this machine's, clock i is wrong. If all of them
// differ by the same amount, this machine's clock is wrong.
func (c *clocks) explain(i int, ahead time.Duration) string {
	agree, alike, others := 0, 0, 0
	for j, r := range c.readings {
		if j == i || r.err != nil {
			continue
		}
		others++
		if r.ahead() == 0 {
			agree++
		} else if (r.ahead() - ahead).Abs() <= 2*queues.ClockTolerance {
			alike++
		}
	}
	says, repair := "behind", "synchronize both by NTP"
	if ahead < 0 {
		says = "ahead of"
	}
	switch {
	case others == 0:
	case agree == others:
		repair = repairOf(c.readings[i].owner)
	case alike == others:
		repair = "synchronize this machine's by NTP, because it differs from all others by the same"
	}
	return fmt.Sprintf("%s %s this machine's: %s", readable.Duration(ahead.Abs()), says, repair)
}
