package feeds

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"usher/internal/rules/document"
)

// Files are the configured feed files. A file that changed is reloaded before its next use. If
// it is invalid, its last valid version stays in use.
type Files struct {
	logger *slog.Logger

	mu    sync.Mutex
	files *document.Reloaded[feedFile]
}

// feedFile is a feed file when it was read last.
type feedFile struct {
	feeds  []*Feed // of the last valid version
	digest string  // of the text of that version
	err    error   // of the last version
}

// Open reads all feed files. It returns an error if one is invalid, or if two feeds have the
// same name.
func Open(places []string, logger *slog.Logger) (*Files, error) {
	f := &Files{logger: logger}
	f.files = document.NewReloaded(places, f.read)
	err := f.files.Refresh()
	names := map[string]string{}
	for path, file := range f.files.All() {
		err = errors.Join(err, file.err)
		for _, feed := range file.feeds {
			if other, known := names[feed.Name]; known {
				err = errors.Join(err, fmt.Errorf("%s and %s both have a feed %s: rename one", other, path, feed.Name))
			}
			names[feed.Name] = path
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read feeds.files: %w", err)
	}
	for _, p := range Overlaps(f.All()) {
		logger.Warn("feeds overlap, see 'usher feeds check'", "file", p.File, "line", p.Line, "feed", p.Feed, "problem", p.Message)
	}
	for _, p := range Cycles(f.All()) {
		logger.Warn("the mirrors of feeds will be refused, see 'usher feeds check'", "file", p.File, "line", p.Line, "feed", p.Feed, "problem", p.Message)
	}
	return f, nil
}

// All returns the current feeds, sorted by name.
func (f *Files) All() []*Feed {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.files.Refresh(); err != nil {
		f.logger.Error("cannot look for changed feed files; those in memory stay in use", "error", err)
	}
	var all []*Feed
	for _, file := range f.files.All() {
		all = append(all, file.feeds...)
	}
	slices.SortStableFunc(all, func(a, b *Feed) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b *Feed) bool { return a.Name == b.Name })
}

// Digest returns a digest of the files in use. Files with the same texts have the same one, in
// whatever folder and under whatever names they are.
func (f *Files) Digest() string {
	f.All() // reloads changed files
	f.mu.Lock()
	defer f.mu.Unlock()
	var digests []string
	for _, file := range f.files.All() {
		digests = append(digests, file.digest)
	}
	return document.Digest(digests...)
}

func (f *Files) read(path string, file *feedFile) {
	data, err := document.ReadFile(path)
	if err != nil {
		file.err = err
		return
	}
	feeds, problems := Load(path, data)
	file.err = nil
	var messages []string
	for _, p := range problems {
		if p.Error {
			messages = append(messages, p.String())
			continue
		}
		f.logger.Warn("a feed file may not mean what it says, see 'usher feeds check'", "file", path, "line", p.Line, "feed", p.Feed, "problem", p.Message)
	}
	if len(messages) > 0 {
		file.err = fmt.Errorf("feed file %s:\n%s", path, strings.Join(messages, "\n"))
		f.logger.Error("a feed file is invalid; its last valid version stays in use, see 'usher feeds check'", "file", path, "problems", len(messages))
		return
	}
	file.feeds, file.digest = feeds, document.Digest(string(data))
}
