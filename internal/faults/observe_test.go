package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"usher/internal/rtb"
)

// observer reads usher's state, as NATS's administrator. It reads from the leaders of the
// streams, because a replica may lag.
type observer struct {
	nc       *nats.Conn
	platform *rtb.Client
	site     *site
}

func newObserver(s *site) *observer {
	s.t.Helper()
	nc, err := s.cluster.dial("admin")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(nc.Close)
	return &observer{nc: nc, site: s, platform: rtb.NewWithLogin(rtb.Options{BaseURL: s.platform, Advertiser: "SANDBOX1"}, "sandbox", "sandbox")}
}

// stored is a message of a stream.
type stored struct {
	Subject string    `json:"subject"`
	Seq     uint64    `json:"seq"`
	Header  []byte    `json:"hdrs"`
	Data    []byte    `json:"data"`
	Time    time.Time `json:"time"`
}

// header returns the value of a header of the message.
func (m *stored) header(name string) string {
	for line := range strings.Lines(string(m.Header)) {
		if value, found := strings.CutPrefix(line, name+": "); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// errNone is the error for a message that does not exist.
var errNone = errors.New("no such message")

// get reads the message that a request names, which is a sequence or a subject.
func (o *observer) get(stream string, request map[string]any) (m stored, err error) {
	body, err := json.Marshal(request)
	if err != nil {
		return m, err
	}
	answer, err := o.nc.Request("$JS.API.STREAM.MSG.GET."+stream, body, 2*time.Second)
	if err != nil {
		return m, fmt.Errorf("read stream %s: %w", stream, err)
	}
	var found struct {
		Message stored `json:"message"`
		Error   *struct {
			Code        int    `json:"err_code"`
			Description string `json:"description"`
		} `json:"error"`
	}
	switch err := json.Unmarshal(answer.Data, &found); {
	case err != nil:
		return m, err
	case found.Error != nil && found.Error.Code == 10037:
		return m, errNone
	case found.Error != nil:
		return m, fmt.Errorf("read stream %s: %s", stream, found.Error.Description)
	}
	return found.Message, nil
}

// each calls see with the messages of a stream whose sequence is at least from, and returns
// the next sequence.
func (o *observer) each(stream, subject string, from uint64, see func(*stored) error) (next uint64, err error) {
	for {
		m, err := o.get(stream, map[string]any{"seq": from, "next_by_subj": subject})
		switch {
		case errors.Is(err, errNone):
			return from, nil
		case err != nil:
			return from, err
		}
		if err := see(&m); err != nil {
			return from, err
		}
		from = m.Seq + 1
	}
}

// record has the fields of a job's record that are checked.
type record struct {
	Run      int       `json:"run"`
	State    string    `json:"state"`
	Attempts int       `json:"attempts"`
	Retry    *struct{} `json:"retry"`
	Crashes  int       `json:"crashes"`
	Tally    tally     `json:"tally"`
	Why      *string   `json:"why"`
	Error    *struct {
		Class   string `json:"class"`
		Message string `json:"message"`
	} `json:"error"`
	Warnings []struct {
		Code string `json:"code"`
	} `json:"warnings"`
}

func (r *record) ended() bool {
	return r.State == "done" || r.State == "failed" || r.State == "cancelled"
}

func (r *record) class() string {
	if r.Error == nil {
		return ""
	}
	return r.Error.Class
}

const (
	recordStream = "KV_usher_state"
	recordPrefix = "$KV.usher_state."
)

// record reads the record of a job. A job without a record has the zero value.
func (o *observer) record(id string) (r record, err error) {
	m, err := o.get(recordStream, map[string]any{"last_by_subj": recordPrefix + "jobs." + id})
	if errors.Is(err, errNone) || err == nil && len(m.Data) == 0 {
		return record{}, nil
	}
	if err != nil {
		return r, err
	}
	var entry struct {
		Record record `json:"record"`
	}
	_ = json.Unmarshal(m.Data, &entry) // a damaged record counts as missing: usher rebuilds it
	return entry.Record, nil
}

// event is a change of a job's state.
type event struct {
	ID    string    `json:"id"`
	Run   int       `json:"run"`
	State string    `json:"state"`
	At    time.Time `json:"at"`
	key   string    // its Nats-Msg-Id
}

// change is an entry of the audit.
type change struct {
	Job      string `json:"job"`
	Run      int    `json:"run"`
	Rule     string `json:"rule"`
	Campaign string `json:"campaign"`
	Creative string `json:"creative"`
	Before   string `json:"before"`
	Wanted   string `json:"wanted"`
	After    string `json:"after"`
	Late     bool   `json:"late"`
	Restores string `json:"restores"`
	key      string // its Nats-Msg-Id
}

// history is the stream of events and audit, read so far.
type history struct {
	next   uint64
	events map[string][]event // by job, each event once
	audit  []change           // each entry once
	seen   map[string]bool    // what has been read, by its Nats-Msg-Id
}

func newHistory() *history {
	return &history{next: 1, events: map[string][]event{}, seen: map[string]bool{}}
}

// read reads what was added to the stream.
func (h *history) read(o *observer) error {
	next, err := o.each("USHER_EVENTS", ">", h.next, func(m *stored) error {
		id, isEvent := strings.CutPrefix(m.Subject, "usher.events.")
		if !isEvent {
			c := change{key: m.header("Nats-Msg-Id")}
			if err := json.Unmarshal(m.Data, &c); err != nil {
				return fmt.Errorf("audit entry %d: %w", m.Seq, err)
			}
			if c.Creative != "" && !h.seen[c.key] { // other entries record acts of operators
				h.audit = append(h.audit, c)
				h.seen[c.key] = c.key != ""
			}
			return nil
		}
		e := event{key: m.header("Nats-Msg-Id")}
		if err := json.Unmarshal(m.Data, &e); err != nil {
			return fmt.Errorf("event %d: %w", m.Seq, err)
		}
		if !h.seen[e.key] {
			h.seen[e.key] = true
			h.events[id] = append(h.events[id], e)
		}
		return nil
	})
	h.next = next
	return err
}

// letter is a dead letter.
type letter struct {
	ID    *string `json:"id"`
	Run   int     `json:"run"`
	Class string  `json:"class"`
}

// letters returns all dead letters, as an operator sees them.
func (o *observer) letters() (all []letter, err error) {
	out, err := o.site.usher("dead", "ls", "--json")
	if err != nil {
		return nil, fmt.Errorf("usher dead ls: %w: %s", err, out)
	}
	return all, json.Unmarshal([]byte(out), &all)
}

// waiting returns how many messages each stream of jobs and parts has, the first of them, and what its
// consumers know of them; "" if none has one.
func (o *observer) waiting() (messages string, err error) {
	js, err := o.nc.JetStream(nats.MaxWait(5 * time.Second))
	if err != nil {
		return "", err
	}
	var streams []string
	for _, stream := range []string{"USHER_JOBS", "USHER_CAMPAIGNS", "USHER_PARTS"} {
		info, err := js.StreamInfo(stream)
		if err != nil {
			return "", err
		}
		s := info.State
		if s.Msgs == 0 {
			continue
		}
		about := fmt.Sprintf("%d on %s, from %d to %d", s.Msgs, stream, s.FirstSeq, s.LastSeq)
		if m, err := o.get(stream, map[string]any{"seq": s.FirstSeq}); err == nil {
			about += ", the first on " + m.Subject
		}
		for c := range js.Consumers(stream) {
			about += fmt.Sprintf(", %s has delivered up to %d, has acks up to %d, and %d pending, %d of them delivered again",
				c.Name, c.Delivered.Stream, c.AckFloor.Stream, c.NumAckPending, c.NumRedelivered)
		}
		streams = append(streams, about)
	}
	return strings.Join(streams, "; "), nil
}

// statuses returns the statuses of a campaign's creatives on the platform.
func (o *observer) statuses(campaign string) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	all, err := o.platform.Campaigns.Status(ctx, campaign)
	if err != nil {
		return nil, err
	}
	statuses := map[string]string{}
	for _, s := range all {
		statuses[s.CreativeCode] = s.ApprovalStatus
	}
	return statuses, nil
}

// members returns the fingerprint of a segment or of a campaign's targeting.
func (o *observer) members(target string) (p fingerprint, err error) {
	err = o.site.control("GET", target+"/fingerprint", nil, &p)
	return p, err
}

// holders returns the names of workers that run jobs.
func (o *observer) holders() (map[string]bool, error) {
	answers, err := o.nc.SubscribeSync(o.nc.NewInbox())
	if err != nil {
		return nil, err
	}
	defer func() { _ = answers.Unsubscribe() }() // it ends with the connection
	if err := o.nc.PublishRequest("usher.workers", answers.Subject, nil); err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for range workers {
		m, err := answers.NextMsg(500 * time.Millisecond)
		if err != nil {
			break // a worker may be down
		}
		var presence struct {
			Worker string   `json:"worker"`
			Leases []string `json:"leases"`
		}
		if err := json.Unmarshal(m.Data, &presence); err != nil {
			return nil, err
		}
		if len(presence.Leases) > 0 {
			found[presence.Worker] = true
		}
	}
	return found, nil
}
