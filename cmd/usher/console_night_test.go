package main_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A page that stays open for eight hours needs no more memory than before: it receives the state
// of the services 28,800 times, and loads the overview again 400 times.
func TestConsoleStaysSmall(t *testing.T) {
	atNight(t)
	t.Parallel()
	dev := startDev(t)
	target, err := url.Parse(dev.console)
	if err != nil {
		t.Fatal(err)
	}
	p := &fastProxy{loaded: make(chan struct{}, 1)}
	p.proxy = &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host // the console compares it with the page's origin
	}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	b := newTab(newBrowser(t), t, server.URL)
	b.open(strings.TrimPrefix(dev.link, dev.console+"/"))
	b.waitForText("Nothing needs attention")
	minutes := func(n int64) int {
		p.left.Store(n)
		eventually(t, "the time has passed", func() bool { return p.left.Load() == 0 })
		b.waitForText("Nothing needs attention")
		return b.heap()
	}
	before := minutes(100) // so that everything is loaded and compiled
	after := 0
	for range 4 { // each as long as a test waits, because a page loads every 1.5 s at most
		after = minutes(100)
	}
	t.Logf("the page has %d KB at first, and %d KB after eight hours", before>>10, after>>10)
	if after > before+1<<20 {
		t.Errorf("the page has grown by %d KB", (after-before)>>10)
	}
}

// heap returns the bytes that the page's objects need.
func (b *tab) heap() int {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
		b.t.Fatal(err)
	}
	usage, err := chromedp.Call(b.ctx, runtime.GetHeapUsage, cdp.Empty{})
	if err != nil {
		b.t.Fatal(err)
	}
	return int(usage.UsedSize)
}

// fastProxy lets minutes pass within milliseconds: it sends the state of the services 72 times,
// then a change of the overview, and waits until the page has loaded it.
type fastProxy struct {
	proxy  *httputil.ReverseProxy
	left   atomic.Int64 // minutes
	loaded chan struct{}
}

func (p *fastProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/api/live":
		w = &fastWriter{ResponseWriter: w, of: p, gone: r.Context().Done()}
	case "/api/overview":
		defer func() {
			select {
			case p.loaded <- struct{}{}:
			default:
			}
		}()
	}
	p.proxy.ServeHTTP(w, r)
}

// fastWriter writes a stream of events.
type fastWriter struct {
	http.ResponseWriter
	of   *fastProxy
	gone <-chan struct{}
}

func (w *fastWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *fastWriter) Write(data []byte) (int, error) {
	written, err := w.ResponseWriter.Write(data)
	if !bytes.HasPrefix(data, []byte("event: health")) {
		return written, err
	}
	for range 40 { // usher gives up a page that does not read for 10 s
		if err != nil || w.of.left.Load() == 0 {
			break
		}
		_, err = w.ResponseWriter.Write(append(bytes.Repeat(data, 72), "data: overview\n\n"...))
		_ = http.NewResponseController(w.ResponseWriter).Flush() // the next write fails, too
		select {
		case <-w.of.loaded:
			w.of.left.Add(-1)
		case <-w.gone:
			return written, err
		}
	}
	return written, err
}
