package evaluation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
)

// A time of a schedule whose run begins late decides as of then, once for all times that were missed. On a
// later day it decides nothing, unless the rule has active_hours. A run that somebody asks for as of a
// time is made as of that time.
func TestLateRuns(t *testing.T) {
	t.Parallel()
	const head = "account: SANDBOX1\ntimezone: Europe/London\nrules:\n"
	p := newRuleQueue(t,
		load(t, "hours", head+`  - {name: night, scope: {campaigns: [SANDBOX1-spring]}, active_hours: "08:00-22:00", schedule: "0 8,22 * * *"}
`),
		load(t, "spend", head+`  - {name: cap, scope: {campaigns: [SANDBOX1-summer]}, window: today, pause_when: grossMediaSpend >= 0, schedule: "0 23 * * *"}
  - {name: calm, scope: {campaigns: [SANDBOX1-autumn]}, window: yesterday, pause_when: grossMediaSpend < 0, schedule: "0 7 * * *"}
`))
	now := make(chan time.Time, 1)
	now <- at(t, "2014-04-02T07:30:20Z")
	p.Worker.Now = func() time.Time {
		at := <-now
		now <- at
		return at
	}
	p.Start()
	for _, c := range []struct {
		rule, due, begins string // in London, where it is summer
		byHand            bool
		asOf              string
		why               string
		counts            string
	}{
		{"hours/night", "01T22:00", "02T08:30", false, "02T08:30", "", "map[]"},
		{"hours/night", "02T08:00", "02T08:30", false, "02T08:00", "run rule-hours-night-20140401T2100Z has decided as of 2014-04-02 08:30", "map[]"},
		{"hours/night", "02T22:00", "02T22:00", false, "02T22:00", "", "map[pause:2]"},
		{"hours/night", "03T08:00", "03T08:59", false, "03T08:59", "", "map[resume:2]"},
		{"hours/night", "03T22:00", "04T02:00", false, "04T02:00", "", "map[pause:2]"},
		{"hours/night", "03T08:00", "04T02:00", true, "03T08:00", "", "map[resume:2]"},
		{"spend/cap", "01T23:00", "02T07:00", false, "01T23:00", "it is of 2014-04-01 23:00 and began on another day, at 2014-04-02 07:00: rule cap decides when it is due next", "map[]"},
		{"spend/cap", "02T23:00", "02T23:40", false, "02T23:40", "", "map[pause:3]"},
		{"spend/calm", "01T07:00", "01T07:00", false, "01T07:00", "", "map[]"},
		{"spend/calm", "02T07:00", "02T23:59", false, "02T23:59", "", "map[]"},
		{"spend/calm", "03T07:00", "04T06:59", false, "03T07:00", "began on another day", "map[]"},
		{"spend/calm", "04T07:00", "04T07:00", false, "04T07:00", "", "map[]"},
	} {
		moment := func(text string) time.Time { return at(t, "2014-04-"+text+":00+01:00") }
		<-now
		now <- moment(c.begins).Add(20 * time.Second)
		file, rule, _ := strings.Cut(c.rule, "/")
		id := "rule-" + file + "-" + rule + "-" + moment(c.due).UTC().Format("20060102T1504Z")
		if c.byHand {
			id = "by-hand-" + c.due[:2]
		}
		asOf := moment(c.asOf)
		if c.asOf != c.due {
			asOf = asOf.Add(20 * time.Second)
		}
		if c.byHand {
			p.Publish(usher.RulesEvaluate, fmt.Sprintf(`{"id":%q,"rules":%q,"rule":%q,"asOf":%q}`, id, file, rule, moment(c.due).UTC().Format(time.RFC3339)))
		} else if err := p.Decisions.PublishTick(t.Context(), file, rule, moment(c.due)); err != nil {
			t.Fatal(err)
		}
		p.Done(id)
		e, err := p.Decisions.Evaluation(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		p.Done(e.Jobs...)
		if !e.AsOf.Equal(asOf) || (e.Why == "") != (c.why == "") || !strings.Contains(e.Why, c.why) || !strings.HasPrefix(fmt.Sprint(e.Counts), c.counts) || e.State != usher.EvaluationDone {
			t.Errorf("%s of %s begins at %s, and is as of %s: %v, %q", c.rule, c.due, c.begins, e.AsOf, e.Counts, e.Why)
		}
	}
	if got := p.Statuses("SANDBOX1-summer"); got["summer-1"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
}
