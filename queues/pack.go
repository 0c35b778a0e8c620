package queues

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/nats-io/nats.go/jetstream"
)

// What the rules bucket holds may be long and repeats itself: a value beyond
// plainBytes is compressed, which makes it about a twentieth. NATS takes a
// megabyte.
const (
	plainBytes = 16 << 10
	mostBytes  = 1_000_000
	mostPlain  = 64 << 20 // of what a value may become again
)

// errTooLarge means that a value does not fit into the bucket.
var errTooLarge = errors.New("it is larger than NATS takes")

// pack encodes v, compressed where it is long.
func pack(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	if len(data) > plainBytes {
		var small bytes.Buffer
		w := gzip.NewWriter(&small)
		if _, err := w.Write(data); err != nil {
			return nil, fmt.Errorf("compress: %w", err)
		}
		if err := w.Close(); err != nil {
			return nil, fmt.Errorf("compress: %w", err)
		}
		data = small.Bytes()
	}
	if len(data) > mostBytes {
		return nil, fmt.Errorf("%d bytes: %w", len(data), errTooLarge)
	}
	return data, nil
}

// unpack decodes what pack made.
func unpack(data []byte, v any) error {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		if data, err = io.ReadAll(io.LimitReader(r, mostPlain)); err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
	}
	return json.Unmarshal(data, v)
}

// readRules reads a key of the rules bucket into v; found is false where there is
// none.
func (q *Queue) readRules(ctx context.Context, key string, v any) (revision uint64, found bool, err error) {
	e, err := q.rules.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("read %s: %w", key, err)
	}
	if err := unpack(e.Value(), v); err != nil {
		return 0, false, fmt.Errorf("decode %s: %w", key, err)
	}
	return e.Revision(), true, nil
}

// writeRules writes v to key if its revision still is the given one (0: no such
// key); errConflict where it is not.
func (q *Queue) writeRules(ctx context.Context, key string, v any, revision uint64) error {
	data, err := pack(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", key, err)
	}
	if revision == 0 {
		_, err = q.rules.Create(ctx, key, data)
	} else {
		_, err = q.rules.Update(ctx, key, data, revision)
	}
	if errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		err = errConflict
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", key, err)
	}
	return nil
}

// changeRules reads a key, lets alter change it and writes it back, again as
// often as somebody else comes in between. alter returns false to leave it as
// it is.
func changeRules[T any](ctx context.Context, q *Queue, key string, alter func(v *T, found bool) bool) error {
	for {
		var v T
		revision, found, err := q.readRules(ctx, key, &v)
		if err != nil {
			return err
		}
		if !alter(&v, found) {
			return nil
		}
		if err = q.writeRules(ctx, key, &v, revision); !errors.Is(err, errConflict) {
			return err
		}
	}
}
