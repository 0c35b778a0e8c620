package sandbox

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/bits"
)

// With Options.Members fingerprint a set of members is its Fingerprint and
// nothing else, so that a benchmark measures the worker and not the sandbox: an
// upload costs its parsing, and a set no memory, however large.

const membersFingerprint = "fingerprint"

// doCount is a change that counts the fingerprint in Value in.
const doCount = "count"

// codeNoMembers is the code of what only a sandbox with members can tell.
const codeNoMembers = "E10069"

// merge counts all of other in.
func (f *Fingerprint) merge(other Fingerprint) {
	high, low := f.Sum.words()
	otherHigh, otherLow := other.Sum.words()
	low, carry := bits.Add64(low, otherLow, 0)
	high, _ = bits.Add64(high, otherHigh, carry)
	f.Sum.set(high, low)
	f.flip(other.Xor)
	f.Count += other.Count
}

// counted is the change that counts f into the set key.
func (f Fingerprint) counted(key string) change {
	return change{Do: doCount, Key: key, Value: mustJSON(f.shown())}
}

// printOnly reports whether sets of members are fingerprints only.
func (o Options) printOnly() bool { return o.Members == membersFingerprint }

// added is the change that adds the upload to the set key.
func (u *upload) added(key string) change {
	if u.printOnly {
		return u.print.counted(key)
	}
	return change{Do: doAdd, Key: key}
}

// set is the set of members key, made where there is none.
func (w *world) set(key string) *members {
	if w.members[key] == nil {
		w.members[key] = &members{printOnly: w.o.printOnly()}
	}
	return w.members[key]
}

// applyCount makes a doCount.
func (w *world) applyCount(c change) error {
	if !w.o.printOnly() {
		return errors.New("this state holds fingerprints only: start the sandbox with --members fingerprint, or give another data directory")
	}
	var shown shownFingerprint
	if err := json.Unmarshal(c.Value, &shown); err != nil {
		return err
	}
	f := Fingerprint{Count: shown.Count}
	for into, text := range map[*digest]string{&f.Sum: shown.Sum, &f.Xor: shown.Xor} {
		if n, err := hex.Decode(into[:], []byte(text)); err != nil || n != len(into) {
			return errors.New("a fingerprint in it is damaged")
		}
	}
	w.set(c.Key).merge(f)
	return nil
}

// noMembers refuses what needs the members themselves.
func (w *world) noMembers() error {
	if w.o.printOnly() {
		return refused(codeNoMembers, "this sandbox keeps fingerprints of its sets and no members: start it without --members fingerprint")
	}
	return nil
}
