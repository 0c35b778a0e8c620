//go:build ignore

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
)

// A maker drives usher dev of the older version.
type maker struct {
	program string
	dir     string // the work folder
	store   *store

	dev   *exec.Cmd
	where struct{ NATS, Redis, Platform, Console string }
}

func (m *maker) start(folder string) {
	ready := filepath.Join(m.dir, folder+".ready.json")
	m.dev = m.command("dev", "--data", filepath.Join(m.dir, folder), "--rules", filepath.Join(m.dir, "rules"), "--allow", "s3://crm/",
		"--nats", "127.0.0.1:0", "--redis", "127.0.0.1:0", "--sandbox", "127.0.0.1:0", "--console", "127.0.0.1:0",
		"--ready-file", ready, "--log-level", "error")
	m.dev.Stderr = os.Stderr
	check(m.dev.Start())
	m.where.NATS = ""
	m.wait("usher dev is ready", func() bool {
		data, err := os.ReadFile(ready)
		return err == nil && json.Unmarshal(data, &m.where) == nil
	})
	log.Printf("usher dev runs on %s", folder)
}

func (m *maker) stop(s syscall.Signal) {
	check(m.dev.Process.Signal(s))
	if err := m.dev.Wait(); err != nil && s != syscall.SIGKILL {
		log.Fatalf("usher dev: %v", err)
	}
}

func (m *maker) command(args ...string) *exec.Cmd {
	cmd := exec.Command(m.program, args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(),
		"USHER_UPLOAD_BATCH_IDS=250", "USHER_UPLOAD_IN_FLIGHT=1", "USHER_SOURCES_PART_BYTES=65536",
		"USHER_SOURCES_BUCKETS=s3://crm?region=eu-central-1&use_path_style=true&endpoint="+url.QueryEscape(m.store.url),
		"USHER_RETRY_FIRST=2m", "USHER_RETRY_LAST=2m", "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret",
		"USHER_NATS_URL="+m.where.NATS, "USHER_REDIS_URL="+m.where.Redis, "USHER_PLATFORM_URL="+m.where.Platform)
	if args[0] == "dev" {
		cmd.Env = cmd.Env[:len(cmd.Env)-3]
	}
	return cmd
}

// run runs a command and returns what it prints.
func (m *maker) run(args ...string) string {
	var out, errs bytes.Buffer
	cmd := m.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		log.Fatalf("usher %s: %v\n%s%s", strings.Join(args, " "), err, &out, &errs)
	}
	return out.String()
}

// ended submits a job and waits until it has ended in a state.
func (m *maker) ended(state string, args ...string) {
	m.run(args...)
	if state == "" {
		return
	}
	id := ""
	for i, arg := range args {
		if arg == "--id" {
			id = args[i+1]
		}
	}
	m.wait("job "+id+" has ended", func() bool { s := m.job(id).State; return s == "done" || s == "failed" })
	if got := m.job(id).State; got != state {
		log.Fatalf("job %s is %s, want %s:\n%s", id, got, state, m.run("jobs", "show", id))
	}
}

// event evaluates a rule file on an event with a spend of a budget of 100.
func (m *maker) event(rules, id, campaign string, spent int) {
	at := time.Now().UTC().Format(time.RFC3339Nano)
	metrics := fmt.Sprintf(`{"campaign":%q,"at":%q,"values":{"grossMediaSpend":%d,"budget":100}}`, campaign, at, spent)
	m.ended("done", "submit", "rules.evaluate", "--rules", rules, "--id", id, "--metrics", metrics)
}

type record struct {
	State   string
	Batches int
	Parts   struct{ Total, Done int }
}

func (m *maker) job(id string) (r record) {
	cmd := m.command("jobs", "show", id, "--json")
	out, err := cmd.Output()
	if err == nil {
		check(json.Unmarshal(out, &r))
	}
	return r
}

func (m *maker) until(text string, args ...string) {
	m.wait("usher "+strings.Join(args, " ")+" prints "+text, func() bool {
		out, _ := m.command(args...).Output() // it fails until the job is on record
		return strings.Contains(string(out), text)
	})
}

func (m *maker) wait(what string, done func() bool) {
	for range 1200 {
		if done() {
			log.Print(what)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	log.Fatalf("timed out waiting until %s", what)
}

// publish publishes a job as a publisher does, with its own headers.
func (m *maker) publish(kind, body string, header nats.Header) {
	nc, err := nats.Connect(m.where.NATS)
	check(err)
	defer nc.Close()
	_, err = nc.RequestMsg(&nats.Msg{Subject: "usher.jobs." + kind, Data: []byte(body), Header: header}, 5*time.Second)
	check(err)
}

func (m *maker) fault(order string) { m.control(http.MethodPost, "faults", order) }

func (m *maker) control(method, what, body string) {
	req, err := http.NewRequest(method, m.where.Platform+"/sandbox/"+what, strings.NewReader(body))
	check(err)
	answer, err := http.DefaultClient.Do(req)
	check(err)
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		log.Fatalf("%s /sandbox/%s: %s", method, what, answer.Status)
	}
}
