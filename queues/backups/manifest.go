package backups

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"usher/queues/store"
)

const (
	manifestName  = "manifest.json"
	manifestLimit = 4 << 20
	format        = 1 // of the folder
)

// Manifest describes a backup. It is written last, so a folder without it is not complete.
type Manifest struct {
	Format    int       `json:"format"`
	Usher     string    `json:"usher"` // the version that saved it
	NATS      string    `json:"nats"`
	Namespace string    `json:"namespace,omitempty"`
	Began     time.Time `json:"began"` // jobs published later may be missing
	Ended     time.Time `json:"ended"`
	Streams   []Stream  `json:"streams"`
	// Through has the last sequences of the streams of jobs at the end, by name.
	Through map[string]uint64 `json:"through"`
	// Replayed is the number of dead letters that were removed while the streams were saved, in
	// the last attempt. A job that was replayed then may be missing.
	Replayed uint64 `json:"replayed,omitempty"`
}

// Stream is a saved stream.
type Stream struct {
	Name     string          `json:"name"`
	File     string          `json:"file"`
	Bytes    int64           `json:"bytes"` // of the file
	SHA256   string          `json:"sha256"`
	Messages uint64          `json:"messages"`
	Config   json.RawMessage `json:"config"`
	State    json.RawMessage `json:"state"`
}

// Bytes returns the size of all files.
func (m *Manifest) Bytes() (sum int64) {
	for _, s := range m.Streams {
		sum += s.Bytes
	}
	return sum
}

// names returns the streams in the order in which they are saved, see the package's comment. They
// are restored in the opposite order, so that jobs come last.
func names(n store.Names) []string {
	return []string{n.JobsStream(), n.CampaignsStream(), n.PartsStream(), "KV_" + n.StateBucket(), n.DeadStream(), n.EventsStream(), "KV_" + n.RulesBucket()}
}

// Read reads the manifest of a backup and checks it, but not the files.
func Read(ctx context.Context, folder Place) (*Manifest, error) {
	f, err := folder.open(ctx, manifestName)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s has no %s: it is not a complete backup of usher", folder, manifestName)
	}
	if err != nil {
		return nil, fmt.Errorf("read the backup: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	var m Manifest
	if err := json.NewDecoder(io.LimitReader(f, manifestLimit)).Decode(&m); err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", manifestName, folder, err)
	}
	if m.Format != format {
		return nil, fmt.Errorf("%s has format %d; usher %s wrote it: use that version or a newer one", folder, m.Format, m.Usher)
	}
	want := names(store.Names{Namespace: m.Namespace})
	if len(m.Streams) != len(want) {
		return nil, fmt.Errorf("%s does not hold the streams of usher", folder)
	}
	for i, s := range m.Streams {
		if s.Name != want[i] || s.File != fileOf(s.Name) {
			return nil, fmt.Errorf("%s does not hold the streams of usher", folder)
		}
	}
	return &m, nil
}

func fileOf(stream string) string { return stream + ".snapshot" }

// Verify compares the file of a stream with its checksum.
func (s *Stream) Verify(ctx context.Context, folder Place) error {
	f, err := folder.open(ctx, s.File)
	if err != nil {
		return fmt.Errorf("read the backup: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		return fmt.Errorf("read the backup: %w", err)
	}
	if n != s.Bytes || hex.EncodeToString(sum.Sum(nil)) != s.SHA256 {
		return fmt.Errorf("%s of %s is damaged: its checksum is not that of %s; nothing was restored", s.File, folder, manifestName)
	}
	return nil
}

// write writes the manifest.
func (m *Manifest) write(ctx context.Context, folder Place) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the manifest: %w", err)
	}
	f, err := folder.create(ctx, manifestName)
	if err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	_, err = f.Write(append(data, '\n'))
	if err := errors.Join(err, f.Close()); err != nil { // Save removes it then
		return fmt.Errorf("write the manifest: %w", err)
	}
	return nil
}
