package feeds

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"usher/internal/exports/places"
	"usher/internal/rules/document"
)

// Files are the configured feed files. A file that changed is reloaded before its next use. If
// it is invalid, its last valid version stays in use.
type Files struct {
	logger  *slog.Logger
	allowed *places.Allowed

	mu       sync.Mutex
	files    *document.Reloaded[feedFile]
	checked  string            // the state of the files when they were checked last
	problems map[string]string // what is wrong with feeds, by their names
	invalid  []string          // what is wrong with files, the first error of each
}

// feedFile is a feed file when it was read last.
type feedFile struct {
	feeds  []*Feed // of the last valid version
	digest string  // of the text of that version
	err    error   // of the last version
	first  string  // the first of the errors, in a line
}

// Open reads all feed files. It returns an error if one is invalid, or if two feeds have the
// same name. allowed are the places that workers may read; nil: they are not checked.
func Open(paths []string, allowed *places.Allowed, logger *slog.Logger) (*Files, error) {
	f := &Files{logger: logger, allowed: allowed}
	f.files = document.NewReloaded(paths, f.read)
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
	f.All() // checks them
	return f, nil
}

// All returns the current feeds, sorted by name. It checks files that have changed.
func (f *Files) All() []*Feed {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.files.Refresh(); err != nil {
		f.logger.Error("cannot look for changed feed files; those in memory stay in use", "error", err)
	}
	var all []*Feed
	var states []string
	for path, file := range f.files.All() {
		all = append(all, file.feeds...)
		states = append(states, path, file.digest, file.first)
	}
	if state := document.Digest(states...); state != f.checked {
		f.check(all)
		f.checked = state
	}
	slices.SortStableFunc(all, func(a, b *Feed) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b *Feed) bool { return a.Name == b.Name })
}

// check finds what is wrong with the files and feeds, and logs what was not wrong before.
func (f *Files) check(all []*Feed) {
	problems := map[string]string{}
	f.invalid = nil
	for path, file := range f.files.All() {
		if file.err == nil {
			continue
		}
		f.invalid = append(f.invalid, file.first)
		for _, feed := range file.feeds {
			problems[feed.Name] = path + " was changed and is invalid, so its last valid version is in use: " + file.first
		}
	}
	for _, p := range Check(all, f.allowed) {
		if problems[p.Feed] == "" {
			problems[p.Feed] = fmt.Sprintf("%s:%d: %s; %s", p.File, p.Line, p.Message, p.Hint)
		}
	}
	for _, name := range document.Sorted(problems) {
		if problems[name] != f.problems[name] {
			f.logger.Warn("something is wrong with a feed, see 'usher feeds check'", "feed", name, "problem", problems[name])
		}
	}
	f.problems = problems
}

// Problem returns what is wrong with a feed in the files as they are now, or "".
func (f *Files) Problem(feed string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.problems[feed]
}

// Invalid returns the first error of each file that was changed and is invalid.
func (f *Files) Invalid() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.invalid)
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
		file.err, file.first = err, err.Error()
		return
	}
	feeds, problems := Load(path, data)
	file.err, file.first = nil, ""
	var messages []string
	for _, p := range problems {
		if p.Error {
			messages = append(messages, p.String())
			if file.first == "" {
				file.first = fmt.Sprintf("%s:%d: %s; %s", path, p.Line, p.Message, p.Hint)
			}
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
