package connect_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
)

// A worker that starts while the cluster loses its quorum waits at each of its steps until
// JetStream answers, or until it is stopped.
func TestStartAwaitsJetStream(t *testing.T) {
	t.Parallel()
	for name, stopped := range map[string]bool{"late": false, "stopped": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := startServer(t, &natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir()})
			c, err := config.Defaults()
			if err != nil {
				t.Fatal(err)
			}
			for key, value := range map[string]string{"nats.url": server.ClientURL(), "ledger.url": t.TempDir()} {
				if err := c.Set(key, value); err != nil {
					t.Fatal(err)
				}
			}
			logger := slog.New(slog.DiscardHandler)
			if err := connect.Declare(t.Context(), c, logger); err != nil {
				t.Fatal(err)
			}
			nc, err := connect.AwaitNATS(t.Context(), c, logger)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(nc.Close)
			// The time of NATS is read from this stream.
			asked := loseLeader(t, server, "$JS.API.STREAM.INFO.USHER_JOBS", 1, func() {})
			queue, err := connect.AwaitQueue(t.Context(), nc, c, logger, prometheus.NewRegistry())
			if err != nil || asked.Load() < 2 {
				t.Fatalf("the queue is open after %d requests, %v", asked.Load(), err)
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			asked = loseLeader(t, server, "$JS.API.STREAM.MSG.GET.KV_usher_rules", 1, func() {
				if stopped {
					stop()
				}
			})
			store, err := connect.OpenLedger(ctx, c, queue, logger)
			if (err != nil) != stopped || asked.Load() == 0 {
				t.Fatalf("after %d requests the ledger is open, or not: %v", asked.Load(), err)
			}
			if err == nil {
				_ = store.Close()
			}
		})
	}
}

// loseLeader makes a server refuse the n-th request on a subject, as a cluster without a leader
// does, and calls refused. It returns the number of requests so far.
func loseLeader(t *testing.T, server *natsserver.Server, subject string, n int64, refused func()) *atomic.Int64 {
	t.Helper()
	nc, err := nats.Connect(server.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	seen := new(atomic.Int64)
	_, err = nc.Subscribe("asked."+subject, func(m *nats.Msg) {
		if seen.Add(1) != n {
			_ = nc.PublishRequest("answered."+subject, m.Reply, m.Data)
			return
		}
		_ = m.Respond([]byte(`{"error":{"code":503,"err_code":10008,"description":"JetStream system temporarily unavailable"}}`))
		refused()
	})
	if err == nil {
		err = nc.Flush()
	}
	for from, to := range map[string]string{subject: "asked." + subject, "answered." + subject: subject} {
		if err == nil {
			err = server.GlobalAccount().AddMapping(from, to)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return seen
}
