package alerts

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/presence"
	"usher/queues/status"
)

// detector detects what to report.
type detector struct {
	Options
	queue     *queues.Queue
	letters   *letters.Letters
	decisions *decisions.Store
	notices   *decisions.Notices
}

// detect adds to a state what has happened since it was written. If first is set, no state was
// stored yet, and what is older is not reported, but for what still lasts: feeds that are late or
// held, members that lapse, lanes that have stalled, rules that are blind, and services that are lost.
func (d *detector) detect(ctx context.Context, s *alertState, first bool) error {
	for _, find := range []func(context.Context, *alertState, bool) error{d.findLetters, d.findRuns, d.findNotices, d.findBlind, d.findFeeds, d.findLapsing, d.findStalled, d.findCampaignWaits, d.findFull, d.findLostWorkers} {
		if err := find(ctx, s, first); err != nil {
			return err
		}
	}
	return d.findOutages(ctx, s)
}

func (d *detector) now() time.Time { return d.queue.Now().UTC() }

// page returns the address of a page of the console, such as /letters, or "".
func (d *detector) page(path string) string {
	if d.Console == "" {
		return ""
	}
	return strings.TrimSuffix(d.Console, "/") + "/#" + path
}

// command returns a command in parentheses, if messages cannot link to the console.
func (d *detector) command(text string) string {
	if d.Console != "" {
		return ""
	}
	return " (" + text + ")"
}

// findRuns finds runs that wait for approval, and those that no longer do.
func (d *detector) findRuns(ctx context.Context, s *alertState, first bool) error {
	if first {
		s.Held = d.now()
		return nil
	}
	runs, err := d.decisions.Evaluations(ctx, 100)
	if err != nil {
		return err
	}
	since := s.Held
	for i := range runs {
		if e := &runs[i]; e.State == usher.EvaluationHeld && e.At.After(since) {
			d.openRun(s, e)
			if e.At.After(s.Held) {
				s.Held = e.At
			}
		}
	}
	for _, name := range s.names(HeldRun) {
		if err := d.closeRun(ctx, s, name, runs); err != nil {
			return err
		}
	}
	return nil
}

func (d *detector) openRun(s *alertState, e *usher.Evaluation) {
	m := newMessage(HeldRun, e.ID, "A run of rules "+e.File+" waits for approval", e.At)
	m.Details = []string{readable.Line(e.Why, 300)}
	m.Count, m.Counted = int64(e.CountApprovable()), "change"
	m.Action = "Look at its changes and approve or reject them. Until then none of them is carried out." + d.command("usher rules runs show "+e.ID)
	m.Link = d.page(runPath(e.ID))
	s.open(m, d.now())
}

// closeRun ends the incident of a run that no longer waits for approval.
func (d *detector) closeRun(ctx context.Context, s *alertState, name string, newest []usher.Evaluation) error {
	id := strings.TrimPrefix(name, string(HeldRun)+"/")
	var e usher.Evaluation
	if i := slices.IndexFunc(newest, func(e usher.Evaluation) bool { return e.ID == id }); i >= 0 {
		e = newest[i]
	} else {
		var err error
		if e, _, err = d.decisions.FindEvaluation(ctx, id); err != nil {
			return err
		}
	}
	switch {
	case e.State == usher.EvaluationHeld:
	case e.Judged != nil:
		s.end(name, *e.Judged, decided(e.State == usher.EvaluationApproved, e.By, e.Reason))
	default:
		s.end(name, d.now(), "")
	}
	return nil
}

// decided says who has approved or rejected something.
func decided(approved bool, by, reason string) string {
	text := "Rejected by " + by
	if approved {
		text = "Approved by " + by
	}
	if reason != "" {
		text += ": " + readable.Line(reason, 150)
	}
	return text
}

// findStalled finds lanes that have stalled or recovered. A paused lane is not stalled. Of the lane of
// campaigns, findCampaignWaits says more, and earlier.
func (d *detector) findStalled(ctx context.Context, s *alertState, _ bool) error {
	states, err := d.queue.Lanes().States(ctx)
	if err != nil {
		return err
	}
	now := d.now()
	for i := range states {
		l := &states[i]
		if l.Lane == lanes.Campaign {
			continue
		}
		name := string(StalledLane) + "/" + string(l.Lane)
		stalled := l.Waits(now) > d.Stalled && l.Paused == nil
		switch open := s.Open[name] != nil; {
		case stalled && !open:
			m := newMessage(StalledLane, string(l.Lane), "Lane "+string(l.Lane)+" has stalled", *l.Untaken)
			m.Details = []string{"Its oldest job has waited for " + minutes(l.Waits(now)) + "."}
			m.Count, m.Counted = l.Waiting, "waiting job"
			m.Action = "Check that workers are running, have slots in this lane, and can reach the platform." + d.command("usher lanes ls")
			m.Link = d.page("/")
			s.open(m, now)
		case !stalled && open:
			how := ""
			if l.Paused != nil {
				how = "The lane was paused; its jobs wait until it is resumed."
			}
			s.end(name, now, how)
		}
	}
	return nil
}

// campaignPatience is how long a change of a campaign may take until people are told. The overview and
// /readyz name it after half of that.
const campaignPatience = time.Minute

// findCampaignWaits finds that a pause, resume, budget or bid does not take effect, whatever it
// waits for, or that all have.
func (d *detector) findCampaignWaits(ctx context.Context, s *alertState, _ bool) error {
	change, err := d.queue.Status().OldestChange(ctx)
	if err != nil {
		return err
	}
	if change == nil || !change.Late(d.now()) {
		change = &status.OpenChange{}
	}
	m := newMessage(CampaignWaits, "oldest", change.Says()+": "+readable.Line(change.Why(), 200), change.Since)
	m.Details = []string{"Younger changes may wait as well."}
	m.Action = status.ChangeHint + " usher tries the job again until retry.campaign_age." + d.command("usher jobs show "+change.Record.ID)
	m.Link = d.page("/jobs/" + url.PathEscape(change.Record.ID))
	d.findLost(s, m, campaignPatience)
	return nil
}

// findFull finds that streams are nearly full, then full, and that they have room again.
func (d *detector) findFull(ctx context.Context, s *alertState, _ bool) error {
	rooms, err := d.queue.Room(ctx)
	if err != nil {
		return err
	}
	for _, r := range rooms {
		for subject, found := range map[string]bool{r.Stream + "/soon": r.IsNearlyFull(), r.Stream: r.IsFull()} {
			m := newMessage(FullStream, subject, "NATS's "+r.String(), time.Time{})
			if found && (subject == r.Stream || !r.IsFull() || s.Open[m.Incident] != nil) { // one that is full at once is told once
				m.Since = d.now()
			}
			m.Action = queues.RoomHint + d.command("usher lanes ls, usher jobs ls")
			m.Link = d.page("/")
			d.findLost(s, m, 0)
		}
	}
	return nil
}

// How long a service or a worker must be lost before that is reported, so that a restart is not, and how
// long a service must be back. The platform is lost after five failures, the last of them of
// a probe, which takes up to 40 s if it is silent. A login that is refused is an answer, which does not mend
// itself.
const (
	outagePatience   = 30 * time.Second
	platformPatience = 20 * time.Second
	goneTime         = time.Minute
)

// findLostWorkers finds workers that are lost, and those that are back or replaced.
func (d *detector) findLostWorkers(ctx context.Context, s *alertState, _ bool) error {
	_, lost, err := d.queue.Presence().Gone(ctx)
	if err != nil {
		return err
	}
	now, present := d.now(), map[string]bool{}
	for i := range lost {
		w := &lost[i]
		m := newMessage(WorkerLost, w.Worker, w.String(), w.Heard)
		m.Details, m.Action, m.Link = []string{w.Delays()}, presence.LostHint+d.command("usher jobs ls --state running"), d.page("/")
		if present[m.Incident] = true; s.Open[m.Incident] == nil && now.Sub(w.Since) >= outagePatience && len(s.Open) < maxOpen {
			s.open(m, now)
		}
	}
	for _, name := range s.names(WorkerLost) {
		if present[name] {
			continue
		}
		how := "It is back, or another worker was started in its place."
		if now.Sub(s.Open[name].Message.Since) > presence.SeenFor {
			how = "It was not heard for a day, and is named no more."
		}
		s.end(name, now, how)
	}
	return nil
}

// findOutages finds services that are lost, or back, and sources that are slow.
func (d *detector) findOutages(ctx context.Context, s *alertState) error {
	if d.Outages == nil {
		return nil
	}
	found := d.Outages(ctx)
	if found.Known {
		d.findOutage(s, found.Platform, platformPatience, Platform, "calls", "The platform "+cmp.Or(found.Platform.How, "does not respond"),
			"Jobs wait, and continue when it works again. Check its status page, and the network between it and the workers.")
		d.findOutage(s, found.Login, 0, Platform, "login", "The platform refuses usher's login",
			"Jobs wait, pauses too, and continue when a login works. Check platform.username and platform.password; usher doctor tests them.")
		d.findOutage(s, found.Redis, outagePatience, Redis, "locks", "Pauses and resumes wait: Redis does not respond",
			"They continue when it responds; uploads continue at each worker's share of the rate. Check the Redis server, or its Sentinels.")
		d.findOutage(s, found.RedisLogin, outagePatience, Redis, "login", "Pauses and resumes wait: Redis refuses usher's login",
			"They continue when a login works; uploads continue at each worker's share of the rate. Check user and password in redis.url, which must be those of the user worker of Redis; usher doctor tests them.")
	}
	if found.Known {
		d.findFailing(s, found.Failing)
		if err := d.findSlow(ctx, s, found.Slow); err != nil {
			return err
		}
	}
	if !found.AwayKnown {
		return nil
	}
	switch {
	case len(found.Away) == 0:
		s.Away = time.Time{}
	case s.Away.IsZero():
		s.Away = d.now()
	}
	d.findOutage(s, Outage{Since: s.Away, Worker: d.queue.Worker()}, outagePatience, Copies, "away", "A copy of the stream of jobs is away, on "+strings.Join(found.Away, " and "),
		"Jobs go on until more NATS servers are lost. Check that nats-server runs there, and restart it if its disk was full.")
	return nil
}

// findSlow finds jobs whose sources deliver too slowly, and those that have ended or are fast again. A job
// that waits for its next attempt runs on no worker, but its record says why.
func (d *detector) findSlow(ctx context.Context, s *alertState, slow []presence.SlowJob) error {
	for i := range slow {
		j := &slow[i]
		m := newMessage(SlowSource, j.Job, "The source of job "+j.Job+" delivers too slowly: "+j.String(), j.Since)
		m.Details = []string{"Its slot is given back after a minute of that, and the job is tried again a minute later, at the earliest."}
		m.Action = "Have its server deliver faster, or set sources.min_rate lower. Otherwise the job ends as source_broken." + d.command("usher jobs show "+j.Job)
		m.Link = d.page("/jobs/" + url.PathEscape(j.Job))
		if s.Open[m.Incident] != nil || len(s.Open) < maxOpen {
			d.findLost(s, m, 0)
		}
	}
	for _, name := range s.names(SlowSource) {
		job := strings.TrimPrefix(name, string(SlowSource)+"/")
		if slices.ContainsFunc(slow, func(j presence.SlowJob) bool { return j.Job == job }) {
			continue
		}
		r, err := d.queue.Status().Record(ctx, job)
		switch {
		case errors.Is(err, status.ErrNoJob):
			s.end(name, d.now(), "The job is on record no more.")
		case err != nil:
			return err
		case r.State.Ended():
			s.end(name, d.now(), "The job has ended: "+string(r.State)+".")
		default:
			m := Message{Incident: name}
			if r.Slow != nil {
				m.Since = r.Slow.Since
			}
			d.findLost(s, m, 0)
		}
	}
	return nil
}

// findFailing finds the operations of the platform that fail, and those that work again.
func (d *detector) findFailing(s *alertState, failing []presence.Failing) {
	messages := map[string]Message{}
	for i := range failing {
		f := &failing[i]
		m := newMessage(Operation, f.Operation, f.Says()+": "+readable.Line(f.How(), 200), f.Since)
		m.Details, m.Action = []string{f.Delays()}, presence.FailingHint+d.command("usher doctor")
		m.Link = d.page("/")
		messages[m.Incident] = m
	}
	for _, name := range s.names(Operation) {
		if _, fails := messages[name]; !fails {
			messages[name] = Message{Incident: name}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(messages)) {
		d.findLost(s, messages[name], outagePatience)
	}
}

// findOutage finds that a service is lost, or back.
func (d *detector) findOutage(s *alertState, found Outage, patience time.Duration, kind Kind, subject, title, action string) {
	m := newMessage(kind, subject, title, found.Since)
	m.Details = []string{"Worker " + found.Worker + " reports it."}
	m.Action = action + d.command("usher doctor")
	m.Link = d.page("/")
	d.findLost(s, m, patience)
}

// findLost opens the incident of a message that has lasted for longer than patience, or ends it. A
// message without Since says that nothing is wrong. What is wrong may be missed at times, for example
// by a worker that does not answer: it has ended if it was not seen for goneTime, when that began.
func (d *detector) findLost(s *alertState, m Message, patience time.Duration) {
	now := d.now()
	known, lost := s.Open[m.Incident], !m.Since.IsZero()
	switch {
	case lost && known == nil && now.Sub(m.Since) >= patience:
		s.open(m, now)
	case known == nil:
	case lost:
		known.Gone = time.Time{}
	case known.Gone.IsZero():
		known.Gone = now
	case now.Sub(known.Gone) >= goneTime:
		s.end(m.Incident, known.Gone, "")
	}
}
