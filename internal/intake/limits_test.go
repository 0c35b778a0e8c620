package intake_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/internal/intake"
	"usher/queues/queuetest"
)

// submit sends a job again while it cannot be stored in time, as clients do: with the race
// detector, a slow machine needs longer than that for many ids.
func (d *testIntake) submit(t *testing.T, job string) (answer response) {
	t.Helper()
	for range 10 {
		if answer = d.send(t, "POST", "/v1/jobs/segment.add", job); answer.StatusCode != http.StatusServiceUnavailable {
			break
		}
	}
	return answer
}

// inline returns a job with n inline ids.
func inline(id string, n int) string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf(`"6D92078A-8246-4BA4-AE5B-%012X"`, i)
	}
	return fmt.Sprintf(`{"id":%q,"segment":"1","profile":"idfa","source":{"ids":[%s]}}`, id, strings.Join(ids, ","))
}

// bodyLimit is the size of the largest body.
const bodyLimit = 64 << 20

// padded returns a job as a body of a size.
func padded(size int) string {
	return queuetest.AddJob + strings.Repeat(" ", size-len(queuetest.AddJob))
}

// A body may have 64 MiB.
func TestLargestBody(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	open(t).send(t, "POST", "/v1/jobs/segment.add", padded(bodyLimit)).accepted(t)
}

// 10,000 inline ids fit, 10,001 do not, and neither does a larger body.
func TestBodyLimit(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.submit(t, inline("many", 10_000)).accepted(t)
	if p := d.submit(t, inline("more", 10_001)).refused(t, http.StatusBadRequest); p.Errors[0].Pointer != "/source/ids" {
		t.Errorf("%+v", p)
	}
	d.send(t, "POST", "/v1/jobs/segment.add", padded(bodyLimit+1)).refused(t, http.StatusRequestEntityTooLarge)
	d.send(t, "POST", "/v1/jobs/j1/cancel", padded(bodyLimit+1)).refused(t, http.StatusRequestEntityTooLarge)

	// Without a length, and with one that the client waits to send.
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.url+"/v1/jobs/segment.add", io.MultiReader(strings.NewReader(padded(bodyLimit+1))))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Error("in chunks: ", answer, err)
	}
	_ = answer.Body.Close()
	conn, err := net.Dial("tcp", strings.TrimPrefix(d.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /v1/jobs/segment.add HTTP/1.1\r\nHost: usher\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", d.token, bodyLimit+1)
	if answer, err = http.ReadResponse(bufio.NewReader(conn), nil); err != nil || answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Error("with Expect: ", answer, err)
	}
	_ = answer.Body.Close()
}

// A job that has more digests than fit into a message of NATS is refused for good.
func TestJobLargerThanAMessage(t *testing.T) {
	t.Parallel()
	b := queuetest.NewOn(t, &natsserver.Options{MaxPayload: 64 << 10})
	d := openWith(t, b, intake.Options{})
	d.submit(t, inline("small", 1000)).accepted(t)
	d.submit(t, inline("large", 10_000)).refused(t, http.StatusRequestEntityTooLarge)
}

// Large bodies are read one after another. One that would wait too long is refused with
// Retry-After.
func TestLargeBodiesTakeTurns(t *testing.T) {
	t.Parallel()
	d := open(t)
	const jobs = 6
	accepted := make(chan struct{}, jobs)
	var sending sync.WaitGroup
	for i := range jobs {
		sending.Go(func() {
			job := queuetest.JobOn(fmt.Sprint("large-", i), "1")
			for {
				answer := d.send(t, "POST", "/v1/jobs/segment.add", job+strings.Repeat(" ", 6<<20))
				if answer.StatusCode != http.StatusServiceUnavailable {
					answer.accepted(t)
					accepted <- struct{}{}
					return
				}
				select { // the next turn
				case <-accepted:
				case <-time.After(retryAfter(t, answer)):
				}
			}
		})
	}
	sending.Wait()
}

// retryAfter returns Retry-After, and fails the test unless it is a number of seconds from 1
// to 15.
func retryAfter(t *testing.T, answer response) time.Duration {
	t.Helper()
	after, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || after < 1 || after > 15 {
		t.Errorf("%s with Retry-After %q", answer.Status, answer.Header.Get("Retry-After"))
	}
	return time.Duration(after) * time.Second
}

// Each token has its own rate.
func TestRate(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	var mu sync.Mutex
	now := time.Now()
	d := openWith(t, b, intake.Options{Rate: 2, Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}})
	for i := range 2 {
		d.send(t, "POST", "/v1/jobs/segment.add", queuetest.JobOn(fmt.Sprint("job-", i), "1")).accepted(t)
	}
	for range 3 {
		answer := d.send(t, "POST", "/v1/jobs/segment.add", queuetest.JobOn("late", "1"))
		answer.refused(t, http.StatusTooManyRequests)
		if answer.Header.Get("Retry-After") != "1" {
			t.Errorf("Retry-After %q", answer.Header.Get("Retry-After"))
		}
	}
	other := d.add(t, intake.Grant{Name: "other"})
	d.reload(t, other)
	mu.Lock()
	now = now.Add(time.Second)
	mu.Unlock()
	d.send(t, "POST", "/v1/jobs/segment.add", queuetest.JobOn("late", "1")).accepted(t)
	d.sendAs(t, other, "POST", "/v1/jobs/segment.add", queuetest.JobOn("other", "1")).accepted(t)
}

// A full stream and a NATS that is away are 503: the job was not stored, and is accepted
// later.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	d := open(t)
	const path, job = "/v1/jobs/segment.add", `{"id":"next","segment":"1","profile":"idfa","source":{"url":"/x"}}`
	limit := func(bytes int64) {
		t.Helper()
		d.broker.Configure(t, "USHER_JOBS", func(c *jetstream.StreamConfig) { c.MaxBytes = bytes })
	}
	limit(2000)
	var answer response
	for i := 0; answer.Response == nil || answer.StatusCode == http.StatusAccepted; i++ {
		answer = d.send(t, "POST", path, queuetest.JobOn(fmt.Sprint("job-", i), "1"))
	}
	answer.refused(t, http.StatusServiceUnavailable)
	retryAfter(t, answer)
	d.send(t, "POST", path, job).refused(t, http.StatusServiceUnavailable)
	limit(1 << 20)
	if id := d.send(t, "POST", path, job).accepted(t); id != "next" || queuetest.Record(t, d.queue, id).State != usher.Queued {
		t.Errorf("id %q", id)
	}

	d.broker.Conn.Close()
	for _, r := range []struct{ method, path string }{{"POST", path}, {"GET", "/v1/jobs/next"}, {"POST", "/v1/jobs/next/cancel"}} {
		answer := d.send(t, r.method, r.path, job)
		if r.path != path {
			answer = d.send(t, r.method, r.path, "")
		}
		answer.refused(t, http.StatusServiceUnavailable)
		retryAfter(t, answer)
	}
}

// Nothing raw is stored, logged or answered, and no token is.
func TestNothingRawIsKept(t *testing.T) {
	t.Parallel()
	d := open(t)
	const canary, other = "6D92078A-8246-4BA4-AE5B-76104861E7DC", "5AAB8704-4D8C-4879-8993-C6DD8361F88F"
	valid := `{"id":"inline","segment":"1","profile":"idfa","source":{"ids":["` + canary + `","` + other + `"]}}`
	answers := []string{
		d.send(t, "POST", "/v1/jobs/segment.add", valid).body,
		d.send(t, "POST", "/v1/jobs/segment.add", `{"segment":"1","profile":"idfa","source":{"ids":["`+canary+`"]},"`+other+`":1}`).body,
		d.send(t, "POST", "/v1/jobs/segment.add", canary+other).body,
		d.send(t, "POST", "/v1/jobs/"+canary, valid).body,
		d.send(t, "GET", "/v1/jobs/"+canary+"?id="+other, "").body,
		d.send(t, "POST", "/v1/jobs/campaign.pause", `{"id":"pause","campaign":"SANDBOX1-x","reason":"`+canary+`","actor":"`+other+`"}`).body,
		d.send(t, "POST", "/v1/jobs/pause/cancel", `{"reason":"`+canary+`"}`).body,
		d.send(t, "GET", "/v1/jobs/inline", "").body,
		d.log.String(),
	}
	for name := range d.broker.JS.StreamNames(t.Context()).Name() {
		stream, err := d.broker.JS.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		consumer, err := stream.CreateConsumer(t.Context(), jetstream.ConsumerConfig{AckPolicy: jetstream.AckNonePolicy, FilterSubject: ">"})
		if err != nil {
			continue // a work queue has a consumer: read by sequence below
		}
		batch, err := consumer.FetchNoWait(1000)
		if err != nil {
			t.Fatal(err)
		}
		for m := range batch.Messages() {
			answers = append(answers, m.Subject()+fmt.Sprint(m.Headers())+string(m.Data()))
		}
	}
	jobs, err := d.broker.JS.Stream(t.Context(), "USHER_JOBS")
	if err != nil {
		t.Fatal(err)
	}
	for seq := uint64(1); seq <= jobs.CachedInfo().State.LastSeq; seq++ {
		if m, err := jobs.GetMsg(t.Context(), seq); err == nil {
			answers = append(answers, m.Subject+fmt.Sprint(m.Header)+string(m.Data))
		}
	}
	all := strings.Join(answers, "\n")
	for _, secret := range []string{canary, other, strings.ToLower(canary), strings.ReplaceAll(canary, "-", ""), d.token} {
		if strings.Contains(all, secret) {
			t.Errorf("%q is kept", secret)
		}
	}
	if !strings.Contains(all, "f2d1311ca5c1ecb214c19a26e9ddbad0") { // MD5 of canary
		t.Error("the digests were not found: nothing was read")
	}
}

// Requests are logged with route, status, token and job, and counted.
func TestLogAndMetrics(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.send(t, "POST", "/v1/jobs/segment.add", queuetest.AddJob).accepted(t)
	d.send(t, "GET", "/v1/jobs/nobody", "").refused(t, http.StatusNotFound)
	d.sendAs(t, "", "GET", "/v1/jobs/j1", "").refused(t, http.StatusUnauthorized)
	for _, want := range []string{
		`level=INFO msg="HTTP request" method=POST route=/v1/jobs/{kind} status=202`, "token=crm job=j1",
		`level=INFO msg="HTTP request" method=GET route=/v1/jobs/{id} status=404`,
		`level=DEBUG msg="HTTP request" method=GET route=/v1/jobs/{id} status=401`,
	} {
		if !strings.Contains(d.log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, d.log.String())
		}
	}
	families, err := d.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += " " + l.GetValue()
			}
			counts[name] = m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	for name, want := range map[string]float64{
		"usher_intake_requests_total POST /v1/jobs/{kind} 202": 1, "usher_intake_requests_total POST /v1/jobs/{kind} 503": 0,
		"usher_intake_requests_total GET /v1/jobs/{id} 404": 1, "usher_intake_requests_total GET /v1/jobs/{id} 401": 1,
		"usher_intake_request_seconds GET /v1/jobs/{id}": 2,
	} {
		if got, exists := counts[name]; !exists || got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
