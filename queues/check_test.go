package queues_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/store"
)

// A stream of jobs that is nearly full is a warning before it refuses jobs. One that drops its
// oldest messages may be full.
func TestCheckWarnsOfFullStreams(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	const limit = 64 << 10
	for _, name := range []string{"USHER_JOBS", "USHER_EVENTS"} {
		b.Configure(t, name, func(c *jetstream.StreamConfig) { c.MaxBytes = limit })
	}
	for _, subject := range []string{"usher.jobs.segment.add", "usher.events.full"} {
		if _, err := b.JS.Publish(t.Context(), subject, bytes.Repeat([]byte("x"), limit*9/10)); err != nil {
			t.Fatal(err)
		}
	}
	found := queues.Check(t.Context(), b.JS, b.Options, time.Minute, time.Minute)
	for name, want := range map[string]string{"USHER_JOBS": "% full: a full stream refuses jobs", "USHER_EVENTS": ""} {
		i := slices.IndexFunc(found, func(f queues.CheckResult) bool { return f.What == "stream "+name })
		if f := found[i]; !f.OK || strings.HasPrefix(f.Says, "warning: ") != (want != "") || !strings.Contains(f.Says, want) {
			t.Errorf("%+v, want %q", f, want)
		}
	}
}

// A stream takes no jobs if more than half of its copies are away, and takes them if one copy
// is behind.
func TestLostCopies(t *testing.T) {
	t.Parallel()
	present := &jetstream.PeerInfo{Name: "nats-1", Current: true, Active: time.Second}
	behind := &jetstream.PeerInfo{Name: "nats-2", Active: time.Second}
	silent := &jetstream.PeerInfo{Name: "nats-3", Active: time.Minute}
	offline := &jetstream.PeerInfo{Name: "nats-4", Offline: true}
	unheard := &jetstream.PeerInfo{Name: "nats-5", Lag: 10} // by the leader since its election
	for name, c := range map[string]struct {
		copies int
		peers  []*jetstream.PeerInfo // the leader is not one of them
		want   string
		leader string
	}{
		"all are present":                    {3, []*jetstream.PeerInfo{present, present}, "", "nats-1"},
		"two are behind":                     {3, []*jetstream.PeerInfo{behind, behind}, "", "nats-1"},
		"one is away":                        {3, []*jetstream.PeerInfo{present, offline}, "", "nats-1"},
		"two are away":                       {3, []*jetstream.PeerInfo{silent, offline}, "2 of 3 copies are away, on nats-3 and nats-4: the stream has lost its quorum and takes no jobs", "nats-1"},
		"two of five":                        {5, []*jetstream.PeerInfo{present, behind, silent, offline}, "", "nats-1"},
		"half of two":                        {2, []*jetstream.PeerInfo{offline}, "1 of 2 copies is away, on nats-4: the stream has lost its quorum and takes no jobs: start nats-server there, or restart it if its disk was full", "nats-1"},
		"there is one copy":                  {1, nil, "", "nats-1"},
		"the one that responds lists itself": {3, []*jetstream.PeerInfo{silent, offline, {Name: "nats-5", Offline: true}}, "2 of 3 copies are away, on nats-4 and nats-5", ""},
		"no server is in contact":            {3, []*jetstream.PeerInfo{silent, {Name: "nats-6", Active: time.Minute}, {Name: "nats-7", Active: time.Minute}}, "the stream has lost its quorum, without a leader among its copies on nats-3, nats-6, nats-7, and takes no jobs", ""},
		"there is an election":               {3, []*jetstream.PeerInfo{present, silent, silent}, "", ""},
	} {
		info := &jetstream.StreamInfo{Config: jetstream.StreamConfig{Replicas: c.copies}, Cluster: &jetstream.ClusterInfo{Leader: c.leader, Replicas: c.peers}}
		if got := queues.LostCopiesOf(info); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for leader, want := range map[string][]string{"nats-1": {"nats-3", "nats-4", "nats-5"}, "": nil} {
		info := &jetstream.StreamInfo{Cluster: &jetstream.ClusterInfo{Leader: leader, Replicas: []*jetstream.PeerInfo{present, behind, silent, offline, unheard}}}
		if got, err := queues.AwayCopiesOf(info); !slices.Equal(got, want) || (err == nil) != (leader != "") {
			t.Errorf("with leader %q, %q are away, %v, want %q", leader, got, err, want)
		}
	}
}

// A stream or a lane that lacks subjects is a problem, which usher migrate mends.
func TestMissingSubjects(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	removeRuns(t, b)
	wantProblems(t, b, 5) // the streams of jobs, and their three lanes
	if err := queues.Declare(t.Context(), b.JS, b.Options); err != nil {
		t.Fatal(err)
	}
	wantProblems(t, b, 0)
}

// removeRuns takes the subjects usher.runs.> from the streams of jobs and their lanes.
func removeRuns(t *testing.T, b *queuetest.Broker) {
	t.Helper()
	subjects := map[lanes.Lane][]string{
		lanes.Audience: {"usher.jobs.segment.*", "usher.jobs.target.*"}, lanes.Campaign: {"usher.jobs.campaign.*"}, lanes.Rules: {"usher.jobs.rules.*"},
	}
	left := map[string][]string{}
	for lane, filters := range subjects {
		stream, _ := lane.On(store.Names{})
		c, err := b.JS.Consumer(t.Context(), stream, string(lane))
		if err != nil {
			t.Fatal(err)
		}
		consumer := c.CachedInfo().Config
		consumer.FilterSubject, consumer.FilterSubjects = "", filters
		if _, err := b.JS.UpdateConsumer(t.Context(), stream, consumer); err != nil {
			t.Fatal(err)
		}
		left[stream] = append(left[stream], filters...)
	}
	for stream, subjects := range left {
		b.Configure(t, stream, func(c *jetstream.StreamConfig) { c.Subjects = subjects })
	}
}

func wantProblems(t *testing.T, b *queuetest.Broker, want int) {
	t.Helper()
	var problems []queues.CheckResult
	for _, f := range queues.Check(t.Context(), b.JS, b.Options, time.Minute, time.Minute) {
		if !f.OK {
			problems = append(problems, f)
		}
	}
	if len(problems) != want {
		t.Errorf("%d problems, want %d: %s", len(problems), want, queuetest.JSON(t, problems))
	}
}
