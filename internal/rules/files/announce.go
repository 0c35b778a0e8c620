package files

import (
	"context"
	"strings"
	"time"

	"usher"
	"usher/internal/rules"
)

// Registry records the rule files by which workers act.
type Registry interface {
	Announce(ctx context.Context, file usher.RuleFile) error
	Withdraw(ctx context.Context, name string) error
}

// Announce announces new and changed files to the registry until ctx ends. It
// repeats the announcement of each file at the given interval.
func (f *Files) Announce(ctx context.Context, to Registry, interval time.Duration) {
	tick := time.NewTicker(announceTick)
	defer tick.Stop()
	announced := map[string]time.Time{} // by name
	for {
		if err := f.announce(ctx, to, interval, announced); err != nil && ctx.Err() == nil {
			f.logger.Warn("cannot announce the rule files, trying again", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// announceTick is the time between two checks for changed files.
const announceTick = 5 * time.Second

// announce announces new and changed files, and every file from time to time. It
// withdraws files that no longer exist.
func (f *Files) announce(ctx context.Context, to Registry, interval time.Duration, announced map[string]time.Time) error {
	due, existing := f.dueForAnnouncement(interval, announced)
	for _, file := range due {
		if err := to.Announce(ctx, file); err != nil {
			return err
		}
		announced[file.Name] = time.Now()
	}
	for name := range announced {
		if existing[name] {
			continue
		}
		if err := to.Withdraw(ctx, name); err != nil {
			return err
		}
		delete(announced, name)
	}
	return nil
}

// announcedName returns the name of a file in announcements. That of a valid file is its
// name; others may have characters that names of files have not.
func announcedName(path string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
			return r
		}
		return '_'
	}, rules.NameOf(path))
}

// dueForAnnouncement returns the files that must be announced, and the names of all
// files.
func (f *Files) dueForAnnouncement(interval time.Duration, announced map[string]time.Time) (due []usher.RuleFile, existing map[string]bool) {
	f.All() // reloads changed files
	f.mu.Lock()
	defer f.mu.Unlock()
	existing = map[string]bool{}
	inUse := map[string]bool{}
	for _, file := range f.files.All() {
		if file.set != nil {
			inUse[file.set.Name] = true
		}
	}
	for path, file := range f.files.All() {
		name := announcedName(path)
		if file.set == nil && inUse[name] {
			continue
		}
		existing[name] = true
		if file.announced && time.Since(announced[name]) < interval {
			continue
		}
		one := usher.RuleFile{Name: name, Path: path, Text: file.text, Targets: file.targets} // a new file that is invalid has no text
		if file.err != nil {
			one.Wrong = file.err.Error()
		}
		due = append(due, one)
		file.announced = true
	}
	return due, existing
}
