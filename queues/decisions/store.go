package decisions

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"usher"
	"usher/queues"
	"usher/queues/store"
)

// ErrNoEvaluation means that no evaluation of that id is on record.
var ErrNoEvaluation = errors.New("no such evaluation")

// ErrNotHeld means that an evaluation does not wait for approval.
var ErrNotHeld = errors.New("it does not wait for approval")

// ErrNotKept means that rules may change a creative or campaign anyway.
var ErrNotKept = errors.New("nobody keeps rules from changing it")

// Store has the evaluations of rules, their decisions, and what rules remember.
// It is safe for concurrent use.
type Store struct {
	queue     *queues.Queue
	bucket    *store.Bucket
	decisions *prometheus.CounterVec
}

// New returns the store that is kept beside a queue's jobs. metrics may be nil.
func New(q *queues.Queue, metrics prometheus.Registerer) *Store {
	r := &Store{
		queue: q, bucket: q.Store().Rules,
		decisions: promauto.With(metrics).NewCounterVec(prometheus.CounterOpts{
			Name: "usher_rule_decisions_total", Help: "Decisions of rules, by action.",
		}, []string{"action"}),
	}
	for _, action := range usher.Actions() { // Prometheus sees no increase in a series that begins at 1
		r.decisions.WithLabelValues(string(action))
	}
	return r
}

// Keys of the rules bucket.
func memoryKey(campaign string) string   { return "memory." + store.Token(campaign) }
func findingsKey(campaign string) string { return "findings." + store.Token(campaign) }
func noticeKey(id string) string         { return "notices." + store.Token(id) }
func fileKey(name string) string         { return "files." + name }
func evaluationKey(id string) string     { return "evaluations." + store.Token(id) }
func tickKey(file, rule string) string {
	return "ticks." + store.Token(file) + "." + store.Token(rule)
}

// setKey is the key of a decision set, or a pattern of such keys:
// decisions.<evaluation>.<campaign>.<set>.
type setKey struct{ evaluation, campaign, set string }

// setsOf matches the decision sets of an evaluation on all campaigns.
func setsOf(id, set string) setKey { return setKey{store.Token(id), "*", set} }

func (k setKey) on(campaign string) setKey {
	k.campaign = store.Token(campaign)
	return k
}

func (k setKey) String() string {
	return "decisions." + k.evaluation + "." + k.campaign + "." + k.set
}
