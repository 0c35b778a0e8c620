package targets

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/store"
)

// Index has the places of the messages of some families of kinds on a stream of jobs by
// their targets, so that taking a job costs the same however many wait. It reads each
// message once, when a caller needs it. A place takes 16 bytes in each backlog. A message
// may have left the stream since it was read.
type Index struct {
	store    *store.Store
	stream   string
	leader   store.Leader // of the stream
	messages *message.Reader

	reading chan struct{} // holds one value while the stream is read

	mu           sync.Mutex
	next         uint64              // the first sequence that was not read
	newest       time.Time           // the latest publication of a message before next
	ended        map[uint64]endOfJob // sequences that were not read yet, whose jobs have ended
	places       int
	complete     bool // the stream was read to its end
	rebuildAbove int  // places, above which the index is rebuilt without messages that have left
	families     map[string]*family
	caughtUp     time.Time // when CatchUp last began
}

// family has the places of the kinds of one family.
type family struct {
	backlogs []*Backlog
	arrived  arrivals
}

// Place is where a message stands: its sequence on the stream, and the order of its job.
type Place struct{ Seq, Order uint64 }

// Before reports whether the place is before another one.
func (p Place) Before(other Place) bool { return byOrder(p, other) < 0 }

func byOrder(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Seq, b.Seq))
}

// exclusiveKinds are the kinds that run alone on their target, by family. The indexes have
// these families.
var exclusiveKinds = func() map[string][]usher.Kind {
	families := map[string][]usher.Kind{}
	for _, k := range usher.Kinds() {
		if !Indexed(k) {
			continue
		}
		alone := families[k.Family()]
		if k.Exclusive() {
			alone = append(alone, k)
		}
		families[k.Family()] = alone
	}
	return families
}()

// leastRebuilt is the number of places up to which an index is never rebuilt.
const leastRebuilt = 10_000

func newIndex(r *records.Records, stream string) *Index {
	x := &Index{
		store: r.Store, stream: stream, leader: r.Store.Leader(stream), messages: r.Messages, reading: make(chan struct{}, 1),
		families: map[string]*family{},
	}
	for name, kinds := range exclusiveKinds {
		if r.Store.StreamOf(usher.Kind(name+".*")) != stream {
			continue
		}
		f := &family{}
		for _, pattern := range append(slices.Clip(kinds), usher.Kind(name+".*")) {
			f.backlogs = append(f.backlogs, &Backlog{index: x, pattern: pattern})
		}
		x.families[name] = f
	}
	x.clear()
	return x
}

// Families returns the patterns of the families of kinds that have an index.
func Families() (patterns []usher.Kind) {
	for name := range exclusiveKinds {
		patterns = append(patterns, usher.Kind(name+".*"))
	}
	return patterns
}

func (x *Index) clear() {
	x.next, x.newest, x.places, x.complete = 1, time.Time{}, 0, false
	x.ended = map[uint64]endOfJob{}
	for _, f := range x.families {
		f.arrived = arrivals{}
		for _, b := range f.backlogs {
			b.targets = map[string][]Place{}
		}
	}
}

// add adds the place of a message, unless it is of another family.
func (x *Index) add(m *jetstream.RawStreamMsg) {
	var o Summary
	if kind, _ := x.store.Kind(m.Subject); Indexed(kind) {
		o = SummaryOf(x.store.Names, m)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.readTo(m.Sequence, m.Time)
	if end := x.ended[m.Sequence]; o.Target != "" && end != goneJob {
		x.addPlace(o.Kind, o.Target, o.Place, end)
	}
}

// endOfJob is what is known of a job whose message was not read yet.
type endOfJob int

const (
	notEnded endOfJob = iota
	endedJob          // see Backlog.LeaveWay
	goneJob           // see Backlog.Remove
)

// addPlace adds a place on a target. x.mu is held.
func (x *Index) addPlace(kind usher.Kind, target string, p Place, end endOfJob) {
	f := x.families[kind.Family()]
	for _, b := range f.backlogs {
		if b.takes(kind) && (end == notEnded || b.hasAll()) {
			places := b.targets[target]
			at, _ := slices.BinarySearchFunc(places, p, byOrder)
			b.targets[target] = slices.Insert(places, at, p)
			x.places++
		}
	}
	f.arrived.add(target)
}

// readTo notes that the stream was read up to a message. x.mu is held.
func (x *Index) readTo(seq uint64, published time.Time) {
	x.next = max(x.next, seq+1)
	maps.DeleteFunc(x.ended, func(ended uint64, _ endOfJob) bool { return ended < seq })
	if published.After(x.newest) { // the clocks of NATS's servers may differ
		x.newest = published
	}
}

// takes reports whether the backlog has the messages of a kind of its family.
func (b *Backlog) takes(kind usher.Kind) bool {
	return kind == b.pattern || b.hasAll()
}

// arrivals are the targets of the messages that were published last. A target is in it once.
type arrivals struct {
	targets []string // the newest is the last
	known   map[string]bool
}

// maxArrivals bounds the memory of arrivals. Older messages have been delivered, or are
// when the lane gets to them.
const maxArrivals = 10_000

// add adds a target to which a message has come.
func (a *arrivals) add(target string) {
	if a.known[target] {
		return
	}
	if len(a.targets) == maxArrivals {
		for _, old := range a.targets[:maxArrivals/2] {
			delete(a.known, old)
		}
		a.targets = append(a.targets[:0], a.targets[maxArrivals/2:]...)
	}
	if a.known == nil {
		a.known = map[string]bool{}
	}
	a.known[target] = true
	a.targets = append(a.targets, target)
}

// LookAgain makes NextArrived return a target again.
func (x *Index) LookAgain(family, target string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.families[family].arrived.add(target)
}

// NextArrived removes and returns the target of the newest message of a family, of those
// that no earlier call returned.
func (x *Index) NextArrived(family string) (target string, found bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	a := &x.families[family].arrived
	last := len(a.targets) - 1
	if last < 0 {
		return "", false
	}
	target = a.targets[last]
	a.targets = a.targets[:last]
	delete(a.known, target)
	return target, true
}
