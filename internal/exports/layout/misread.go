package layout

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"usher"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
	"usher/internal/exports/unpack"
)

// refuseBytes refuses text with bytes that belong to no text: NUL, and Ctrl-Z at its end.
func (h *Head) refuseBytes() error {
	if at := bytes.IndexByte(h.Text, 0); at >= 0 {
		where := fmt.Sprintf("byte %d of it is NUL", at)
		switch rest := h.Text[at:]; {
		case h.All && len(bytes.TrimRight(rest, "\x00")) == 0:
			where = fmt.Sprintf("its last %d bytes are NUL, as after a crash or a full disk", len(rest))
		case 20*bytes.Count(h.Text, []byte{0}) > len(h.Text), unpack.IndexBinary(bytes.ReplaceAll(h.Text, []byte{0}, nil), "") >= 0:
			return nil // no text at all
		}
		return h.Broken(`have it written again; if nothing is missing, submit what tr -d '\000' < FILE > CLEAN.csv writes; if it is compressed or encoded, set source.compression or source.encoding`,
			"it is not text: %s", where)
	}
	if h.All && bytes.HasSuffix(rows.TrimSpace(h.Text), []byte{ctrlZ}) {
		return h.Broken(rows.WithoutCtrlZ, "it ends in Ctrl-Z (byte 26), as programs of DOS end text")
	}
	return nil
}

const ctrlZ = 0x1A

// refuseDump refuses a part of a dump of PostgreSQL: rows in the format of COPY, with the command
// before them or its end behind them.
func (h *Head) refuseDump() error {
	first, _ := rows.CutLine(bytes.TrimLeft(h.Text, "\r\n"))
	copies := bytes.HasPrefix(first, []byte("COPY ")) && bytes.Contains(first, []byte(" FROM stdin;"))
	switch ended := bytes.Contains(h.Text, []byte("\n\\.\n")) || bytes.Contains(h.Text, []byte("\n\\.\r\n")); {
	case copies:
		return h.Broken(`submit the rows that sed -n '/^COPY /,/^\\\.$/{/^COPY /d;/^\\\.$/d;p;}' FILE > ROWS.tsv writes, or export the table by \copy … CSV HEADER in psql`,
			"it is a part of a dump by pg_dump: its first line is the command COPY … FROM stdin")
	case ended:
		return h.Broken(`submit the rows that sed '/^\\\.$/,$d' FILE > ROWS.tsv writes, or export the table by \copy … CSV HEADER in psql`,
			`it is a part of a dump by pg_dump: a line of it is \., which ends the rows of a table`)
	}
	return nil
}

// notNumbers matches a member of a JSON object whose value is no JSON.
var notNumbers = regexp.MustCompile(`[^\\]"\s*:\s*(NaN|-?Infinity)\s*[,}\]\r\n]`)

// refuseNaN refuses records with NaN or Infinity, which is no JSON.
func (h *Head) refuseNaN() error {
	if !bytes.Contains(h.Text, []byte("NaN")) && !bytes.Contains(h.Text, []byte("Infinity")) {
		return nil
	}
	found := notNumbers.FindSubmatch(h.Text)
	if found == nil {
		return nil
	}
	return h.Broken(`have it written with null; submit what sed -E 's/(":[[:space:]]*)(NaN|-?Infinity)/\1null/g' FILE > CLEAN.json writes`,
		"it has %s as a value, as Python and pandas may write it, which is no JSON", found[1])
}

// refuseJSONCells refuses rows whose ids are within JSON in a column, as Airbyte's raw tables have
// them.
func (h *Head) refuseJSONCells(records [][]string, plan *usher.Plan) error {
	for at := range records[0] {
		objects, key := 0, ""
		for _, record := range records {
			if at >= len(record) || !strings.HasPrefix(record[at], "{") || rows.CountIDs([]byte(record[at]), "") == 0 {
				continue
			}
			if of := keyOfID(record[at]); of != "" {
				objects, key = objects+1, of
			}
		}
		if 2*objects <= len(records) || objects == 0 {
			continue
		}
		name := fmt.Sprintf("column %d", at+1)
		if header := records[0][at]; isWord(strings.TrimLeft(header, "_")) {
			name += " (" + header + ")"
		}
		delimiter := ""
		if plan.Delimiter != "," {
			delimiter = fmt.Sprintf(", delimiter=%q", plan.Delimiter)
		}
		take := fmt.Sprintf(`python3 -c 'import csv, json; csv.field_size_limit(10**9); [print(json.loads(r[%d]).get(%q) or "") for r in csv.reader(open("FILE")%s) if r[%d][:1] == "{"]' > IDS.txt`, at, key, delimiter, at)
		return h.Broken("submit the list that "+take+" writes, or have the members written to columns of their own",
			"its %s has JSON, in which the ids are %s, as in raw tables of Airbyte", name, key)
	}
	return nil
}

// keyOfID returns the key of an id in a JSON object, "" if there is none: a usual name for one if
// it has several.
func keyOfID(object string) string {
	var members map[string]any
	if json.Unmarshal([]byte(object), &members) != nil {
		return ""
	}
	best, rank := "", names.RankUnknown-1
	for key, value := range members {
		text, is := value.(string)
		if r := names.RankOf(key); is && isID(text) && names.LooksLikeName(key) && (r > rank || r == rank && key < best) {
			best, rank = key, r
		}
	}
	return best
}

// phpQuote matches a quote behind a backslash that PHP's fputcsv has not doubled.
var phpQuote = regexp.MustCompile(`\\"([^,;"[:cntrl:]])`)

// refusePHP refuses CSV as PHP's fputcsv writes it by default: in quoted cells, a quote is doubled
// unless a backslash is before it, which no escape reads.
func (h *Head) refusePHP(plan *usher.Plan) error {
	if !bytes.Contains(h.Text, []byte(`\"`)) || !bytes.Contains(h.Text, []byte(`""`)) {
		return nil
	}
	mended := *h
	mended.Text = phpQuote.ReplaceAll(h.Text, []byte(`\""$1`))
	try := *plan
	try.Quote, try.Escape = "double", "double"
	read := reading{try, mended.records(&try)}
	if len(read.records) == 0 || read.faults() > 0 {
		return nil
	}
	return h.Broken(`have it written by fputcsv($f, $row, escape: ""); a file that is there is mended by sed -E 's/\\"([^,;"[:cntrl:]])/\\""\1/g' FILE > MENDED.csv`,
		`its cells have both "" and \" for a quote, as PHP's fputcsv writes them by default, which no escape reads`)
}

// refuseOtherText refuses text that is not what it seems.
func (h *Head) refuseOtherText(delimiter string) error {
	if delimiter != "" {
		return nil
	}
	return cmp.Or(h.refuseBytes(), h.refuseDump())
}
