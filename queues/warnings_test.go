package queues

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

func TestWarnOfCopies(t *testing.T) {
	t.Parallel()
	cluster := &jetstream.ClusterInfo{Name: "usher", Replicas: []*jetstream.PeerInfo{{Name: "nats-2", Current: true}, {Name: "nats-3", Current: true, Offline: true}}}
	for want, info := range map[string]*jetstream.StreamInfo{
		"":                             {Config: jetstream.StreamConfig{Replicas: 1}},
		"one copy only, although NATS": {Config: jetstream.StreamConfig{Replicas: 1}, Cluster: &jetstream.ClusterInfo{Name: "usher"}},
		"the copy on nats-3 is offline or behind: check that nats-server runs there, and restart it if its disk was full": {Config: jetstream.StreamConfig{Replicas: 3}, Cluster: cluster},
	} {
		if got := warnOfStream(info); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
