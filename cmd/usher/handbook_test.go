package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"usher/cmd/usher/internal/dev"
)

// handbookPages returns the Markdown files that users read, by their path from the root.
func handbookPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	names := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md"}
	err := filepath.WalkDir(atRoot("docs"), func(file string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(file, ".md") {
			relative, _ := filepath.Rel(atRoot("."), file)
			names = append(names, filepath.ToSlash(relative))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(atRoot(name))
		if errors.Is(err, os.ErrNotExist) && !strings.HasPrefix(name, "docs/") {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = string(text)
	}
	return pages
}

// pageNames returns the names of pages in the order in which their commands are run: the
// README, the guide in the order of its table of contents, the others.
func pageNames(pages map[string]string) []string {
	names := make([]string, 0, len(pages))
	for name := range pages {
		names = append(names, name)
	}
	contents := pages["docs/guide/README.md"]
	place := func(name string) int {
		at := strings.Index(contents, "("+path.Base(name)+")")
		if at < 0 && name != "README.md" {
			at = len(contents)
		}
		return at
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a, b))
	})
	return names
}

// fences are the fenced blocks of a page: the word of the language, the rest of the info, the
// text.
var fences = regexp.MustCompile("(?ms)^```([a-z]+)([^\n]*)\n(.*?)^```$")

// TestHandbook does what the pages of the handbook tell their readers to do. A block with
// file=NAME is a file. A block of the language console has commands, each behind "$ ", and what
// they print; … in it stands for any text, and a line … for any lines. A command that ends in
// "# exits N" must have this exit code, others 0. In a block with the word settles, a
// command that changes nothing is repeated until it prints what the page shows; one with
// needs=PROGRAM is left out if this machine does not have the program. With -update, output that
// differs is written into the pages. make test runs only the pages of a first upload.
func TestHandbook(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs usher dev")
	}
	pages := handbookPages(t)
	update := flag.Lookup("update").Value.String() == "true"
	h := newHandbook(t, pages)
	for _, name := range pageNames(pages) {
		if only := os.Getenv("USHER_TEST_PAGE"); only != "" && !strings.Contains(name, only) {
			continue
		} else if only == "" && !update && !night && name != "README.md" && name != "docs/guide/first-upload.md" {
			continue
		}
		changed := fences.ReplaceAllStringFunc(pages[name], func(block string) string {
			parts := fences.FindStringSubmatch(block)
			if parts[1] != "console" || !available(parts[2]) {
				return block
			}
			return "```console" + parts[2] + "\n" + h.console(name, parts[3], strings.Contains(parts[2], "settles")) + "```"
		})
		if changed != pages[name] && update {
			if err := os.WriteFile(atRoot(name), []byte(changed), 0o600); err != nil {
				t.Error(err)
			}
		}
	}
}

// home is the folder in which the readers of the pages work.
const home = "/home/ada"

// available reports whether this machine has the program that a block needs.
func available(info string) bool {
	_, program, _ := strings.Cut(info, "needs=")
	if program == "" {
		return true
	}
	_, err := exec.LookPath(program)
	return err == nil
}

// handbook runs the commands of pages in one folder, with one usher dev.
type handbook struct {
	t          *testing.T
	folder     string
	env        []string
	there, doc *strings.Replacer // the addresses of usher dev for those in the pages, and back
}

// newHandbook writes the files of all pages, and starts usher dev.
func newHandbook(t *testing.T, pages map[string]string) *handbook {
	t.Helper()
	h := &handbook{t: t, folder: t.TempDir()}
	for _, name := range []string{"deploy", "docs/examples"} {
		if err := os.CopyFS(filepath.Join(h.folder, filepath.FromSlash(name)), os.DirFS(atRoot(name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range pageNames(pages) {
		h.writeFiles(name, pages[name])
	}
	bin := filepath.Join(h.folder, ".bin")
	program := os.Getenv("USHER_TEST_PROGRAM")
	if program == "" {
		program, _ = os.Executable()
	}
	if err := errors.Join(os.Mkdir(bin, 0o700), os.Symlink(program, filepath.Join(bin, "usher"))); err != nil {
		t.Fatal(err)
	}
	h.env = append(os.Environ(), asUsher+"=1", "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "TZ=UTC", "LC_ALL=C.UTF-8", "USER=ada", "HOME="+h.folder)
	h.start()
	return h
}

// writeFiles writes the files of a page.
func (h *handbook) writeFiles(name, page string) {
	for _, block := range fences.FindAllStringSubmatch(page, -1) {
		_, file, found := strings.Cut(block[2], "file=")
		if !found {
			continue
		}
		text := strings.ReplaceAll(block[3], home, h.folder)
		file = filepath.Join(h.folder, filepath.FromSlash(strings.TrimSpace(file)))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			h.t.Fatal(err)
		}
		if old, err := os.ReadFile(file); err == nil && string(old) != text && !strings.HasPrefix(file, filepath.Join(h.folder, "deploy")) {
			h.t.Errorf("%s: another page has another file %s", name, filepath.Base(file))
		} else if err == nil && string(old) != text {
			h.t.Errorf("%s: %s differs from the file in the repository", name, file)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			h.t.Fatal(err)
		}
	}
}

// start starts usher dev with what the pages need.
func (h *handbook) start() {
	h.t.Helper()
	ready, path := filepath.Join(h.folder, ".ready.json"), filepath.Join(h.folder, ".dev.log")
	log, err := os.Create(path)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = log.Close() })
	cmd := exec.Command(filepath.Join(h.folder, ".bin", "usher"), "dev", "--nats", "127.0.0.1:0", "--redis", "127.0.0.1:0", "--sandbox", "127.0.0.1:0",
		"--console", "127.0.0.1:0", "--intake", "127.0.0.1:0", "--ready-file", ready, "--feeds", "feeds.yaml", "--rules", "rules")
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = h.folder, h.env, log, log
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	var failure error
	ended := make(chan struct{})
	go func() {
		failure = cmd.Wait()
		close(ended)
	}()
	h.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if <-ended; failure != nil {
			h.t.Errorf("usher dev: %v\n%s", failure, contents(path))
		}
	})
	var a dev.Addresses
	var intake string // is only in the log
	h.await(ended, path, func() bool {
		_, after, _ := strings.Cut(contents(path), "Jobs over HTTP: ")
		intake = regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(after)
		return intake != "" && json.Unmarshal([]byte(contents(ready)), &a) == nil
	})
	h.env = append(h.env, "USHER_NATS_URL="+a.NATS, "USHER_REDIS_URL="+a.Redis, "USHER_PLATFORM_URL="+a.Platform)
	pairs := []string{
		"127.0.0.1:4222", strings.TrimPrefix(a.NATS, "nats://"), "127.0.0.1:8480", strings.TrimPrefix(a.Platform, "http://"),
		"127.0.0.1:8470", strings.TrimPrefix(a.Console, "http://"), "127.0.0.1:8460", intake, home, h.folder,
	}
	h.there = strings.NewReplacer(pairs...)
	slices.Reverse(pairs)
	h.doc = strings.NewReplacer(pairs...)
}

// contents returns what is in a file, "" without one.
func contents(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}

// await waits until usher dev is ready, or has ended.
func (h *handbook) await(ended <-chan struct{}, log string, check func() bool) {
	h.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !check() {
		select {
		case <-tick.C:
		case <-ended:
			h.t.Fatalf("usher dev has ended:\n%s", contents(log))
		}
	}
}

// reads matches command lines that change nothing, so that they may be repeated.
var reads = regexp.MustCompile(`^usher (?:rules (?:why|run|runs)|feeds (?:show|ls)|jobs (?:show|ls)) |^curl [^@{]*$`)

// console runs the commands of a block, and returns the block with what they print.
func (h *handbook) console(name, block string, settles bool) string {
	var out strings.Builder
	for command := range strings.SplitSeq(strings.TrimPrefix(block, "$ "), "\n$ ") {
		line, want, _ := strings.Cut(strings.TrimSuffix(command, "\n"), "\n")
		for strings.HasSuffix(line, "\\") {
			rest, after, _ := strings.Cut(want, "\n")
			line, want = line+"\n"+rest, after
		}
		got, code := h.run(line)
		for try := 0; settles && reads.MatchString(line) && try < 600 && want != "" && !sameOutput(want, got); try++ {
			<-time.After(50 * time.Millisecond)
			got, code = h.run(line)
		}
		if _, text, ok := strings.Cut(line, "# exits "); ok && text != strconv.Itoa(code) || !ok && code != 0 {
			h.t.Errorf("%s: %s\nexits %d and prints\n%s", name, line, code, got)
		}
		if !sameOutput(want, got) {
			h.t.Errorf("%s: %s\nprints\n%s\nbut the page shows\n%s", name, line, got, want)
			want = masked(got)
		}
		out.WriteString("$ " + line + "\n")
		if want != "" {
			out.WriteString(strings.TrimSuffix(want, "\n") + "\n")
		}
	}
	return out.String()
}

// masks are what differs from run to run: times, durations, versions of exports, and progress.
var masks = []struct {
	differs *regexp.Regexp
	shown   string
}{
	{regexp.MustCompile(`20[2-9]\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?`), "…"},
	{regexp.MustCompile(`after \d+\.\ds`), "after …"},
	{regexp.MustCompile(`\b[a-z]{24}\b`), "…"},
	{regexp.MustCompile(`(?m)(^[\w.-]+ (queued|running|retrying)\b.*\n)+`), "…\n"},
}

// masked returns what a page shows of what a command printed.
func masked(output string) string {
	for _, m := range masks {
		output = m.differs.ReplaceAllString(output, m.shown)
	}
	return output
}

// run runs a command line, and returns what it prints and its exit code.
func (h *handbook) run(line string) (output string, code int) {
	ctx, cancel := context.WithTimeout(h.t.Context(), scriptPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", h.there.Replace(line))
	cmd.Dir, cmd.Env = h.folder, h.env
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		h.t.Errorf("%s: %v", line, err)
	}
	lines := strings.Split(strings.TrimRight(h.doc.Replace(string(text)), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.Join(lines, "\n"), code
}

// sameOutput reports whether a command printed what a page shows.
func sameOutput(want, got string) bool {
	var pattern strings.Builder
	for line := range strings.Lines(strings.TrimRight(want, "\n") + "\n") {
		if line == "…\n" {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		for i, piece := range strings.Split(strings.TrimRight(line, " \n"), "…") {
			if i > 0 {
				pattern.WriteString(".*?")
			}
			// Columns of a table may be wider or narrower.
			pattern.WriteString(regexp.MustCompile(` {2,}`).ReplaceAllString(regexp.QuoteMeta(piece), ` {2,}`))
		}
		pattern.WriteString(`\n`)
	}
	matched, err := regexp.MatchString("^"+pattern.String()+"$", strings.TrimRight(got, "\n")+"\n")
	return err == nil && matched
}
