package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// source is a copy of a commit, without anything that is not in it.
type source struct {
	folder  string
	commit  string // the full hash
	version string
	time    time.Time // of the commit, in UTC
	tagged  bool      // or the version was given
}

// checkOut copies a commit of the repository below folder.
func checkOut(folder, commit, version string) (source, error) {
	root, err := output("", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return source{}, err
	}
	line, err := output(root, "git", "log", "-1", "--format=%H %ct", commit, "--")
	if err != nil {
		return source{}, err
	}
	hash, seconds, _ := strings.Cut(line, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return source{}, fmt.Errorf("read the time of commit %s: %w", hash, err)
	}
	s := source{folder: filepath.Join(folder, "usher"), commit: hash, version: version, tagged: version != "", time: time.Unix(unix, 0).UTC()}
	if s.version == "" {
		s.version, s.tagged = versionOf(root, hash, s.time)
	}
	if err := os.Mkdir(s.folder, 0o755); err != nil {
		return source{}, err
	}
	archive := filepath.Join(folder, "source.tar")
	if _, err := output(root, "git", "archive", "--output", archive, hash); err != nil {
		return source{}, err
	}
	if _, err := output(s.folder, "tar", "-xf", archive); err != nil {
		return source{}, err
	}
	return s, nil
}

// versionOf returns the version in the commit's tag, such as v1.2.3. A commit without a tag has
// a version that sorts before all releases and by time, without the hyphens that Debian and RPM
// do not allow there.
func versionOf(root, hash string, t time.Time) (version string, tagged bool) {
	tag, err := output(root, "git", "describe", "--exact-match", "--tags", "--match", "v[0-9]*", hash)
	if err == nil {
		return strings.TrimPrefix(tag, "v"), true
	}
	return "0.0.0-" + t.Format("20060102150405") + "." + hash[:12], false
}

// read returns a file of the commit.
func (s source) read(name string) ([]byte, error) { return os.ReadFile(filepath.Join(s.folder, name)) }

// output runs a command in a folder and returns what it printed, without the last line break.
func output(folder string, command ...string) (string, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = folder
	return outputOf(cmd)
}

func outputOf(cmd *exec.Cmd) (string, error) {
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", errors.Join(fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err), errors.New(strings.TrimSpace(errs.String())))
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}
