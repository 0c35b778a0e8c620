package files

import (
	"context"
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

	"usher"
	"usher/internal/rules"
	"usher/queues/rulings"
)

// Files are the configured rule files. Each is read anew when it has
// changed: a good one counts from its next use on, of a bad one the last good
// one stays.
type Files struct {
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
	text     string     // of the set
	err      error      // of the last reading
	told     bool       // to whom asks which rules there are
}

// Open reads all rule files; a bad one is an error at the start.
func Open(places []string, logger *slog.Logger) (*Files, error) {
	f := &Files{places: places, logger: logger, files: map[string]*ruleFile{}}
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
func (f *Files) twins() error {
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
func (f *Files) All() []*rules.Set {
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
func (f *Files) refresh() error {
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
		known.size, known.modified, known.told = info.Size(), info.ModTime(), false
		f.read(path, known)
	}
	return nil
}

func (f *Files) read(path string, file *ruleFile) {
	data, err := os.ReadFile(path) //nolint:gosec // rules.files names it
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
		f.logger.Error("a rule file is wrong; what it said before counts on, see 'usher rules check'", "file", path, "problems", len(said))
		return
	}
	if file.set != nil {
		f.logger.Info("a rule file was read anew", "file", path, "rules", len(set.Rules))
	}
	file.set, file.text, file.err = set, string(data), nil
}

// paths are the files there are, folders looked through.
func (f *Files) paths() ([]string, error) {
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

// Announce announces the files and their changes until ctx ends.
func (f *Files) Announce(ctx context.Context, to *rulings.Rulings) {
	tick := time.NewTicker(announceTick)
	defer tick.Stop()
	told := map[string]time.Time{} // by name
	for {
		if err := f.tell(ctx, to, told); err != nil && ctx.Err() == nil {
			f.logger.Warn("telling which rule files there are, trying again", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// announceTick is how often files are looked at for changes to be told.
const announceTick = 5 * time.Second

// tell announces what is new, and all of it now and then.
func (f *Files) tell(ctx context.Context, to *rulings.Rulings, told map[string]time.Time) error {
	there := map[string]bool{}
	for _, file := range f.untold(told, there) {
		if err := to.Announce(ctx, file); err != nil {
			return err
		}
		told[file.Name] = time.Now()
	}
	for name := range told {
		if there[name] {
			continue
		}
		if err := to.Withdraw(ctx, name); err != nil {
			return err
		}
		delete(told, name)
	}
	return nil
}

// untold are the files to be announced; there gets the names of all.
func (f *Files) untold(told map[string]time.Time, there map[string]bool) []usher.RuleFile {
	f.All() // read anew what has changed
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []usher.RuleFile
	for path, file := range f.files {
		if file.set == nil {
			continue
		}
		name := file.set.Name
		there[name] = true
		if file.told && time.Since(told[name]) < rulings.AnnounceEvery {
			continue
		}
		one := usher.RuleFile{Name: name, Path: path, Text: file.text}
		if file.err != nil {
			one.Wrong = file.err.Error()
		}
		list = append(list, one)
		file.told = true
	}
	return list
}
