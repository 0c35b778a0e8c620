package main_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/internal/rtb"
	"usher/pipeline"
)

// platform is a sandbox process that keeps fingerprints.
type platform struct {
	url, token string
	client     *rtb.Client
}

func startPlatform(b *testing.B) *platform {
	b.Helper()
	program, err := releaseBinary()
	if err != nil {
		b.Fatal(err)
	}
	port := freePort(b)
	startProcess(b, "sandbox", nil, program, "sandbox", "--listen", fmt.Sprintf("127.0.0.1:%d", port), "--members", "fingerprint")
	p := &platform{url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	login := rtb.New(rtb.Options{BaseURL: p.url, Advertiser: "SANDBOX1"})
	eventually(b, "the sandbox answers", func() bool {
		p.token, err = login.Auth.Token(b.Context(), "sandbox", "sandbox")
		return err == nil
	})
	transport := rtb.NewHTTPClient(2*pipeline.DefaultInFlight, time.Minute, nil)
	b.Cleanup(transport.CloseIdleConnections)
	p.client = rtb.New(rtb.Options{
		BaseURL: p.url, Advertiser: "SANDBOX1", HTTP: transport,
		Tokens: rtb.NewTokens(func(context.Context) (string, error) { return p.token, nil }),
	})
	return p
}

// upload uploads a file in the same way as a worker: it plans parts, uploads one part
// per core at a time, and counts and de-duplicates all rows.
type upload struct {
	path     string
	opener   *exports.Opener
	client   *rtb.Client
	batchIDs int // 0 means the default
	buffers  pipeline.Buffers
	size     pipeline.Size
}

func newUpload(b *testing.B, path string, client *rtb.Client) *upload {
	b.Helper()
	allowed, err := places.Allow([]string{filepath.Dir(path)})
	if err != nil {
		b.Fatal(err)
	}
	return &upload{path: path, opener: exports.New(places.New(places.Options{Allowed: allowed}), exports.Options{}), client: client}
}

// run uploads the file in parts of partBytes, or of the default size if that is 0.
func (u *upload) run(ctx context.Context, cores int, partBytes int64) (usher.Tally, error) {
	source := &usher.Source{URL: u.path}
	plan, err := u.opener.Plan(ctx, source, exports.Wanted{}, partBytes)
	if err != nil {
		return usher.Tally{}, err
	}
	var mu sync.Mutex
	var sum usher.Tally
	err = runConcurrently(cores, len(plan.Parts), func(i int) error {
		blocks, err := u.opener.Open(ctx, source, plan, plan.Parts[i])
		if err != nil {
			return err
		}
		c, err := pipeline.Upload(ctx, blocks, pipeline.Options{
			Profile: usher.Profile{Type: usher.IDFA}, First: i == 0, BatchIDs: u.batchIDs, Buffers: &u.buffers, Size: &u.size,
			Send: func(ctx context.Context, b *usher.Batch) error { return u.client.Segments.Upload(ctx, "1", b) },
		})
		mu.Lock()
		sum.Add(c.Tally)
		mu.Unlock()
		return errors.Join(err, blocks.Close())
	})
	return sum, errors.Join(err, sum.Check())
}

// runExactly runs the upload and returns an error unless n ids are accepted.
func (u *upload) runExactly(b *testing.B, cores int, partBytes int64, n int) error {
	tally, err := u.run(b.Context(), cores, partBytes)
	if err == nil && tally.Accepted != int64(n) {
		err = fmt.Errorf("%d ids accepted, want %d", tally.Accepted, n)
	}
	return err
}

// BenchmarkUpload uploads a file with one IDFA per line to a sandbox process, in
// batches of 100,000 ids: with the naive program, and in the same way as a worker. The
// sender uses one core or two.
func BenchmarkUpload(b *testing.B) {
	const n, parts = 3_600_000, 4
	p := startPlatform(b)
	path := writeIDFile(b, b.TempDir(), n)
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			u := newUpload(b, path, p.client)
			compare(b, n,
				contender{name: "naive", do: func() error {
					return naiveUpload(b.Context(), p.url+"/v3/segments/1/users", p.token, path, cores, pipeline.DefaultBatchIDs)
				}},
				contender{name: "usher", do: func() error { return u.runExactly(b, cores, 37*n/parts+37, n) }},
			)
		})
	}
}

// BenchmarkGrowth measures the CPU time per id in exports of 1 and 10 million ids and,
// if USHER_BENCH_LARGE is set, 100 million ids.
func BenchmarkGrowth(b *testing.B) {
	p := startPlatform(b)
	sizes := []int{1_000_000, 10_000_000}
	if os.Getenv("USHER_BENCH_LARGE") != "" {
		sizes = append(sizes, 100_000_000)
	}
	dir := b.TempDir()
	costs := make([][]float64, len(sizes))
	var uploads []*upload
	for _, n := range sizes {
		uploads = append(uploads, newUpload(b, writeIDFile(b, dir, n), p.client))
	}
	for b.Loop() {
		for i, u := range uploads {
			runs := max(1, 10_000_000/sizes[i]) // so that each size is measured for the same time
			cpu := cpuTime()
			for range runs {
				if err := u.runExactly(b, 2, 0, sizes[i]); err != nil {
					b.Fatal(err)
				}
			}
			costs[i] = append(costs[i], float64((cpuTime()-cpu).Nanoseconds())/float64(runs*sizes[i]))
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, n := range sizes {
		b.ReportMetric(median(costs[i]), fmt.Sprintf("%dM-CPU-ns/id", n/1_000_000))
		b.ReportMetric(median(costs[i])/median(costs[0]), fmt.Sprintf("%dM-×1M", n/1_000_000))
	}
}

// BenchmarkAllocations counts the allocations of an upload per id and per batch,
// including those of net/http. The allocations per batch are the difference between
// many and few batches, divided by the number of additional batches.
func BenchmarkAllocations(b *testing.B) {
	const n = 1_000_000
	p := startPlatform(b)
	u := newUpload(b, writeIDFile(b, b.TempDir(), n), p.client)
	mallocs := func(batchIDs int) float64 {
		u.batchIDs = batchIDs
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := u.runExactly(b, 1, 1<<30, n); err != nil {
			b.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.Mallocs - before.Mallocs)
	}
	mallocs(n / 10) // warm up connections and buffers
	var few, many []float64
	for b.Loop() {
		few, many = append(few, mallocs(n/10)), append(many, mallocs(n/100))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric((median(many)-median(few))/90, "allocs/batch")
	b.ReportMetric(median(few)/n, "allocs/id")
}
