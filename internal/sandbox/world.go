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

	users       *table[user]
	advertisers *table[advertiser]
	blocked     *table[blockedDomain] // by advertiser/domain
	tokens      *table[token]         // by the SHA-256 of the token
	segments    *table[segment]
	campaigns   *table[campaign]
	creatives   *table[creative] // by code, which is unique across campaigns
	locks       *table[lock]     // by campaign code
	targets     *table[target]   // by the key of its members
	flights     *table[flight]   // by campaign/creative
	assets      *table[asset]
	publishers  *table[publisher]
	adslots     *table[rtb.Adslot]
	payments    *table[payment] // by transaction reference
	counters    *table[int64]
	byName      map[string]rows
	members     map[string]*members // segment/<id>, mobile/<campaign>, users/<campaign>/<segment>

	log *stateLog // nil: in memory only
}

// user is a login and the advertisers that it is linked to.
type user struct {
	Password string            `json:"password"`           // see hashPassword
	Links    map[string]string `json:"links"`              // advertiser → realm
	Currency string            `json:"currency,omitempty"` // of reports; empty: USD
	Maker    string            `json:"maker,omitempty"`    // who created it, with the interface's own operation
	Gone     bool              `json:"gone,omitempty"`     // deactivated
}

type advertiser struct {
	Model  rtb.AdvertiserModel `json:"model"`            // with its defaults filled in
	Parent string              `json:"parent,omitempty"` // the advertiser of the token that made it
}

type blockedDomain struct {
	Advertiser string `json:"advertiser"`
	Domain     string `json:"domain"`
}

// asset is a creative's file. Its content is not kept.
type asset struct {
	Advertiser string    `json:"advertiser"`
	Format     string    `json:"format"` // jpeg, gif, png, swf
	Bytes      int64     `json:"bytes"`
	At         time.Time `json:"at"`
}

type publisher struct {
	Advertiser string        `json:"advertiser"`
	Publisher  rtb.Publisher `json:"publisher"`
}

// payment is a card payment that went through. It holds nothing of the card.
type payment struct {
	Advertiser  string    `json:"advertiser"`
	At          time.Time `json:"at"`
	Currency    string    `json:"currency"`
	Amount      float64   `json:"amount"` // that the account was credited with, fees taken off
	Fees        float64   `json:"fees"`   // that were taken off
	AmountInUSD float64   `json:"amountInUsd"`
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
		advertisers: newTable[advertiser]("advertisers"), blocked: newTable[blockedDomain]("blocked"), assets: newTable[asset]("assets"),
		publishers: newTable[publisher]("publishers"), adslots: newTable[rtb.Adslot]("adslots"), payments: newTable[payment]("payments"),
		targets: newTable[target]("targets"), flights: newTable[flight]("flights"), counters: newTable[int64]("counters"),
		members: map[string]*members{},
	}
	w.byName = map[string]rows{
		"users": w.users, "tokens": w.tokens, "segments": w.segments, "campaigns": w.campaigns, "creatives": w.creatives,
		"advertisers": w.advertisers, "blocked": w.blocked, "assets": w.assets,
		"publishers": w.publishers, "adslots": w.adslots, "payments": w.payments,
		"locks": w.locks, "targets": w.targets, "flights": w.flights, "counters": w.counters,
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
	case doCount:
		return w.applyCount(c)
	}
	return fmt.Errorf("apply change: verb %q is unknown", c.Do)
}

func (w *world) applyMembers(c change, digests []byte) error {
	set := w.set(c.Key)
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
		if set.printOnly {
			if err := yield(set.counted(key), nil); err != nil {
				return err
			}
			continue
		}
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
