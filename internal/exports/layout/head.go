package layout

import (
	"bytes"
	"math"
	"slices"

	"usher"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/unpack"
)

// HeadBytes is how much of an export is read to detect its format.
const HeadBytes = 64 << 10

// Head is the beginning of an export, as UTF-8 text without a byte order mark.
type Head struct {
	places.Origin

	Text    []byte
	All     bool    // the export is not longer
	Windows []*Head // other places of the export; their text begins with a row
	Window  []byte  // of a window: all of it, which begins anywhere

	Sheets      []string     // of a workbook
	OtherSheets []OtherSheet // of a workbook, if the source names no sheet
	Formulas    map[int]int  // of a sheet: by column, formulas without values in the head
	Filled      int          // of a sheet: rows of the head with values
	Hidden      int          // those of them that are hidden
	Fields      []string     // of the schema of an Avro file, as paths

	skip         string // what lines begin with that are no rows
	skipped      int64  // bytes of the lines that were skipped at the beginning
	skippedLines int
	whole        bool // the export may not be cut into parts: its cells have line ends
}

// SampleRows is the number of rows of the head, or of another place, that are examined.
const SampleRows = 200

// SkipLines drops the lines that the source says to skip at the beginning, and
// remembers what the others begin with.
func (h *Head) SkipLines(skip usher.Skip) error {
	h.skip = skip.Prefix
	for _, w := range h.Windows {
		w.skip = skip.Prefix
	}
	for range skip.Lines {
		if bytes.IndexByte(h.Text, '\n') < 0 && !h.All {
			return h.Broken("set source.skip to the number of lines before the header", "source.skip says to skip %d lines, but its first %d bytes have fewer", skip.Lines, HeadBytes)
		}
		_, rest := rows.CutLine(h.Text)
		h.skipped += int64(len(h.Text) - len(rest))
		h.skippedLines++
		h.Text = rest
	}
	return nil
}

// unended returns 1 if the export is not longer than the head and its last line has no
// end, so that it may have been cut off; otherwise 0.
func (h *Head) unended() int {
	if h.All && len(h.Text) > 0 && h.Text[len(h.Text)-1] != '\n' {
		return 1
	}
	return 0
}

func (h *Head) isSkipped(line []byte) bool {
	return h.skip != "" && bytes.HasPrefix(line, []byte(h.skip))
}

// lines returns at most n lines of the head that are complete and not blank. A
// single line that is longer than the head is returned as far as it goes.
func (h *Head) lines(n int) [][]byte {
	var out [][]byte
	for rest := h.Text; len(rest) > 0 && len(out) < n; {
		line, after := rows.CutLine(rest)
		if len(line) == len(rest) && !h.All && len(out) > 0 {
			break
		}
		if rest = after; !rows.IsBlank(line) && !h.isSkipped(line) {
			out = append(out, rows.TrimSpace(line))
		}
	}
	return out
}

// noRows accepts an empty export, but not an export whose first row lies after the
// head.
func (h *Head) noRows() error {
	if h.All {
		return nil
	}
	return h.Broken("remove the blank lines or the quote at its beginning", "it has no row in its first %d bytes", HeadBytes)
}

// AddWindows decodes windows and adds them to a head.
func (h *Head) AddWindows(raw [][]byte, from string) {
	for _, data := range raw {
		window := unpack.Decode(data, from)
		_, text, _ := bytes.Cut(window, []byte{'\n'}) // the window begins in the middle of a row
		h.Windows = append(h.Windows, &Head{Origin: h.Origin, Text: text, Window: window})
	}
}

// sampledLines returns lines of the head and of the windows that are complete and not
// blank.
func (h *Head) sampledLines() [][]byte {
	lines := h.lines(math.MaxInt)
	for _, w := range h.Windows {
		lines = append(lines, w.lines(math.MaxInt)...)
	}
	return lines
}

// sampledDocument returns records of a JSON document. Those of a window begin where the
// text looks as at the beginning of the document's second record.
func (h *Head) sampledDocument() [][]byte {
	records := ndjson.Records(h.Text, math.MaxInt)
	if len(records) < 2 {
		return records
	}
	begins := bytes.SplitAfterN(records[1], []byte{'"'}, 3)
	if len(begins) < 3 {
		return records
	}
	begin := slices.Concat(begins[0], begins[1]) // up to its first key
	for _, w := range h.Windows {
		if at := bytes.Index(w.Window, begin); at >= 0 && bytes.HasSuffix(rows.TrimSpace(w.Window[:at]), []byte{','}) {
			records = append(records, ndjson.Records(slices.Concat([]byte{'['}, w.Window[at:]), math.MaxInt)...)
		}
	}
	return records
}

// sampledRecords returns the fields of the records of the head and of the windows. Of the
// windows it returns only those with as many fields as the first record of the export,
// since a window may begin within quotes.
func (h *Head) sampledRecords(plan *usher.Plan) [][]string {
	records := withoutBraces(fieldsOf(complete(h.FirstRecords(plan, math.MaxInt))))
	for _, w := range h.Windows {
		for _, record := range complete(w.FirstRecords(plan, math.MaxInt)) {
			if len(record.Fields) == len(records[0]) && !record.Broken && !record.LineEnd {
				records = append(records, record.Fields)
			}
		}
	}
	return records
}
