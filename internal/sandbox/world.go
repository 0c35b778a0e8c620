package sandbox

import (
	"fmt"
	"time"

	"usher/internal/rtb"
)

// world is the platform's state. Whoever touches it holds Sandbox.mu. It
// changes by commit only.
type world struct {
	o Options

	users     *table[user]
	tokens    *table[token] // by the SHA-256 of the token
	segments  *table[segment]
	campaigns *table[campaign]
	creatives *table[creative] // by code, which is unique across campaigns
	locks     *table[lock]     // by campaign code
	targets   *table[target]   // by the key of its members
	counters  *table[int64]
	byName    map[string]rows
	members   map[string]*members // segment/<id>, mobile/<campaign>, users/<campaign>/<segment>

	log *stateLog // nil: in memory only
}

// user is a login and the advertisers that it is linked to.
type user struct {
	Password string            `json:"password"` // see hashPassword
	Links    map[string]string `json:"links"`    // advertiser → realm
}

type token struct {
	User       string    `json:"user"`
	Advertiser string    `json:"advertiser"`
	Until      time.Time `json:"until"`
}

type segment struct {
	Advertiser string      `json:"advertiser"`
	Segment    rtb.Segment `json:"segment"`
}

type campaign struct {
	Advertiser string       `json:"advertiser"`
	Definition rtb.Campaign `json:"definition"` // its creatives are rows of their own
	Creatives  []string     `json:"creatives"`  // codes, in the definition's order
	Modified   time.Time    `json:"modified"`
}

type creative struct {
	Campaign  string       `json:"campaign"`
	Creative  rtb.Creative `json:"creative"`
	Submitted time.Time    `json:"submitted"` // the approval delay counts from here
	Updated   time.Time    `json:"updated"`
}

type lock struct {
	User  string    `json:"user"`
	Until time.Time `json:"until"`
}

type target struct {
	Campaign string    `json:"campaign"`
	Segment  string    `json:"segment,omitempty"` // of a targeting by user ids
	Batch    string    `json:"batch,omitempty"`
	Modified time.Time `json:"modified"`
}

func newWorld(o Options) *world {
	w := &world{
		o:     o,
		users: newTable[user]("users"), tokens: newTable[token]("tokens"), segments: newTable[segment]("segments"),
		campaigns: newTable[campaign]("campaigns"), creatives: newTable[creative]("creatives"), locks: newTable[lock]("locks"),
		targets: newTable[target]("targets"), counters: newTable[int64]("counters"),
		members: map[string]*members{},
	}
	w.byName = map[string]rows{
		"users": w.users, "tokens": w.tokens, "segments": w.segments, "campaigns": w.campaigns, "creatives": w.creatives,
		"locks": w.locks, "targets": w.targets, "counters": w.counters,
	}
	return w
}

// commit writes the changes to the log and then makes them. digests are what
// an add or remove among them is about; there is at most one of those.
func (w *world) commit(digests []byte, changes ...change) error {
	if len(changes) == 0 {
		return nil
	}
	if w.log != nil {
		if err := w.log.append(changes, digests); err != nil {
			return err
		}
		if w.log.crowded() {
			defer w.compact()
		}
	}
	for _, c := range changes {
		if err := w.apply(c, digests); err != nil {
			return err
		}
	}
	return nil
}

// apply makes one change, live and at a replay alike.
func (w *world) apply(c change, digests []byte) error {
	switch c.Do {
	case doPut, doDrop:
		t, found := w.byName[c.Table]
		if !found {
			return fmt.Errorf("apply change: table %q is unknown", c.Table)
		}
		return t.apply(c)
	case doClear:
		delete(w.members, c.Key)
		return nil
	case doAdd, doRemove:
		return w.applyMembers(c, digests)
	}
	return fmt.Errorf("apply change: verb %q is unknown", c.Do)
}

func (w *world) applyMembers(c change, digests []byte) error {
	set := w.members[c.Key]
	if set == nil {
		set = &members{}
		w.members[c.Key] = set
	}
	for ; len(digests) >= 16; digests = digests[16:] {
		if c.Do == doAdd {
			set.add(digest(digests))
		} else {
			set.remove(digest(digests))
		}
	}
	return nil
}

// snapshot yields the whole state as changes.
func (w *world) snapshot(yield func(c change, digests []byte) error) error {
	for _, t := range w.byName {
		if err := t.each(func(c change) error { return yield(c, nil) }); err != nil {
			return err
		}
	}
	for key, set := range w.members {
		err := set.each(func(digests []byte) error { return yield(change{Do: doAdd, Key: key}, digests) })
		if err != nil {
			return err
		}
	}
	return nil
}

// compact replaces the log by a snapshot, so that it does not grow for ever.
// Where that does not work the log stays as it is, which is whole.
func (w *world) compact() {
	if err := w.log.rewrite(w.snapshot); err != nil {
		w.o.Logger.Warn("the sandbox's state log could not be made smaller; it stays as it is", "error", err)
	}
}

// print is the fingerprint of a set of members.
func (w *world) print(key string) Fingerprint {
	if set := w.members[key]; set != nil {
		return set.Fingerprint
	}
	return Fingerprint{}
}

func (w *world) has(key string, d digest) bool {
	set := w.members[key]
	return set != nil && set.contains(d)
}

// next counts up and returns the counter's new value and the change.
func (w *world) next(counter string) (int64, change) {
	n := w.counters.rows[counter] + 1
	return n, w.counters.put(counter, n)
}

// stamp is a date-time as the platform writes it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000") }
