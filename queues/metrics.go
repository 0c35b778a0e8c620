package queues

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"usher"
	"usher/internal/scrape"
	"usher/queues/lanes"
	"usher/queues/presence"
)

// metrics count the work of this process. Their labels have a closed set of values:
// known kinds, states, classes, outcomes.
type metrics struct {
	kinds []usher.Kind

	jobs     *prometheus.CounterVec   // ended, by kind, state and class
	wait     *prometheus.HistogramVec // from publish to the first start
	duration *prometheus.HistogramVec // from the first start to the end
	crashes  *prometheus.CounterVec
	letters  *prometheus.CounterVec
	rows     *prometheus.CounterVec
	bytes    prometheus.Counter
	batches  prometheus.Counter

	read, accepted, sent atomic.Int64 // the same as rows and bytes, for presence
}

// newMetrics creates the metrics and registers them unless the registry is nil.
func newMetrics(registry prometheus.Registerer, kinds []usher.Kind) *metrics {
	make := promauto.With(registry)
	counters := func(name, help string, labels ...string) *prometheus.CounterVec {
		return make.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histograms := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return make.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(0.05, 3, 12)}, labels)
	}
	m := &metrics{
		kinds:    kinds,
		jobs:     counters("usher_jobs_total", "Jobs that this worker ended, by kind, state and, if they failed, class.", "kind", "state", "class"),
		wait:     histograms("usher_job_wait_seconds", "Time from a job's publish to its first start.", "kind"),
		duration: histograms("usher_job_duration_seconds", "Time from a job's first start to its end.", "kind", "state"),
		crashes:  counters("usher_job_crashes_total", "Deliveries that found a job or part still running, because its worker crashed.", "kind"),
		letters:  counters("usher_dead_letters_total", "Dead letters that this worker wrote, by class.", "class"),
		rows:     counters("usher_rows_total", "Rows of exports that were settled, by outcome.", "outcome"),
		bytes:    make.NewCounter(prometheus.CounterOpts{Name: "usher_upload_bytes_total", Help: "Bytes of upload requests that the platform answered."}),
		batches:  make.NewCounter(prometheus.CounterOpts{Name: "usher_upload_batches_total", Help: "Batches that the platform answered."}),
	}
	m.startAtZero()
	return m
}

// startAtZero creates the series of all known labels. Prometheus sees no increase in a
// series that begins at 1, so without them an alert would miss the first event.
func (m *metrics) startAtZero() {
	for _, class := range usher.Classes() {
		m.letters.WithLabelValues(string(class))
	}
	for _, kind := range m.kinds {
		m.crashes.WithLabelValues(string(kind))
		for _, state := range []usher.State{usher.Done, usher.Cancelled} {
			m.jobs.WithLabelValues(string(kind), string(state), "")
		}
		for _, class := range usher.Classes() {
			m.jobs.WithLabelValues(string(kind), string(usher.Failed), string(class))
		}
	}
	for _, outcome := range tallyColumns() {
		m.rows.WithLabelValues(outcome)
	}
}

// kind returns the label of a kind, because a message may have an unknown kind.
func (m *metrics) kind(k usher.Kind) string {
	if slices.Contains(m.kinds, k) {
		return string(k)
	}
	return "unknown"
}

// ended counts a job that this process has ended.
func (m *metrics) ended(r *usher.Record) {
	class := ""
	if r.State == usher.Failed && r.Error != nil {
		class = string(r.Error.Class)
	}
	m.jobs.WithLabelValues(m.kind(r.Kind), string(r.State), class).Inc()
	if r.Started != nil && r.Finished != nil {
		m.duration.WithLabelValues(m.kind(r.Kind), string(r.State)).Observe(r.Finished.Sub(*r.Started).Seconds())
	}
}

// figures are the counts of a checkpoint: rows by column of the tally, batches, bytes.
type figures struct {
	rows           [8]int64
	batches, bytes int64
}

// tallyColumns are the names of figures.rows.
func tallyColumns() [8]string {
	return [8]string{"accepted", "unchanged", "duplicate", "suppressed", "withheld", "junk", "invalid", "refused"}
}

func figuresOf(c *usher.Checkpoint) figures {
	t := &c.Tally
	return figures{
		rows:    [8]int64{t.Accepted, t.Unchanged, t.Duplicate, t.Suppressed, t.Withheld.Sum(), t.Junk.Sum(), t.Invalid.Sum(), t.Refused.Sum()},
		batches: c.Batches, bytes: c.Bytes,
	}
}

// advanced counts the difference of two checkpoints, or nothing if the work started from
// the beginning.
func (m *metrics) advanced(from, to figures) {
	for i, column := range tallyColumns() {
		grown := max(0, to.rows[i]-from.rows[i])
		m.rows.WithLabelValues(column).Add(float64(grown))
		m.read.Add(grown)
	}
	m.accepted.Add(max(0, to.rows[0]-from.rows[0]))
	m.sent.Add(max(0, to.bytes-from.bytes))
	m.bytes.Add(float64(max(0, to.bytes-from.bytes)))
	m.batches.Add(float64(max(0, to.batches-from.batches)))
}

// work returns what this process has done.
func (m *metrics) work() presence.Work {
	return presence.Work{Read: m.read.Load(), Accepted: m.accepted.Load(), Bytes: m.sent.Load()}
}

// collector reads the metrics of waiting jobs and of dead letters.
type collector struct {
	q                                             *Queue
	countLetters                                  func(context.Context) (map[usher.Class]uint64, error)
	waiting, running, oldest, paused, letters, up *prometheus.Desc
	written, workers, lost                        *prometheus.Desc
	uneffective, used, clock                      *prometheus.Desc

	// change is when the oldest change of a campaign that has not ended was published, at the last
	// scrape that NATS has answered; zero: there was none. It goes on counting while NATS is away.
	change atomic.Pointer[time.Time]
}

// NewCollector returns a collector of the jobs that wait in the lanes and of the dead letters,
// which countLetters counts by class.
func NewCollector(q *Queue, countLetters func(context.Context) (map[usher.Class]uint64, error)) prometheus.Collector {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	c := &collector{
		q: q, countLetters: countLetters,
		waiting: describe("usher_lane_waiting", "Jobs or parts that wait for a slot, by lane.", "lane"),
		running: describe("usher_lane_running", "Jobs or parts that run, or wait for others on their target or for their next attempt, by lane.", "lane"),
		oldest:  describe("usher_lane_oldest_waiting_seconds", "How long the oldest job or part of a lane has waited for a slot; in the lane campaign, until it has ended.", "lane"),
		paused:  describe("usher_lane_paused", "1 while a lane is paused by hand.", "lane"),
		letters: describe("usher_dead_letters", "Dead letters, by class.", "class"),
		up:      describe("usher_nats_up", "1 if NATS answered this scrape."),
		written: describe("usher_nats_write_age_seconds", "Time since NATS last took a write of this worker, which tries every 3 s."),
		workers: describe("usher_workers", "Number of workers at this worker's last heartbeat."),
		lost:    describe("usher_workers_lost", "Number of workers that were killed or cannot reach NATS, and that none has replaced, at this worker's last heartbeat."),

		used:  describe("usher_stream_used_ratio", "Share of nats.max_bytes that a stream of jobs or parts has used. When it is full, it refuses jobs.", "stream"),
		clock: describe("usher_clock_ahead_seconds", "How far this machine's clock is ahead of NATS's; negative: behind; 0: they agree within 2 s."),

		uneffective: describe("usher_pause_oldest_uneffective_seconds", "Time since the publish of the oldest pause, resume, budget or bid that was not read back from the platform, whatever it waits for; 0: there is none."),
	}
	return &scrape.Collector{
		Reads: "NATS for metrics", Logger: q.logger, Read: c.read,
		Metrics: []*prometheus.Desc{c.waiting, c.running, c.oldest, c.paused, c.letters, c.up, c.written, c.workers, c.lost, c.uneffective, c.used, c.clock},
	}
}

// read reads the metrics.
func (c *collector) read(ctx context.Context, gauge scrape.Gauge) error {
	gauge(c.written, c.q.presence.SinceWrite().Seconds())
	gauge(c.workers, float64(c.q.presence.Count()))
	gauge(c.lost, float64(c.q.presence.CountLost()))
	gauge(c.clock, c.q.ClockAhead().Seconds())
	states, err := c.q.Lanes().States(ctx)
	var classes map[usher.Class]uint64
	var rooms []Room
	if err == nil {
		rooms, err = c.q.Room(ctx)
	}
	if err == nil {
		classes, err = c.countLetters(ctx)
	}
	if err != nil {
		gauge(c.up, 0)
		if change := c.change.Load(); change != nil && !change.IsZero() {
			gauge(c.uneffective, max(0, c.q.now().Sub(*change)).Seconds())
		}
		return err
	}
	gauge(c.up, 1)
	for _, r := range rooms {
		gauge(c.used, r.Used, r.Stream)
	}
	for _, l := range states {
		gauge(c.waiting, float64(l.Waiting), string(l.Lane))
		gauge(c.running, float64(l.Running), string(l.Lane))
		gauge(c.oldest, l.Waits(c.q.now()).Seconds(), string(l.Lane))
		if l.Lane == lanes.Campaign {
			c.change.Store(cmp.Or(l.Oldest, new(time.Time)))
			gauge(c.uneffective, l.Waits(c.q.now()).Seconds())
		}
		paused := 0.0
		if l.Paused != nil {
			paused = 1
		}
		gauge(c.paused, paused, string(l.Lane))
	}
	for _, class := range usher.Classes() {
		classes[class] += 0 // a panel without letters shows 0
	}
	for class, n := range classes {
		gauge(c.letters, float64(n), string(class))
	}
	return nil
}
