package message

import (
	"cmp"
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
	"usher/hashing"
	"usher/queues/schema"
	"usher/queues/store"
)

// Message is a parsed message of the stream of jobs. If Invalid is set, only the fields that
// could be read are set.
type Message struct {
	Kind      usher.Kind
	ID        string // "": not readable
	Named     bool   // the publisher gave the id
	Run       int    // 1, or that of a replay: 2, 3, …
	Seq       uint64 // in the stream; 0: not yet there
	Order     uint64 // the sequence of the job's first publish
	Published time.Time
	Publisher string          // who submitted it, as a service of usher has found out; "": unknown
	Trace     string          // a valid traceparent, or ""
	Replay    string          // the replay that published it, or ""
	Edited    *usher.Edit     // of a replay with an edited body
	Job       usher.Job       // its inline ids are digests
	Dropped   usher.Tally     // of the inline ids that were dropped
	Sum       string          // of the kind and the job without its id; compares two bodies
	Shown     json.RawMessage // the job as stored in records; nil: not a JSON object
	Kept      json.RawMessage // the job as stored in letters
	Invalid   *usher.JobError // why it is no valid job, or nil
}

// Reader reads messages of the stream of jobs.
type Reader struct {
	Names   store.Names
	Schemas *schema.Schemas
	// HashInline replaces raw inline ids by digests in place and returns the tally of dropped ids;
	// nil: they stay.
	HashInline func(*usher.Job) (usher.Tally, error)
}

// Read parses a message from the stream of jobs, which has the sequence seq there. It returns
// an invalid message, too, because that becomes a dead letter.
func (r *Reader) Read(subject string, header nats.Header, body []byte, seq uint64, published time.Time) *Message {
	kind, ours := r.Names.Kind(subject)
	m := &Message{Kind: r.KnownKind(kind), Run: 1, Seq: seq, Order: seq, Published: published}
	if m = r.read(m, header, body, ours); !ours {
		m = m.refuseReserved(body)
	}
	return m
}

// read reads the header and the body into a message. ours is whether usher has published it.
func (r *Reader) read(m *Message, header nats.Header, body []byte, ours bool) *Message {
	seq := m.Seq
	job, header, err := Unwrap(header, body)
	if err != nil {
		return m.refuse(body, err.Error(), "docs/reference/jobs.md describes jobs as CloudEvents")
	}
	body, m.Trace = job, TraceOf(header)
	if !ours && HasUsherHeader(header) {
		m.ID = idOf(body, header, seq)
		return m.refuse(body, RefusedHeader, "publish without Usher-… headers; `usher dead replay` runs a failed job again")
	}
	if !ours && m.Kind.OfRulesOnly() {
		m.ID = idOf(body, header, seq)
		return m.refuse(body, fmt.Sprintf("only usher's rules publish %s", m.Kind), "write a rule with budget or bid; docs/guide/budgets.md has an example")
	}
	if err := m.readHeaders(header); err != nil {
		return m.refuse(body, err.Error(), "report this as a bug in usher")
	}
	if issues := r.Schemas.Validate(m.Kind, body); len(issues) > 0 {
		m.ID = idOf(body, header, seq)
		hint := fmt.Sprintf("`usher submit %s --schema` prints what a job takes", m.Kind)
		if !slices.Contains(usher.Kinds(), m.Kind) {
			hint = "publish to usher.jobs.<kind>, such as usher.jobs.segment.add"
		}
		return m.refuse(body, "the job is not valid: "+schema.Describe(issues), hint)
	}
	if err := json.Unmarshal(body, &m.Job); err != nil {
		m.ID = idOf(body, header, seq)
		return m.refuse(body, "the job agrees with its schema but cannot be decoded", "report this as a bug in usher")
	}
	maskTexts(&m.Job)
	m.ID = cmp.Or(m.Job.ID, header.Get(HeaderEventID), header.Get(HeaderMsgID))
	if m.Named = m.ID != ""; !m.Named {
		m.ID = fmt.Sprintf("seq-%d", seq)
	}
	if !usher.ValidID(m.ID) {
		m.ID = ""
		return m.refuse(body, "the id in the ce-id or Nats-Msg-Id header may not name a job",
			"an id has 1 to 128 characters of A-Z a-z 0-9 . _ -, no dot at either end, and no two dots in a row")
	}
	if err := m.hashInline(r.HashInline); err != nil {
		return m.refuse(body, err.Error(), "correct the ids, the profile or the input of the job")
	}
	return m
}

func (m *Message) readHeaders(header nats.Header) (err error) {
	const longest = 128
	if m.Publisher = header.Get(HeaderPublisher); len(m.Publisher) > longest {
		return fmt.Errorf("header %s is no name", HeaderPublisher)
	}
	if s := header.Get(HeaderRun); s != "" {
		if m.Run, err = strconv.Atoi(s); err != nil || m.Run < 1 {
			return fmt.Errorf("header %s is not a run number", HeaderRun)
		}
	}
	if s := header.Get(HeaderOrder); s != "" {
		if m.Order, err = strconv.ParseUint(s, 10, 64); err != nil {
			return fmt.Errorf("header %s is not a sequence number", HeaderOrder)
		}
	}
	if s := header.Get(HeaderDropped); s != "" {
		var dropped usher.Tally
		if json.Unmarshal([]byte(s), &dropped) != nil || dropped.Check() != nil {
			return fmt.Errorf("header %s is not a tally that adds up", HeaderDropped)
		}
		m.Dropped = dropped
	}
	if s := header.Get(HeaderEdited); s != "" {
		if json.Unmarshal([]byte(s), &m.Edited) != nil || m.Edited == nil || m.Run == 1 {
			return fmt.Errorf("header %s does not say how the body of a replay was edited", HeaderEdited)
		}
	}
	m.Replay = header.Get(HeaderReplay)
	return nil
}

// hashInline replaces inline ids by digests and sets the fields that depend on them.
func (m *Message) hashInline(hash func(*usher.Job) (usher.Tally, error)) error {
	if (len(m.Job.IDs) > 0 || m.Job.Source != nil && len(m.Job.Source.IDs) > 0) && hash != nil {
		if err := m.refuseVersions(); err != nil {
			return err
		}
		dropped, err := hash(&m.Job)
		if err != nil {
			return err
		}
		m.Dropped.Add(dropped)
	}
	var err error
	if m.Sum, err = sumOf(m.Kind, m.Job); err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	return m.SetID(m.ID)
}

// sumOf returns the sum of a kind and a job without its id.
func sumOf(kind usher.Kind, job usher.Job) (string, error) {
	job.ID = ""
	body, err := json.Marshal(job)
	if err != nil {
		return "", err
	}
	// With the kind: a pause and a resume have the same fields.
	sum := sha256.Sum256(append([]byte(kind+" "), body...))
	return hex.EncodeToString(sum[:]), nil
}

// SumOf returns Message.Sum of a valid job as letters keep it, or "" if the job cannot be decoded.
func SumOf(kind usher.Kind, kept json.RawMessage) string {
	var job usher.Job
	if json.Unmarshal(kept, &job) != nil {
		return ""
	}
	sum, err := sumOf(kind, job)
	if err != nil {
		return ""
	}
	return sum
}

// refuseVersions refuses inline ids most of which are UUIDs that no phone has, as an export of them
// is refused. Nothing is refused that takes ids out.
func (m *Message) refuseVersions() error {
	source, profile := m.Job.Source, m.Job.Profile
	if source == nil || profile == nil || profile.Type == usher.AndroidID || m.Job.Input == usher.InputMD5 || source.AnyVersion || m.Kind == usher.SegmentRemove {
		return nil
	}
	other := 0
	for _, id := range source.IDs {
		if hashing.IsOtherVersion([]byte(strings.Trim(id, "\"'{} "))) {
			other++
		}
	}
	if other < 2 || 2*other <= len(source.IDs) {
		return nil
	}
	return fmt.Errorf("hash inline ids: %d of %d are no UUIDs of version 4, as every %s is: they are rather ids of customers, rows or events; if they are real, set source.anyVersion to true",
		other, len(source.IDs), profile.Type)
}

// SetID sets the id of a valid job, also in the job as it is stored. An unnamed job has its id
// from the stream, so it is known once the job is published.
func (m *Message) SetID(id string) (err error) {
	m.ID, m.Job.ID = id, id
	if m.Kept, err = json.Marshal(m.Job); err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	m.Shown = Redact(m.Kept)
	return nil
}

// refuseReserved refuses a publisher's message with an id that is reserved, unless it has that id
// from its own sequence. The message then has no id, so that nothing is recorded under it.
func (m *Message) refuseReserved(body []byte) *Message {
	if !usher.ReservedID(m.ID) || m.ID == fmt.Sprintf("seq-%d", m.Seq) && !m.Named {
		return m
	}
	id := m.ID
	m.ID, m.Named = "", false
	return m.refuse(body, "the id "+id+" is one that usher gives to jobs itself", "give the job another id, or none")
}

// maxRefused is the largest body of a refused message that is kept. The body of a job without its
// ids is much smaller; a publisher could fill the disk with larger ones, since the stream of
// letters has no limit but their age.
const maxRefused = 64 << 10

// refuse marks the message invalid.
func (m *Message) refuse(body []byte, why, hint string) *Message {
	m.Invalid = &usher.JobError{Class: usher.InvalidJob, Message: why, Hint: hint}
	if m.Shown = Redact(body); len(m.Shown) > maxRefused {
		m.Shown = nil
	}
	m.Kept = m.Shown
	if m.Shown == nil {
		sum := sha256.Sum256(body)
		m.Invalid.Message += fmt.Sprintf(" (%d bytes, SHA-256 %x)", len(body), sum)
	}
	return m
}

// IDOf returns the id of a message of the stream of jobs, or "" if it has no valid id. It
// does not check the rest of the message.
func IDOf(header nats.Header, body []byte, seq uint64) string {
	job, header, err := Unwrap(header, body)
	if err != nil {
		return ""
	}
	return idOf(job, header, seq)
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
	id = cmp.Or(id, header.Get(HeaderEventID), header.Get(HeaderMsgID), fmt.Sprintf("seq-%d", seq))
	if !usher.ValidID(id) {
		return ""
	}
	return id
}
