package exports

import (
	"io"
	"strconv"

	"usher"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// maxInline is how many ids a job may contain.
const maxInline = 10_000

// planInline plans the ids that the job contains.
func planInline(src *usher.Source) (usher.Plan, error) {
	if err := checkInline(src); err != nil {
		return usher.Plan{}, err
	}
	var size int64
	for _, id := range src.IDs {
		size += int64(len(id))
	}
	return usher.Plan{
		Format: usher.FormatText, Compression: "none", Encoding: "utf-8",
		Size: size, Stamp: inlineStamp(src), Parts: whole(),
	}, nil
}

func checkInline(src *usher.Source) error {
	switch {
	case src.URL != "":
		return usher.Refuse(usher.InvalidJob, "give one of source.url and source.ids", "open source: it names an export and holds ids")
	case len(src.IDs) > maxInline:
		return usher.Refuse(usher.InvalidJob, "write them to a file and give source.url",
			"open source: %d inline ids are more than %d", len(src.IDs), maxInline)
	}
	return nil
}

func inlineStamp(src *usher.Source) string { return "inline-" + strconv.Itoa(len(src.IDs)) }

func (o *Opener) openInline(src *usher.Source, plan usher.Plan) (*Reader, error) {
	if err := checkInline(src); err != nil {
		return nil, err
	}
	if plan.Stamp != inlineStamp(src) {
		return nil, places.OriginOf(src).Broken("submit the job again", "its ids are not those that were planned")
	}
	return &Reader{plan: plan, rows: &inline{ids: src.IDs, blockBytes: o.options.BlockBytes, maxLine: o.options.MaxLine}}, nil
}

// inline reads the ids that the job contains. Each is one row, whatever it holds.
type inline struct {
	ids        []string
	blockBytes int
	maxLine    int
}

// Next implements watch.Rows.
func (i *inline) Next() (*usher.Block, error) {
	if len(i.ids) == 0 {
		return nil, io.EOF
	}
	b := &usher.Block{Records: true} // not of a pool: most jobs contain few ids
	for len(i.ids) > 0 && i.blockBytes-len(b.Data) >= i.maxLine+2 {
		b.Data = rows.AppendRow(b.Data, rows.TrimSpace([]byte(i.ids[0])), i.maxLine)
		i.ids = i.ids[1:]
	}
	return b, nil
}
