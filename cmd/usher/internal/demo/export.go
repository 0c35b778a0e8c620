package demo

import (
	"bufio"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"usher"
)

// CustomersFile is the demo's export.
const CustomersFile = "kunden.csv"

// demoHeader is what spreadsheets write north of the Alps.
const demoHeader = "Kundennummer;Filiale;Geräte-ID;Betriebssystem;Umsatz"

// exporter writes an export as a CRM system does: semicolons, a German header,
// a byte order mark, CRLF, decimal commas, semicolons within quotes; and the
// ids as such systems have them: in any case, quoted, in braces, blank, never
// asked for, repeated, or of something else altogether.
type exporter struct {
	books
	random *rand.Rand
	line   []byte
	recent [64]device // that may come again
}

// device is an id: 16 bytes of a UUID, version 4.
type device [16]byte

// writeExport makes an export of rows in folder. The same seed makes the same.
func writeExport(folder, name string, rows int64, seed uint64) (*books, error) {
	path := filepath.Join(folder, name)
	// Whole before it has its name: a publisher publishes when its file is whole.
	f, err := os.CreateTemp(folder, ".making-*")
	if err != nil {
		return nil, fmt.Errorf("make export: %w", err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // there only where the rename was not reached
	e := &exporter{
		books:  books{file: path, rows: rows, junk: usher.Counts{}, invalid: usher.Counts{}},
		random: rand.New(rand.NewPCG(seed, 0)), //nolint:gosec // the same every time is what it is for
	}
	if err := e.write(f); err != nil {
		_ = f.Close() // the write's error says more
		return nil, fmt.Errorf("write export: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("write export: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return nil, fmt.Errorf("name export: %w", err)
	}
	return &e.books, nil
}

func (e *exporter) write(f *os.File) error {
	out := bufio.NewWriterSize(f, 1<<20)
	e.stranger = digestOf(e.device())
	e.put(out, append([]byte("\ufeff"), demoHeader+"\r\n"...))
	for row := range e.rows {
		if row > 0 && row%400_000 == 0 {
			e.junk[usher.Header]++ // two exports, put together by hand
			e.put(out, []byte(demoHeader+"\r\n"))
			continue
		}
		e.put(out, e.row(row))
	}
	return out.Flush()
}

// put writes a line; an error of the buffer stays until it is flushed.
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

// cell appends a row's id, or what stands in its place, and books it.
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
		android[0] |= 0x10 // never all the same digit, never the shared one
		android[1] = 0xa5
		return e.dropped(line, e.invalid, usher.WrongType, hex.EncodeToString(android[:8]))
	case roll >= 3:
		hashed := e.device()
		hashed[6] = 0x1f // of no version that phones make
		return e.dropped(line, e.invalid, usher.LooksHashed, hex.EncodeToString(hashed[:]))
	default:
		return e.dropped(line, e.invalid, usher.Shape, "keine Angabe", "+49 170 0000000", "gelöscht")
	}
}

func (e *exporter) dropped(line []byte, column usher.Counts, reason string, cells ...string) []byte {
	column[reason]++
	return append(line, oneFrom(e.random, cells...)...)
}

// fresh appends an id that was not there before.
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

// form appends an id in one of the forms that all mean the same device.
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
	case roll < 32:
		return append(line, hex.EncodeToString(d[:])...) // without hyphens
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

// imei is 14 digits and the check digit that belongs to them.
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

func oneFrom[T any](random *rand.Rand, of ...T) T { return of[random.IntN(len(of))] }
