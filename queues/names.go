package queues

import (
	"fmt"
	"strings"

	"usher"
)

// Headers of messages. The CloudEvents ones (ce-*) are accepted beside them.
const (
	headerRun     = "Usher-Run"     // of a replay: the run it starts, 2, 3, …
	headerOrder   = "Usher-Order"   // of a replay: the first publish's sequence
	headerDropped = "Usher-Dropped" // the tally of what sealing dropped, JSON
	headerReplay  = "Usher-Replay"  // of a replay, and of a letter: the replay that it belongs to
	headerEdited  = "Usher-Edited"  // of a replay: how its body came to differ, a usher.Edit
	headerMsgID   = "Nats-Msg-Id"
	headerEventID = "ce-id"
	headerTrace   = "traceparent"
)

// names are the streams, subjects, buckets and keys, prefixed by a namespace.
type names struct{ namespace string }

func (n names) stream(name string) string {
	if n.namespace == "" {
		return name
	}
	return n.namespace + "_" + name
}

func (n names) subject(s string) string {
	if n.namespace == "" {
		return s
	}
	return n.namespace + "." + s
}

func (n names) jobsStream() string   { return n.stream("USHER_JOBS") }
func (n names) partsStream() string  { return n.stream("USHER_PARTS") }
func (n names) deadStream() string   { return n.stream("USHER_DEAD") }
func (n names) eventsStream() string { return n.stream("USHER_EVENTS") }
func (n names) stateBucket() string  { return n.stream("usher_state") }
func (n names) rulesBucket() string  { return n.stream("usher_rules") }

func (n names) job(k usher.Kind) string      { return n.subject("usher.jobs." + string(k)) }
func (n names) parts(id string) string       { return n.subject("usher.parts." + id) }
func (n names) rollCall() string             { return n.subject("usher.workers") }
func (n names) event(id string) string       { return n.subject("usher.events." + id) }
func (n names) audit(campaign string) string { return n.subject("usher.audit." + campaign) }

// auditOfLetters is where acts on dead letters are audited: under a token that
// is no campaign's code.
func (n names) auditOfLetters() string { return n.audit("_letters") }

func (n names) dead(k usher.Kind, c usher.Class) string {
	if !wellFormed(k) {
		k = "unknown.kind"
	}
	return n.subject(fmt.Sprintf("usher.dead.%s.%s", k, c))
}

// wellFormed reports whether a kind may stand in a subject.
func wellFormed(k usher.Kind) bool {
	family, verb, found := strings.Cut(string(k), ".")
	return found && usher.ValidID(family) && usher.ValidID(verb) && !strings.Contains(verb, ".")
}

// kindOf is the kind in a job's subject.
func (n names) kindOf(subject string) usher.Kind {
	return usher.Kind(strings.TrimPrefix(subject, n.job("")))
}

// Keys of the state bucket.
func jobKey(id string) string         { return "jobs." + id }
func partKey(id string, p int) string { return fmt.Sprintf("parts.%s.%d", id, p) }
func endingKey(id string) string      { return "ending." + id }
func targetKey(target string) string  { return "targets." + escape(target) }
func creativeKey(code string) string  { return "creatives." + escape(code) }
func idOfEndingKey(key string) string { return strings.TrimPrefix(key, "ending.") }

// Keys of the rules bucket, which never expires.
func memoryKey(campaign string) string   { return "memory." + escape(campaign) }
func fileKey(name string) string         { return "files." + name }
func evaluationKey(id string) string     { return "evaluations." + escape(id) }
func tickKey(file, rule string) string   { return "ticks." + escape(file) + "." + escape(rule) }
func decisionsOf(id, set string) pattern { return pattern{escape(id), "*", set} }

// pattern is a pattern of decisions' keys: decisions.<evaluation>.<campaign>.<set>.
type pattern struct{ evaluation, campaign, set string }

func (p pattern) String() string {
	return "decisions." + p.evaluation + "." + p.campaign + "." + p.set
}

func (p pattern) of(campaign string) string {
	p.campaign = escape(campaign)
	return p.String()
}

// stopKey is the stop switch's key in the rules bucket.
const stopKey = "stop"

// alertsKey is what people were told of.
const alertsKey = "alerts"

// Further keys there: what was switched at run time.
func laneKey(l Lane) string             { return "lanes." + string(l) }
func limitKey(advertiser string) string { return "limits." + escape(advertiser) }

// switchAudit stands where the audit of a creative has its campaign's code,
// which has no underscore.
const switchAudit = "_switch"

// escape makes any string one token of a key: what a key may not hold is
// written =XX.
func escape(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "=%02X", c)
		}
	}
	return b.String()
}
