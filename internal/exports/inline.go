package exports

import (
	"io"
	"strconv"

	"usher"
	"usher/internal/exports/rows"
)

// maxInline is how many ids a job may hold itself.
const maxInline = 10_000

// planInline plans ids that stand in the job.
func planInline(src *usher.Source) (usher.Plan, error) {
	if err := checkInline(src); err != nil {
		return usher.Plan{}, err
	}
	var size int64
	for _, id := range src.IDs {
		size += int64(len(id))
	}
	return usher.Plan{
		Format: "text", Compression: "none", Encoding: "utf-8",
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

// inline yields ids that stand in the job, each of which is one row whatever
// it holds.
type inline struct {
	ids     []string
	blocks  *rows.Pool
	maxLine int
}

func (i *inline) Next() (*usher.Block, error) {
	if len(i.ids) == 0 {
		return nil, io.EOF
	}
	b := i.blocks.Get()
	b.Reset(false)
	for len(i.ids) > 0 && len(b.Space)-len(b.Data) >= i.maxLine+2 {
		b.Data = rows.AppendRow(b.Data, rows.TrimSpace([]byte(i.ids[0])), i.maxLine)
		i.ids = i.ids[1:]
	}
	return &b.Block, nil
}
