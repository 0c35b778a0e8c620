package workers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/internal/rtb"
)

// erase removes the members that were found from a target. They are stored before, so that
// the receipt has each removal, even after a crash.
func (f *forget) erase(ctx context.Context, number int, e *usher.Erasure) error {
	if err := f.eraseHeldOut(ctx, e); err != nil {
		return err
	}
	if e.Type == "" { // a campaign
		return f.eraseTargeting(ctx, e)
	}
	at := int64(0)
	err := f.files.EachFound(ctx, number, e.Files, func(d hashing.Digest) error {
		if at++; at <= e.Removed {
			return nil
		}
		if err := f.remove(ctx, e, d.String()); err != nil {
			return err
		}
		e.Removed = at
		return f.saveSometimes(nil)
	})
	if err != nil {
		return err
	}
	return f.tell(ctx, number, e)
}

// eraseHeldOut takes the digests out of those that the last mirror of a target has held out. They are
// not on the platform, so that the receipt has none of them.
func (f *forget) eraseHeldOut(ctx context.Context, e *usher.Erasure) error {
	if !e.Ledger {
		return nil
	}
	err := f.files.RecordForgotten(ctx, f.target(e), f.fitting(e))
	if errors.As(err, new(*ledger.DamagedError)) {
		f.Warnf(usher.WarnLedgerBroken, "%v", err)
		return nil
	}
	return err
}

// find finds the members among the digests, by the target's ledger or by asking the platform,
// and plans the calls that remove them.
func (f *forget) find(ctx context.Context, number int, e *usher.Erasure) error {
	if e.Asked < e.Digests {
		if err := f.findMembers(ctx, number, e); err != nil {
			return err
		}
	}
	switch {
	case e.Type == "": // a campaign has no such calls
	case e.Busy: // to look for all is planned already
		f.planCalls(e.Found)
	default:
		f.planCalls(2 * e.Found)
	}
	return nil
}

func (f *forget) findMembers(ctx context.Context, number int, e *usher.Erasure) error {
	switch {
	case e.Ledger:
		err := f.findByLedger(ctx, number, e)
		if !errors.As(err, new(*ledger.DamagedError)) {
			return err
		}
		f.Warnf(usher.WarnLedgerBroken, "%v: the platform was asked instead", err)
		e.Ledger, e.Asked, e.Files, e.Found = false, 0, 0, 0
		if e.Type != "" {
			f.planCalls(e.Digests)
		}
	case e.Type == "":
		e.Asked, e.Pending = e.Digests, e.Digests // nobody can say
		return nil
	}
	if e.Type == "" {
		e.Asked, e.Pending = e.Digests, e.Digests
		return nil
	}
	return f.findByAsking(ctx, number, e)
}

func (f *forget) findByLedger(ctx context.Context, number int, e *usher.Erasure) (err error) {
	head, _, err := f.worker.Ledger.Head(ctx, f.target(e))
	if errors.Is(err, ledger.ErrNone) {
		return &ledger.DamagedError{Name: "the ledger of " + e.Target, Why: "was dropped"}
	}
	if err != nil {
		return err
	}
	state, err := f.worker.Ledger.Load(ctx, head)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, state.Close(ctx)) }()
	found := f.files.Found(number, e.Files)
	defer found.Release()
	return f.files.EachChunk(ctx, f.fitting(e), e.Asked, func(at int64, digests []hashing.Digest) error {
		held, read, err := state.Find(ctx, digests)
		f.s.LedgerBytes += read
		if err != nil {
			return err
		}
		var members []hashing.Digest
		for i, membership := range held {
			is, err := f.isMember(ctx, e, membership, digests[i])
			if err != nil {
				return err
			}
			if is {
				members = append(members, digests[i])
			}
		}
		if err := found.Add(ctx, members); err != nil {
			return err
		}
		if e.Files, err = found.Flush(ctx); err != nil {
			return err
		}
		e.Found += int64(len(members))
		e.Asked = at + int64(len(digests))
		return f.Save()
	})
}

// isMember reports whether a digest is a member, by what the ledger says of it. The platform
// is asked if the ledger is uncertain; it cannot be asked for an id of a campaign.
func (f *forget) isMember(ctx context.Context, e *usher.Erasure, m ledger.Membership, d hashing.Digest) (bool, error) {
	if m == ledger.Uncertain && e.Type != "" {
		return f.contains(ctx, e, d.String())
	}
	return m != ledger.NoMember, nil
}

func (f *forget) findByAsking(ctx context.Context, number int, e *usher.Erasure) error {
	found := f.files.Found(number, e.Files)
	defer found.Release()
	flush := func() (err error) {
		e.Files, err = found.Flush(ctx)
		return err
	}
	err := f.files.EachChunk(ctx, f.fitting(e), e.Asked, func(at int64, digests []hashing.Digest) error {
		for i, d := range digests {
			contains, err := f.contains(ctx, e, d.String())
			if err != nil {
				return err
			}
			if contains {
				if err := found.Add(ctx, digests[i:i+1]); err != nil {
					return err
				}
				e.Found++
			}
			e.Asked = at + int64(i) + 1
			if err := f.saveSometimes(flush); err != nil {
				return err
			}
		}
		return nil
	})
	if flushed := flush(); err != nil || flushed != nil {
		return errors.Join(err, flushed)
	}
	return f.Save()
}

func (f *forget) target(e *usher.Erasure) ledger.Target {
	return ledger.Target{Advertiser: f.advertiser(), Name: e.Target}
}

func (f *forget) fitting(e *usher.Erasure) ledger.File {
	return f.files.Fitting(e.Type == rtb.TypeIDFA)
}

// tell tells the ledger of a segment what was removed.
func (f *forget) tell(ctx context.Context, number int, e *usher.Erasure) error {
	if e.Told || e.Found == 0 {
		return nil
	}
	err := f.files.RecordRemovals(ctx, f.target(e), number, e.Files)
	if errors.As(err, new(*ledger.DamagedError)) {
		f.Warnf(usher.WarnLedgerBroken, "%v", err)
		err = nil
	}
	e.Told = err == nil
	return err
}

// removals is how often an id is removed that comes back.
const removals = 5

// verify asks the platform for the digests that were removed, and for all if an upload was
// running when they were suppressed. Those that it has are removed again.
func (f *forget) verify(ctx context.Context, number int, e *usher.Erasure) error {
	if e.Type == "" {
		return f.verifyTargeting(ctx, e)
	}
	var members []hashing.Digest
	err := f.files.EachFound(ctx, number, e.Files, func(d hashing.Digest) error {
		members = append(members, d)
		return nil
	})
	if err != nil {
		return err
	}
	if e.Removed < e.Found { // a crash came in between
		for _, d := range members {
			if err := f.remove(ctx, e, d.String()); err != nil {
				return err
			}
		}
		e.Removed = e.Found
	}
	v := &verification{forget: f, erasure: e, members: members, found: f.files.Found(number, e.Files)}
	defer v.found.Release()
	if e.Busy {
		err = f.files.EachChunk(ctx, f.fitting(e), 0, func(_ int64, digests []hashing.Digest) error { return v.ask(ctx, digests) })
	} else {
		err = v.ask(ctx, members)
	}
	if err != nil {
		return err
	}
	return f.tell(ctx, number, e)
}

// verifyTargeting finds out whether a campaign to which an upload was running targets ids now. Otherwise it
// has none of the digests.
func (f *forget) verifyTargeting(ctx context.Context, e *usher.Erasure) error {
	if !e.Busy || e.Pending == 0 {
		return nil
	}
	targeting, err := f.Platform.Campaigns.MobileTargets(ctx, idOf(e))
	if err != nil && !IsNotFound(err) {
		return fmt.Errorf("read the targeting: %w", err)
	}
	if err != nil || targeting.NumberOfIDs == 0 {
		e.Pending, e.Until = 0, ""
	}
	return nil
}

// verification asks the platform whether a target has digests that were removed.
type verification struct {
	*forget

	erasure *usher.Erasure
	members []hashing.Digest // that were found before
	found   *ledger.Runs
	asked   int64
}

// ask asks for digests, but not for those that an earlier attempt has asked for.
func (v *verification) ask(ctx context.Context, digests []hashing.Digest) error {
	for _, d := range digests {
		if v.asked++; v.asked <= v.erasure.Verified {
			continue
		}
		if err := v.verify(ctx, d); err != nil {
			return err
		}
		v.erasure.Verified = v.asked
		if err := v.saveSometimes(nil); err != nil {
			return err
		}
	}
	return nil
}

// verify removes a digest that came back, and asks again.
func (v *verification) verify(ctx context.Context, d hashing.Digest) error {
	e := v.erasure
	_, known := slices.BinarySearchFunc(v.members, d, func(a, b hashing.Digest) int { return bytes.Compare(a[:], b[:]) })
	for try := 0; ; try++ {
		contains, err := v.contains(ctx, e, d.String())
		if err != nil || !contains {
			return err
		}
		if try == removals {
			return fmt.Errorf("remove an id: the platform still has it after %d removals", removals)
		}
		if !known { // stored first, so that the receipt has the removal
			if err := v.found.Add(ctx, []hashing.Digest{d}); err != nil {
				return err
			}
			if e.Files, err = v.found.Flush(ctx); err != nil {
				return err
			}
			e.Found++
			known, e.Told = true, false
			if err := v.Save(); err != nil {
				return err
			}
		}
		if err := v.remove(ctx, e, d.String()); err != nil {
			return err
		}
		e.Removed = e.Found
	}
}

// untilNext is what takes ids out of the targeting of a campaign.
const untilNext = "its next target.mirror, target.replace or target.clear"

// eraseTargeting takes the digests out of the targeting of a campaign, if the job asks for that,
// by a mirror of what the campaign's ledger says: it clears the targeting and fills it again.
// Otherwise they are pending.
func (f *forget) eraseTargeting(ctx context.Context, e *usher.Erasure) error {
	if e.Found+e.Pending == 0 {
		return nil
	}
	e.Until = untilNext
	if f.Work.Job.Targets != "now" {
		return nil
	}
	if e.Pending > 0 || f.worker.Jobs == nil {
		f.Warnf(usher.WarnPending, "%s cannot be filled again, because no ledger says what else it targets: the ids are taken out by %s", e.Target, untilNext)
		return nil
	}
	mirror, err := f.refill(ctx, e)
	if err != nil {
		return err
	}
	state, err := f.worker.Jobs.State(ctx, mirror)
	switch {
	case err != nil:
		return fmt.Errorf("read the state of job %s: %w", mirror, err)
	case !state.Ended():
		return Wait(refillDelay, "waits for job %s, which takes the ids out of %s", mirror, e.Target)
	case state != usher.Done:
		f.Warnf(usher.WarnPending, "job %s, which should take the ids out of %s, is %s", mirror, e.Target, state)
		return nil
	}
	e.Removed, e.Until = e.Found, ""
	return nil
}

// refillDelay is the delay until a job that waits for the mirror of a campaign looks again.
const refillDelay = time.Second

// refill publishes the mirror of a campaign and returns its id.
func (f *forget) refill(ctx context.Context, e *usher.Erasure) (id string, err error) {
	head, _, err := f.worker.Ledger.Head(ctx, f.target(e))
	if err != nil {
		return "", err
	}
	g, err := f.worker.Ledger.Generation(ctx, head.Target, head.Generation)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", f.Work.ID, f.s.Run, e.Target))
	job := usher.Job{
		ID: fmt.Sprintf("forget-%x", sum[:12]), Advertiser: f.advertiser(), Campaign: idOf(e),
		Profile: &g.Profile, Source: &usher.Source{URL: currentMembers}, Force: true,
	}
	if g.Profile.Type == "" { // made by a job that has no profile
		job.Profile = &usher.Profile{Type: usher.IDFA}
	}
	return job.ID, f.worker.Jobs.Publish(ctx, usher.TargetMirror, job)
}
