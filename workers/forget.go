package workers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/ledger"
	"usher/internal/rtb"
	"usher/pipeline"
)

// Uploads says which uploads of all workers may still add ids that are on the suppression list.
//
// A worker compares each batch with the list before it sends it. A batch that was compared with the
// list as it was before a device.forget may still be on its way to the platform.
type Uploads interface {
	// Running returns the uploads that have begun and not ended.
	Running(ctx context.Context) ([]usher.Upload, error)
	// Awaits returns what may still send a batch that was compared with an older generation of the
	// suppression list than the given one, or "" if nothing may. before are the uploads that were
	// running when the list got this generation. answered reports that a worker says of itself that
	// it has such a batch. silent is the time since when no worker has said so: long after it, the
	// leases of workers that do not answer have ended.
	Awaits(ctx context.Context, generation uint64, silent time.Time, before []usher.Upload) (waitsFor string, answered bool, err error)
	// NotifyRequests returns a channel that receives when requests of a worker may have arrived,
	// until stop is called.
	NotifyRequests() (arrived <-chan struct{}, stop func(), err error)
}

// Jobs publishes jobs and says how they are.
type Jobs interface {
	// Publish publishes a job with an id. Repeating it has no effect.
	Publish(ctx context.Context, k usher.Kind, j usher.Job) error
	// State returns the state of a job.
	State(ctx context.Context, id string) (usher.State, error)
}

// forget is a device.forget while its handler runs. Its digests go on the suppression list
// first, so that nothing that begins later brings them back. Then they are removed from the
// segments. When no batch that began earlier can be on its way any more, it looks whether such
// a batch has brought them back.
//
// The record has the phase, and how far each target is. The digests, and the members that
// were found among them, are files in the ledger's store.
type forget struct {
	*Job

	files *ledger.Forgotten
	p     *usher.Progress
	s     *usher.Forget
	saved time.Time // when the progress was last saved
}

// forget erases ids everywhere.
func (j *Job) forget(ctx context.Context) error {
	if j.worker.Ledger == nil || !j.worker.Ledger.HasFiles() {
		return usher.Refuse(usher.InvalidJob, "set ledger.url on all workers: a folder that they share, or a bucket",
			"forget ids: this worker has no ledger, where the suppression list is")
	}
	f := &forget{Job: j, p: &j.Work.Progress}
	return ledger.JobError(f.run(ctx))
}

// run runs the phases from the one on record.
func (f *forget) run(ctx context.Context) error {
	if f.p.Forget == nil {
		*f.p = usher.Progress{Phase: usher.PhaseSuppress, Forget: &usher.Forget{Run: f.Work.Run, Actor: f.Work.Job.Actor, Started: f.Now().UTC()}}
	}
	f.s, f.saved = f.p.Forget, f.Local()
	f.files = f.worker.Ledger.Receipts().Of(f.Work.ID, f.s.Run)
	for {
		var err error
		if f.p.Phase != usher.PhaseSuppress && f.p.Phase != "" {
			err = f.files.Open(ctx)
		}
		if err != nil {
			return err
		}
		switch f.p.Phase {
		case usher.PhaseSuppress:
			err = f.suppressIDs(ctx)
		case usher.PhaseFind:
			err = f.eachTarget(ctx, f.find, usher.PhaseErase)
		case usher.PhaseErase:
			err = f.eachTarget(ctx, f.erase, usher.PhaseAwait)
		case usher.PhaseAwait:
			err = f.await(ctx)
		case usher.PhaseVerify:
			err = f.eachTarget(ctx, f.verify, "")
		case "":
			return nil
		default:
			return fmt.Errorf("run phase %q of job %s: it is not one of device.forget", f.p.Phase, f.Work.ID)
		}
		if err != nil {
			return err
		}
	}
}

// enter begins a phase.
func (f *forget) enter(phase usher.Phase) error {
	f.p.Phase = phase
	for i := range f.s.Targets {
		f.s.Targets[i].Done = false
	}
	return f.Save()
}

// suppressIDs is the phase suppress: the digests of all forms of the ids go on the list.
func (f *forget) suppressIDs(ctx context.Context) error {
	if err := f.readIDs(ctx); err != nil {
		return err
	}
	if err := f.files.Open(ctx); err != nil {
		return err
	}
	f.s.Digests = f.files.All().Fingerprint.Count
	if f.s.Digests == 0 {
		return usher.Refuse(usher.TooManyRejects, "check the source of the ids", "forget ids: there is not one device id in %s", f.Work.Job.Source.Redacted())
	}
	list := f.worker.Ledger.Suppression()
	generation, _, err := list.AddFile(ctx, fmt.Sprintf("%s-%d", f.Work.ID, f.s.Run), f.files.All())
	if err != nil {
		return err
	}
	f.s.Generation, f.s.Suppressed = generation, f.Now().UTC()
	if f.worker.Uploads != nil {
		if f.s.Uploads, err = f.worker.Uploads.Running(ctx); err != nil {
			return err
		}
	}
	if err := f.findTargets(ctx); err != nil {
		return err
	}
	err = f.Lease.Audit(ctx, usher.Audit{
		At: f.Now().UTC(), Job: f.Work.ID, Run: f.Work.Run, Actor: f.Work.Job.Actor, Reason: f.Work.Job.Reason,
		Before: fmt.Sprintf("%d device ids known", f.p.Checkpoint.Tally.Accepted),
		Wanted: "device ids forgotten", After: fmt.Sprintf("%d digests on the suppression list", f.s.Digests),
	})
	if err != nil {
		return fmt.Errorf("audit the forgotten ids: %w", err)
	}
	if err := f.worker.Ledger.Receipts().Collect(ctx, f.Now().Add(-usher.RecordLife)); err != nil {
		f.Log.Warn("removing old receipts; the next job tries again", "error", err)
	}
	return f.enter(usher.PhaseFind)
}

// findTargets lists the targets of the advertiser, and plans the calls.
func (f *forget) findTargets(ctx context.Context) error {
	known, err := f.ledgers(ctx)
	if err != nil {
		return err
	}
	segments, err := f.Platform.Segments.List(ctx)
	if err != nil {
		return fmt.Errorf("list the segments: %w", err)
	}
	f.s.Targets, f.s.Planned, f.s.Seconds = nil, 0, 0
	for _, segment := range segments {
		if segment.Type != rtb.TypeIDFA && segment.Type != rtb.TypeAndroidID {
			continue
		}
		e := usher.Erasure{Target: "segment/" + segment.ID, Type: segment.Type}
		f.addTarget(&e, known)
		if !e.Ledger {
			f.planCalls(e.Digests)
		}
		if e.Busy { // all are looked for again
			f.planCalls(e.Digests)
		}
		f.s.Targets = append(f.s.Targets, e)
	}
	campaigns, err := f.campaigns(ctx, known)
	if err != nil {
		return err
	}
	for _, code := range campaigns {
		e := usher.Erasure{Target: "campaign/" + code}
		f.addTarget(&e, known)
		f.s.Targets = append(f.s.Targets, e)
	}
	return nil
}

// planCalls adds calls to those that are planned.
func (f *forget) planCalls(n int64) {
	f.s.Planned += n
	if f.worker.Rate == nil {
		return
	}
	if shared := f.worker.Rate(f.advertiser()).Shared(); shared > 0 { // campaign jobs have the rest
		f.s.Seconds = int64(float64(f.s.Planned)/shared + 1)
	}
}

func (f *forget) addTarget(e *usher.Erasure, known map[string]bool) {
	e.Digests = f.files.Fitting(e.Type == rtb.TypeIDFA).Fingerprint.Count
	e.Ledger = known[e.Target]
	e.Busy = f.isBusy(e.Target)
}

// isBusy reports whether an upload to a target was running when the ids were suppressed.
func (f *forget) isBusy(target string) bool {
	return slices.ContainsFunc(f.s.Uploads, func(u usher.Upload) bool {
		return u.Target == target && cmp.Or(u.Advertiser, f.worker.Advertiser) == f.advertiser()
	})
}

func (f *forget) advertiser() string { return cmp.Or(f.Work.Job.Advertiser, f.worker.Advertiser) }

// ledgers returns the targets of the advertiser with a ledger that is complete.
func (f *forget) ledgers(ctx context.Context) (map[string]bool, error) {
	known := map[string]bool{}
	err := f.worker.Ledger.Heads(ctx, func(h ledger.Head, damaged string) {
		if damaged == "" && h.Advertiser == f.advertiser() && h.Generation > 0 {
			known[h.Name] = true
		}
	})
	return known, err
}

// campaigns returns the campaigns that target ids, or may do so when what is on its way has arrived.
func (f *forget) campaigns(ctx context.Context, known map[string]bool) (codes []string, err error) {
	all, err := f.Platform.Campaigns.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the campaigns: %w", err)
	}
	for _, code := range all {
		if target := "campaign/" + code; known[target] || f.isBusy(target) {
			codes = append(codes, code)
			continue
		}
		targeting, err := f.Platform.Campaigns.MobileTargets(ctx, code)
		if err != nil && !IsNotFound(err) {
			return nil, fmt.Errorf("read the targeting of campaign %s: %w", code, err)
		}
		if err == nil && targeting.NumberOfIDs > 0 {
			codes = append(codes, code)
		}
	}
	return codes, nil
}

// awaitDelay is the delay until a job that waits for batches looks again, unless a worker
// announces before that they have arrived.
const awaitDelay = 5 * time.Second

// await is the phase await: no batch that began before the suppression may be on its way. It
// waits in its slot for the time of awaitDelay, which is enough for most batches, and then
// outside of it, for as long as it takes.
func (f *forget) await(ctx context.Context) error {
	if f.worker.Uploads == nil {
		return f.enter(usher.PhaseVerify)
	}
	arrived, stop, err := f.worker.Uploads.NotifyRequests() // before the first look
	if err != nil {
		return err
	}
	defer stop()
	late := time.NewTimer(awaitDelay)
	defer late.Stop()
	for {
		if f.s.Silent.IsZero() {
			f.s.Silent = f.Now().UTC()
		}
		waitsFor, answered, err := f.worker.Uploads.Awaits(ctx, f.s.Generation, f.s.Silent, f.s.Uploads)
		if err != nil {
			return err
		}
		if waitsFor == "" {
			return f.enter(usher.PhaseVerify)
		}
		if answered {
			f.s.Silent = time.Time{}
		}
		select {
		case <-arrived:
		case <-late.C:
			return Wait(awaitDelay, "waits for %s", waitsFor)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// eachTarget does a phase for each target that it was not done for, and then enters the next.
func (f *forget) eachTarget(ctx context.Context, do func(ctx context.Context, number int, e *usher.Erasure) error, next usher.Phase) error {
	for i := range f.s.Targets {
		e := &f.s.Targets[i]
		if e.Done {
			continue
		}
		if err := do(ctx, i, e); err != nil {
			return fmt.Errorf("forget ids in %s: %w", e.Target, err)
		}
		e.Done = true
		if err := f.Save(); err != nil {
			return err
		}
	}
	return f.enter(next)
}

// saveForgetEvery is how often the progress is saved at most. A crash repeats what was done
// since.
const saveForgetEvery = time.Second

// saveSometimes saves the progress unless it was saved in the last saveForgetEvery. It calls
// before first; before may be nil.
func (f *forget) saveSometimes(before func() error) error {
	if f.Local().Sub(f.saved) < saveForgetEvery {
		return nil
	}
	f.saved = f.Local()
	if before != nil {
		if err := before(); err != nil {
			return err
		}
	}
	return f.Save()
}

// call calls the platform, and repeats a call that may succeed the next time.
func (f *forget) call(ctx context.Context, do func() error) error {
	return pipeline.Retry{}.Do(ctx, func() error {
		f.s.Made++
		return do()
	})
}

// contains asks the platform whether a segment has a digest.
func (f *forget) contains(ctx context.Context, e *usher.Erasure, digest string) (contains bool, err error) {
	err = f.call(ctx, func() error {
		contains, err = f.Platform.Segments.Contains(ctx, idOf(e), e.Type, digest)
		return err
	})
	if IsNotFound(err) {
		return false, nil
	}
	return contains, err
}

// remove removes a digest from a segment.
func (f *forget) remove(ctx context.Context, e *usher.Erasure, digest string) error {
	err := f.call(ctx, func() error { return f.Platform.Segments.RemoveUser(ctx, idOf(e), e.Type, digest) })
	if IsNotFound(err) {
		return nil
	}
	return err
}

func idOf(e *usher.Erasure) string {
	_, id, _ := strings.Cut(e.Target, "/")
	return id
}
