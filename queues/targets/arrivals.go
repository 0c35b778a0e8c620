package targets

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
