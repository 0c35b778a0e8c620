package faults_test

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// defect is a bug of usher that the check must find. plant changes usher's state as if usher
// had that bug.
type defect struct {
	name  string
	plant func(c *campaign, js nats.JetStreamContext) error
	finds string // a part of the violation; "": plant undoes the previous defect
	// check is what finds it; nil: check.
	check func(c *campaign, jobs *source) ([]string, error)
}

// defects returns the defects to plant, in order.
func defects() []defect {
	return []defect{
		{name: "a device that no job added", plant: func(c *campaign, _ nats.JetStreamContext) error {
			return c.platformUser("add-user")
		}, finds: added + " has the members"},
		{name: "a device is lost", plant: func(c *campaign, _ nats.JetStreamContext) error {
			return c.platformUser("remove-user") // the one that was just added
		}},
		{name: "a creative that nobody paused", plant: func(c *campaign, _ nats.JetStreamContext) error { return c.flipCreative() }, finds: "creative video-1 is"},
		{name: "a row is counted twice", plant: (*campaign).countTwice, finds: "the tally of job"},
		{name: "the event of an end is published twice", plant: func(c *campaign, js nats.JetStreamContext) error {
			m, err := c.observe.get("USHER_EVENTS", map[string]any{"last_by_subj": "usher.events." + c.lastDone()})
			if err == nil {
				_, err = js.Publish(m.Subject, m.Data, nats.MsgId("again"))
			}
			return err
		}, finds: "2 events of its end"},
		{name: "an event is lost", plant: func(c *campaign, js nats.JetStreamContext) error {
			return js.PurgeStream("USHER_EVENTS", &nats.StreamPurgeRequest{Subject: "usher.events." + c.lastDone()})
		}, finds: "0 events of its end"},
		{name: "a change is audited that nobody wanted", plant: func(_ *campaign, js nats.JetStreamContext) error {
			_, err := js.Publish("usher.audit.SANDBOX1-summer", []byte(`{"at":"2026-01-01T00:00:00Z","job":"none","creative":"summer-1","campaign":"SANDBOX1-summer","before":"ACTIVE","wanted":"INACTIVE","after":"INACTIVE"}`))
			return err
		}, finds: "no job wanted creative summer-1"},
		{name: "a letter is lost", plant: func(c *campaign, js nats.JetStreamContext) error {
			return js.DeleteMsg("USHER_DEAD", c.lastOf("USHER_DEAD", "usher.dead.segment.add."+sourceMissing))
		}, finds: "has no letter"},
		{name: "a letter of a job that is done", plant: func(_ *campaign, js nats.JetStreamContext) error {
			_, err := js.Publish("usher.dead.segment.add.exhausted", []byte(`{"at":"2026-01-01T00:00:00Z","id":"none","run":1,"kind":"segment.add","class":"exhausted","job":{"id":"none"}}`))
			return err
		}, finds: "unexpected letter"},
		{name: "a job is never taken", plant: func(c *campaign, js nats.JetStreamContext) error {
			if out, err := c.site.usher("lanes", "pause", "campaign", "--reason", "planted"); err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
			_, err := js.Publish("usher.jobs.campaign.pause", []byte(`{"id":"forgotten","campaign":"SANDBOX1-none"}`))
			return err
		}, finds: "messages are left"},
		{name: "a pause is not carried out", plant: func(*campaign, nats.JetStreamContext) error {
			return nil // its lane is paused
		}, finds: "has not ended after", check: func(c *campaign, jobs *source) ([]string, error) {
			return []string{fmt.Sprint((&cycle{campaign: c, random: jobs.random, jobs: jobs}).pauses())}, nil
		}},
		{name: "a record is lost", plant: func(c *campaign, js nats.JetStreamContext) error {
			m := nats.NewMsg(recordPrefix + "jobs." + c.lastDone())
			m.Header.Set("KV-Operation", "DEL")
			_, err := js.PublishMsg(m)
			return err
		}, finds: " is   in run 0"},
		{name: "a worker is not well", plant: func(c *campaign, _ nats.JetStreamContext) error {
			c.site.sandbox.kill()
			return nil
		}, finds: "platform: ", check: func(c *campaign, _ *source) (found []string, err error) {
			err = within(patience, func() error {
				if found = c.site.unwell(0, ""); !strings.Contains(strings.Join(found, ""), "platform:") {
					return errors.New("all workers say that the platform is well")
				}
				return nil
			})
			return found, err
		}},
	}
}

// plantDefects plants each defect and checks that it is found.
func (c *campaign) plantDefects(t *testing.T, jobs *source) {
	js, err := c.observe.nc.JetStream(nats.MaxWait(10 * time.Second))
	if err != nil {
		t.Fatal(err)
	}
	last := []*job{c.model.byID[c.lastDone()]}
	known := map[string]bool{}
	caught := 0
	for _, d := range defects() {
		if err := d.plant(c, js); err != nil {
			t.Errorf("plant %q: %v", d.name, err)
			continue
		}
		find := d.check
		if find == nil {
			find = func(c *campaign, _ *source) ([]string, error) { return check(c.model, c.observe, newHistory(), last) }
		}
		found, err := find(c, jobs)
		if err != nil {
			t.Errorf("check after %q: %v", d.name, err)
		}
		text := ""
		for _, v := range found {
			if !known[v] {
				text += v + "\n"
			}
			known[v] = true
		}
		if d.finds == "" { // the previous defect is undone
			clear(known)
			if len(found) > 0 {
				t.Errorf("after %q has undone the previous defect, the check still finds %s", d.name, text)
			}
			continue
		}
		if !strings.Contains(text, d.finds) {
			t.Errorf("the check does not find the planted defect %q: %s", d.name, text)
			continue
		}
		caught++
	}
	t.Logf("%d planted defects were found", caught)
}

// lastDone returns the id of the last job that was done with a tally.
func (c *campaign) lastDone() string {
	for _, j := range slices.Backward(c.model.jobs) {
		if j.state == "done" && j.tally != nil && !j.damaged && !j.submit {
			return j.id
		}
	}
	return ""
}

func (c *campaign) lastOf(stream, subject string) uint64 {
	m, err := c.observe.get(stream, map[string]any{"last_by_subj": subject})
	if err != nil {
		c.site.t.Error(err)
	}
	return m.Seq
}

// platformUser adds or removes a device without usher.
func (c *campaign) platformUser(verb string) error {
	sum := md5.Sum([]byte("planted"))
	out, err := c.site.usher("api", "segments", verb, "1", "IDFA", hex.EncodeToString(sum[:]))
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// flipCreative changes a creative's status without usher.
func (c *campaign) flipCreative() error {
	wanted := inactive
	if statusOf(c.model, "video-1") == inactive {
		wanted = active
	}
	for _, args := range [][]string{{"lock", "SANDBOX1-video"}, {"set-status", "video-1", "--status", wanted}, {"unlock", "SANDBOX1-video"}} {
		group := "campaigns"
		if args[0] == "set-status" {
			group = "creatives"
		}
		if out, err := c.site.usher(append([]string{"api", group}, args...)...); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	return nil
}

// countTwice counts a row twice in a record.
func (c *campaign) countTwice(js nats.JetStreamContext) error {
	m, err := c.observe.get(recordStream, map[string]any{"last_by_subj": recordPrefix + "jobs." + c.lastDone()})
	if err != nil {
		return err
	}
	var entry map[string]any
	if err := json.Unmarshal(m.Data, &entry); err != nil {
		return err
	}
	t := entry["record"].(map[string]any)["tally"].(map[string]any)
	t["read"], t["accepted"] = t["read"].(float64)+1, t["accepted"].(float64)+1
	data, err := json.Marshal(entry)
	if err == nil {
		_, err = js.Publish(m.Subject, data)
	}
	return err
}
