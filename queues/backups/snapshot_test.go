package backups_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
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

// A file that NATS does not accept as a snapshot is not restored, and NATS's reason is reported.
func TestRefusedSnapshot(t *testing.T) {
	t.Parallel()
	folder, b := filepath.Join(t.TempDir(), "backup"), queuetest.New(t)
	m, err := backups.Save(t.Context(), b.Conn, "", "1.2.3", backups.Folder(folder), hook(nil))
	if err != nil {
		t.Fatal(err)
	}
	other, s := []byte("no snapshot"), &m.Streams[0]
	if err := os.WriteFile(filepath.Join(folder, s.File), other, 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(other)
	s.Bytes, s.SHA256 = int64(len(other)), hex.EncodeToString(sum[:])
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err = backups.Restore(ctx, queuetest.New(t).Conn, m, backups.Folder(folder), 1, true, hook(nil))
	if err == nil || !strings.Contains(err.Error(), "restore "+s.Name+": the restore: restore failed") {
		t.Errorf("restore returned %v", err)
	}
}
