package rtb_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
)

// batchOf returns a batch of n digests.
func batchOf(n int, release func()) *usher.Batch {
	return usher.NewBatch(1, n, bytes.NewReader(textOf(n)), release)
}

// textOf returns n digests, joined by commas.
func textOf(n int) []byte {
	var text []byte
	var digest [16]byte
	for i := range n {
		if i > 0 {
			text = append(text, ',')
		}
		binary.BigEndian.PutUint64(digest[8:], uint64(i))
		text = hex.AppendEncode(text, digest[:])
	}
	return text
}

// TestBuffersAreReleasedOnce overwrites the memory of a batch as soon as it is released,
// so that the race detector and the receiver notice a read after that.
func TestBuffersAreReleasedOnce(t *testing.T) {
	t.Parallel()
	const ids = 20_000
	want := textOf(ids)
	var requests atomic.Int64
	c := newClient(t, rtb.Options{Tokens: tokens("token")}, func(w http.ResponseWriter, r *http.Request) {
		switch requests.Add(1) % 4 {
		case 0: // an answer before the body is read
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		case 1: // no answer
			_, _ = io.CopyN(io.Discard, r.Body, 1000)
			panic(http.ErrAbortHandler)
		default:
			file, _, err := r.FormFile("users")
			if err != nil {
				return // the request was cancelled
			}
			if got, err := io.ReadAll(file); err == nil && !bytes.Equal(got, want) {
				t.Error("the body was overwritten while it was sent")
			}
			_, _ = io.WriteString(w, `{"status":"success"}`)
		}
	})
	var recycled atomic.Int64
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			done := make(chan struct{}, 1)
			text := make([]byte, len(want))
			for round := range 12 {
				copy(text, want)
				b := usher.NewBatch(1, ids, bytes.NewReader(text), func() {
					recycled.Add(1)
					clear(text)
					done <- struct{}{}
				})
				ctx, cancel := context.WithCancel(t.Context())
				if (worker+round)%5 == 0 {
					cancel()
				}
				_ = c.Segments.Upload(ctx, "1", b)
				_ = c.Segments.Upload(ctx, "1", b) // the retry, while the first body may still be read
				cancel()
				b.Release()
				<-done
			}
		})
	}
	group.Wait()
	if got := recycled.Load(); got != 8*12 {
		t.Errorf("%d releases, want %d", got, 8*12)
	}
}

// The server answers before it has read the body and resets the connection while the
// client writes. The answer must take precedence over the write error.
func TestEarly413(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 512))
			_, _ = io.WriteString(conn, "HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig")
			_ = conn.Close() // with megabytes unread: a reset
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-served })

	httpClient := rtb.NewHTTPClient(4, 10*time.Second, nil)
	t.Cleanup(httpClient.CloseIdleConnections)
	c := rtb.New(rtb.Options{BaseURL: "http://" + listener.Addr().String(), Tokens: tokens("token"), HTTP: httpClient})
	const ids = 200_000
	released := make(chan struct{})
	for range 20 {
		b := batchOf(ids, func() { released <- struct{}{} })
		if got := verdict(c.Segments.Upload(t.Context(), "1", b)); got != "permanent refused HTTP413" {
			t.Errorf("the error is %q", got)
		}
		go b.Release()
		<-released
	}
}

func TestRenewalReadsTheBodyAgain(t *testing.T) {
	t.Parallel()
	var renewals atomic.Int64
	var token atomic.Value
	token.Store("old")
	c := newClient(t, rtb.Options{Tokens: renewing{&token, &renewals}}, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || int64(len(body)) != r.ContentLength || !strings.Contains(string(body), fmt.Sprintf("%032x", 999)) {
			t.Errorf("a body of %d bytes: %v", len(body), err)
		}
		if r.Header.Get("Authorization") != "Bearer new1" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"status":"error","message":"Authentication is required","code":"AUTH001"}`)
			return
		}
		_, _ = io.WriteString(w, `{"status":"success"}`)
	})
	if err := c.Segments.Upload(t.Context(), "1", batchOf(1000, nil)); err != nil {
		t.Fatal(err)
	}
	token.Store("old")
	renewals.Store(5) // the next renewal returns a token that is refused, too
	err := c.Segments.Upload(t.Context(), "1", batchOf(1000, nil))
	var permanent *usher.Permanent
	if !errors.Is(err, usher.ErrUnauthorized) || errors.As(err, &permanent) || renewals.Load() != 6 {
		t.Errorf("after %d renewals: %v", renewals.Load(), err)
	}
}

// renewing returns tokens that are named by the number of renewals.
type renewing struct {
	token    *atomic.Value
	renewals *atomic.Int64
}

func (r renewing) Token(context.Context) (string, error) { return r.token.Load().(string), nil }

func (r renewing) Renew(context.Context, string) (string, error) {
	r.token.Store(fmt.Sprintf("new%d", r.renewals.Add(1)))
	return r.token.Load().(string), nil
}
