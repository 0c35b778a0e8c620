package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// duplicateInBatch is the server's error for an atomic batch with a Nats-Msg-Id that it
// already has. It has stored nothing of the batch.
const duplicateInBatch = 10201

// PublishAtomically stores all messages on one stream, or none (NATS ADR-50). Each needs
// a Nats-Msg-Id; if the server already has one of them, nothing is stored. It handles a message ID
// in process like Publish. Remove this file when nats.go supports atomic batches.
func (s *Store) PublishAtomically(ctx context.Context, messages []*nats.Msg) error {
	err := s.publishBatch(ctx, messages)
	if !isInProcess(err) {
		return err
	}
	return repeatInProcess(ctx, func(ctx context.Context) error { return s.publishBatch(ctx, messages) })
}

func (s *Store) publishBatch(ctx context.Context, messages []*nats.Msg) error {
	batch := rand.Text()
	for i, m := range messages {
		m.Header.Set("Nats-Batch-Id", batch)
		m.Header.Set("Nats-Batch-Sequence", strconv.Itoa(i+1))
		last := i == len(messages)-1
		if last {
			m.Header.Set("Nats-Batch-Commit", "1")
		}
		if i > 0 && !last {
			if err := s.Conn.PublishMsg(m); err != nil {
				return fmt.Errorf("publish batch to %s: %w", m.Subject, err)
			}
			continue
		}
		// The first response reports a refusal before the other messages are sent. The last
		// response is that of the batch.
		answer, err := s.Conn.RequestMsgWithContext(ctx, m)
		if err != nil {
			return fmt.Errorf("publish batch to %s: %w", m.Subject, err)
		}
		if duplicate, err := readBatchAnswer(answer.Data, last); duplicate || err != nil {
			return err
		}
	}
	return nil
}

func readBatchAnswer(data []byte, last bool) (duplicate bool, err error) {
	if len(data) == 0 && !last {
		return false, nil
	}
	var answer struct {
		Error *jetstream.APIError `json:"error"`
		Seq   uint64              `json:"seq"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return false, fmt.Errorf("decode the answer to a batch: %w", err)
	}
	switch {
	case answer.Error != nil && answer.Error.ErrorCode == duplicateInBatch:
		return true, nil
	case answer.Error != nil:
		return false, fmt.Errorf("publish batch: %w", answer.Error)
	case last && answer.Seq == 0:
		return false, errors.New("publish batch: the server's answer names no sequence; does it know atomic publish (NATS 2.12 or later)?")
	}
	return false, nil
}
