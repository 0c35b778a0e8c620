package store

import (
	"fmt"
	"strconv"
	"strings"

	"usher"
)

// Names are the names of streams, subjects and buckets. A namespace prefixes all
// of them.
type Names struct{ Namespace string }

func (n Names) prefixed(name string) string {
	if n.Namespace == "" {
		return name
	}
	return n.Namespace + "_" + name
}

// Subject returns a subject under the namespace.
func (n Names) Subject(s string) string {
	if n.Namespace == "" {
		return s
	}
	return n.Namespace + "." + s
}

// JobsStream names the stream of jobs on segments, targets and devices.
func (n Names) JobsStream() string { return n.prefixed("USHER_JOBS") }

// CampaignsStream names the stream of jobs on campaigns and of rules, so that NATS takes them
// although the other stream of jobs is full of uploads.
func (n Names) CampaignsStream() string { return n.prefixed("USHER_CAMPAIGNS") }

// FirstCampaign is the first sequence of CampaignsStream. JobsStream never has so many messages, so
// that a sequence says on which stream of jobs a message is.
const FirstCampaign uint64 = 1e15

// JobStreams returns the names of the streams of jobs.
func (n Names) JobStreams() [2]string { return [2]string{n.JobsStream(), n.CampaignsStream()} }

// StreamAt returns the name of the stream of jobs that has a sequence.
func (n Names) StreamAt(seq uint64) string {
	if seq >= FirstCampaign {
		return n.CampaignsStream()
	}
	return n.JobsStream()
}

// StreamOf returns the name of the stream of jobs of a kind.
func (n Names) StreamOf(k usher.Kind) string {
	if family := k.Family(); family == "campaign" || family == "rules" {
		return n.CampaignsStream()
	}
	return n.JobsStream()
}

// PartsStream names the stream of parts of split jobs.
func (n Names) PartsStream() string { return n.prefixed("USHER_PARTS") }

// ReleasedStream names the stream of jobs that need not wait any longer.
func (n Names) ReleasedStream() string { return n.prefixed("USHER_RELEASED") }

// DeadStream names the stream of dead letters.
func (n Names) DeadStream() string { return n.prefixed("USHER_DEAD") }

// EventsStream names the stream of events and of the audit.
func (n Names) EventsStream() string { return n.prefixed("USHER_EVENTS") }

// StateBucket names the bucket of Store.State.
func (n Names) StateBucket() string { return n.prefixed("usher_state") }

// RulesBucket names the bucket of Store.Rules.
func (n Names) RulesBucket() string { return n.prefixed("usher_rules") }

// Job is the subject to which publishers publish jobs of a kind.
func (n Names) Job(k usher.Kind) string { return n.Subject("usher.jobs." + string(k)) }

// Run is the subject to which usher itself publishes jobs of a kind: replays, jobs of
// rules, and jobs whose inline ids are digests. Only messages there may have usher's headers.
func (n Names) Run(k usher.Kind) string { return n.Subject("usher.runs." + string(k)) }

// AnyJob matches Job and Run of a kind on the streams of jobs.
func (n Names) AnyJob(k usher.Kind) string { return n.Subject("usher.*." + string(k)) }

// Kind returns the kind in a subject of jobs, and whether it is a Run.
func (n Names) Kind(subject string) (k usher.Kind, run bool) {
	if k, run := strings.CutPrefix(subject, n.Run("")); run {
		return usher.Kind(k), true
	}
	return usher.Kind(strings.TrimPrefix(subject, n.Job(""))), false
}

// Parts is the subject of a job's parts.
func (n Names) Parts(id string) string { return n.Subject("usher.parts." + id) }

// Released is the subject of the released jobs of a lane.
func (n Names) Released(lane string) string { return n.Subject("usher.released." + lane) }

// ReleasedFirst is the subject of the released jobs of a lane that go before all others.
func (n Names) ReleasedFirst(lane string) string { return n.Released(lane + "-first") }

// Workers is the subject on which workers answer who they are.
func (n Names) Workers() string { return n.Subject("usher.workers") }

// Arrived is the subject on which a worker announces that requests that were on their way have
// arrived.
func (n Names) Arrived() string { return n.Subject("usher.workers.arrived") }

// Event is the subject of a job's events.
func (n Names) Event(id string) string { return n.Subject("usher.events." + id) }

// Audit is the subject of the audit of a campaign.
func (n Names) Audit(campaign string) string { return n.Subject("usher.audit." + campaign) }

// DeadLetters is the subject of dead letters of a kind and class. An empty kind
// or class, or a kind that no subject can hold, is a wildcard.
func (n Names) DeadLetters(k usher.Kind, c usher.Class) string {
	kind, class := "*.*", "*"
	if k != "" && wellFormed(k) {
		kind = string(k)
	}
	if c != "" {
		class = string(c)
	}
	return n.Subject(fmt.Sprintf("usher.dead.%s.%s", kind, class))
}

// UnknownKind is the kind of letters whose own kind no subject can hold.
const UnknownKind usher.Kind = "unknown.kind"

// DeadLetter is the subject to which a dead letter is published.
func (n Names) DeadLetter(k usher.Kind, c usher.Class) string {
	if !wellFormed(k) {
		k = UnknownKind
	}
	return n.Subject(fmt.Sprintf("usher.dead.%s.%s", k, c))
}

// wellFormed reports whether a subject can hold the kind.
func wellFormed(k usher.Kind) bool {
	family, verb, found := strings.Cut(string(k), ".")
	return found && usher.ValidID(family) && usher.ValidID(verb) && !strings.Contains(verb, ".")
}

// Token makes any string one token of a key: a byte that a key must not hold is
// written as =XX.
func Token(s string) string {
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

// OfToken returns the string that Token has made a token of.
func OfToken(token string) string {
	var b strings.Builder
	for i := 0; i < len(token); i++ {
		if token[i] == '=' && i+2 < len(token) {
			if c, err := strconv.ParseUint(token[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(token[i])
	}
	return b.String()
}
