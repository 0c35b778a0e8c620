package bench

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/dev"
	"usher/queues"
	"usher/queues/status"
	"usher/queues/store"
)

// bench is one run of usher bench.
type bench struct {
	options
	serve     dev.Wiring
	config    config.Config
	logger    *slog.Logger
	out, errs io.Writer

	*installation
	names    store.Names
	queue    *queues.Queue
	platform *platform
	folder   string // of the export
}

// run measures, and removes what it made.
func (b *bench) run(ctx context.Context) (err error) {
	if b.installation, err = b.open(ctx); err != nil {
		return err
	}
	defer b.close()
	if b.clean {
		return b.cleanUp(ctx)
	}
	defer func() {
		refused := errors.Is(err, nats.ErrPermissionViolation) // by NATS, which then has nothing to remove
		if interrupted := ctx.Err(); interrupted != nil {
			err = fmt.Errorf("the measurement was interrupted: %w", context.Cause(ctx))
		}
		err = errors.Join(err, b.remove(ctx, refused))
	}()
	if b.folder, err = os.MkdirTemp("", "usher-bench-"); err != nil {
		return fmt.Errorf("create a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.folder)) }()
	b.names = store.Names{Namespace: b.namespace}
	b.sayf("declaring streams, consumers and buckets in the namespace %s", b.namespace)
	if err := connect.Declare(ctx, b.config, b.logger); err != nil {
		return err
	}
	if b.queue, err = connect.OpenQueue(ctx, b.nc, b.config, b.logger, nil); err != nil {
		return err
	}
	if b.platform, err = startPlatform(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.platform.stop()) }()
	r, err := b.measure(ctx)
	if err != nil {
		return err
	}
	return b.print(r)
}

// sayf prints progress.
func (b *bench) sayf(format string, args ...any) {
	fmt.Fprintf(b.errs, format+"\n", args...)
}

// measure makes the measurements.
func (b *bench) measure(ctx context.Context) (r result, err error) {
	b.sayf("publishing %d jobs", b.jobs)
	took, err := b.publishJobs(ctx)
	if err != nil {
		return r, err
	}
	r.Publishes = perSecond(int64(b.jobs), took)
	stop, err := b.startWorker(ctx)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	b.sayf("running %d jobs", b.jobs)
	if took, err = b.runJobs(ctx); err != nil {
		return r, err
	}
	r.Jobs = perSecond(int64(b.jobs), took)
	b.sayf("pausing and resuming %d times", b.pauses)
	idle, err := b.act(ctx, "idle", func(i int) bool { return i < b.pauses })
	if err != nil {
		return r, err
	}
	r.Idle = quantiles(idle)
	return r, b.upload(ctx, &r)
}

// perSecond returns how many a second.
func perSecond(n int64, took time.Duration) float64 { return float64(n) / took.Seconds() }

// publishJobs publishes jobs as fast as NATS acknowledges them, many at a time.
func (b *bench) publishJobs(ctx context.Context) (time.Duration, error) {
	const atOnce = 64
	var all sync.WaitGroup
	errs := make(chan error, atOnce)
	next := make(chan int)
	began := time.Now()
	for range atOnce {
		all.Go(func() {
			for i := range next {
				if err := b.publish(ctx, usher.SegmentAdd, fmt.Sprintf("job-%d", i), addJob{Segment: "1", Profile: "idfa", Source: usher.Source{IDs: []string{randomID(), randomID()}}}); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	var err error
	for i := 0; i < b.jobs && err == nil; i++ {
		select {
		case next <- i:
		case err = <-errs:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	close(next)
	all.Wait()
	took := time.Since(began)
	select {
	case late := <-errs:
		err = errors.Join(err, late)
	default:
	}
	return took, err
}

// addJob is a segment.add job without its id, which is that of its message.
type addJob struct {
	Segment string       `json:"segment"`
	Profile string       `json:"profile"`
	Source  usher.Source `json:"source"`
}

func (b *bench) publish(ctx context.Context, kind usher.Kind, id string, j any) error {
	body, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("encode a job: %w", err)
	}
	if _, err := b.js.Publish(ctx, b.names.Job(kind), body, jetstream.WithMsgID(id)); err != nil {
		return fmt.Errorf("publish a job: %w", err)
	}
	return nil
}

// startWorker starts a worker in this process and waits until it runs. stop waits for its end.
func (b *bench) startWorker(ctx context.Context) (stop func() error, err error) {
	for key, value := range map[string]any{"platform.url": b.platform.url, "sources.allow": []string{b.folder}} {
		if err := b.config.Set(key, value); err != nil {
			return nil, fmt.Errorf("configure %s: %w", key, err)
		}
	}
	worker, end := context.WithCancelCause(context.WithoutCancel(ctx))
	ready := make(chan dev.Addresses, 1)
	ended := make(chan error, 1)
	go func() { ended <- b.serve(worker, worker, b.config, b.logger, &dev.Session{Ready: ready}) }()
	stop = func() error {
		end(usher.ErrShutdown)
		return <-ended
	}
	select {
	case <-ready:
		return stop, nil
	case err := <-ended:
		end(nil)
		return nil, fmt.Errorf("run a worker: %w", errors.Join(err, io.ErrUnexpectedEOF))
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), stop())
	}
}

// runJobs waits until all published jobs have ended.
func (b *bench) runJobs(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	for _, name := range []string{b.names.JobsStream(), b.names.CampaignsStream(), b.names.DeadStream()} {
		stream, err := b.js.Stream(ctx, name)
		if err != nil {
			return 0, fmt.Errorf("read stream %s: %w", name, err)
		}
		for name != b.names.DeadStream() {
			info, err := stream.Info(ctx)
			if err != nil {
				return 0, fmt.Errorf("read stream %s: %w", name, err)
			}
			if info.State.Msgs == 0 {
				break
			}
			if err := usher.Sleep(ctx, 20*time.Millisecond); err != nil {
				return 0, err
			}
		}
		if name == b.names.DeadStream() && stream.CachedInfo().State.Msgs > 0 {
			return 0, fmt.Errorf("%d jobs of the measurement failed", stream.CachedInfo().State.Msgs)
		}
	}
	return time.Since(began), nil
}

// campaign is one of the sandbox's campaigns.
const campaign = "SANDBOX1-spring"

// act pauses and resumes a campaign as long as more returns true, one action at a time. It returns
// how long each took from its publication to the platform.
func (b *bench) act(ctx context.Context, name string, more func(i int) bool) ([]time.Duration, error) {
	var all []time.Duration
	for i := 0; i < 2 || i%2 == 1 || more(i); i++ { // the campaign is left as it was
		kind := usher.CampaignPause
		if i%2 == 1 {
			kind = usher.CampaignResume
		}
		id := fmt.Sprintf("%s-%d", name, i)
		began := time.Now()
		if err := b.publish(ctx, kind, id, usher.Job{Campaign: campaign}); err != nil {
			return nil, err
		}
		if err := b.ended(ctx, id); err != nil {
			return nil, err
		}
		select {
		case at := <-b.platform.arrivals:
			all = append(all, at.Sub(began))
		default:
			return nil, fmt.Errorf("job %s changed nothing", id)
		}
	}
	return all, nil
}

// ended waits until a job has ended well.
func (b *bench) ended(ctx context.Context, id string) error {
	for {
		r, err := b.queue.Status().Record(ctx, id)
		switch {
		case err == nil && r.State == usher.Done:
			return nil
		case err == nil && r.State.Ended():
			return fmt.Errorf("job %s of the measurement ended as %s: %+v", id, r.State, r.Error)
		case err != nil && !errors.Is(err, status.ErrNoJob):
			return fmt.Errorf("wait for job %s: %w", id, err)
		}
		if err := usher.Sleep(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

// upload uploads an export, and pauses and resumes meanwhile.
func (b *bench) upload(ctx context.Context, r *result) error {
	path := filepath.Join(b.folder, "export.csv")
	b.sayf("writing and uploading %d ids", b.ids)
	if err := writeExport(path, b.ids); err != nil {
		return err
	}
	began := time.Now()
	if err := b.publish(ctx, usher.SegmentAdd, "export", addJob{Segment: "1", Profile: "idfa", Source: usher.Source{URL: "file://" + path}}); err != nil {
		return err
	}
	uploaded := make(chan error, 1)
	go func() {
		err := b.ended(ctx, "export")
		r.IDs = perSecond(b.ids, time.Since(began))
		uploaded <- err
	}()
	var err error
	running := true
	busy, failed := b.act(ctx, "busy", func(i int) bool {
		select {
		case err = <-uploaded:
			running = false
		default:
		}
		return running && i < b.pauses
	})
	if running {
		err = <-uploaded
	}
	r.Busy = quantiles(busy)
	return errors.Join(err, failed)
}

// writeExport writes a file with this many random ids.
func writeExport(path string, ids int64) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write an export: %w", err)
	}
	out := bufio.NewWriterSize(f, 1<<20)
	_, _ = out.WriteString("idfa\n") // Flush returns the first error
	for range ids {
		_, _ = out.WriteString(randomID() + "\n")
	}
	if err := errors.Join(out.Flush(), f.Close()); err != nil {
		return fmt.Errorf("write an export: %w", err)
	}
	return nil
}

// randomID returns an id that belongs to no device: its version is 4, as IDFAs have it.
func randomID() string {
	var id [16]byte
	for i := range 2 {
		bits := rand.Uint64() //nolint:gosec // nothing depends on it
		for j := range 8 {
			id[8*i+j] = byte(bits >> (8 * j))
		}
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	text := hex.EncodeToString(id[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}

// latency are quantiles, in milliseconds.
type latency struct {
	Median float64 `json:"p50Ms"`
	Slow   float64 `json:"p99Ms"`
	Count  int     `json:"count"`
}

func quantiles(all []time.Duration) latency {
	if len(all) == 0 {
		return latency{}
	}
	slices.Sort(all)
	at := func(percent int) float64 {
		return float64(all[min(len(all)*percent/100, len(all)-1)].Microseconds()) / 1000
	}
	return latency{at(50), at(99), len(all)}
}
