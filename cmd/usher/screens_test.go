package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var updateScreens = flag.Bool("update", false, "write the golden files of TestScreens")

// sizedBuffer is the output of a command on a terminal of a width.
type sizedBuffer struct {
	bytes.Buffer
	columns int
}

func (b *sizedBuffer) Columns() int { return b.columns }

// screenWidths are the widths of the golden files: a phone, a terminal, a wide screen.
var screenWidths = []int{40, 80, 200}

// screensOfAllWidths are the command lines that make test compares at all widths: a list, a
// record, a plan, a refusal and a chart. make nightly does so with all others.
var screensOfAllWidths = []string{
	"jobs ls", "jobs show failed-1", "dead groups", "dead replay --dry-run", "rules runs show run-1", "feeds show nobody",
	"api reporting campaign SANDBOX1-spring 2014-03-10 2014-03-11 --chart impressions",
}

// screens are the command lines whose output is in the golden files, in this order. Those
// that change something print a plan first.
var screens = []string{
	"hash --explain 6D92078A-8246-4BA4-AE5B-76104861E7DC",
	"inspect ids.txt",
	"jobs ls", "jobs ls --state failed", "jobs show done-1", "jobs show failed-1", "jobs show paused-1", "jobs watch done-1",
	"dead ls", "dead ls --limit 1", "dead groups", "dead show 1", "dead replay --dry-run", "dead edit --class not_found --set segment=1 --dry-run", "dead discard --class not_found --dry-run",
	"lanes ls", "limits show",
	"ledger ls", "ledger show segment/1", "ledger diff segment/1 fewer.txt --profile idfa", "ledger verify segment/1",
	"suppress ls", "audiences ls", "audiences show segment/1",
	"rules ls", "rules runs ls", "rules runs show run-1", "rules show ask", "rules why summer-1",
	"rules check budgets.yaml", "rules check --metrics", "rules preview offline.yaml --as-of 2014-04-10", "rules backtest offline.yaml --from 2014-04-01 --to 2014-04-10", "rules test tested.yaml",
	"feeds check feeds.yaml", "feeds ls",
	"doctor --nats nats://127.0.0.1:1 --redis redis://127.0.0.1:1 --platform http://127.0.0.1:1",
	"api auth token --help",
	"api segments list", "api segments get 1", "api segments contains 1 IDFA f2d1311ca5c1ecb214c19a26e9ddbad0",
	"api campaigns list", "api campaigns get SANDBOX1-spring", "api campaigns get-creative SANDBOX1-spring spring-1", "api campaigns status SANDBOX1-spring",
	"api advertisers get SANDBOX1", "api advertisers connections SANDBOX1", "api users get sandbox",
	"api reporting billing SANDBOX1 2014-03-10 2014-03-12", "api reporting campaigns 2014-03-10 2014-03-10", "api reporting campaign SANDBOX1-spring 2014-03-10 2014-03-11",
	"api reporting campaign SANDBOX1-spring 2014-03-10 2014-03-11 --chart impressions", "api reporting campaign SANDBOX1-spring 2014-03-10 2014-03-11 --chart netMediaSpend --creatives",
	"api reporting transactions SANDBOX1 2014-03-10 2014-03-11", "api reporting transactions SANDBOX1 2014-03-10 2014-03-11 --chart transactionAmountInUsd",
	"api planning domains 2014-03-16 2014-03-10 --limit 5", "api planning geos 2014-03-16 2014-03-10 --chart impressions --limit 5",
	"api metadata countries --limit 4", "api metadata categories --limit 4", "api metadata fx-on EUR 2014-03-10",
	"api campaigns put --body-template", "api segments get 99",
	"migrate", "submit segment.add --segment 1 --profile idfa --ids nonsense --id refused-1", "submit segment.add --id done-1 --segment 1 --profile idfa --ids " + suppressed,
	"jobs cancel done-1", "jobs cancel nobody",
	"settings", "stop-switch", "stop-switch on --actor ann --reason incident --yes", "stop-switch off --actor ann --yes", "lanes pause bulk --actor ann --reason maintenance", "lanes resume bulk --actor ann", "limits set --rate 20/s --actor ann", "limits set --as-configured --actor ann",
	"suppress add " + suppressed + " --actor ann", "suppress remove " + suppressed, "repair suppression --yes",
	"ledger drop segment/5 --yes",
	"outcomes put installs.csv --complete", "outcomes ls", "outcomes show installs",
	"rules pause budgets stop --actor ann --reason incident", "rules resume budgets stop --actor ann", "rules keep summer-1 --until released --actor ann --reason incident", "rules kept", "rules release summer-1 --actor ann", "rules reject run-1", "rules release summer-9", "repair memory",
	"feeds approve daily", "feeds reject daily", "feeds pause daily --actor ann --reason holidays", "feeds resume daily --actor ann", "feeds show daily", "feeds run daily", "feeds show nobody",
}

// screensBefore are command lines that are run before each of those in screens that they are needed
// for, which would otherwise have another output the second time.
var screensBefore = map[string]string{
	"outcomes put installs.csv --complete":        "outcomes put installs.csv",
	"outcomes ls":                                 "outcomes put installs.csv --complete",
	"outcomes show installs":                      "outcomes put installs.csv",
	"rules release summer-1 --actor ann":          "rules keep summer-1 --until released --actor ann",
	"rules resume budgets stop --actor ann":       "rules pause budgets stop --actor ann",
	"suppress add " + suppressed + " --actor ann": "suppress add " + suppressed,
	"suppress remove " + suppressed:               "suppress add " + suppressed,
}

// suppressed is an id that screens suppress.
const suppressed = "6D92078A-8246-4BA4-AE5B-761048600009"

// withoutScreen are the commands without golden files, and why.
var withoutScreen = map[string]string{
	"backup":            "copies streams, whose sizes and times differ, see TestDisaster",
	"restore":           "copies streams, whose sizes and times differ, see TestDisaster",
	"bench":             "prints what it measured, see TestBench",
	"completion":        "prints a script for a shell",
	"help":              "prints the help, see the script terminal",
	"version":           "prints one line, which differs with each build",
	"init":              "asks on a terminal, see the script init",
	"run":               "runs until it is stopped",
	"dev":               "runs until it is stopped",
	"demo":              "runs until it is stopped",
	"sandbox":           "runs until it is stopped",
	"console passwd":    "asks for a password, and prints a hash that always differs",
	"intake token":      "prints a token that always differs",
	"feeds put":         "runs another command, see TestPut",
	"dead watch":        "runs until it is stopped, see TestDeadWatch",
	"dead export":       "prints NDJSON for programs",
	"ledger adopt":      "replaces the ledger that other screens show, see the script ledger",
	"ledger export":     "prints digests for programs, see the script audiences",
	"audiences overlap": "needs the ledgers of two targets, see the script audiences",
	"ledger rollback":   "names a generation that differs with each run, see the script ledger",
	"rules approve":     "needs another run for each width, see the script rules_act",
	"rules undo":        "names a run that differs each time, see the script rules_act",
	"repair order":      "needs an order that no job has, see TestLift",
}

// TestEveryCommandHasAScreen checks that no command was forgotten, and that no screen is left of one
// that is gone.
func TestEveryCommandHasAScreen(t *testing.T) {
	t.Parallel()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		name := strings.TrimPrefix(cmd.CommandPath(), "usher ")
		has := func(line string) bool { return line == name || strings.HasPrefix(line, name+" ") }
		if runsItself(cmd) && !slices.ContainsFunc(screens, has) && withoutScreen[name] == "" {
			t.Errorf("%s is neither in screens nor in withoutScreen", name)
		}
		for _, sub := range cmd.Commands() {
			if sub.Name() != "completion" && !isOperation(sub) {
				walk(sub)
			}
		}
	}
	root := rootCommand()
	walk(root)
	for name := range withoutScreen {
		if cmd, _, err := root.Find(strings.Fields(name)); err != nil || strings.TrimPrefix(cmd.CommandPath(), "usher ") != name && name != "completion" && name != "help" {
			t.Errorf("withoutScreen has %s, which is no command", name)
		}
	}
	files := map[string]bool{}
	for _, line := range screens {
		files[screenFile(line)] = true
		if !callsCommand(root, line) {
			t.Errorf("screens has %s, which calls no command", line)
		}
	}
	for line, before := range screensBefore {
		if !slices.Contains(screens, line) {
			t.Errorf("screensBefore has %s, which is not in screens", line)
		}
		if !callsCommand(root, before) {
			t.Errorf("screensBefore has %s before %s, which calls no command", before, line)
		}
	}
	for _, line := range screensOfAllWidths {
		if !slices.Contains(screens, line) {
			t.Errorf("screensOfAllWidths has %s, which is not in screens", line)
		}
	}
	found, err := filepath.Glob(filepath.Join("testdata", "screens", "*"))
	if err != nil || len(found) == 0 {
		t.Fatalf("there are no golden files: %v", err)
	}
	for _, path := range found {
		if !files[path] {
			t.Errorf("%s is the golden file of no line in screens", path)
		}
	}
}

// callsCommand reports whether a command line calls a command below root, and not only a group of commands.
func callsCommand(root *cobra.Command, line string) bool {
	cmd, rest, err := root.Find(strings.Fields(line))
	if err != nil || !runsItself(cmd) {
		return false
	}
	return !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-")
}

// screenFile returns the path of the golden file of a command line.
func screenFile(line string) string {
	return filepath.Join("testdata", "screens", regexp.MustCompile(`[^a-z0-9.]+`).ReplaceAllString(strings.ToLower(line), "-")+".txt")
}

// screenFiles are the files in the working directory of the commands.
func screenFiles() map[string]string {
	var ids []string
	for i := range 20 {
		ids = append(ids, fmt.Sprintf("6D92078A-8246-4BA4-AE5B-7610486%05X", i))
	}
	rule := func(more string) string {
		return "account: SANDBOX1\ntimezone: Europe/London\nrules:\n  - name: stop\n    scope: {campaigns: [\"SANDBOX1-s*\"]}\n    window: yesterday\n    pause_when: grossMediaSpend >= 0.9 * budget\n" + more
	}
	return map[string]string{
		"ids.txt":      strings.Join(ids, "\n") + "\n",
		"fewer.txt":    strings.Join(ids[:18], "\n") + "\n",
		"offline.yaml": rule(""),
		"tested.yaml":  rule("tests:\n  - name: spent\n    rule: stop\n    given: {grossMediaSpend: 95, budget: 100}\n    expect: pause\n"),
		"budgets.yaml": strings.Replace(rule("    resume_when: grossMediaSpend < 0.8 * budget\n")+"  - {name: ask, scope: {campaigns: [\"SANDBOX1-autumn\"]}, window: today, pause_when: grossMediaSpend >= 0.95 * budget, mode: approve}\n", "yesterday", "today", 1),
		"watched.yaml": "feeds:\n  - {name: daily, watch: /nowhere/*.txt, every: 24h, job: {kind: segment.add, segment: \"1\", profile: idfa}}\n",
		"installs.csv": "date,campaign,installs\n2014-04-09,SANDBOX1-spring,41\n",
		"feeds.yaml":   "feeds:\n  - {name: crm, watch: /nowhere/*.txt, job: {kind: segment.add, segment: \"1\", profile: idfa}}\n",
	}
}

// TestScreens compares the output of every command with the files in testdata/screens, which
// have it at 40, 80 and 200 columns. make test looks at most commands at 80 columns only.
// go test -run TestScreens -update writes the files.
func TestScreens(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts usher dev")
	}
	s := startScreenWorld(t)
	s.prepare(t)
	for _, line := range screens {
		widths := screenWidths
		if !night && !*updateScreens && !slices.Contains(screensOfAllWidths, line) {
			widths = []int{80}
		}
		got := map[int]string{}
		for _, columns := range widths {
			if before := screensBefore[line]; before != "" {
				if _, errs, code := s.run(strings.Fields(before), columns); code != 0 {
					t.Errorf("usher %s: exit %d: %s", before, code, errs)
				}
			}
			got[columns] = fmt.Sprintf("%s %d columns\n%s", screenRule, columns, s.show(line, columns))
		}
		path := screenFile(line)
		if *updateScreens {
			if err := os.WriteFile(path, []byte(got[40]+got[80]+got[200]), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want := readScreens(t, path)
		for columns, text := range got {
			if diff := cmp.Diff(want[columns], text); diff != "" {
				t.Errorf("usher %s (-want +got):\n%s", line, diff)
			}
		}
	}
}

// screenRule begins the line above each screen of a golden file.
const screenRule = "=========="

// readScreens returns the screens of a golden file by their widths.
func readScreens(t *testing.T, path string) map[int]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	screens := map[int]string{}
	for _, screen := range strings.Split(string(text), screenRule+" ")[1:] {
		width, _, _ := strings.Cut(screen, " ")
		columns, err := strconv.Atoi(width)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		screens[columns] = screenRule + " " + screen
	}
	return screens
}

// screenWorld is what the screens show.
type screenWorld struct {
	program   string
	dir       string            // the folder with the files that commands name
	addresses map[string]string // of the servers, by flag
}

// startScreenWorld starts usher dev in a folder with the files.
func startScreenWorld(t *testing.T) screenWorld {
	t.Helper()
	dir := t.TempDir()
	for name, content := range screenFiles() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if built := os.Getenv("USHER_TEST_PROGRAM"); built != "" {
		program = built
	}
	cmd := exec.Command(program, "dev", "--data", "data", "--nats", "127.0.0.1:0", "--redis", "127.0.0.1:0", "--sandbox", "127.0.0.1:0",
		"--console", "127.0.0.1:0", "--intake", "127.0.0.1:0", "--rules", "budgets.yaml", "--feeds", "watched.yaml", "--allow", "/nowhere", "--ready-file", "ready.json")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asUsher+"=1", "USHER_RETRY_ATTEMPTS=2", "USHER_RETRY_FIRST=100ms")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait() // its exit code says nothing about the screens
	})
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	s := screenWorld{program: program, dir: dir}
	for range 3000 {
		if data, err := os.ReadFile(filepath.Join(dir, "ready.json")); err == nil && json.Unmarshal(data, &s.addresses) == nil {
			return s
		}
		<-tick.C
	}
	t.Fatal("usher dev is not ready after a minute")
	return s
}

// prepare runs jobs of which one is done, one failed, one paused a creative and one
// mirrored a segment, and rules of which one paused.
func (s screenWorld) prepare(t *testing.T) {
	t.Helper()
	at := time.Now().UTC().Format(time.RFC3339Nano)
	metrics := `{"campaign":"SANDBOX1-summer","at":"` + at + `","values":{"grossMediaSpend":97,"budget":100}}`
	for _, line := range [][]string{
		{"submit", "segment.add", "--id", "done-1", "--segment", "1", "--profile", "idfa", "--ids", "6D92078A-8246-4BA4-AE5B-76104861E7DC", "--ids", "no id", "--max-reject-percent", "100", "--wait"},
		{"submit", "segment.add", "--id", "failed-1", "--segment", "77", "--profile", "idfa", "--ids", "6D92078A-8246-4BA4-AE5B-76104861E7DC", "--wait"},
		{"submit", "segment.add", "--id", "a-job-with-a-long-id-of-a-crm-2026-11-21", "--segment", "78", "--profile", "idfa", "--ids", "6D92078A-8246-4BA4-AE5B-76104861E7DC", "--wait"},
		{"submit", "campaign.pause", "--id", "paused-1", "--campaign", "SANDBOX1-spring", "--reason", "Budget verbraucht: ｂｕｄｇｅｔ", "--wait"},
		{"submit", "segment.mirror", "--id", "mirror-1", "--segment", "1", "--profile", "idfa", "--ids", "6D92078A-8246-4BA4-AE5B-761048600000", "--ids", "6D92078A-8246-4BA4-AE5B-761048600001", "--wait"},
		{"submit", "rules.evaluate", "--id", "run-1", "--rules", "budgets", "--metrics", metrics, "--wait"},
	} {
		_, errs, code := s.run(line, 0)
		if code != 0 && code != 3 {
			t.Fatalf("usher %s: exit %d: %s", strings.Join(line, " "), code, errs)
		}
	}
}

// run runs a command line with the addresses of the servers.
func (s screenWorld) run(args []string, columns int) (out, errs string, code int) {
	cmd, _, err := rootCommand().Find(args)
	if err == nil {
		for _, name := range []string{"nats", "redis", "platform"} {
			if cmd.Flags().Lookup(name) != nil && !slices.Contains(args, "--"+name) {
				args = append(slices.Clone(args), "--"+name, s.addresses[name])
			}
		}
	}
	if slices.ContainsFunc(args, func(arg string) bool {
		return strings.HasSuffix(arg, ".txt") || strings.HasSuffix(arg, ".csv") || strings.HasSuffix(arg, ".yaml")
	}) {
		return s.runProcess(args, columns)
	}
	stdout, stderr := sizedBuffer{columns: columns}, sizedBuffer{columns: columns}
	code = execute(context.Background(), args, strings.NewReader(""), &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}

// runProcess runs a command line that names files as a process in their folder.
func (s screenWorld) runProcess(args []string, columns int) (out, errs string, code int) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(s.program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, &stdout, &stderr
	cmd.Env = append(os.Environ(), asUsher+"=1", "COLUMNS="+strconv.Itoa(columns))
	_ = cmd.Run() // the exit code is in the golden file
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// show returns the output of a command line, without what differs between two runs.
func (s screenWorld) show(line string, columns int) string {
	out, errs, code := s.run(append(strings.Fields(line), "--absolute"), columns)
	text := fmt.Sprintf("%s%s(exit %d)\n", out, errs, code)
	text = regexp.MustCompile(`\d{4}-\d\d[-0-9T:. ]*…`).ReplaceAllStringFunc(text, func(cut string) string {
		return regexp.MustCompile(`\d`).ReplaceAllString(cut, "0")
	})
	for _, mask := range []struct{ pattern, with string }{
		{`\d{4}-\d\d-\d\d([ T])\d\d:\d\d:\d\d(\.\d{3})?`, "2026-01-02${1}03:04:05"},
		{`\(\d+[smhd]\s+ago\)`, "(0s ago)"},
		{`\(in(\s+)\d+[smhd]\)`, "(in${1}23h)"},
		{`after \d+\.\ds`, "after 0.1s"},
		{`127\.0\.0\.1:[0-9]{2,}`, "127.0.0.1:12345"},
	} {
		text = regexp.MustCompile(mask.pattern).ReplaceAllString(text, mask.with)
	}
	return text
}
