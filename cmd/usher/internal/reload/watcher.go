package reload

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"usher/cmd/usher/internal/config"
)

// Watcher logs what is read again.
type Watcher struct {
	config          config.Config
	hangup          <-chan os.Signal
	passwordChanged func(ctx context.Context)
	logger          *slog.Logger

	last   config.Config // when it was read last
	failed string        // the error of the configuration that was logged last
	files  []*files
}

// New returns a Watcher of the files of a configuration, as they are now. Each signal of hangup
// makes it read all of them. It calls passwordChanged when the platform's password has changed.
func New(c config.Config, hangup <-chan os.Signal, passwordChanged func(ctx context.Context), logger *slog.Logger) *Watcher {
	return &Watcher{config: c, hangup: hangup, passwordChanged: passwordChanged, logger: logger, last: c, files: filesOf(c)}
}

// Run waits for changes until ctx ends.
func (w *Watcher) Run(ctx context.Context) {
	var changes <-chan fsnotify.Event
	var failures <-chan error
	folders, err := fsnotify.NewWatcher()
	if err == nil {
		defer func() { _ = folders.Close() }()
		changes, failures, err = folders.Events, folders.Errors, follow(folders, w.paths())
	}
	if err != nil {
		w.logger.Warn("changes of some files are not noticed: they are still read at their next use; SIGHUP reports what has changed", "error", err)
	}
	w.reload(ctx) // of what changed before the folders were watched
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.hangup:
			w.logger.Info("SIGHUP: the configuration and all files are read again")
			w.forgetErrors()
			w.reload(ctx)
		case err := <-failures:
			w.logger.Warn("changes of files may have been missed: all are read again", "error", err)
			settled = time.After(settleTime)
		case <-changes:
			if settled == nil {
				settled = time.After(settleTime)
			}
		case <-settled:
			settled = nil
			w.reload(ctx)
			_ = follow(folders, w.paths()) // a folder may have been created again; if it cannot be watched, SIGHUP still reads its files
		}
	}
}

// paths returns the files to watch.
func (w *Watcher) paths() []string {
	paths := w.config.Files()
	for _, f := range w.files {
		paths = append(paths, f.paths...)
	}
	return paths
}

// forgetErrors makes reload log errors again that it has logged before.
func (w *Watcher) forgetErrors() {
	w.failed = ""
	for _, f := range w.files {
		if f.failed != "" {
			f.failed = "logged before"
		}
	}
}

// reload reads everything again and logs what has changed.
func (w *Watcher) reload(ctx context.Context) {
	w.reloadConfig(ctx)
	for _, f := range w.files {
		w.reloadFiles(f)
	}
}

// isCurrent reports whether the new value of a key is used without a restart. Of the addresses of
// servers, only the login is, but not that at Sentinels: go-redis has no function that returns it
// for each connection.
func isCurrent(key string, old, now config.Config) bool {
	switch key {
	case "platform.password", "platform.advertisers", "alerts.webhook", "alerts.smtp_password":
		return true
	case "nats.url", "redis.url":
		return withoutLogin(now.String(key)) == withoutLogin(old.String(key))
	}
	return false
}

// withoutLogin returns an address without user and password. It keeps the parameters, such as
// sentinel_password, so it must not be logged.
func withoutLogin(address string) string {
	hidden, _, _ := strings.Cut(config.HideLogin(address), "?")
	_, parameters, _ := strings.Cut(address, "?")
	return hidden + "?" + parameters
}

func (w *Watcher) reloadConfig(ctx context.Context) {
	now, err := w.config.Reload()
	if err != nil {
		if err.Error() != w.failed {
			w.failed = err.Error()
			w.logger.Error("the configuration cannot be read again: the last valid one stays in use", "error", err)
		}
		return
	}
	w.failed = ""
	var used, unused []string
	for _, key := range now.Changed(w.last) {
		if isCurrent(key, w.last, now) {
			used = append(used, key)
		} else {
			unused = append(unused, key)
		}
	}
	w.last = now
	if len(used) > 0 {
		w.logger.Info("read again: the new values are in use", "keys", used)
	}
	if len(unused) > 0 {
		w.logger.Warn("the configuration has changed in values that are read at the start only: restart this worker", "keys", unused)
	}
	if slices.Contains(used, "platform.password") {
		w.passwordChanged(ctx)
	}
}

func (w *Watcher) reloadFiles(f *files) {
	sum := f.read()
	if sum == f.sum && f.failed == "" {
		return
	}
	f.sum = sum
	if err := f.check(); err != nil {
		if err.Error() != f.failed {
			f.failed = err.Error()
			w.logger.Error("a file that has changed cannot be used: "+f.until, "keys", f.keys, "error", err)
		}
		return
	}
	f.failed = ""
	w.logger.Info("read again: the new files are in use", "keys", f.keys, "files", f.paths)
}
