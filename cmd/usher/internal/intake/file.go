package intake

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"usher/internal/intake"
)

// AppendLine appends a line to a file. It creates the file if necessary, readable only by its
// owner.
func AppendLine(path, line string) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("append token: %w", err)
	}
	defer func() {
		if closed := f.Close(); err == nil && closed != nil {
			err = fmt.Errorf("append token: %w", closed)
		}
	}()
	last := make([]byte, 1)
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil && size > 0 {
		if _, err = f.ReadAt(last, size-1); err == nil && last[0] != '\n' {
			line = "\n" + line
		}
	}
	if err != nil {
		return fmt.Errorf("append token: %w", err)
	}
	// One write, so that a worker that reads the file at this moment sees a whole line or none.
	if _, err := f.WriteString(line + "\n"); err != nil {
		return fmt.Errorf("append token: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("append token: %w", err)
	}
	return nil
}

// Folder names a token file and the file of its only token, in the data folder of usher
// dev.
type Folder struct{ Tokens, Token string }

// EnsureToken creates a token for all jobs below a data folder, unless there is one.
func EnsureToken(data string) (Folder, error) {
	folder := filepath.Join(data, "intake")
	f := Folder{Tokens: filepath.Join(folder, "tokens"), Token: filepath.Join(folder, "token")}
	if _, err := os.Stat(f.Tokens); err == nil {
		return f, nil
	}
	token, line, err := intake.NewToken(intake.Grant{Name: "dev"}, nil)
	if err != nil {
		return f, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return f, fmt.Errorf("create token: %w", err)
	}
	if err := os.WriteFile(f.Token, []byte(token+"\n"), 0o600); err != nil {
		return f, fmt.Errorf("create token: %w", err)
	}
	return f, AppendLine(f.Tokens, line)
}
