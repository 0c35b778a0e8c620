package exports

import (
	"bytes"
	"context"
	"slices"

	"usher"
	"usher/internal/exports/avro"
	"usher/internal/exports/layout"
	"usher/internal/exports/names"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/places"
	"usher/internal/exports/watch"
)

// avroHead reads the beginning of an Avro file as NDJSON. If sampled, the head has windows.
func (o *Opener) avroHead(ctx context.Context, f *places.File, raw []byte, plan *usher.Plan, window int) (*layout.Head, error) {
	if !bytes.HasPrefix(raw, []byte(avro.Magic)) {
		return nil, f.Broken("set source.format to the format of the file, or leave it out; an Avro file is not compressed as a whole", "it is not an Avro file")
	}
	plan.Format, plan.Compression, plan.Encoding = usher.FormatAvro, "none", "utf-8"
	read := avro.Layout{MaxRatio: o.options.MaxRatio}
	in := places.NewInput(ctx, f, 0, f.Size)
	r, err := avro.Open(in, in, read)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, all, err := readBeginning(r)
	if err != nil {
		return nil, err
	}
	h := &layout.Head{Origin: f.Origin, Text: text, All: all, Fields: fieldsOf(r)}
	switch {
	case all || window == noWindows:
	case f.Whole || f.Size < 0:
		h.AddWindows(expandWindows(r, window), "utf-8")
	default:
		var texts [][]byte
		texts, err = avro.Windows(ctx, f, raw, windows, int64(window), read)
		for _, text := range texts {
			h.Windows = append(h.Windows, &layout.Head{Origin: h.Origin, Text: text})
		}
	}
	return h, err
}

// readAvro returns a reader of an Avro file.
func (o *Opener) readAvro(ctx context.Context, f *places.File, plan usher.Plan) (*Reader, error) {
	in := places.NewInput(ctx, f, 0, f.Size)
	r := &Reader{file: f, setContext: in.SetContext, plan: plan}
	read := avro.Layout{MaxRatio: o.options.MaxRatio, Paths: []string{plan.Path}, InMap: func(path string) bool { return names.Says(path) != "" }}
	if plan.TypePath != "" {
		read.Paths = append(read.Paths, plan.TypePath)
	}
	for _, c := range plan.Checks {
		read.Paths = append(read.Paths, c.Name)
	}
	gaps := watch.NewAvroGaps(f.Origin, &plan)
	read.Watch, read.Ended = gaps.Record, func() error { return gaps.Check(true) }
	file, err := avro.Open(in, in, read)
	if err != nil {
		return nil, err
	}
	r.close = file.Close
	checks := watch.NewChecks(f.Origin, &plan)
	records := o.readRows(file, f.Origin, &plan, whole()[0], false, checks)
	paths, again := file.Paths()
	if reader, ok := records.(*ndjson.Reader); ok && (slices.Contains(paths, plan.Path) || slices.Contains(again, plan.Path)) {
		reader.AllowAbsent() // it is null in all records
	}
	r.rows = checks.Over(records)
	return r, nil
}

// fieldsOf returns the fields of an Avro file that it may have by its schema. A second field of a type, such as that of
// a device before the present one, may have no values at all, and must not make it doubtful which field has the ids. So only
// those of its fields are taken that may say something about them.
func fieldsOf(r *avro.Reader) []string {
	paths, again := r.Paths()
	for _, path := range again {
		if names.Says(path) != "" || names.IsTypeName(path) {
			paths = append(paths, path)
		}
	}
	return paths
}
