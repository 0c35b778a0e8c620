// Command publish submits a job to usher over HTTP and waits for its end.
//
//	USHER_URL=http://127.0.0.1:8460 USHER_TOKEN=… go run publish.go segment.add job.json
//
// The job needs an id, so that it can be sent again: the same job has no effect twice.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	attempts    = 8
	answerLimit = 16 << 20
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: publish KIND FILE")
		os.Exit(2)
	}
	c := client{url: os.Getenv("USHER_URL"), token: os.Getenv("USHER_TOKEN"), http: &http.Client{Timeout: time.Minute}}
	if err := c.publish(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// client is a client of usher's jobs over HTTP.
type client struct {
	url, token string
	http       *http.Client
}

// publish submits the job in a file and prints what became of its rows when it has ended.
func (c *client) publish(ctx context.Context, kind, file string) error {
	job, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var accepted struct {
		ID string `json:"id"`
	}
	if err := c.call(ctx, http.MethodPost, "/v1/jobs/"+kind, job, &accepted); err != nil {
		return err
	}
	for {
		var record struct {
			State string          `json:"state"`
			Error json.RawMessage `json:"error"`
			Tally struct{ Read, Accepted int64 }
		}
		if err := c.call(ctx, http.MethodGet, "/v1/jobs/"+accepted.ID, nil, &record); err != nil {
			return err
		}
		switch record.State {
		case "done":
			fmt.Printf("%s done: %d of %d rows accepted\n", accepted.ID, record.Tally.Accepted, record.Tally.Read)
			return nil
		case "failed", "cancelled":
			return fmt.Errorf("%s %s: %s", accepted.ID, record.State, record.Error)
		}
		time.Sleep(time.Second)
	}
}

// call decodes the response to a request into v. It repeats a request that usher cannot
// take now.
func (c *client) call(ctx context.Context, method, path string, body []byte, v any) error {
	wait := time.Second
	for range attempts {
		again, err := c.try(ctx, method, path, body, v)
		if err == nil || again < 0 {
			return err
		}
		fmt.Fprintln(os.Stderr, "trying again:", err)
		// The random part is there so that publishers do not all come back at once.
		time.Sleep(max(again, wait) + rand.N(time.Second)) //nolint:gosec // not a secret
		wait = min(2*wait, time.Minute)
	}
	return fmt.Errorf("%s %s: no answer after %d attempts", method, path, attempts)
}

// try sends a request once. A negative again means that the request must not be repeated,
// otherwise it says when at the earliest.
func (c *client) try(ctx context.Context, method, path string, body []byte, v any) (again time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(response.Body, answerLimit))
	if err != nil {
		return 0, err
	}
	if response.StatusCode < http.StatusMultipleChoices {
		return -1, json.Unmarshal(data, v)
	}
	again = -1
	if slices.Contains([]int{408, 429, 500, 502, 503, 504}, response.StatusCode) {
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // 0 without one
		again = time.Duration(seconds) * time.Second
	}
	return again, explain(response.Status, data)
}

// explain returns the problem details (RFC 9457) of a response as an error.
func explain(status string, data []byte) error {
	var problem struct {
		Detail string `json:"detail"`
		Errors []struct {
			Pointer string `json:"pointer"`
			Message string `json:"message"`
		} `json:"errors"`
	}
	if json.Unmarshal(data, &problem) != nil {
		return errors.New(status)
	}
	lines := []string{status + ": " + problem.Detail}
	for _, issue := range problem.Errors {
		lines = append(lines, issue.Pointer+" "+issue.Message)
	}
	return errors.New(strings.Join(lines, "\n"))
}
