package files

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"usher/internal/rules"
	"usher/internal/rules/document"
)

// Files are the configured rule files. A file that changed is reloaded before its
// next use. If it is invalid, its last valid version stays in use.
type Files struct {
	configured bool // there are places
	logger     *slog.Logger

	mu    sync.Mutex
	files *document.Reloaded[ruleFile]
}

// ruleFile is a rule file when it was read last.
type ruleFile struct {
	set       *rules.Set // of the last valid version; nil: there was none
	text      string     // of the set
	targets   string     // the table of the set's targets, as a text
	err       error      // of the last version
	announced bool       // the last version was announced
	table     table      // of the last version
}

// table is the file with the targets of a rule file when it was read last; without a path, there is
// none.
type table struct {
	path     string
	size     int64
	modified time.Time
}

// tableAt returns the file at a path.
func tableAt(path string) table {
	t := table{path: path}
	if info, err := os.Stat(path); err == nil {
		t.size, t.modified = info.Size(), info.ModTime()
	}
	return t
}

// isOutdated reports whether the file with the targets has changed.
func (file *ruleFile) isOutdated() bool {
	now := tableAt(file.table.path)
	return file.table.path != "" && (now.size != file.table.size || !now.modified.Equal(file.table.modified))
}

// Open reads all rule files. It returns an error if one is invalid.
func Open(places []string, logger *slog.Logger) (*Files, error) {
	f := &Files{configured: len(places) > 0, logger: logger}
	f.files = document.NewReloaded(places, f.read)
	f.files.IsOutdated = (*ruleFile).isOutdated
	err := f.files.Refresh()
	for _, file := range f.files.All() {
		err = errors.Join(err, file.err)
	}
	if err == nil {
		err = f.checkNames()
	}
	if err != nil {
		return nil, fmt.Errorf("read rules.files: %w", err)
	}
	return f, nil
}

// checkNames returns an error if two files have the same name.
func (f *Files) checkNames() error {
	names := map[string]string{}
	for path, file := range f.files.All() {
		if other, known := names[file.set.Name]; known {
			return fmt.Errorf("%s and %s are both called %s: rename one", other, path, file.set.Name)
		}
		names[file.set.Name] = path
	}
	return nil
}

// All returns the current files, sorted by name.
func (f *Files) All() []*rules.Set {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.files.Refresh(); err != nil {
		f.logger.Error("cannot look for changed rule files; those in memory stay in use", "error", err)
	}
	var all []*rules.Set
	for _, file := range f.files.All() {
		if file.set != nil {
			all = append(all, file.set)
		}
	}
	slices.SortStableFunc(all, func(a, b *rules.Set) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b *rules.Set) bool { return a.Name == b.Name })
}

// Version returns the version of the file with a name; "" if there is none. known is
// false if no files are configured, so that this process does not know any.
func (f *Files) Version(name string) (version string, known bool) {
	for _, set := range f.All() {
		if set.Name == name {
			version = set.Version
		}
	}
	return version, f.configured
}

// Digest returns a digest of the files in use: of their names and texts.
func (f *Files) Digest() string {
	var versions []string
	for _, set := range f.All() {
		versions = append(versions, set.Name+" "+set.Version)
	}
	return document.Digest(versions...)
}

func (f *Files) read(path string, file *ruleFile) {
	file.announced, file.table = false, table{}
	data, err := document.ReadFile(path)
	if err != nil {
		file.err = err
		return
	}
	var targets []byte
	set, problems := rules.LoadWith(path, data, func(path string) (_ []byte, err error) {
		file.table = tableAt(path)
		targets, err = rules.ReadTable(path)
		return targets, err
	})
	for _, p := range problems {
		if !p.Error {
			f.logger.Warn("a rule file may not mean what it says, see 'usher rules check'", "file", p.File, "line", p.Line, "rule", p.Rule, "problem", p.Message)
		}
	}
	if rules.Errors(problems) {
		var messages []string
		for _, p := range problems {
			if p.Error {
				messages = append(messages, p.String())
			}
		}
		file.err = fmt.Errorf("rule file %s:\n%s", path, strings.Join(messages, "\n"))
		f.logger.Error("a rule file is invalid; its last valid version stays in use, see 'usher rules check'", "file", path, "problems", len(messages))
		return
	}
	if file.set != nil {
		f.logger.Info("a rule file was reloaded", "file", path, "rules", len(set.Rules))
	}
	file.set, file.text, file.targets, file.err = set, string(data), string(targets), nil
}
