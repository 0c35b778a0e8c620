package demo

import (
	"bufio"
	"crypto/md5" //nolint:gosec // the platform takes MD5; it keeps nothing secret
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"usher"
)

// CustomersFile is the name of the demo's export.
const CustomersFile = "kunden.csv"

// header is that of a German CRM system.
const header = "Kundennummer;Filiale;Geräte-ID;Betriebssystem;Umsatz"

// exporter writes an export like a CRM system: with semicolons, a German header, a byte
// order mark, CRLF, decimal commas and quoted semicolons. Its ids are written in any
// case, quoted, in braces, repeated, missing, replaced by placeholders, or not ids at
// all.
type exporter struct {
	expectation
	random *rand.Rand
	line   []byte
	recent [64]device // ids that may be repeated
}

// device is an id: the 16 bytes of a UUID, version 4.
type device [16]byte

// writeExport writes an export with that many rows to folder and returns what its
// upload must report. The same seed gives the same export.
func writeExport(folder, name string, rows int64, seed uint64) (*expectation, error) {
	path := filepath.Join(folder, name)
	// The file is renamed when it is complete, as publishers must do.
	f, err := os.CreateTemp(folder, ".making-*")
	if err != nil {
		return nil, fmt.Errorf("create export: %w", err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // fails after the rename
	e := &exporter{
		expectation: expectation{file: path, rows: rows, junk: usher.Counts{}, invalid: usher.Counts{}},
		random:      rand.New(rand.NewPCG(seed, 0)), //nolint:gosec // reproducible on purpose
	}
	if err := e.write(f); err != nil {
		_ = f.Close() // the error of write is more specific
		return nil, fmt.Errorf("write export: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("write export: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return nil, fmt.Errorf("rename export: %w", err)
	}
	return &e.expectation, nil
}

func (e *exporter) write(f *os.File) error {
	out := bufio.NewWriterSize(f, 1<<20)
	e.absent = digestOf(e.device())
	e.put(out, append([]byte("\ufeff"), header+"\r\n"...))
	for row := range e.rows {
		if row > 0 && row%400_000 == 0 {
			e.junk[usher.Header]++ // as in two exports that were concatenated
			e.put(out, []byte(header+"\r\n"))
			continue
		}
		e.put(out, e.row(row))
	}
	return out.Flush()
}

// put writes a line. Flush returns the buffer's first error.
func (e *exporter) put(out *bufio.Writer, line []byte) {
	n, _ := out.Write(line)
	e.bytes += int64(n)
}

func (e *exporter) row(row int64) []byte {
	line := e.line[:0]
	line = append(line, 'K')
	line = strconv.AppendInt(line, 1_000_000+row, 10)
	line = append(line, oneFrom(e.random, ";Köln;", ";Graz;", `;"Berlin; Mitte";`, ";Basel;")...)
	line = e.cell(line, row)
	line = append(line, oneFrom(e.random, ";iOS;", ";iPhone OS;", ";ios;")...)
	line = strconv.AppendInt(line, e.random.Int64N(500), 10)
	line = append(line, oneFrom(e.random, ",00\r\n", ",50\r\n", ",95\r\n")...)
	e.line = line
	return line
}

// cell appends a row's id, or another value, and counts it in the expectation.
func (e *exporter) cell(line []byte, row int64) []byte {
	roll := e.random.IntN(1000)
	switch {
	case row < int64(len(e.recent)) || roll >= 150:
		return e.fresh(line, row)
	case roll >= 90:
		e.ids++
		return e.form(line, oneFrom(e.random, e.recent[:]...))
	case roll >= 60:
		return e.dropped(line, e.junk, usher.ZeroID, "00000000-0000-0000-0000-000000000000", `"00000000-0000-0000-0000-000000000000"`)
	case roll >= 40:
		return e.dropped(line, e.junk, usher.Empty, "", " ", `""`)
	case roll >= 25:
		return e.dropped(line, e.junk, usher.Placeholder, "null", "unknown", "N/A", "(null)", "-")
	case roll >= 20:
		return e.dropped(line, e.junk, usher.Macro, "{ifa}", "${adid}", "[replace_me]", "%ifa%")
	case roll >= 15:
		return e.dropped(line, e.junk, usher.OtherID, imei(e.random))
	case roll >= 7:
		android := e.device()
		android[0] |= 0x10 // neither all digits equal nor the shared id
		android[1] = 0xa5
		return e.dropped(line, e.invalid, usher.WrongType, hex.EncodeToString(android[:8]))
	case roll >= 3:
		hashed := e.device()
		hashed[6] = 0x1f // not a UUID version of phones
		return e.dropped(line, e.invalid, usher.LooksHashed, hex.EncodeToString(hashed[:]))
	default:
		return e.dropped(line, e.invalid, usher.Shape, "keine Angabe", "+49 170 0000000", "gelöscht")
	}
}

func (e *exporter) dropped(line []byte, column usher.Counts, reason string, cells ...string) []byte {
	column[reason]++
	return append(line, oneFrom(e.random, cells...)...)
}

// fresh appends a new id.
func (e *exporter) fresh(line []byte, row int64) []byte {
	d := e.device()
	e.recent[row%int64(len(e.recent))] = d
	e.ids++
	var buffer [36]byte
	digest := md5.Sum(appendUpper(buffer[:0], d)) //nolint:gosec // see the import
	e.members.add(digest)
	if half := e.rows / 2; e.member == "" || e.memberRow <= half && row >= half {
		e.member, e.memberRow = hex.EncodeToString(digest[:]), row+1
	}
	return e.form(line, d)
}

// form appends an id in one of the forms of the same device.
func (e *exporter) form(line []byte, d device) []byte {
	var buffer [40]byte
	id := appendUpper(buffer[:0], d)
	switch roll := e.random.IntN(100); {
	case roll < 10:
		lower(id, func(int) bool { return true })
	case roll < 15:
		lower(id, func(i int) bool { return i%3 == 0 })
	case roll < 25:
		return append(append(append(line, '"'), id...), '"')
	case roll < 27:
		return append(append(append(line, '{'), id...), '}')
	case roll < 30:
		return append(append(append(line, ' '), id...), ' ')
	}
	return append(line, id...)
}

func (e *exporter) device() device {
	var d device
	for i := 0; i < len(d); i += 8 {
		word := e.random.Uint64()
		for k := range 8 {
			d[i+k] = byte(word >> (8 * k))
		}
	}
	d[6], d[8] = d[6]&0x0f|0x40, d[8]&0x3f|0x80
	return d
}

// appendUpper appends an id as iOS writes it.
func appendUpper(to []byte, d device) []byte {
	const digits = "0123456789ABCDEF"
	for i, b := range d {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			to = append(to, '-')
		}
		to = append(to, digits[b>>4], digits[b&15])
	}
	return to
}

func digestOf(d device) string {
	digest := md5.Sum(appendUpper(nil, d)) //nolint:gosec // see the import
	return hex.EncodeToString(digest[:])
}

func lower(id []byte, which func(int) bool) {
	for i, c := range id {
		if 'A' <= c && c <= 'F' && which(i) {
			id[i] = c + 'a' - 'A'
		}
	}
}

// imei returns a random IMEI: 14 digits and their check digit.
func imei(random *rand.Rand) string {
	number := strconv.AppendInt(nil, 35_000_000_000_000+random.Int64N(1_000_000_000_000), 10)
	sum := 0
	for i, c := range number {
		digit := int(c - '0')
		if i%2 == 1 {
			digit = digit*2/10 + digit*2%10
		}
		sum += digit
	}
	return string(append(number, byte('0'+(10-sum%10)%10)))
}

func oneFrom[T any](random *rand.Rand, choices ...T) T { return choices[random.IntN(len(choices))] }
