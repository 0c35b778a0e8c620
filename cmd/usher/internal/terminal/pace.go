package terminal

import (
	"fmt"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
)

// pace computes how much of a job is done, and its rate.
type pace struct {
	total int64   // the estimated number of rows; 0: unknown
	calls float64 // that the rate limit allows a second; 0: unknown

	last    usher.Record
	updated time.Time
	rate    float64 // rows a second, smoothed over a few seconds
}

// update takes the job's record as read at now. The first update of a replay does not
// change the rate, because a replay counts its rows from 0.
func (p *pace) update(r usher.Record, now time.Time) {
	if passed := now.Sub(p.updated).Seconds(); !p.updated.IsZero() && passed > 0 && r.Run == p.last.Run {
		rate := float64(max(0, r.Tally.Read-p.last.Tally.Read)) / passed
		weight := min(1, passed/3)
		if p.rate == 0 {
			weight = 1
		}
		p.rate += weight * (rate - p.rate)
	}
	p.last, p.updated = r, now
}

// rows returns "1,200 of about 5,000 rows".
func (p *pace) rows() string {
	read := p.last.Tally.Read
	if p.total > read {
		return fmt.Sprintf("%s of about %s", readable.Number(read), readable.Count(p.total, "row"))
	}
	return readable.Count(read, "row")
}

// share returns how much of the job is done, by its rows or, if their number is unknown, by
// its parts. known is false if neither is known. A job that still runs is never whole,
// because the number of rows is an estimate.
func (p *pace) share() (done, total int64, known bool) {
	switch parts := p.last.Parts; {
	case p.total > 0:
		return min(p.last.Tally.Read, p.total-1), p.total, true
	case parts.Total > 1:
		return min(int64(parts.Done), int64(parts.Total)-1), int64(parts.Total), true
	}
	return 0, 0, false
}

// percent returns "48 %", or "" if it is unknown.
func (p *pace) percent() string {
	done, total, known := p.share()
	if !known || p.total > 0 && p.last.Tally.Read > p.total { // the estimate was too low
		return ""
	}
	return fmt.Sprintf("%d %%", done*100/total)
}

// left returns how long the remaining rows take at the current rate, and within the rate limit, or
// 0 if unknown. A job begins faster than the limit allows: with the calls that it may make at once.
func (p *pace) left() time.Duration {
	read := p.last.Tally.Read
	rest := float64(p.total - read)
	if p.rate < 1 || rest <= 0 {
		return 0
	}
	seconds := rest / p.rate
	if p.calls > 0 && read > 0 {
		seconds = max(seconds, rest*float64(p.last.Batches)/float64(read)/p.calls)
	}
	return time.Duration(seconds * float64(time.Second))
}

// text returns state, rows, rate and parts in one line.
func (p *pace) text() string {
	r := &p.last
	words := []string{string(r.State)}
	if r.Why != nil && *r.Why != "" {
		words[0] += ": " + readable.Printable(*r.Why)
	}
	if percent := p.percent(); percent != "" && r.State == usher.Running {
		words = append(words, percent)
	}
	if r.Tally.Read > 0 {
		words = append(words, p.rows())
	}
	if p.rate >= 1 && r.State == usher.Running {
		words = append(words, readable.Number(int64(p.rate))+" ids/s")
		if left := p.left(); left > 0 {
			words = append(words, readable.Duration(left)+" left")
		}
	}
	if r.Parts.Total > 1 {
		words = append(words, fmt.Sprintf("%d of %d parts done", r.Parts.Done, r.Parts.Total))
	}
	return strings.Join(words, ", ")
}

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
