package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// source is a file of digests that a job has added, has removed, or may have changed.
type source struct {
	File
	Op op `json:"op"`
}

// maxSources is the number of sources that are merged at once. A target may have 100,000
// deltas, of one id each, and not all of them can be open.
const maxSources = 64

// gathering collects sources in order. It merges them in steps, so that there are at most
// maxSources in the end: a step merges the sources of a level and passes the result, which is
// at most a file for each op, to the next level.
type gathering struct {
	store   *Store
	folder  string     // of the merged files
	levels  [][]source // the highest has the oldest sources
	written int        // merged files
}

// sources returns what changes the generation of a target, in order: the deltas, and the lists
// of the pending job.
func (g *gathering) sources(ctx context.Context, h *Head) ([]source, error) {
	return g.sourcesOf(ctx, h, func(visit func(delta) error) error { return g.store.eachDelta(ctx, h, visit) })
}

// sourcesOf is sources for deltas that each passes to visit, in order.
func (g *gathering) sourcesOf(ctx context.Context, h *Head, each func(visit func(delta) error) error) ([]source, error) {
	pending := h.Pending
	err := each(func(d delta) error {
		if pending != nil && (d.epoch > pending.Epoch || d.epoch == pending.Epoch && d.op > opUnknown) {
			lists := pending.Lists
			pending = nil
			if err := g.add(ctx, opUnknown, lists...); err != nil {
				return err
			}
		}
		if pending != nil && pending.Cleared && d.op == opAdded {
			d.op = opUnknown
		}
		return g.add(ctx, d.op, d.File)
	})
	if err == nil && pending != nil {
		err = g.add(ctx, opUnknown, pending.Lists...)
	}
	if err != nil {
		return nil, err
	}
	return g.finish(ctx)
}

// add adds files that are newer than those before.
func (g *gathering) add(ctx context.Context, o op, files ...File) error {
	for _, f := range files {
		if err := g.push(ctx, 0, source{f, o}); err != nil {
			return err
		}
	}
	return nil
}

func (g *gathering) push(ctx context.Context, level int, newer ...source) error {
	if level == len(g.levels) {
		g.levels = append(g.levels, nil)
	}
	if len(g.levels[level])+len(newer) > g.store.maxSources {
		if err := g.compact(ctx, level); err != nil {
			return err
		}
	}
	g.levels[level] = append(g.levels[level], newer...)
	return nil
}

// compact merges the sources of a level and adds the result to the next one.
func (g *gathering) compact(ctx context.Context, level int) error {
	merged, err := g.merge(ctx, g.levels[level])
	if err != nil {
		return err
	}
	g.levels[level] = nil
	return g.push(ctx, level+1, merged...)
}

// finish returns the sources, which it merges until there are few enough.
func (g *gathering) finish(ctx context.Context) ([]source, error) {
	for level := 0; len(g.all()) > g.store.maxSources; level++ {
		if err := g.compact(ctx, level); err != nil {
			return nil, err
		}
	}
	return g.all(), nil
}

// all returns the sources in order.
func (g *gathering) all() (sources []source) {
	for _, level := range slices.Backward(g.levels) {
		sources = append(sources, level...)
	}
	return sources
}

// merge merges sources into a file for each op. A digest is in one of these files, so that
// their order does not matter.
func (g *gathering) merge(ctx context.Context, sources []source) ([]source, error) {
	if len(sources) == 0 {
		return nil, nil
	}
	streams, ops, err := g.store.openAll(ctx, sources, 0, firstBytes)
	if err != nil {
		return nil, err
	}
	f := fold(streams, ops)
	defer f.close()
	var writers [opAdded + 1 - opRemoved]*writer
	for err == nil {
		var k key
		var day Day
		var o op
		if k, day, o, err = f.next(); err != nil {
			break
		}
		w := &writers[o-opRemoved]
		if *w == nil {
			if *w, err = g.create(ctx, o); err != nil {
				break
			}
		}
		(*w).add(k, day)
	}
	return g.end(writers[:], err)
}

// create begins a merged file.
func (g *gathering) create(ctx context.Context, o op) (*writer, error) {
	g.written++
	return g.store.create(ctx, fmt.Sprintf("%s%c-%05d", g.folder, o, g.written), digestSize+daySize, 0)
}

// end ends the files of a step. err is io.EOF if they are whole.
func (g *gathering) end(writers []*writer, err error) (merged []source, _ error) {
	if errors.Is(err, io.EOF) {
		err = nil
	}
	for i, w := range writers {
		switch {
		case w == nil:
		case err != nil:
			w.abort()
		default:
			var file File
			file, err = w.close()
			merged = append(merged, source{file, opRemoved + op(i)})
		}
	}
	return merged, err
}
