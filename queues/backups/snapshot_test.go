package backups_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"usher/queues/backups"
	"usher/queues/queuetest"
)

// A chunk that no server takes yet, because the one that takes it is not yet known to the server
// of the connection, is sent again.
func TestChunkIsSentAgain(t *testing.T) {
	t.Parallel()
	conn := queuetest.New(t).Conn
	subject := conn.NewInbox()
	sent := make(chan error, 1)
	go func() { sent <- backups.Send(t.Context(), conn, time.Minute, subject, []byte("chunk")) }()
	for conn.Stats().OutMsgs == 0 { // until the first attempt
		if err := conn.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.Flush(); err != nil { // the attempt has its answer: nobody has received it
		t.Fatal(err)
	}
	if _, err := conn.Subscribe(subject, func(m *nats.Msg) { _ = m.Respond(nil) }); err != nil {
		t.Fatal(err)
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
}
