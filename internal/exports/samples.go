package exports

import (
	"bytes"
	"context"
	"io"
	"math"
	"slices"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/unpack"
)

// An export is sampled in its head and in windows behind it, because an export may be
// sorted: the first rows of a column may be empty, or of one type of id.
const (
	sampleRows    = 200 // of the head, or of another place, that are examined
	windows       = 7
	windowBytes   = 16 << 10
	expandedBytes = 4 << 20 // of a compressed export in which the windows lie
	noWindows     = 0
)

// windowOf returns the number of bytes of a window. ANDROID_IDs need many samples: what shows that
// a spreadsheet has changed them is one id in 1,850.
func windowOf(s choose.Search) int {
	if s.Type == usher.AndroidID {
		return 4 * windowBytes
	}
	return windowBytes
}

// addWindows decodes windows and adds them to a head.
func (h *head) addWindows(raw [][]byte, from string) {
	for _, data := range raw {
		window := unpack.Decode(data, from)
		_, text, _ := bytes.Cut(window, []byte{'\n'}) // the window begins in the middle of a row
		h.windows = append(h.windows, &head{Origin: h.Origin, text: text, window: window})
	}
}

// spread reads windows at even distances behind the head, or in the first MiB of a file
// that is read from its beginning only.
func spread(ctx context.Context, f *places.File, window int) ([][]byte, error) {
	if f.Whole || f.Size < 0 {
		in := places.NewInput(ctx, f, 0, f.Size)
		if _, err := io.CopyN(io.Discard, in, headBytes+1); err != nil {
			return nil, err
		}
		return expandWindows(in, window), nil
	}
	var raw [][]byte
	step := max((f.Size-headBytes)/windows, int64(window))
	step -= step % 2 // the unit of UTF-16
	for at := int64(headBytes); at < f.Size && len(raw) < windows; at += step {
		data := make([]byte, min(int64(window), f.Size-at))
		if err := f.ReadFull(ctx, data, at); err != nil {
			return raw, err
		}
		raw = append(raw, data)
	}
	return raw, nil
}

// expandWindows reads windows of a stream that is read from its beginning, behind the
// head. A window that cannot be read is left out: what is wrong with the export is found
// when it is verified or read.
func expandWindows(in io.Reader, window int) [][]byte {
	const step = (expandedBytes - headBytes) / windows / 2 * 2 // even, for UTF-16
	var raw [][]byte
	for range windows {
		data := make([]byte, window)
		n, err := io.ReadFull(in, data)
		if n > 0 {
			raw = append(raw, data[:n])
		}
		if err == nil {
			_, err = io.CopyN(io.Discard, in, int64(step-window))
		}
		if err != nil {
			break
		}
	}
	return raw
}

// sampledLines returns lines of the head and of the windows that are complete and not
// blank.
func (h *head) sampledLines() [][]byte {
	lines := h.lines(math.MaxInt)
	for _, w := range h.windows {
		lines = append(lines, w.lines(math.MaxInt)...)
	}
	return lines
}

// sampledDocument returns records of a JSON document. Those of a window begin where the
// text looks as at the beginning of the document's second record.
func (h *head) sampledDocument() [][]byte {
	records := ndjson.Records(h.text, math.MaxInt)
	if len(records) < 2 {
		return records
	}
	begins := bytes.SplitAfterN(records[1], []byte{'"'}, 3)
	if len(begins) < 3 {
		return records
	}
	begin := slices.Concat(begins[0], begins[1]) // up to its first key
	for _, w := range h.windows {
		if at := bytes.Index(w.window, begin); at >= 0 && bytes.HasSuffix(rows.TrimSpace(w.window[:at]), []byte{','}) {
			records = append(records, ndjson.Records(slices.Concat([]byte{'['}, w.window[at:]), math.MaxInt)...)
		}
	}
	return records
}

// sampledRecords returns the fields of the records of the head and of the windows. Of the
// windows it returns only those with as many fields as the first record of the export,
// since a window may begin within quotes.
func (h *head) sampledRecords(plan *usher.Plan) [][]string {
	records := fieldsOf(complete(h.firstRecords(plan, math.MaxInt)))
	for _, w := range h.windows {
		for _, record := range complete(w.firstRecords(plan, math.MaxInt)) {
			if len(record.Fields) == len(records[0]) && !record.Broken && !record.LineEnd {
				records = append(records, record.Fields)
			}
		}
	}
	return records
}
