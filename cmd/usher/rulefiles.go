package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"usher/internal/rules"
)

// ruleFiles are the configured rule files. Each is read anew when it has
// changed: a good one counts from its next use on, of a bad one the last good
// one stays.
type ruleFiles struct {
	places []string // files, or folders of *.yaml
	logger *slog.Logger

	mu    sync.Mutex
	files map[string]*ruleFile // by path
}

// ruleFile is one of them as it was read last.
type ruleFile struct {
	size     int64
	modified time.Time
	set      *rules.Set // nil: never was a good one
	err      error      // of the last reading
}

// newRuleFiles reads all rule files; a bad one is an error at the start.
func newRuleFiles(places []string, logger *slog.Logger) (*ruleFiles, error) {
	f := &ruleFiles{places: places, logger: logger, files: map[string]*ruleFile{}}
	err := f.refresh()
	for _, file := range f.files {
		err = errors.Join(err, file.err)
	}
	if err == nil {
		err = f.twins()
	}
	if err != nil {
		return nil, fmt.Errorf("read rules.files: %w", err)
	}
	return f, nil
}

// twins is an error where two files have one name.
func (f *ruleFiles) twins() error {
	names := map[string]string{}
	for path, file := range f.files {
		if other, known := names[file.set.Name]; known {
			return fmt.Errorf("%s and %s are both called %s: rename one", other, path, file.set.Name)
		}
		names[file.set.Name] = path
	}
	return nil
}

// All are the files as they are now, by name.
func (f *ruleFiles) All() []*rules.Set {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.refresh(); err != nil {
		f.logger.Error("looking for rule files; those that were read count on", "error", err)
	}
	byName := map[string]*rules.Set{}
	for _, file := range f.files {
		if file.set != nil && byName[file.set.Name] == nil {
			byName[file.set.Name] = file.set
		}
	}
	var all []*rules.Set
	for _, set := range byName {
		all = append(all, set)
	}
	slices.SortFunc(all, func(a, b *rules.Set) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// refresh reads what is new or has changed, and forgets what is gone.
func (f *ruleFiles) refresh() error {
	paths, err := f.paths()
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
		known := f.files[path]
		if known != nil && known.size == info.Size() && known.modified.Equal(info.ModTime()) {
			continue
		}
		if known == nil {
			known = &ruleFile{}
			f.files[path] = known
		}
		known.size, known.modified = info.Size(), info.ModTime()
		f.read(path, known)
	}
	return nil
}

func (f *ruleFiles) read(path string, file *ruleFile) {
	data, err := os.ReadFile(path)
	if err != nil {
		file.err = err
		return
	}
	set, problems := rules.Load(path, data)
	if rules.Errors(problems) {
		var said []string
		for _, p := range problems {
			if p.Error {
				said = append(said, p.String())
			}
		}
		file.err = fmt.Errorf("rule file %s:\n%s", path, strings.Join(said, "\n"))
		f.logger.Error("a rule file is wrong; what it said before counts on, see 'usher rules check'", "file", path, "problems", len(said), "first", problems[0].Message)
		return
	}
	if file.set != nil {
		f.logger.Info("a rule file was read anew", "file", path, "rules", len(set.Rules))
	}
	file.set, file.err = set, nil
}

// paths are the files there are, folders looked through.
func (f *ruleFiles) paths() ([]string, error) {
	var paths []string
	for _, place := range f.places {
		info, err := os.Stat(place)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			paths = append(paths, place)
			continue
		}
		entries, err := os.ReadDir(place)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if isRuleFile(entry) {
				paths = append(paths, filepath.Join(place, entry.Name()))
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// isRuleFile reports whether a folder's entry is a rule file. Hidden ones are
// not: editors and mounted configuration make such.
func isRuleFile(entry fs.DirEntry) bool {
	name := entry.Name()
	return !entry.IsDir() && !strings.HasPrefix(name, ".") && (strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml"))
}
