package starter

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// answers are what the files say.
type answers struct {
	NATS, Redis, Platform, Username, Advertiser string
	Allow, Ledger, Timezone                     string
}

// The names of the files.
const (
	configFile = "usher.yaml"
	feedsFile  = "feeds.yaml"
	rulesFile  = "rules.yaml"
)

// file is a file to write.
type file struct{ name, about, text string }

// files returns the files. The configuration is the last one, so that it exists only if all were written.
func (a *answers) files() []file {
	return []file{
		{rulesFile, "a rule that only records; check it with usher rules check", a.rules()},
		{feedsFile, "a feed; correct it, and check it with usher feeds check", a.feeds()},
		{configFile, "the configuration; name rule and feed files in it", a.configuration()},
	}
}

// configuration returns the text of the configuration. Values are quoted, because a URL may
// have a # or a : that means something to YAML.
func (a *answers) configuration() string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	line("# The configuration of usher. docs/reference/configuration.md has every key.")
	line("nats: {url: %s}", strconv.Quote(a.NATS))
	line("redis: {url: %s}", strconv.Quote(a.Redis))
	line("platform: # the password comes from USHER_PLATFORM_PASSWORD or USHER_PLATFORM_PASSWORD_FILE")
	line("  url: %s", strconv.Quote(a.Platform))
	line("  username: %s", strconv.Quote(a.Username))
	line("  advertiser: %s", strconv.Quote(a.Advertiser))
	if a.Allow == "" {
		line("# sources: {allow: [/exports]} # without it, jobs have their ids inline only")
	} else {
		line("sources: {allow: [%s]}", strconv.Quote(a.Allow))
	}
	if a.Ledger == "" {
		line("# ledger: {url: /ledger} # which mirrors and forgetting need; all workers share it")
	} else {
		line("ledger: {url: %s}", strconv.Quote(a.Ledger))
	}
	line("# Activate these when they are as you want them, with absolute paths:")
	line("# rules: {files: [%s]}", rulesFile)
	line("# feeds: {files: [%s]}", feedsFile)
	return text.String()
}

// feeds returns the text of a feed in the first place from which exports may be read.
func (a *answers) feeds() string {
	place := a.Allow
	if place == "" {
		place = "/exports"
	}
	if !strings.Contains(place, "://") {
		if absolute, err := filepath.Abs(place); err == nil {
			place = absolute
		}
	}
	return fmt.Sprintf(`# A feed publishes a job for each new export in a place. See docs/guide/feeds.md.
feeds:
  - name: crm
    watch: %s
    settle: 2m # unchanged for so long before it counts as whole
    job: {kind: segment.add, segment: "1", profile: idfa}
    expect: {min_rows: 1000, max_change: 30%%}
`, strconv.Quote(strings.TrimSuffix(place, "/")+"/*.csv"))
}

// rules returns the text of a rule that changes nothing.
func (a *answers) rules() string {
	return fmt.Sprintf(`# A rule that only records what it would do: mode observe. See docs/guide/rules.md.
account: %s
timezone: %s
rules:
  - name: stop-overspend
    scope: {campaigns: ["*"]}
    window: yesterday
    pause_when: grossMediaSpend >= 1.05 * budget
    resume_when: grossMediaSpend < 0.90 * budget
    schedule: "0 7 * * *"
    max_report_age: 48h
    mode: observe
    limits: {max_creatives: 10, max_share: 20%%}

tests:
  - name: would stop what overspent
    metrics: {grossMediaSpend: 106, budget: 100}
    expect: held
`, strconv.Quote(a.Advertiser), strconv.Quote(a.Timezone))
}
