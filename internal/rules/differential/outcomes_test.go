package differential_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// installs is the outcome that conditions read.
const installs = "outcome.installs"

// outcomes are numbers of installs from outside, of campaigns only.
type outcomes struct {
	numbers  map[string]map[int]float64 // by campaign and day
	complete map[int]bool               // days
}

// outcomes draws the installs of the days up to one.
func (d *drawer) outcomes(a *account, last int) *outcomes {
	o := &outcomes{numbers: map[string]map[int]float64{}, complete: map[int]bool{}}
	first, share := last-pick(d, 40, 40, 10, 3), pick(d, 1, 1, 2, 10)
	for day := first; day <= last; day++ {
		o.complete[day] = !d.chance(share + 1)
	}
	for _, campaign := range a.campaigns {
		o.numbers[campaign] = map[int]float64{}
		for day := first; day <= last; day++ {
			if !d.chance(3) {
				o.numbers[campaign][day] = float64(d.IntN(9))
			}
		}
	}
	return o
}

// sum returns what is known of the installs of an entity in a window, and on how many days they are
// known. A campaign without a number is 0 on a complete day; a creative is missing, because all
// numbers are of campaigns.
func (o *outcomes) sum(entity string, from, to int) (sum float64, days int) {
	numbers, isCampaign := o.numbers[entity]
	if !isCampaign {
		return 0, 0
	}
	for day := from; day <= to; day++ {
		if n, known := numbers[day]; known || o.complete[day] {
			sum += n
			days++
		}
	}
	return sum, days
}

// outcomeOf returns what is known of the installs of an entity in a window: with min_days, and over a
// lifetime, the days that are known count as all days.
func (s *scene) outcomeOf(entity string, from, to int, lifetime bool) bounds {
	minDays := s.rule.minDays
	if s.single {
		minDays = 0
	}
	sum, days := s.run.account.outcomes.sum(entity, from, to)
	switch {
	case to < from && s.first != "":
		return exactly(0)
	case to < from:
		return nothing
	case minDays > 0 || lifetime:
		need := max(minDays, 1)
		if !lifetime {
			need = min(need, to-from+1)
		}
		if days < need {
			return nothing
		}
	case days <= to-from:
		return bounds{sum, math.Inf(1)}
	}
	return exactly(sum)
}

// outcomeTotal returns what is known of the installs of campaigns together.
func (s *scene) outcomeTotal(campaigns []string, from, to int, lifetime bool) bounds {
	counts := s.rule.minDays > 0 && !s.single || lifetime
	isComplete, total := !counts, bounds{}
	for day := from; day <= to; day++ {
		isComplete = isComplete && s.run.account.outcomes.complete[day]
	}
	isComplete = isComplete && to >= from
	for _, campaign := range campaigns {
		of := s.outcomeOf(campaign, from, to, lifetime)
		if math.IsNaN(of.low) && counts {
			continue
		}
		_, days := s.run.account.outcomes.sum(campaign, from, to)
		if !of.isExact() && days == 0 && !s.isRecent(campaign) && s.run.sumOf(s.run.account.reports[campaign], from, to).rows == 0 {
			continue // it cannot lack a number
		}
		isComplete = isComplete || of.isExact()
		total = plus(total, of)
	}
	switch {
	case math.IsNaN(total.low), !isComplete && counts:
		return nothing
	case !isComplete:
		return bounds{total.low, math.Inf(1)}
	}
	return total
}

// put stores the installs of an account: those of complete days, and the others.
func (u *usher) put(a *account) {
	u.t.Helper()
	for _, complete := range []bool{true, false} {
		var b strings.Builder
		b.WriteString("date,campaign,installs\n")
		days := map[int]bool{}
		for _, campaign := range a.campaigns {
			for day, n := range a.outcomes.numbers[campaign] {
				if a.outcomes.complete[day] == complete {
					fmt.Fprintf(&b, "%s,%s,%g\n", dateOf(day), campaign, n)
					days[day] = true
				}
			}
		}
		for day := range a.outcomes.complete { // the file has no row of such a day
			if complete && !days[day] {
				a.outcomes.complete[day] = false
			}
		}
		if len(days) == 0 {
			continue
		}
		path := filepath.Join(u.dir, a.code+"-installs.csv")
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			u.t.Fatal(err)
		}
		args := []string{"outcomes", "put", path, "--advertiser", a.code, "--known-at", "2013-01-01T00:00:00Z"}
		if complete {
			args = append(args, "--complete")
		}
		if stderr, ok := u.run(nil, args...); !ok {
			u.t.Errorf("usher %s: %s", strings.Join(args, " "), stderr)
		}
	}
}
