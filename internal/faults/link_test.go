package faults_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

// link is a TCP proxy in front of a server.
type link struct{ *toxiproxy.Proxy }

func newLink(t testing.TB, listen, upstream int) link {
	t.Helper()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	proxy := toxiproxy.NewProxy(server, "link", address(listen), address(upstream))
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		proxy.Toxics.ResetToxics(context.Background())
		proxy.Stop()
	})
	return link{proxy}
}

// add adds a toxic, in the terms of toxiproxy. mend removes it.
func (l link) add(kind, stream, attributes string) error {
	_, err := l.Toxics.AddToxicJson(strings.NewReader(fmt.Sprintf(
		`{"name":%q,"type":%q,"stream":%q,"attributes":{%s}}`, kind+stream, kind, stream, attributes)))
	return err
}

// slow delays both directions.
func (l link) slow(milliseconds int) error {
	for _, stream := range []string{"upstream", "downstream"} {
		if err := l.add("latency", stream, fmt.Sprintf(`"latency":%d,"jitter":%d`, milliseconds, milliseconds/2)); err != nil {
			return err
		}
	}
	return nil
}

// blackHole drops all data in both directions. Connections stay open.
func (l link) blackHole() error {
	for _, stream := range []string{"upstream", "downstream"} {
		if err := l.add("timeout", stream, `"timeout":0`); err != nil {
			return err
		}
	}
	return nil
}

// reset resets connections as soon as data flows.
func (l link) reset() error { return l.add("reset_peer", "downstream", `"timeout":0`) }

// mend removes all toxics and reopens the link.
func (l link) mend() {
	l.Toxics.ResetToxics(context.Background())
	if !l.Enabled {
		_ = l.Start() // its port is below those that the system gives to connections
	}
}
