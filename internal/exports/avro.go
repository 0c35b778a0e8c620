package exports

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/twmb/avro/ocf"

	"usher"
	"usher/internal/exports/compression"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/places"
)

// avroMagic is what an Avro object container file begins with.
const avroMagic = "Obj\x01"

const (
	maxAvroPacked   = 4 << 20 // bytes of a block, compressed
	maxAvroUnpacked = 8 << 20
	maxDepth        = 100 // of nested records
)

// avroText reads an Avro file as NDJSON.
type avroText struct {
	in     *places.Input
	count  *compression.Counter
	blocks *ocf.Reader
	fields map[string]bool // of a record that are written; nil: all
	brief  bool            // long texts are cut
	watch  *watch          // counts the values of all fields; nil: nobody does
	gaps   *avroGaps       // nil: nobody looks for ids in other fields

	out      []byte
	at       int
	made     int64
	maxRatio int64
}

// openAvro opens an Avro file, which data reads from in. The fields are those that paths
// begin with; without paths, all are read.
func (o *Opener) openAvro(in *places.Input, data io.Reader, paths ...string) (a *avroText, err error) {
	a = &avroText{in: in, count: &compression.Counter{In: data}, maxRatio: o.options.MaxRatio, brief: len(paths) == 0}
	for _, path := range paths {
		if a.fields == nil {
			a.fields = map[string]bool{}
		}
		first, _, _ := strings.Cut(path, ".")
		a.fields[first] = true
	}
	err = recovered(func() (err error) {
		a.blocks, err = ocf.NewReader(bufio.NewReader(a.count), ocf.WithMaxBlockBytes(maxAvroPacked), ocf.WithMaxDecompressedBlockBytes(maxAvroUnpacked))
		return err
	})
	return a, a.judge(compression.Unexpected(err))
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

// judge returns the error for the job that reading has led to.
func (a *avroText) judge(err error) error {
	f := a.in.File()
	switch {
	case err == nil, errors.Is(err, io.EOF):
		return err
	case a.in.Err() != nil:
		return a.in.Err()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return f.Broken("write the export again and submit the job when the file is complete", "its Avro data is truncated")
	}
	return f.Broken("write the export again, with blocks of at most 8 MiB and one of the codecs null, deflate, snappy and zstandard",
		"its Avro data is damaged, or has a larger block or another codec")
}

// Read implements io.Reader.
func (a *avroText) Read(p []byte) (int, error) {
	if a.at == len(a.out) {
		a.out, a.at = a.out[:0], 0
		var p *usher.Permanent
		if err := recovered(a.fill); errors.As(err, &p) {
			return 0, err
		} else if err != nil {
			return 0, a.judge(err)
		}
		if a.made += int64(len(a.out)); a.made > compression.FreeExpansion && a.made > a.maxRatio*a.count.N {
			return 0, a.in.File().Broken("if the export is real, write it as CSV and submit it again",
				"its Avro data expands to more than %d times its size, as a bomb does", a.maxRatio)
		}
	}
	n := copy(p, a.out[a.at:])
	a.at += n
	return n, nil
}

// fill writes the next record as a line.
func (a *avroText) fill() error {
	var record any
	if err := a.blocks.Decode(&record); err != nil {
		if errors.Is(err, io.EOF) {
			err = cmp.Or(a.gaps.judge(true), err)
		}
		return err
	}
	if err := a.gaps.add(record); err != nil {
		return err
	}
	if a.watch != nil {
		a.watch.counts.add(a.plain(record), "")
	}
	if fields, ok := record.(map[string]any); ok && a.fields != nil {
		for name := range fields {
			if !a.fields[name] {
				delete(fields, name)
			}
		}
	}
	line, err := json.Marshal(a.plain(record))
	a.out = append(append(a.out, line...), '\n')
	return err
}

// plain returns a value as JSON has it. Sixteen bytes of the type uuid are a UUID; other
// bytes are hexadecimal digits if they are no text.
func (a *avroText) plain(value any) any {
	const brief = 1 << 10
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = a.plain(inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = a.plain(inner)
		}
	case string:
		if a.brief && len(v) > brief {
			return v[:brief]
		}
	case [16]byte:
		digits := hex.EncodeToString(v[:])
		return strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-")
	case []byte:
		if binaryByte(v, "") < 0 && !bytes.ContainsFunc(v, func(r rune) bool { return r > '~' }) {
			return a.plain(string(v))
		}
		return a.plain(hex.EncodeToString(v))
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

// paths returns the paths of the values that records may have by their schema.
func (a *avroText) paths() []string { return fieldPaths(a.blocks.Schema().Root(), "", maxDepth) }

func (a *avroText) close() { _ = a.blocks.Close() } // only read

// avroHead reads the beginning of an Avro file as NDJSON. If sampled, the head has windows.
func (o *Opener) avroHead(ctx context.Context, f *places.File, raw []byte, plan *usher.Plan, sampled bool) (*head, error) {
	if !bytes.HasPrefix(raw, []byte(avroMagic)) {
		return nil, f.Broken("set source.format to what it is, or leave it out; an Avro file is not compressed as a whole", "it is no Avro file")
	}
	plan.Format, plan.Compression, plan.Encoding = "avro", "none", "utf-8"
	in := places.NewInput(ctx, f, 0, f.Size)
	a, err := o.openAvro(in, in)
	if err != nil {
		return nil, err
	}
	defer a.close()
	text, all, err := readBeginning(a)
	if err != nil {
		return nil, err
	}
	h := &head{Origin: f.Origin, text: text, all: all, fields: a.paths()}
	switch {
	case all || !sampled:
	case f.Whole || f.Size < 0:
		h.addWindows(expandWindows(a), "utf-8")
	default:
		err = o.addAvroWindows(ctx, f, raw, h)
	}
	return h, err
}

// readAvro returns a reader of an Avro file.
func (o *Opener) readAvro(ctx context.Context, f *places.File, plan usher.Plan) (*Reader, error) {
	paths := []string{plan.Path}
	if plan.TypePath != "" {
		paths = append(paths, plan.TypePath)
	}
	in := places.NewInput(ctx, f, 0, f.Size)
	a, err := o.openAvro(in, in, paths...)
	if err != nil {
		return nil, err
	}
	r := &Reader{file: f, setContext: in.SetContext, close: a.close, plan: plan}
	a.gaps = avroGapsOf(f.Origin, &r.plan)
	var text io.Reader = a
	if plan.ByValues {
		a.watch = o.watch(ctx, f, &r.plan, plan.Path)
		text = a.watch.over(a)
	}
	records := o.readText(text, f.Origin, &plan, whole()[0], false)
	if reader, ok := records.(*ndjson.Reader); ok && slices.Contains(a.paths(), plan.Path) {
		reader.AllowAbsent() // it is null in all records
	}
	r.rows = records
	return r, nil
}
