package avro

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"

	"github.com/twmb/avro/ocf"

	"usher"
	"usher/internal/exports/places"
	"usher/internal/exports/unpack"
)

// Magic is what a file begins with.
const Magic = "Obj\x01"

const (
	maxPacked   = 4 << 20 // bytes of a block, compressed
	maxUnpacked = 8 << 20
	maxDepth    = 100 // of nested records

	maxDenominator = 1 << 10 // bits of a decimal's: one of more digits takes long to write, and decides nothing
)

// Layout says what a Reader reads.
type Layout struct {
	// MaxRatio is how many times the size of the file its records may have as JSON, above
	// unpack.FreeExpansion. More is a bomb, which is source_broken.
	MaxRatio int64

	// Paths are those of the ids and, if wanted, of their types. Only the fields that they
	// begin with are read, and what InMap wants. Without paths, all fields are read, and long texts are cut short.
	Paths []string

	// InMap reports whether a value at a path within a field that has a map, or a record within itself, is read as
	// well: the schema does not say which paths these have. nil: none is read.
	InMap func(path string) bool

	// Watch looks at each record as it is decoded, with all of its fields, and ends reading by an
	// error. nil: nobody looks.
	Watch func(record any) error
	// Ended is asked at the end of the file, and may refuse it. nil: nobody is asked.
	Ended func() error
}

// Reader reads the records of a file as NDJSON.
type Reader struct {
	in     *places.Input
	count  *unpack.Counter
	blocks *ocf.Reader
	layout Layout
	schema schema
	fields map[string]bool // of a record that are written; nil: all
	inMap  map[string]bool // the paths within open fields that are wanted, and those that are not

	out  []byte
	at   int
	made int64
}

// Open opens a file, which data reads from in. Damaged data is source_broken. The caller closes
// the reader.
func Open(in *places.Input, data io.Reader, layout Layout) (*Reader, error) {
	r := &Reader{in: in, count: &unpack.Counter{In: data}, layout: layout, inMap: map[string]bool{}}
	for _, path := range layout.Paths {
		if r.fields == nil {
			r.fields = map[string]bool{}
		}
		first, _, _ := strings.Cut(path, ".")
		r.fields[first], r.inMap[path] = true, true
	}
	err := recovered(func() (err error) {
		r.blocks, err = ocf.NewReader(bufio.NewReader(r.count), ocf.WithMaxBlockBytes(maxPacked), ocf.WithMaxDecompressedBlockBytes(maxUnpacked))
		if err == nil {
			r.schema = schemaOf(r.blocks.Schema())
		}
		return err
	})
	return r, r.jobError(unpack.Unexpected(err))
}

// wantedInMap returns what is wanted of a value at a path, and whether anything is.
func (r *Reader) wantedInMap(value any, path string) (wanted any, is bool) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if wanted, is := r.wantedInMap(inner, path+"."+key); is {
				v[key] = wanted
			} else {
				delete(v, key)
			}
		}
		return v, len(v) > 0
	case []any:
		list := v[:0]
		for _, inner := range v {
			if wanted, is := r.wantedInMap(inner, path); is {
				list = append(list, wanted)
			}
		}
		return list, len(list) > 0
	}
	const most = 4096   // with more paths, the keys are values
	const longest = 256 // a longer one is asked about each time, since as many as most of up to maxUnpacked would fill the memory
	is, known := r.inMap[path]
	if known || len(r.inMap) >= most {
		return value, is
	}
	is = r.layout.InMap(path)
	if len(path) <= longest {
		r.inMap[path] = is
	}
	return value, is
}

// recovered returns a panic of the Avro library as an error.
func recovered(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("read avro: %v", p)
		}
	}()
	return do()
}

// jobError returns the error for the job that reading has led to.
func (r *Reader) jobError(err error) error {
	f := r.in.File()
	switch {
	case err == nil, errors.Is(err, io.EOF):
		return err
	case r.in.Err() != nil:
		return r.in.Err()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return f.Broken("write the export again and submit the job when the file is complete", "its Avro data is truncated")
	}
	return f.Broken("write the export again, with blocks of at most 8 MiB, one of the codecs null, deflate, snappy and zstandard, and a schema whose records have names, which Polars does not write; or as Parquet",
		"its Avro data is damaged, or has an invalid schema, a larger block or another codec")
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if r.at == len(r.out) {
		r.out, r.at = r.out[:0], 0
		var p *usher.Permanent
		if err := recovered(r.fill); errors.As(err, &p) {
			return 0, err
		} else if err != nil {
			return 0, r.jobError(err)
		}
		if r.made += int64(len(r.out)); r.made > unpack.FreeExpansion && r.made > r.layout.MaxRatio*r.count.N {
			return 0, r.in.File().Broken("if the export is real, write it as CSV and submit it again",
				"its Avro data expands to more than %d times its size, as a bomb does", r.layout.MaxRatio)
		}
	}
	n := copy(p, r.out[r.at:])
	r.at += n
	return n, nil
}

// fill writes the next record as a line.
func (r *Reader) fill() error {
	var record any
	if err := r.blocks.Decode(&record); err != nil {
		if errors.Is(err, io.EOF) && r.layout.Ended != nil {
			err = cmp.Or(r.layout.Ended(), err)
		}
		return err
	}
	if r.layout.Watch != nil {
		if err := r.layout.Watch(record); err != nil {
			return err
		}
	}
	if fields, ok := record.(map[string]any); ok && r.fields != nil {
		for name, value := range fields {
			is := r.fields[name]
			if r.schema.open[name] && r.layout.InMap != nil {
				fields[name], is = r.wantedInMap(value, name)
			}
			if !is {
				delete(fields, name)
			}
		}
	}
	line, err := json.Marshal(r.plain(record))
	r.out = append(append(r.out, line...), '\n')
	return err
}

// plain returns a value as JSON has it. Sixteen bytes of the type uuid are a UUID; other
// bytes are hexadecimal digits if they are no text.
func (r *Reader) plain(value any) any {
	const brief = 1 << 10
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = r.plain(inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = r.plain(inner)
		}
	case string:
		if r.fields == nil && len(v) > brief {
			return v[:brief]
		}
	case [16]byte:
		digits := hex.EncodeToString(v[:])
		return strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-")
	case []byte:
		if unpack.IndexBinary(v, "") < 0 && !bytes.ContainsFunc(v, func(r rune) bool { return r > '~' }) {
			return r.plain(string(v))
		}
		return r.plain(hex.EncodeToString(v))
	case *big.Rat: // a decimal
		if v.Denom().BitLen() > maxDenominator {
			return nil
		}
		digits, _ := v.FloatPrec()
		return json.Number(v.FloatString(digits))
	case float64:
		return finite(v)
	case float32:
		return finite(float64(v))
	}
	return value
}

// finite returns a number, or nil for one that JSON does not have.
func finite(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}

// Paths returns the paths of the values that records may have by their schema, such as
// "device.id". The values of a map are not in the schema. again are further ones, of a second field with a type that is
// defined once.
func (r *Reader) Paths() (paths, again []string) { return r.schema.paths, r.schema.again }

// Close frees what the reader holds. It does not close the file.
func (r *Reader) Close() { _ = r.blocks.Close() } // only read
