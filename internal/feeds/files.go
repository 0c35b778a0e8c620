package feeds

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"usher/internal/rules/document"
)

// Files are the configured feed files. A file that changed is reloaded before its next use. If
// it is invalid, its last valid version stays in use.
type Files struct {
	places []string // files, or folders of *.yaml and *.yml
	logger *slog.Logger

	mu    sync.Mutex
	files map[string]*feedFile // by path
}

// feedFile is a feed file when it was read last.
type feedFile struct {
	size     int64
	modified time.Time
	feeds    []*Feed // of the last valid version
	err      error   // of the last version
}

// Open reads all feed files. It returns an error if one is invalid, or if two feeds have the
// same name.
func Open(places []string, logger *slog.Logger) (*Files, error) {
	f := &Files{places: places, logger: logger, files: map[string]*feedFile{}}
	err := f.refresh()
	names := map[string]string{}
	for path, file := range f.files {
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
	return f, nil
}

// All returns the current feeds, sorted by name.
func (f *Files) All() []*Feed {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.refresh(); err != nil {
		f.logger.Error("cannot look for changed feed files; those in memory stay in use", "error", err)
	}
	var all []*Feed
	for _, path := range document.Sorted(f.files) {
		all = append(all, f.files[path].feeds...)
	}
	slices.SortStableFunc(all, func(a, b *Feed) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b *Feed) bool { return a.Name == b.Name })
}

// refresh reads files that are new or changed, and removes those that no longer exist.
func (f *Files) refresh() error {
	paths, err := document.Paths(f.places)
	if err != nil {
		return err
	}
	for path := range f.files {
		if !slices.Contains(paths, path) {
			delete(f.files, path)
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		file := f.files[path]
		if file != nil && file.size == info.Size() && file.modified.Equal(info.ModTime()) {
			continue
		}
		if file == nil {
			file = &feedFile{}
			f.files[path] = file
		}
		file.size, file.modified = info.Size(), info.ModTime()
		f.read(path, file)
	}
	return nil
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
	file.feeds = feeds
}
