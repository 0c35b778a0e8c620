package main_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/letters"
	"usher/queues/store"
)

// publisher connects as a publisher of deploy/nats.conf. denied receives the errors of
// requests that the server refuses.
func (d *deployment) publisher(user string) (nc *nats.Conn, denied chan error) {
	d.t.Helper()
	denied = make(chan error, 16)
	nc, err := nats.Connect(d.natsURL(user), nats.Timeout(patience), nats.CustomInboxPrefix("_INBOX_"+user),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err }))
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(nc.Close)
	return nc, denied
}

// A publisher cannot write to usher's streams and buckets by using their subjects as reply
// subjects. In one account with usher, NATS would write its acknowledgement there.
func TestReplySubjectsOfPublishersWriteNothing(t *testing.T) {
	t.Parallel()
	onEachDeployment(t, replySubjectsWriteNothing)
}

// onEachDeployment runs a test against deploy/nats.conf on one node, and against
// deploy/compose.yaml on three.
func onEachDeployment(t *testing.T, test func(t *testing.T, d *deployment)) {
	t.Helper()
	for name, deploy := range map[string]func(*testing.T) *deployment{"one node": newGuardedDeployment, "three nodes": newGuardedCluster} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, deploy(t))
		})
	}
}

func replySubjectsWriteNothing(t *testing.T, d *deployment) {
	t.Helper()
	d.migrateAsAdmin()
	d.env = append(d.env, "USHER_NATS_URL="+d.natsURL("worker"))
	d.worker("worker")
	nc, _ := d.publisher("publisher")
	publish(t, nc, "usher.jobs.campaign.pause", `{"id":"first","campaign":"SANDBOX1-summer"}`)
	d.ended("first")

	for i, reply := range []string{
		"$KV.usher_rules.stop", "$KV.usher_state.jobs.first", "usher.audit.SANDBOX1-summer", "usher.dead.segment.add.exhausted", "usher.parts.first",
		"usher.events.first", "usher.runs.campaign.pause", "usher.jobs.campaign.resume", "$JS.API.STREAM.PURGE.USHER_JOBS", "$JS.API.STREAM.DELETE.KV_usher_state",
		"$JS.ACK.USHER_CAMPAIGNS.campaign.1.1.1.1.0", "_INBOX.x.y",
	} {
		for _, subject := range []string{"usher.jobs.campaign.pause", "usher.submit.campaign.pause"} {
			msg := &nats.Msg{Subject: subject, Reply: reply, Data: fmt.Appendf(nil, `{"campaign":"SANDBOX1-none","id":"attack-%d-%s"}`, i, subject)}
			if err := nc.PublishMsg(msg); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	publish(t, nc, "usher.jobs.campaign.pause", `{"id":"last","campaign":"SANDBOX1-autumn"}`)
	if r := d.ended("last"); r.State != usher.Done {
		t.Errorf("job last is %s, want done: campaign actions must not be stopped", r.State)
	}
	if r := d.record("first"); r.State != usher.Done {
		t.Errorf("the record of job first is %s, want done", recordText(r))
	}
	d.wantNoAnswers()
	all, err := letters.New(d.queue).List(t.Context(), letters.Filter{Class: usher.InvalidJob})
	if err != nil || len(all) > 0 {
		t.Errorf("dead letters of invalid jobs: %s, %v; want none, because all jobs were valid", asJSON(all), err)
	}
}

// A publisher receives only the responses to its own requests.
func TestPublishersDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	onEachDeployment(t, publishersDoNotSeeEachOther)
}

func publishersDoNotSeeEachOther(t *testing.T, d *deployment) {
	t.Helper()
	d.migrateAsAdmin()
	d.env = append(d.env, "USHER_NATS_URL="+d.natsURL("worker"))
	d.worker("worker")
	spy, denied := d.publisher("other")
	seen := make(chan *nats.Msg, 1024)
	for _, subject := range []string{"_INBOX.>", "_INBOX_publisher.>", ">", "usher.>", "usher.jobs.>", "usher.submit.>", "_R_.>", "$JS.>", "$KV.>", "$SRV.>"} {
		if _, err := spy.ChanSubscribe(subject, seen); err != nil {
			t.Fatal(err)
		}
		if err := spy.Flush(); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-denied:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("subscribe to %s: %v, want a permission violation", subject, err)
			}
		case <-time.After(patience):
			t.Errorf("a publisher may subscribe to %s", subject)
		}
	}
	own := make(chan *nats.Msg, 1024)
	if _, err := spy.ChanSubscribe("_INBOX_other.>", own); err != nil {
		t.Fatal(err)
	}
	nc, _ := d.publisher("publisher")
	eventually(t, "a submit gets a response", func() bool {
		m, err := nc.Request("usher.submit.campaign.pause", []byte(`{"id":"asked","campaign":"SANDBOX1-summer"}`), time.Second)
		return err == nil && string(m.Data) == `{"id":"asked"}`
	})
	publish(t, nc, "usher.jobs.campaign.resume", `{"id":"published","campaign":"SANDBOX1-autumn"}`)
	d.ended("asked")
	d.ended("published")
	publish(t, spy, "usher.jobs.campaign.resume", `{"id":"own","campaign":"SANDBOX1-autumn"}`)
	if r := d.ended("own"); r.State != usher.Done {
		t.Errorf("the other publisher's job is %s, want done", r.State)
	}
	if len(seen) > 0 {
		m := <-seen
		t.Errorf("a publisher saw a message on %s: %s", m.Subject, m.Data)
	}
	for range len(own) {
		if m := <-own; !strings.Contains(string(m.Data), `"stream":"USHER_CAMPAIGNS"`) {
			t.Errorf("a publisher saw a message on %s: %s", m.Subject, m.Data)
		}
	}
}

// A publisher receives its PubAck across the accounts, with the message's sequence and
// whether it is a duplicate.
func TestPublishersGetTheirPubAck(t *testing.T) {
	t.Parallel()
	onEachDeployment(t, publishersGetTheirPubAck)
}

func publishersGetTheirPubAck(t *testing.T, d *deployment) {
	t.Helper()
	d.migrateAsAdmin()
	nc, _ := d.publisher("publisher")
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	body := []byte(`{"campaign":"SANDBOX1-summer"}`)
	for i, duplicate := range []bool{false, true} {
		ack, err := js.Publish(t.Context(), "usher.jobs.campaign.pause", body, jetstream.WithMsgID("once"))
		if err != nil || ack.Stream != "USHER_CAMPAIGNS" || ack.Sequence != store.FirstCampaign || ack.Duplicate != duplicate {
			t.Errorf("publish %d: %+v, %v", i+1, ack, err)
		}
	}
	futures := make([]jetstream.PubAckFuture, 100)
	for i := range futures {
		if futures[i], err = js.PublishAsync("usher.jobs.campaign.pause", body, jetstream.WithStallWait(patience)); err != nil {
			t.Fatal(err)
		}
	}
	var sequences []uint64
	for _, f := range futures {
		select {
		case ack := <-f.Ok():
			sequences = append(sequences, ack.Sequence)
		case err := <-f.Err():
			t.Fatal(err)
		}
	}
	slices.Sort(sequences)
	if got := len(slices.Compact(sequences)); got != len(futures) || sequences[0] != store.FirstCampaign+1 {
		t.Errorf("%d different sequences from %d on, want %d from %d on", got, sequences[0], len(futures), store.FirstCampaign+1)
	}
	// There is no acknowledgement for a message that no stream takes.
	if ack, err := js.Publish(t.Context(), "usher.jobs.nothing.here", body, jetstream.WithRetryAttempts(0)); err == nil {
		t.Errorf("an unknown family of jobs was acknowledged: %+v", ack)
	}
}

func (d *deployment) migrateAsAdmin() {
	d.t.Helper()
	d.env = append(d.env, "USHER_NATS_URL="+d.natsURL("admin"))
	if out, code := d.usher("migrate"); code != 0 {
		d.t.Fatalf("migrate as admin: exit code %d\n%s", code, out)
	}
}

// wantNoAnswers checks that no stream or bucket contains an answer to a publisher.
func (d *deployment) wantNoAnswers() {
	d.t.Helper()
	answer := regexp.MustCompile(`^(\{"stream":.*|\{"error.*|\{"id":"[^"]*"\}|)$`)
	names := d.js.StreamNames(d.t.Context())
	n := 0
	for name := range names.Name() {
		stream, err := d.js.Stream(d.t.Context(), name)
		if err != nil {
			d.t.Fatal(err)
		}
		for seq := max(1, stream.CachedInfo().State.FirstSeq); seq <= stream.CachedInfo().State.LastSeq; seq++ {
			m, err := stream.GetMsg(d.t.Context(), seq)
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				continue
			}
			if err != nil {
				d.t.Fatal(err)
			}
			if n++; answer.Match(m.Data) && m.Header.Get("KV-Operation") == "" {
				d.t.Errorf("stream %s contains an answer on %s: %q", name, m.Subject, m.Data)
			}
		}
	}
	if err := names.Err(); err != nil || n == 0 {
		d.t.Errorf("examined %d messages, %v", n, err)
	}
}

func publish(t *testing.T, nc *nats.Conn, subject, body string) {
	t.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), subject, []byte(body)); err != nil {
		t.Fatalf("publish on %s: %v", subject, err)
	}
}

// The NATS configuration of compose.yaml is valid together with nats.conf.
func TestComposeNATS(t *testing.T) {
	t.Parallel()
	parsed := composeFile(t)
	if file := parsed["configs"].(map[string]any)["accounts"].(map[string]any)["file"]; file != "./nats.conf" {
		t.Errorf("the accounts are in %v, want nats.conf", file)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "nats.conf"), composeNATS(t))
	writeFile(t, filepath.Join(dir, "usher.conf"), readDeployFile(t, "nats.conf"))
	writeFile(t, filepath.Join(dir, "nats-passwords.conf"), readDeployFile(t, "nats-passwords.conf"))
	program, err := natsProgram()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-t", "-c", filepath.Join(dir, "nats.conf"))
	cmd.Env = append(os.Environ(), "NATS_NAME=nats-1")
	for name, value := range parsed["x-passwords"].(map[string]any) {
		_, password, _ := strings.Cut(strings.TrimSuffix(value.(string), "}"), ":-")
		cmd.Env = append(cmd.Env, name+"="+password)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("nats-server -t: %v\n%s", err, out)
	}
}

func composeFile(t *testing.T) map[string]any {
	t.Helper()
	parsed, err := yaml.Parser().Unmarshal([]byte(readDeployFile(t, "compose.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// composeNATS returns the configuration of a NATS node of compose.yaml, with the default
// passwords. It includes nats.conf as usher.conf.
func composeNATS(t *testing.T) string {
	t.Helper()
	content := composeFile(t)["configs"].(map[string]any)["nats"].(map[string]any)["content"].(string)
	content = regexp.MustCompile(`\$\{[A-Z_]+:-([^}]*)\}`).ReplaceAllString(content, "$1")
	return strings.ReplaceAll(content, "$$", "$")
}

// usher's account has the data of NATS's default account after the folder of the default
// account is renamed, as docs/guide/upgrade.md describes.
func TestMoveToAccounts(t *testing.T) {
	t.Parallel()
	d := newDeployment(t) // in the default account
	d.publish(usher.CampaignPause, job{"id": "waits", "campaign": "SANDBOX1-summer"})
	d.nc.Close()
	d.nats.kill()
	<-d.nats.done

	store := filepath.Join(filepath.Dir(d.nats.config), "store")
	if err := os.Rename(filepath.Join(store, "jetstream", "$G"), filepath.Join(store, "jetstream", "USHER")); err != nil {
		t.Fatal(err)
	}
	guarded := newGuardedDeploymentIn(t, store)
	guarded.env = append(guarded.env, "USHER_NATS_URL="+guarded.natsURL("worker"))
	guarded.worker("after")
	if r := guarded.ended("waits"); r.State != usher.Done {
		t.Errorf("the job that waited is %s, want done", r.State)
	}
	publisher, _ := guarded.publisher("publisher")
	publish(t, publisher, "usher.jobs.campaign.resume", `{"id":"new","campaign":"SANDBOX1-summer"}`)
	if r := guarded.ended("new"); r.State != usher.Done {
		t.Errorf("a job after the move is %s, want done", r.State)
	}
}

// An order that a publisher could forge in an earlier version supersedes every pause and
// resume of a creative. An operator finds the order and lifts it.
func TestOperatorLiftsAnOrder(t *testing.T) {
	t.Parallel()
	d := newGuardedDeployment(t)
	d.migrateAsAdmin()
	d.env = append(d.env, "USHER_NATS_URL="+d.natsURL("worker"))
	d.worker("worker")
	kv, err := d.js.KeyValue(t.Context(), "usher_state")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.Put(t.Context(), "creatives.summer-1", []byte(`{"order":9000000000000000000,"wanted":"INACTIVE","job":"forged"}`)); err != nil {
		t.Fatal(err)
	}
	d.env = append(d.env, "USHER_NATS_URL="+d.natsURL("ops"))
	pause := []string{"submit", "campaign.pause", "--campaign", "SANDBOX1-summer", "--creative", "summer-1", "--wait", "--id"}
	superseded := func(id string) bool {
		return slices.ContainsFunc(d.record(id).Warnings, func(w usher.Warning) bool { return w.Code == "superseded" })
	}
	if out, code := d.usher(append(pause, "stuck")...); code != 0 || !superseded("stuck") {
		t.Fatalf("a pause under a forged order: exit code %d, want 0 and the warning superseded\n%s", code, out)
	}
	if out, code := d.usher("rules", "why", "summer-1"); code != 0 || !strings.Contains(out, "usher repair order summer-1") {
		t.Errorf("rules why: exit code %d, want 0 and the command that helps\n%s", code, out)
	}
	var lifted struct {
		Creative string
		Lifted   usher.CreativeEntry
	}
	d.usherJSON(&lifted, "repair", "order", "summer-1", "--reason", "incident 12", "--actor", "ann")
	if lifted.Creative != "summer-1" || lifted.Lifted.Job != "forged" {
		t.Errorf("lifted %+v, want the order of job forged", lifted)
	}
	if out, code := d.usher("repair", "order", "summer-1"); code != 1 || !strings.Contains(out, "not stuck") {
		t.Errorf("a second lift: exit code %d, want 1\n%s", code, out)
	}
	if out, code := d.usher(append(pause, "lifted")...); code != 0 || superseded("lifted") {
		t.Errorf("a pause after the lift: exit code %d, record %s\n%s", code, recordText(d.record("lifted")), out)
	}
	if out, code := d.usher("rules", "why", "summer-1"); code != 0 || !strings.Contains(out, "ann lifted its order 9000000000000000000 of job forged") || !strings.Contains(out, "ACTIVE → INACTIVE") {
		t.Errorf("rules why: exit code %d, want the lift and the pause\n%s", code, out)
	}
}
