package exports

import (
	"usher"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// sniffed is read to tell what a file is.
var sniffed = places.Range{Size: sniffBytes + 1}

// stretchOf is what a part is read from.
func stretchOf(plan *usher.Plan, part usher.Part) places.Range {
	at := max(part.From-1, 0)
	switch {
	case plan.Format == "parquet", plan.Compression == "zip":
		return sniffed // it is read here and there
	case part.To >= 0:
		return places.Range{At: at, Size: part.To - at + rows.Overread}
	case plan.Size >= 0:
		return places.Range{At: at, Size: plan.Size - at}
	}
	return places.Range{At: at, Size: places.MaxRange}
}
