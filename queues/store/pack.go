package store

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Values of the rules bucket can be long and repetitive. Compression reduces them to about a
// twentieth, below the megabyte that NATS accepts.
const (
	compressAbove  = 16 << 10
	maxValueBytes  = 1_000_000
	maxUnpackBytes = 64 << 20
)

// errTooLarge means that a value does not fit into the bucket.
var errTooLarge = errors.New("larger than NATS accepts")

// encode encodes v as JSON, compressed if that is asked for and v is long.
func encode(v any, compress bool) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil || !compress {
		return data, err
	}
	if len(data) > compressAbove {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(data); err != nil {
			return nil, fmt.Errorf("compress: %w", err)
		}
		if err := w.Close(); err != nil {
			return nil, fmt.Errorf("compress: %w", err)
		}
		data = packed.Bytes()
	}
	if len(data) > maxValueBytes {
		return nil, fmt.Errorf("%d bytes: %w", len(data), errTooLarge)
	}
	return data, nil
}

// unpack decodes what encode returned.
func unpack(data []byte, v any) error {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("decompress: %w", err)
		}
		if data, err = io.ReadAll(io.LimitReader(r, maxUnpackBytes)); err != nil {
			return fmt.Errorf("decompress: %w", err)
		}
	}
	return json.Unmarshal(data, v)
}
