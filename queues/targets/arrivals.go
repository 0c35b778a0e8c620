package targets

import (
	"slices"
	"time"
)

// arrivals are the targets of the messages that were published last, newest first. A target
// is in it once.
type arrivals struct {
	targets []arrival // the newest is the last
	known   map[string]bool
}

type arrival struct {
	target    string
	notBefore time.Time // when it is worth a look
}

// maxArrivals bounds the memory of arrivals. Older messages have been delivered, or are
// when the lane gets to them.
const maxArrivals = 10_000

// add adds a target to which a message has come.
func (a *arrivals) add(target string) {
	if a.makeRoom(target) {
		a.targets = append(a.targets, arrival{target: target})
	}
}

// addOldest adds a target that is worth another look after all newer ones.
func (a *arrivals) addOldest(target string, notBefore time.Time) {
	if a.makeRoom(target) {
		a.targets = slices.Insert(a.targets, 0, arrival{target, notBefore})
	}
}

// makeRoom marks a target as known, and reports whether it is new.
func (a *arrivals) makeRoom(target string) bool {
	if a.known[target] {
		return false
	}
	if len(a.targets) == maxArrivals {
		for _, old := range a.targets[:maxArrivals/2] {
			delete(a.known, old.target)
		}
		a.targets = append(a.targets[:0], a.targets[maxArrivals/2:]...)
	}
	if a.known == nil {
		a.known = map[string]bool{}
	}
	a.known[target] = true
	return true
}

// next removes and returns the newest target that is worth a look.
func (a *arrivals) next(now time.Time) (target string, found bool) {
	for i, at := range slices.Backward(a.targets) {
		if !at.notBefore.After(now) {
			a.targets = slices.Delete(a.targets, i, i+1)
			delete(a.known, at.target)
			return at.target, true
		}
	}
	return "", false
}

// NextArrived removes and returns the target of the newest message of a family, of those
// that no earlier call returned.
func (x *Index) NextArrived(family string, now time.Time) (target string, found bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.families[family].arrived.next(now)
}

// LookAgain makes NextArrived return a target again, after newer ones and not before a
// time.
func (x *Index) LookAgain(family, target string, notBefore time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.families[family].arrived.addOldest(target, notBefore)
}
