package main_test

import (
	"context"
	"crypto/md5"
	"errors"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"usher"
	"usher/hashing"
	"usher/queues/presence"
)

// A worker is suspended with a batch in hand, and continues after an id of this batch was
// forgotten. The batch does not bring the id back: what is left of it is not sent. Timers of the
// process may also prevent that, but only usually; see TestNoRestIsSentWithoutLease of package rtb.
func TestForgetWhileWorkerIsSuspended(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		ids      int
		settings []string // of the worker that is suspended
		await    func(d *deployment, p *stallingProxy)
	}{
		{
			"a batch waits for the rate limit", 900,
			[]string{"USHER_UPLOAD_BATCH_IDS=300", "USHER_PLATFORM_RATE=0.5", "USHER_PLATFORM_BURST=1"},
			func(d *deployment, _ *stallingProxy) {
				eventually(d.t, "the first batch was uploaded", func() bool { return d.uploads() > 0 })
			},
		},
		{
			"a batch is half sent", 300_000, nil,
			func(d *deployment, p *stallingProxy) { eventually(d.t, "a batch has stalled", p.hasStalled) },
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := newDeployment(t, "USHER_PLATFORM_TIMEOUT=3s", "USHER_LEDGER_URL="+t.TempDir())
			export := filepath.Join(d.exports, "ids.txt")
			writeIDs(t, export, 0, test.ids)
			p := newStallingProxy(t, d.server.URL)
			suspended := d.worker("suspended", append(test.settings, "USHER_PLATFORM_URL="+p.url)...)
			d.publish(usher.SegmentAdd, d.addJob("upload", export))
			test.await(d, p)
			suspended.signal(syscall.SIGSTOP)

			d.worker("other")
			var forgotten string
			var want hashing.Fingerprint
			eachID(0, test.ids, func(line []byte) {
				if id := line[:len(line)-1]; want.Count == int64(test.ids/2) && forgotten == "" {
					forgotten = string(id)
				} else {
					want.Add(md5.Sum(id))
				}
			})
			d.publish(usher.DeviceForget, job{"id": "forget", "ids": []string{forgotten}, "reason": "a request"})
			for _, id := range []string{"forget", "upload"} {
				if r := d.ended(id); r.State != usher.Done {
					t.Errorf("%s ended %s: %+v", id, r.State, r.Error)
				}
			}
			p.release()
			suspended.signal(syscall.SIGCONT)
			eventually(t, "the suspended worker continues", func() bool {
				workers, _ := d.queue.Presence().Workers(t.Context())
				return slices.ContainsFunc(workers, func(w presence.Answer) bool { return w.Worker == "suspended" })
			})
			suspended.signal(syscall.SIGTERM)
			<-suspended.done

			if got := asJSON(d.members("segments/1")); got != asJSON(want) {
				t.Errorf("the segment has %s, want %s", got, asJSON(want))
			}
		})
	}
}

// stallingProxy passes connections on. It stops to read a connection that has sent
// stallAfter bytes until release is called.
type stallingProxy struct {
	url      string
	target   string
	stalled  chan struct{} // closed when a connection has stalled
	released chan struct{}
	stall    func()
	release  func()
}

const stallAfter = 100_000

func newStallingProxy(t *testing.T, target string) *stallingProxy {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	listening := net.ListenConfig{Control: holdLittle}
	l, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &stallingProxy{url: "http://" + l.Addr().String(), target: to.Host, stalled: make(chan struct{}), released: make(chan struct{})}
	p.stall = sync.OnceFunc(func() { close(p.stalled) })
	p.release = sync.OnceFunc(func() { close(p.released) })
	ctx, cancel := context.WithCancel(t.Context())
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { p.serve(ctx, c) })
		}
	})
	t.Cleanup(func() { p.release(); cancel(); _ = l.Close(); serving.Wait() })
	return p
}

// holdLittle has the kernel hold less of a connection than a batch. What it holds is sent, whatever becomes of
// the process: with the segments of loopback, of 64 KB, that may be 4 MB, and a batch has 3.3 MB.
func holdLittle(_, _ string, conn syscall.RawConn) error {
	const segment = 536
	var set error
	err := conn.Control(func(fd uintptr) {
		set = errors.Join(
			syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, segment),
			syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, stallAfter),
		)
	})
	return errors.Join(err, set)
}

// hasStalled reports whether a connection has stalled.
func (p *stallingProxy) hasStalled() bool {
	select {
	case <-p.stalled:
		return true
	default:
		return false
	}
}

// serve passes a connection on until one side closes it, or ctx ends.
func (p *stallingProxy) serve(ctx context.Context, from net.Conn) {
	to, err := net.Dial("tcp", p.target)
	if err != nil {
		_ = from.Close()
		return
	}
	end := func() { _ = from.Close(); _ = to.Close() }
	defer context.AfterFunc(ctx, end)()
	var answers sync.WaitGroup
	answers.Go(func() { defer end(); _, _ = io.Copy(from, to) })
	if _, err := io.CopyN(to, from, stallAfter); err == nil {
		p.stall()
		<-p.released
		_, _ = io.Copy(to, from)
	}
	end()
	answers.Wait()
}
