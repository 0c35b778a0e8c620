package main_test

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"usher"
)

// TestConsoleTraffic has one page open while a job is published each second for a minute. What the browser
// reads on the wire is less than 300 kB.
func TestConsoleTraffic(t *testing.T) {
	atNight(t)
	dev := startDev(t)
	target, err := url.Parse(dev.console)
	if err != nil {
		t.Fatal(err)
	}
	counter := countBytes(t, target.Host)
	browser := newBrowser(t)
	b := newTab(browser, t, "http://"+counter.address)
	b.open(strings.TrimPrefix(dev.link, dev.console+"/"))
	b.waitForText("Nothing needs attention", "as of")
	path := dev.exports + "/few.csv"
	writeFile(t, path, rawID+"\n")
	for n, page := range []string{"#/jobs", "#/"} {
		b.open(page)
		b.waitUntilLoaded()
		before := counter.read.Load()
		every := time.NewTicker(time.Second)
		for i := range 60 {
			<-every.C
			dev.publish(usher.SegmentAdd, dev.addJob(fmt.Sprintf("each-%d-%02d", n, i), path))
		}
		every.Stop()
		read := counter.read.Load() - before
		t.Logf("%s read %d kB in a minute", page, read/1000)
		if read > 300_000 {
			t.Errorf("%s read %d kB in a minute, want at most 300", page, read/1000)
		}
	}
}

// byteCounter is a proxy that counts what clients read.
type byteCounter struct {
	address string
	read    atomic.Int64
}

func countBytes(t *testing.T, to string) *byteCounter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &byteCounter{address: l.Addr().String()}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				_ = client.Close()
				continue
			}
			serving.Go(func() { _, _ = io.Copy(server, client); _ = server.Close() })
			serving.Go(func() { _, _ = io.Copy(io.MultiWriter(client, c), server); _ = client.Close() })
		}
	})
	t.Cleanup(func() { _ = l.Close() })
	return c
}

func (c *byteCounter) Write(data []byte) (int, error) {
	c.read.Add(int64(len(data)))
	return len(data), nil
}
