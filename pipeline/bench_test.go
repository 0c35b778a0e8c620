package pipeline_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/pipeline"
)

const benchIDs = 2_000_000

// BenchmarkEndToEnd takes a file of IDFAs, one a line, into POSTs that a receiver
// reads, in 100,000s, in two ways one after the other in every iteration: as the
// naive program would (bufio.Scanner, crypto/md5, mime/multipart, net/http as it
// comes), and by the pipeline with the platform's client, tally and
// de-duplication included. What counts is their ratio; it must be at least 2. On
// a machine that does other things too, the ratio of the processor's time, the
// receiver's included, is the steadier one.
func BenchmarkEndToEnd(b *testing.B) {
	file := benchFile(b, benchIDs)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// In large pieces, so that the receiver costs little: io.Copy would take 8 KB.
		_, _ = io.CopyBuffer(struct{ io.Writer }{io.Discard}, r.Body, make([]byte, 256<<10))
		_, _ = io.WriteString(w, `{"status":"success","data":{}}`)
	}))
	defer receiver.Close()
	plain := &http.Client{Transport: &http.Transport{}}
	defer plain.CloseIdleConnections()
	platform := rtb.NewHTTPClient(pipeline.DefaultInFlight, time.Minute)
	defer platform.CloseIdleConnections()
	client := rtb.New(rtb.Options{BaseURL: receiver.URL, Advertiser: "A", Tokens: fixedToken{}, HTTP: platform})
	buffers := new(pipeline.Buffers)
	var naive, usher spent
	for b.Loop() {
		naive.on(func() error { return naiveUpload(b.Context(), plain, receiver.URL, file) }, b)
		usher.on(func() error { return pipelineUpload(b.Context(), client, file, buffers) }, b)
	}
	ids := float64(b.N) * benchIDs
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(naive.wall.Nanoseconds())/ids, "naive-ns/id")
	b.ReportMetric(float64(usher.wall.Nanoseconds())/ids, "usher-ns/id")
	b.ReportMetric(naive.wall.Seconds()/usher.wall.Seconds(), "×naive")
	b.ReportMetric(naive.cpu.Seconds()/usher.cpu.Seconds(), "×naive-CPU")
}

// fixedToken is an access token that nobody renews.
type fixedToken struct{}

func (fixedToken) Token(context.Context) (string, error)         { return "token", nil }
func (fixedToken) Renew(context.Context, string) (string, error) { return "token", nil }

// spent is what something took of time, and of the processor's time.
type spent struct{ wall, cpu time.Duration }

func (s *spent) on(do func() error, b *testing.B) {
	b.Helper()
	began, cpu := time.Now(), cpuTime()
	if err := do(); err != nil {
		b.Fatal(err)
	}
	s.wall += time.Since(began)
	s.cpu += cpuTime() - cpu
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it fails for wrong arguments only
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// benchFile writes n different IDFAs as they come: random but for their number.
func benchFile(b *testing.B, n int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "ids.txt")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for i := range n {
		x := uint64(i+1) * 0x9e3779b97f4a7c15
		fmt.Fprintf(w, "%08X-%04X-4%03X-A%03X-%012X\n", x>>32, x>>16&0xffff, x&0xfff, x>>12&0xfff, i)
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		b.Fatal(err)
	}
	return path
}

func post(ctx context.Context, client *http.Client, url, contentType string, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", contentType)
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return errors.Join(err, answer.Body.Close())
}

// naiveUpload is the program that one would write first.
func naiveUpload(ctx context.Context, client *http.Client, url, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for more := true; more; {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("users", "ids.txt")
		if err != nil {
			return err
		}
		n := 0
		for ; n < pipeline.DefaultBatchIDs; n++ {
			if more = lines.Scan(); !more {
				break
			}
			id := strings.ToUpper(strings.TrimSpace(lines.Text()))
			sum := md5.Sum([]byte(id))
			if n > 0 {
				_, _ = part.Write([]byte(","))
			}
			_, _ = part.Write([]byte(hex.EncodeToString(sum[:])))
		}
		if err := form.Close(); err != nil {
			return err
		}
		if n == 0 {
			break
		}
		if err := post(ctx, client, url, form.FormDataContentType(), body.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

func pipelineUpload(ctx context.Context, client *rtb.Client, path string, buffers *pipeline.Buffers) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	c, err := pipeline.Upload(ctx, &fileBlocks{file: f, buffer: make([]byte, 256<<10)}, pipeline.Options{
		Profile: usher.Profile{Type: usher.IDFA}, Buffers: buffers, First: true,
		Send: func(ctx context.Context, b *usher.Batch) error { return client.AddSegmentUsers(ctx, "17", b) },
	})
	if err == nil && c.Tally.Accepted != benchIDs {
		err = fmt.Errorf("%d ids accepted of %d", c.Tally.Accepted, benchIDs)
	}
	return err
}

// fileBlocks yields whole lines of a file from one buffer.
type fileBlocks struct {
	file       *os.File
	buffer     []byte
	used, have int
}

func (b *fileBlocks) Next(context.Context) (*usher.Block, error) {
	b.have = copy(b.buffer, b.buffer[b.used:b.have])
	n, err := b.file.Read(b.buffer[b.have:])
	if err != nil {
		return nil, err
	}
	b.have += n
	b.used = bytes.LastIndexByte(b.buffer[:b.have], '\n') + 1
	return &usher.Block{Data: b.buffer[:b.used]}, nil
}

// BenchmarkRows is the pipeline alone: no file, no platform.
func BenchmarkRows(b *testing.B) {
	const n = 1_000_000
	data, err := os.ReadFile(benchFile(b, n))
	if err != nil {
		b.Fatal(err)
	}
	o := pipeline.Options{
		Profile: usher.Profile{Type: usher.IDFA}, Buffers: new(pipeline.Buffers),
		Send: func(context.Context, *usher.Batch) error { return nil },
	}
	for b.Loop() {
		if _, err := pipeline.Upload(b.Context(), &oneBlock{data: data}, o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/id")
}
