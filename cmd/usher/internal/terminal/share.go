package terminal

import (
	"fmt"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
)

// Paces computes the progress of several jobs from their records.
type Paces struct{ jobs map[string]*pace }

// Update takes the records of the jobs that have not ended, as read at now.
func (p *Paces) Update(list []usher.Record, now time.Time) {
	jobs := map[string]*pace{}
	for i := range list {
		one := p.jobs[list[i].ID]
		if one == nil {
			one = &pace{}
		}
		one.update(list[i], now)
		jobs[list[i].ID] = one
	}
	p.jobs = jobs
}

// Progress returns a bar with percent, the number of ids a second, and the time left. What
// is unknown is "".
func (p *Paces) Progress(id string) (bar, rate, left string) {
	one := p.jobs[id]
	if one == nil {
		return "", "", ""
	}
	if done, total, known := one.share(); known {
		const cells = 10
		full := int(done * cells / total)
		bar = fmt.Sprintf("%s%s %3d %%", strings.Repeat("█", full), strings.Repeat("·", cells-full), done*100/total)
	}
	if one.rate >= 1 && one.last.State == usher.Running {
		rate = readable.Number(int64(one.rate))
	}
	if d := one.timeLeft(); d > 0 && one.last.State == usher.Running {
		left = readable.Duration(d)
	}
	return bar, rate, left
}

// timeLeft returns how long the rest takes at the rate so far, or 0 if that is unknown.
func (p *pace) timeLeft() time.Duration {
	if p.total > 0 {
		return p.left()
	}
	done, total, known := p.share()
	if started := p.last.Started; known && done > 0 && started != nil {
		return time.Duration(float64(p.updated.Sub(*started)) * float64(total-done) / float64(done))
	}
	return 0
}
