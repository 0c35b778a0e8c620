package main

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
)

// withoutCode returns a page without its fenced blocks and code spans.
func withoutCode(page string) string {
	page = regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(page, "")
	return regexp.MustCompile("`[^`\n]*`").ReplaceAllString(page, "`CODE`")
}

// anchors returns the anchors of a page's headings, as GitHub names them.
func anchors(page string) map[string]bool {
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(fences.ReplaceAllString(page, ""), -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
	}
	return names
}

// TestHandbookLinks checks that the links of the handbook lead to files, and to headings.
func TestHandbookLinks(t *testing.T) {
	t.Parallel()
	pages := handbookPages(t)
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for name, page := range pages {
		for _, m := range link.FindAllStringSubmatch(withoutCode(page), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			if _, err := os.Stat(atRoot(file)); err != nil {
				t.Errorf("%s: the link %s leads nowhere", name, m[1])
			} else if to, isPage := pages[file]; anchor != "" && isPage && !anchors(to)[anchor] {
				t.Errorf("%s: the link %s names no heading of %s", name, m[1], file)
			}
		}
	}
}

// vocabulary is what a page may name.
type vocabulary struct{ commands, flags, metrics, keys, variables map[string]bool }

func newVocabulary(t *testing.T) vocabulary {
	t.Helper()
	v := vocabulary{map[string]bool{}, map[string]bool{"help": true}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	eachCommand(rootCommand(), func(cmd *cobra.Command) {
		for _, name := range append(cmd.Aliases, cmd.Name()) {
			v.commands[strings.TrimSpace(strings.TrimSuffix(cmd.CommandPath(), cmd.Name())+name)] = true
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { v.flags[f.Name] = true })
		cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { v.flags[f.Name] = true })
	})
	for _, m := range metricsInCode(t) {
		v.metrics[m.name] = true
	}
	for _, k := range config.Keys() {
		v.keys[k.Name], v.variables[k.Variable], v.variables[k.Variable+"_FILE"] = true, true, true
	}
	return v
}

// TestHandbookNames checks that the handbook names no command, flag, metric, key or variable
// that does not exist, and that the reference names all of them, and all kinds and classes.
func TestHandbookNames(t *testing.T) {
	t.Parallel()
	v := newVocabulary(t)
	reference := ""
	for name, page := range handbookPages(t) {
		if strings.HasPrefix(name, referenceFolder) {
			reference += page
		}
		for _, problem := range v.unknown(page) {
			t.Errorf("%s: %s does not exist", name, problem)
		}
	}
	for _, words := range [][]string{keys(v.keys), keys(v.variables), keys(v.metrics), command.Kinds(), command.Classes()} {
		for _, word := range words {
			if !strings.Contains(reference, "`"+word+"`") && !strings.Contains(reference, "\n## "+word+"\n") && !strings.HasSuffix(word, "_FILE") {
				t.Errorf("the reference does not have %s", word)
			}
		}
	}
}

func keys(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

// commandLines returns the command lines of usher in a page: code spans and lines of fenced
// blocks that begin with usher.
func commandLines(page string) []string {
	var lines []string
	for _, block := range fences.FindAllStringSubmatch(page, -1) {
		if block[1] == "sh" || block[1] == "console" {
			lines = append(lines, strings.Split(block[3], "\n")...)
		}
	}
	for _, span := range regexp.MustCompile("`[^`\n]*`").FindAllString(fences.ReplaceAllString(page, ""), -1) {
		lines = append(lines, strings.Trim(span, "`"))
	}
	var commands []string
	for _, line := range lines {
		line = strings.TrimPrefix(line, "$ ")
		line, _, _ = strings.Cut(line, "#")
		line, _, _ = strings.Cut(line, " | ")
		line, _, _ = strings.Cut(line, " -- ") // what follows is another program's
		if strings.HasPrefix(line, "usher ") {
			commands = append(commands, strings.TrimSpace(line))
		}
	}
	return commands
}

// unknown returns what a page names that does not exist.
func (v vocabulary) unknown(page string) []string {
	var problems []string
	for _, line := range commandLines(page) {
		word := strings.Fields(line)[1]
		if !v.commands["usher "+word] && word != strings.ToUpper(word) && word != "is" {
			problems = append(problems, "the command usher "+word)
		}
		for _, f := range regexp.MustCompile(` --([a-z][a-z-]+(?:\.[a-z][a-z-]*)*)`).FindAllStringSubmatch(line, -1) {
			if !v.flags[f[1]] {
				problems = append(problems, "the flag --"+f[1])
			}
		}
	}
	areas := map[string]bool{}
	for key := range v.keys {
		area, _, nested := strings.Cut(key, ".")
		areas[area] = nested
	}
	for _, m := range regexp.MustCompile("`([a-z]+)\\.([a-z_]+)`").FindAllStringSubmatch(page, -1) {
		if key := m[1] + "." + m[2]; areas[m[1]] && !v.keys[key] && !slices.Contains(command.Kinds(), key) && !slices.Contains(notKeys, key) {
			problems = append(problems, "the key "+key)
		}
	}
	for _, name := range regexp.MustCompile(`\busher_[a-z_]+[a-z]\b`).FindAllString(page, -1) {
		if !v.metrics[name] && !slices.Contains([]string{"usher_state", "usher_rules"}, name) && !strings.Contains(page, name+"_…") {
			problems = append(problems, "the metric "+name)
		}
	}
	for _, name := range regexp.MustCompile(`\bUSHER_[A-Z_]+[A-Z]\b`).FindAllString(page, -1) {
		if !v.variables[name] && !strings.HasPrefix(name, "USHER_TEST_") && !slices.Contains(notVariables, name) {
			problems = append(problems, "the variable "+name)
		}
	}
	return problems
}

// notKeys look like keys, and are files, or values of the Helm chart.
var notKeys = []string{"feeds.yaml", "nats.conf", "nats-passwords.conf", "redis.acl", "ledger.volume", "console.tls", "intake.tls", "intake.enabled", "rules.yaml"}

// notVariables are names of streams, and variables of examples and of nats.conf.
var notVariables = []string{
	"USHER_JOBS", "USHER_CAMPAIGNS", "USHER_PARTS", "USHER_RELEASED", "USHER_DEAD", "USHER_EVENTS", "USHER_URL", "USHER_TOKEN",
	"USHER_NATS_ADMIN_PASSWORD", "USHER_NATS_WORKER_PASSWORD", "USHER_NATS_OPS_PASSWORD", "USHER_NATS_PUBLISHER_PASSWORD",
}

// glue are words that the rules for prose forbid, with what to write instead.
var glue = map[string]string{
	`where there (?:is|are) (?:none|no)`: "if there is none",
	`from then on`:                       "afterwards",
	`of its own`:                         "its own",
	`who(?:ever)? asks`:                  "the caller",
	`what (?:it|they) ha(?:s|ve)`:        "its …",
	`is able to`:                         "can",
	`in order to`:                        "to",
	`utilize|leverage`:                   "use",
	`simply|obviously|of course`:         "nothing",
}

// TestProse checks the rules of the project's prose that a program can check, in the handbook
// and in all help texts.
func TestProse(t *testing.T) {
	t.Parallel()
	rules := map[*regexp.Regexp]string{}
	for words, better := range glue {
		rules[regexp.MustCompile(`\b(?:`+words+`)\b`)] = better
	}
	texts := map[string]string{}
	for name, page := range handbookPages(t) {
		texts[name] = withoutCode(page)
	}
	eachCommand(rootCommand(), func(cmd *cobra.Command) {
		texts[cmd.CommandPath()+" --help"] = helpTexts(cmd)
	})
	for name, text := range texts {
		text = strings.ToLower(text)
		for words, better := range rules {
			if at := words.FindStringIndex(text); at != nil {
				t.Errorf("%s: %q: write %s", name, text[max(0, at[0]-40):at[1]], better)
			}
		}
		for line := range strings.Lines(text) {
			words := strings.Fields(line)
			for i := range words[:max(0, len(words)-1)] {
				if w := words[i]; w == words[i+1] && len(w) > 1 && w != "that" && !strings.ContainsAny(w, "-|=`") {
					t.Errorf("%s: %q twice in %q", name, w, line)
				}
			}
		}
	}
}
