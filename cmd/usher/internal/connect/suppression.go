package connect

import (
	"fmt"
	"os"

	"usher/cmd/usher/internal/config"
	"usher/pipeline"
)

// LoadSuppression reads the configured suppression list. It returns nil if none is
// configured.
func LoadSuppression(c config.Config) (*pipeline.Suppression, error) {
	path := c.String("upload.suppression")
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read upload.suppression: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	list, err := pipeline.LoadSuppression(f)
	if err != nil {
		return nil, fmt.Errorf("read upload.suppression %s: %w", path, err)
	}
	return list, nil
}
