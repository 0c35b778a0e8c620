package backups

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"usher"
)

const (
	chunkSize   = 128 << 10
	inFlight    = 1024             // more than the chunks that the server sends before it waits for acknowledgements
	stallTime   = 30 * time.Second // without a chunk or a response
	restoreTime = 10 * time.Minute // until the server has written a stream that it has received
)

// apiError is an error of JetStream's API.
type apiError struct {
	Code        int    `json:"err_code"`
	Description string `json:"description"`
}

func (e *apiError) Error() string { return fmt.Sprintf("%s (%d)", e.Description, e.Code) }

// request makes a request of JetStream's API and decodes the response.
func request(ctx context.Context, nc *nats.Conn, limit time.Duration, subject string, body, response any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode %s: %w", subject, err)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	m, err := nc.RequestWithContext(ctx, subject, data)
	if err != nil {
		return fmt.Errorf("%s: %w", subject, err)
	}
	return decode(m.Data, subject, response)
}

// decode decodes a response, which may be an error.
func decode(data []byte, subject string, response any) error {
	var failed struct {
		Error *apiError `json:"error"`
	}
	if err := json.Unmarshal(data, &failed); err != nil {
		return fmt.Errorf("decode the response to %s: %w", subject, err)
	}
	if failed.Error != nil {
		return fmt.Errorf("%s: %w", subject, failed.Error)
	}
	if response == nil {
		return nil
	}
	if err := json.Unmarshal(data, response); err != nil {
		return fmt.Errorf("decode the response to %s: %w", subject, err)
	}
	return nil
}

// save saves a stream without its consumers to a file. progress is called with the size of each
// chunk.
func save(ctx context.Context, nc *nats.Conn, name string, folder Place, progress func(bytes int)) (s Stream, err error) {
	s = Stream{Name: name, File: fileOf(name)}
	chunks := make(chan *nats.Msg, inFlight)
	subscription, err := nc.ChanSubscribe(nc.NewInbox(), chunks)
	if err != nil {
		return s, fmt.Errorf("save %s: %w", name, err)
	}
	defer func() { _ = subscription.Unsubscribe() }() // it fails only if the connection is closed
	f, err := folder.create(ctx, s.File)
	if err != nil {
		return s, fmt.Errorf("save %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var response struct {
		Config json.RawMessage `json:"config"`
		State  json.RawMessage `json:"state"`
	}
	err = request(ctx, nc, stallTime, "$JS.API.STREAM.SNAPSHOT."+name,
		map[string]any{"deliver_subject": subscription.Subject, "no_consumers": true, "chunk_size": chunkSize}, &response)
	if err != nil {
		return s, fmt.Errorf("save stream: %w", err)
	}
	s.Config, s.State = response.Config, response.State
	var state struct {
		Messages uint64 `json:"messages"`
	}
	if err := json.Unmarshal(s.State, &state); err != nil {
		return s, fmt.Errorf("save %s: %w", name, err)
	}
	s.Messages = state.Messages
	sum := sha256.New()
	buffered := bufio.NewWriterSize(io.MultiWriter(f, sum), 1<<20)
	if s.Bytes, err = receive(ctx, chunks, buffered, progress); err != nil {
		return s, fmt.Errorf("save %s: %w", name, err)
	}
	s.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return s, nil
}

// receive writes the chunks of a snapshot and acknowledges them, up to the message that ends it.
func receive(ctx context.Context, chunks <-chan *nats.Msg, w *bufio.Writer, progress func(bytes int)) (size int64, err error) {
	stalled := time.NewTimer(stallTime)
	defer stalled.Stop()
	for index := 1; ; index++ {
		var m *nats.Msg
		select {
		case <-ctx.Done():
			return size, context.Cause(ctx)
		case <-stalled.C:
			return size, fmt.Errorf("NATS has sent nothing for %s", stallTime)
		case m = <-chunks:
			stalled.Reset(stallTime)
		}
		if len(m.Data) == 0 {
			if status := m.Header.Get("Status"); status != "" && status != "204" {
				return size, fmt.Errorf("NATS ended the snapshot: %s %s", status, m.Header.Get("Description"))
			}
			return size, w.Flush()
		}
		if err := checkIndex(m.Reply, index); err != nil {
			return size, err
		}
		n, err := w.Write(m.Data)
		if err != nil {
			return size, err
		}
		size += int64(n)
		progress(n)
		if m.Reply != "" {
			if err := m.Respond(nil); err != nil {
				return size, fmt.Errorf("acknowledge a chunk: %w", err)
			}
		}
	}
}

// checkIndex compares a chunk's number, which its reply subject ends with, with the one that must
// follow. The last chunk has no reply subject.
func checkIndex(reply string, want int) error {
	if reply == "" {
		return nil
	}
	got, err := strconv.Atoi(reply[strings.LastIndexByte(reply, '.')+1:])
	if err == nil && got != want {
		return fmt.Errorf("chunk %d of the snapshot came instead of chunk %d: run the backup again", got, want)
	}
	return nil
}

// restore restores a stream from its file, with a number of replicas.
func (s *Stream) restore(ctx context.Context, nc *nats.Conn, folder Place, replicas int, progress func(bytes int)) error {
	config, err := withReplicas(s.Config, replicas)
	if err != nil {
		return fmt.Errorf("restore %s: %w", s.Name, err)
	}
	f, err := folder.open(ctx, s.File)
	if err != nil {
		return fmt.Errorf("restore %s: %w", s.Name, err)
	}
	defer func() { _ = f.Close() }() // only read
	var to struct {
		Subject string `json:"deliver_subject"`
	}
	err = repeat(ctx, stallTime, func(ctx context.Context) error {
		return request(ctx, nc, stallTime, "$JS.API.STREAM.RESTORE."+s.Name, map[string]any{"config": config, "state": s.State}, &to)
	})
	if err != nil {
		return fmt.Errorf("restore stream: %w", err)
	}
	chunk := make([]byte, chunkSize)
	for {
		n, err := io.ReadFull(f, chunk)
		if n == 0 && errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("restore %s: %w", s.Name, err)
		}
		if err := send(ctx, nc, stallTime, to.Subject, chunk[:n]); err != nil {
			return fmt.Errorf("restore %s: %w", s.Name, err)
		}
		progress(n)
	}
	if err := send(ctx, nc, restoreTime, to.Subject, nil); err != nil {
		return fmt.Errorf("restore %s: %w", s.Name, err)
	}
	return nil
}

// repeatPause is the time between a request that a cluster refuses for a moment and the next one.
const repeatPause = 100 * time.Millisecond

// repeat repeats a request that a cluster refuses only for a moment, until limit is over. Right
// after a stream was deleted, a server may still know it. Right after a restore was accepted, the
// server of this connection may not know yet which one takes the chunks: NATS says then that
// nobody has received the message.
func repeat(ctx context.Context, limit time.Duration, do func(context.Context) error) error {
	const streamExists = 10130 // stream name already in use, cannot restore
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		err := do(ctx)
		var refused *apiError
		passes := errors.Is(err, nats.ErrNoResponders) || errors.As(err, &refused) && refused.Code == streamExists
		if !passes || usher.Sleep(ctx, repeatPause) != nil {
			return err
		}
	}
}

// send sends a chunk and waits for its acknowledgement. An empty one ends the restore.
func send(ctx context.Context, nc *nats.Conn, limit time.Duration, subject string, chunk []byte) error {
	var m *nats.Msg
	err := repeat(ctx, limit, func(ctx context.Context) (err error) {
		m, err = nc.RequestWithContext(ctx, subject, chunk)
		return err
	})
	if err != nil {
		return err
	}
	if len(m.Data) == 0 && len(chunk) > 0 {
		return nil
	}
	return decode(m.Data, "the restore", nil)
}

// withReplicas returns the configuration of a stream with another number of replicas.
func withReplicas(config json.RawMessage, replicas int) (map[string]json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(config, &all); err != nil {
		return nil, fmt.Errorf("decode its configuration: %w", err)
	}
	all["num_replicas"] = json.RawMessage(strconv.Itoa(replicas))
	return all, nil
}
