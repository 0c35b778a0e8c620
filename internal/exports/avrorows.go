package exports

import (
	"bytes"
	"context"
	"slices"

	"usher"
	"usher/internal/exports/avro"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/places"
	"usher/internal/exports/watch"
)

// avroHead reads the beginning of an Avro file as NDJSON. If sampled, the head has windows.
func (o *Opener) avroHead(ctx context.Context, f *places.File, raw []byte, plan *usher.Plan, window int) (*head, error) {
	if !bytes.HasPrefix(raw, []byte(avro.Magic)) {
		return nil, f.Broken("set source.format to the format of the file, or leave it out; an Avro file is not compressed as a whole", "it is not an Avro file")
	}
	plan.Format, plan.Compression, plan.Encoding = "avro", "none", "utf-8"
	layout := avro.Layout{MaxRatio: o.options.MaxRatio}
	in := places.NewInput(ctx, f, 0, f.Size)
	r, err := avro.Open(in, in, layout)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, all, err := readBeginning(r)
	if err != nil {
		return nil, err
	}
	h := &head{Origin: f.Origin, text: text, all: all, fields: r.Paths()}
	switch {
	case all || window == noWindows:
	case f.Whole || f.Size < 0:
		h.addWindows(expandWindows(r, window), "utf-8")
	default:
		var texts [][]byte
		texts, err = avro.Windows(ctx, f, raw, windows, int64(window), layout)
		for _, text := range texts {
			h.windows = append(h.windows, &head{Origin: h.Origin, text: text})
		}
	}
	return h, err
}

// readAvro returns a reader of an Avro file.
func (o *Opener) readAvro(ctx context.Context, f *places.File, plan usher.Plan) (*Reader, error) {
	in := places.NewInput(ctx, f, 0, f.Size)
	r := &Reader{file: f, setContext: in.SetContext, plan: plan}
	layout := avro.Layout{MaxRatio: o.options.MaxRatio, Paths: []string{plan.Path}}
	if plan.TypePath != "" {
		layout.Paths = append(layout.Paths, plan.TypePath)
	}
	for _, c := range plan.Checks {
		layout.Paths = append(layout.Paths, c.Name)
	}
	gaps := watch.NewAvroGaps(f.Origin, &plan)
	layout.Watch, layout.Ended = gaps.Record, func() error { return gaps.Check(true) }
	file, err := avro.Open(in, in, layout)
	if err != nil {
		return nil, err
	}
	r.close = file.Close
	checks := watch.NewChecks(f.Origin, &plan)
	records := o.readRows(file, f.Origin, &plan, whole()[0], false, checks)
	if reader, ok := records.(*ndjson.Reader); ok && slices.Contains(file.Paths(), plan.Path) {
		reader.AllowAbsent() // it is null in all records
	}
	r.rows = checks.Over(records)
	return r, nil
}
