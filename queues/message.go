package queues

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"usher"
	"usher/queues/schema"
)

// message is a parsed job message. If invalid is set, only the fields that could be read
// are set.
type message struct {
	kind      usher.Kind
	id        string // "": not readable
	named     bool   // the publisher gave the id
	run       int
	seq       uint64 // in the stream
	order     uint64
	published time.Time
	trace     string
	replay    string      // the replay that published it, or ""
	edited    *usher.Edit // of a replay with an edited body
	job       usher.Job   // sealed: its inline ids are digests
	dropped   usher.Tally
	sum       string          // of the kind and the sealed job without its id; compares two bodies
	shown     json.RawMessage // the job as stored in records
	kept      json.RawMessage // the job as stored in letters
	invalid   *usher.JobError
}

// read parses a message from the stream of jobs.
func (q *Queue) read(subject string, header nats.Header, body []byte, seq uint64, published time.Time) *message {
	kind, ours := q.names.Kind(subject)
	ours = ours || seq > 0 && seq <= q.headersUntil
	m := &message{kind: q.knownKind(kind), run: 1, seq: seq, order: seq, published: published}
	job, header, err := unwrap(header, body)
	if err != nil {
		return m.refuse(body, err.Error(), "the README, Publishing jobs, describes jobs as CloudEvents")
	}
	body, m.trace = job, traceOf(header)
	if !ours && hasUsherHeader(header) {
		m.id = idOf(body, header, seq)
		return m.refuse(body, refusedHeader, "publish without Usher-… headers; `usher dead replay` runs a failed job again")
	}
	if err := m.readHeaders(header); err != nil {
		return m.refuse(body, err.Error(), "report this as a bug in usher")
	}
	if issues := q.schemas.Validate(m.kind, body); len(issues) > 0 {
		m.id = idOf(body, header, seq)
		hint := fmt.Sprintf("`usher submit %s --schema` prints what a job takes", m.kind)
		if !slices.Contains(q.schemas.Kinds(), m.kind) {
			hint = "publish to usher.jobs.<kind>, such as usher.jobs.segment.add"
		}
		return m.refuse(body, "the job is not valid: "+schema.Describe(issues), hint)
	}
	if err := json.Unmarshal(body, &m.job); err != nil {
		m.id = idOf(body, header, seq)
		return m.refuse(body, "the job agrees with its schema but cannot be decoded", "report this as a bug in usher")
	}
	maskTexts(&m.job)
	m.id = firstOf(m.job.ID, header.Get(headerEventID), header.Get(headerMsgID))
	if m.named = m.id != ""; !m.named {
		m.id = fmt.Sprintf("seq-%d", seq)
	}
	if !usher.ValidID(m.id) {
		m.id = ""
		return m.refuse(body, "the id in the ce-id or Nats-Msg-Id header may not name a job",
			"an id has 1 to 128 characters of A-Z a-z 0-9 . _ -, no dot at either end, and no two dots in a row")
	}
	if err := m.seal(q.options.Seal); err != nil {
		return m.refuse(body, err.Error(), "correct source.ids, the profile or the input of the job")
	}
	return m
}

const refusedHeader = "the message has a header whose name begins with Usher-, which only usher may set"

// hasUsherHeader reports whether a header's name begins with Usher-, in any case.
func hasUsherHeader(header nats.Header) bool {
	for name := range header {
		if len(name) >= len(headerPrefix) && strings.EqualFold(name[:len(headerPrefix)], headerPrefix) {
			return true
		}
	}
	return false
}

func (m *message) readHeaders(header nats.Header) (err error) {
	if s := header.Get(headerRun); s != "" {
		if m.run, err = strconv.Atoi(s); err != nil || m.run < 1 {
			return fmt.Errorf("header %s is not a run number", headerRun)
		}
	}
	if s := header.Get(headerOrder); s != "" {
		if m.order, err = strconv.ParseUint(s, 10, 64); err != nil {
			return fmt.Errorf("header %s is not a sequence number", headerOrder)
		}
	}
	if s := header.Get(headerDropped); s != "" {
		var dropped usher.Tally
		if json.Unmarshal([]byte(s), &dropped) != nil || dropped.Check() != nil {
			return fmt.Errorf("header %s is not a tally that adds up", headerDropped)
		}
		m.dropped = dropped
	}
	if s := header.Get(headerEdited); s != "" {
		if json.Unmarshal([]byte(s), &m.edited) != nil || m.edited == nil || m.run == 1 {
			return fmt.Errorf("header %s does not say how the body of a replay was edited", headerEdited)
		}
	}
	m.replay = header.Get(headerReplay)
	return nil
}

// seal replaces inline ids by digests and sets the fields that depend on them.
func (m *message) seal(seal func(*usher.Job) (usher.Tally, error)) error {
	if m.job.Source != nil && len(m.job.Source.IDs) > 0 && seal != nil {
		dropped, err := seal(&m.job)
		if err != nil {
			return err
		}
		m.dropped.Add(dropped)
	}
	anonymous := m.job
	anonymous.ID = ""
	body, err := json.Marshal(anonymous)
	if err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	// With the kind: a pause and a resume have the same fields.
	sum := sha256.Sum256(append([]byte(m.kind+" "), body...))
	m.sum = hex.EncodeToString(sum[:])
	m.job.ID = m.id
	if m.kept, err = json.Marshal(m.job); err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	m.shown = Redact(m.kept)
	return nil
}

// refuse marks the message invalid.
func (m *message) refuse(body []byte, why, hint string) *message {
	m.invalid = &usher.JobError{Class: usher.InvalidJob, Message: why, Hint: hint}
	m.shown = Redact(body)
	m.kept = m.shown
	if m.shown == nil {
		sum := sha256.Sum256(body)
		m.invalid.Message += fmt.Sprintf(" (%d bytes, SHA-256 %x)", len(body), sum)
	}
	return m
}

// idOf returns the id in an invalid body, or "" if it has no valid id.
func idOf(body []byte, header nats.Header, seq uint64) string {
	var job struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(body, &job) != nil {
		return ""
	}
	var id string
	if job.ID != nil && json.Unmarshal(job.ID, &id) != nil {
		return ""
	}
	id = firstOf(id, header.Get(headerEventID), header.Get(headerMsgID), fmt.Sprintf("seq-%d", seq))
	if !usher.ValidID(id) {
		return ""
	}
	return id
}

func firstOf(choices ...string) string {
	for _, s := range choices {
		if s != "" {
			return s
		}
	}
	return ""
}

// traceOf returns a message's valid traceparent, or "". It is stored and shown, so it is
// checked: 00-<32 hex digits>-<16>-<2>.
func traceOf(header nats.Header) string {
	text := header.Get(headerTrace)
	parts := strings.Split(text, "-")
	if len(parts) != 4 || len(parts[0]) != 2 || len(parts[1]) != 32 || len(parts[2]) != 16 || len(parts[3]) != 2 {
		return ""
	}
	if strings.Trim(text, "0123456789abcdef-") != "" {
		return ""
	}
	return text
}

// traceID returns the trace ID of a traceparent.
func traceID(traceparent string) string {
	if len(traceparent) < 35 {
		return ""
	}
	return traceparent[3:35]
}
