package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/pipeline"
)

// mirrorWindow is the number of rows of a window while a mirror reads. It needs no window for
// de-duplication, so that a small one saves memory.
const mirrorWindow = 1 << 17

// partResult is what a part of a phase has found. It is a file in the staging of the job.
type partResult struct {
	Runs       int              `json:"runs"`
	Checkpoint usher.Checkpoint `json:"checkpoint"`
}

func resultName(phase usher.Phase, part int) string { return fmt.Sprintf("%s-%05d", phase, part) }

// part runs a part of a phase.
func (m *mirror) part(ctx context.Context) error {
	if m.p.Mirror == nil {
		m.p.Mirror = &usher.Mirror{Run: m.Work.Run}
	}
	switch part := m.Work.Part; m.Work.Step {
	case usher.PhaseRead:
		return m.readPart(ctx, part, m.Work.Range)
	case usher.PhaseCompare:
		comparison, err := m.staging.ReadComparison(ctx)
		if err != nil {
			return err
		}
		return m.compareGroup(ctx, comparison, part)
	case usher.PhaseAdd, usher.PhaseRemove:
		var s sending
		if err := m.staging.Read(ctx, string(m.Work.Step), &s); err != nil {
			return err
		}
		return m.send(ctx, m.Work.Step, &s, part)
	}
	return fmt.Errorf("run part of step %q: it is not one of a mirror", m.Work.Step)
}

// read is the phase read: the parts of the export are hashed, and the digests are written
// as sorted runs.
func (m *mirror) read(ctx context.Context) error {
	restores, err := m.restores()
	if err != nil {
		return err
	}
	if restores > 0 {
		return m.enter(usher.PhaseCompare)
	}
	if m.Work.Job.Source.URL == currentMembers {
		return m.readMembers(ctx)
	}
	state := m.p.Mirror
	var plan usher.Plan
	if !state.Shared { // otherwise the parts have it
		if plan, err = m.plan(ctx, 0); err != nil {
			return err
		}
		if m.p.Mirror == nil { // the export may have changed, so it is read from the start
			state.Runs, state.Sent = 0, usher.Checkpoint{}
			m.p.Mirror, m.p.Phase = state, usher.PhaseRead
		}
		state.Parts = len(plan.Parts)
	}
	done, err := m.each(ctx, usher.PhaseRead, state.Parts, func(ctx context.Context, part int) error {
		return m.readPart(ctx, part, plan.Parts[part])
	})
	if err != nil || !done {
		return err
	}
	state.Read = usher.Checkpoint{}
	for part := range state.Parts {
		var read partResult
		if err := m.staging.Read(ctx, resultName(usher.PhaseRead, part), &read); err != nil {
			return err
		}
		state.Read.Append(read.Checkpoint, nil)
	}
	m.p.Warnings = addOnce(m.p.Warnings, state.Read.Warnings)
	state.Read.Warnings = nil
	if m.p.Plan != nil {
		if err := usher.CheckOnlyValues(m.p.Plan.Checks, &state.Read); err != nil {
			return err
		}
	}
	return m.enter(usher.PhaseCompare)
}

// readMembers is the phase read of a mirror that makes a target equal to its own members, which
// takes those out that are on the suppression list.
func (m *mirror) readMembers(ctx context.Context) (err error) {
	head, _, err := m.worker.Ledger.Head(ctx, m.target)
	if err != nil {
		return err
	}
	members, err := m.worker.Ledger.Load(ctx, head)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, members.Close(ctx)) }()
	runs := m.staging.Runs(ledger.ReadStep, 0, 0)
	defer runs.Release()
	c := usher.Checkpoint{}
	add := func(d hashing.Digest) error {
		c.Tally.Read, c.Tally.Accepted = c.Tally.Read+1, c.Tally.Accepted+1
		return runs.Add(ctx, []hashing.Digest{d})
	}
	err = members.EachMember(ctx, func(d hashing.Digest, _ bool) error { return add(d) })
	if err == nil {
		err = members.EachHeldOut(ctx, add) // they stay held out
	}
	if err != nil {
		return err
	}
	written, err := runs.Flush(ctx)
	if err != nil {
		return err
	}
	if err := m.staging.Write(ctx, resultName(usher.PhaseRead, 0), partResult{written, c}); err != nil {
		return err
	}
	m.p.Mirror.Parts, m.p.Mirror.Read = 1, c
	return m.enter(usher.PhaseCompare)
}

// readPart hashes a part of the export. It resumes at its last checkpoint.
func (m *mirror) readPart(ctx context.Context, part int, of usher.Part) error {
	blocks, err := m.exports().Open(ctx, m.Work.Job.Source, *m.p.Plan, of)
	if err != nil {
		return err
	}
	defer func() { _ = blocks.Close() }() // only read
	runs := m.staging.Runs(ledger.ReadStep, part, m.p.Mirror.Runs)
	defer runs.Release()
	options := m.options()
	options.DryRun, options.KeepDuplicates, options.Window = true, true, mirrorWindow
	options.First = part == 0
	if options.Suppressed, err = m.worker.Suppressed.Current(ctx); err != nil {
		return err
	}
	if part > 0 {
		options.Dropped = usher.Tally{}
	}
	options.Resume = m.p.Mirror.Sent
	options.Outcome = func(ctx context.Context, digests []hashing.Digest, _ bool) error { return runs.Add(ctx, digests) }
	options.SaveEvery = checkEvery
	options.Save = func(ctx context.Context, c usher.Checkpoint) error {
		return m.saveSent(ctx, c, runs)
	}
	c, err := pipeline.Upload(ctx, blocks, options)
	if err != nil {
		return err
	}
	c.Warnings = usher.AddWarnings(c.Warnings, blocks.Warnings()...) // a part that is read again replaces its result
	c.Matched = blocks.Matched()
	written, err := runs.Flush(ctx)
	if err != nil {
		return err
	}
	c.Sketch, c.Batches, c.Bytes = nil, 0, 0
	return m.staging.Write(ctx, resultName(usher.PhaseRead, part), partResult{written, c})
}

// saveSent stores the checkpoint of a part, after the digests before it are in files.
func (m *mirror) saveSent(ctx context.Context, c usher.Checkpoint, runs *ledger.Runs) error {
	written, err := runs.Flush(ctx)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c.Sketch = nil
	state := m.p.Mirror
	state.Runs, state.Sent = written, c
	state.Changed, m.p.Counting = c.Tally.Accepted, c.Tally.Read
	m.p.Counted = int(c.Batches)
	_, err = m.trySave()
	return err
}

// sending is what a phase sends: the digests of files, cut into parts of so many digests.
type sending struct {
	Files []ledger.File `json:"files"`
	Each  int64         `json:"each"`
	Total int64         `json:"total"`
}

func (s *sending) parts() int { return int((s.Total + s.Each - 1) / s.Each) }

// removePartIDs is the number of ids in a part of the phase remove. There are at most
// maxRemoveParts parts.
const (
	removePartIDs  = 10_000
	maxRemoveParts = 1000
)

// add is the phase add. Parts are as large as a window can be of full batches, so that the
// ids go up in the fewest batches.
func (m *mirror) add(ctx context.Context) error {
	batch := int64(cmp.Or(m.worker.BatchIDs, pipeline.DefaultBatchIDs))
	each := max(usher.WindowRows/batch, 1) * batch
	if done, err := m.sendAll(ctx, usher.PhaseAdd, each); err != nil || !done {
		return err
	}
	if m.p.Mirror.Clear || !m.target.IsSegment() {
		return m.enter(usher.PhaseCommit)
	}
	return m.enter(usher.PhaseRemove)
}

// remove is the phase remove of a segment, with a call for each id.
func (m *mirror) remove(ctx context.Context) error {
	each := max(removePartIDs, m.p.Mirror.Remove/maxRemoveParts)
	if done, err := m.sendAll(ctx, usher.PhaseRemove, each); err != nil || !done {
		return err
	}
	return m.enter(usher.PhaseCommit)
}

// sendAll sends the digests of a phase, in parts of so many digests.
func (m *mirror) sendAll(ctx context.Context, phase usher.Phase, each int64) (done bool, err error) {
	comparison, err := m.staging.ReadComparison(ctx)
	if err != nil {
		return false, err
	}
	found, err := m.worker.Ledger.Differences(ctx, comparison)
	if err != nil {
		return false, err
	}
	s := sending{Files: found.Adds, Each: each}
	switch {
	case phase == usher.PhaseRemove:
		s.Files = found.Removes
	case m.p.Mirror.Clear:
		s.Files = found.Shards
	}
	s.Total = ledger.Digests(s.Files)
	if !m.p.Mirror.Shared {
		if err := m.staging.Write(ctx, string(phase), &s); err != nil {
			return false, err
		}
	}
	return m.each(ctx, phase, s.parts(), func(ctx context.Context, part int) error { return m.send(ctx, phase, &s, part) })
}

// send sends a part of a phase. It resumes at its last checkpoint.
func (m *mirror) send(ctx context.Context, phase usher.Phase, s *sending, part int) error {
	from := int64(part) * s.Each
	list, err := m.worker.Ledger.OpenList(ctx, s.Files, from, min(from+s.Each, s.Total))
	if err != nil {
		return err
	}
	defer list.Close()
	refused := m.staging.Runs("refused-"+string(phase), part, m.p.Mirror.Runs)
	defer refused.Release()
	options := m.options()
	options.Profile, options.Input, options.Header, options.Chosen, options.Mixed = *m.Work.Job.Profile, usher.InputMD5, "", false, false
	options.First, options.Dropped, options.DryRun, options.KeepDuplicates = false, usher.Tally{}, false, true
	options.Resume = m.p.Mirror.Sent
	options.Save = func(ctx context.Context, c usher.Checkpoint) error { return m.saveSent(ctx, c, refused) }
	options.Outcome = func(ctx context.Context, digests []hashing.Digest, accepted bool) error {
		if accepted {
			return nil
		}
		return refused.Add(ctx, digests)
	}
	if m.sendBy(&options, phase); phase == usher.PhaseAdd {
		if ctx, err = m.suppress(ctx, &options); err != nil {
			return err
		}
		options.Suppressed = nil // Screen leaves them out of batches, whose outcome is known
	}
	c, err := pipeline.Upload(ctx, &listBlocks{list: list}, options)
	if err != nil {
		if flushed := m.saveSent(context.WithoutCancel(ctx), c, refused); flushed != nil {
			m.Log.Warn("saving how far a part is, which is sent again from its last checkpoint", "error", flushed)
		}
		return err
	}
	written, err := refused.Flush(ctx)
	if err != nil {
		return err
	}
	c.Sketch = nil
	return m.staging.Write(ctx, resultName(phase, part), partResult{written, c})
}

// sendBy sets how a batch of a phase is sent.
func (m *mirror) sendBy(o *pipeline.Options, phase usher.Phase) {
	o.BatchIDs = cmp.Or(m.worker.BatchIDs, pipeline.DefaultBatchIDs)
	o.InFlight = m.worker.InFlight
	switch {
	case phase == usher.PhaseRemove:
		o.BatchIDs, o.InFlight = removeBatchIDs, removeInFlight
		o.Send = func(ctx context.Context, b *usher.Batch) error { return m.removeBatch(ctx, m.segmentType(), b) }
	case m.target.IsSegment():
		o.Size = &m.worker.segmentSize
		o.Send = func(ctx context.Context, b *usher.Batch) error {
			return m.Platform.Segments.Upload(ctx, m.target.ID(), b)
		}
	default:
		u := m.targetUpload(m.stop)
		o.Send, o.Size = u.send, u.size
	}
}

// sent sums up what the parts of a phase have sent, and returns the files with the digests
// that were refused.
func (m *mirror) sent(ctx context.Context, phase usher.Phase) (usher.Checkpoint, []ledger.File, error) {
	var sum usher.Checkpoint
	if phase == usher.PhaseRemove && (m.p.Mirror.Clear || !m.target.IsSegment()) {
		return sum, nil, nil
	}
	var s sending
	if err := m.staging.Read(ctx, string(phase), &s); err != nil {
		return sum, nil, err
	}
	var refused []ledger.File
	for part := range s.parts() {
		var result partResult
		if err := m.staging.Read(ctx, resultName(phase, part), &result); err != nil {
			return sum, nil, err
		}
		sum.Append(result.Checkpoint, nil)
		files, err := m.staging.Files(ctx, "refused-"+string(phase), part, result.Runs)
		if err != nil {
			return sum, nil, err
		}
		refused = append(refused, files...)
	}
	return sum, refused, nil
}

// listBlocks are the digests of a list as blocks of lines in hex.
type listBlocks struct {
	list    *ledger.List
	digests []hashing.Digest
	data    []byte
}

// blockDigests is the number of digests in a block.
const blockDigests = 4096

// Next implements pipeline.Blocks.
func (b *listBlocks) Next(ctx context.Context) (*usher.Block, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if b.digests == nil {
		b.digests = make([]hashing.Digest, 0, blockDigests)
	}
	digests, err := b.list.Next(b.digests[:0])
	if errors.Is(err, io.EOF) {
		return nil, io.EOF
	}
	if err != nil {
		return nil, err
	}
	b.data = b.data[:0]
	for i := range digests {
		b.data = append(digests[i].AppendHex(b.data), '\n')
	}
	return &usher.Block{Data: b.data}, nil
}
