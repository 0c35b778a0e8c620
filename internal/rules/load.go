package rules

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"usher/internal/rules/condition"
)

// The largest rule file, in bytes and in rules.
const (
	maxFile  = 1 << 20
	maxRules = 1000
)

// nameForm is the form of the names of files and rules, which are part of job ids.
// It is compiled on first use, so that other commands start without it.
var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// NameOf returns the name of a rule file in rules.evaluate: its file name without
// folder and extension.
func NameOf(filename string) string {
	base := filename[strings.LastIndexAny(filename, `/\`)+1:]
	return strings.TrimSuffix(strings.TrimSuffix(base, ".yml"), ".yaml")
}

// Load reads a rule file with the given path. It returns all errors and warnings in
// the order of the file, and no set if there is an error.
func Load(filename string, data []byte) (*Set, []Problem) {
	f := &file{name: filename}
	f.lines = strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	set := &Set{Name: NameOf(filename), File: filename, Version: fmt.Sprintf("%x", sha256.Sum256(data))[:16]}
	if !nameForm().MatchString(set.Name) {
		f.errorf(place{1, 1}, "name the file by up to 64 letters, digits, - and _, such as budgets.yaml", "the file's name %q cannot be part of a job id", set.Name)
	}
	if len(data) > maxFile {
		f.errorf(place{1, 1}, "split it into several files", "the file has %d bytes; %d are allowed", len(data), maxFile)
	} else if root := f.parse(data); root != nil {
		r := &reader{file: f, set: set, places: map[*Rule]map[string]place{}, placesIn: map[*condition.Condition]func(line, column int) place{}}
		r.read(root)
	}
	sortProblems(f.problems)
	if Errors(f.problems) {
		return nil, f.problems
	}
	return set, f.problems
}

// parse returns the one document of the file.
func (f *file) parse(data []byte) ast.Node {
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
		f.yamlError(err)
		return nil
	}
	var documents []ast.Node
	for _, document := range tree.Docs {
		if document.Body != nil {
			documents = append(documents, document.Body)
		}
	}
	if len(documents) != 1 {
		f.errorf(place{1, 1}, "write account:, timezone: and rules:", "a rule file must be one document, and this has %d", len(documents))
		return nil
	}
	return documents[0]
}

// reader reads a set from a file.
type reader struct {
	*file
	set      *Set
	language *condition.Language
	places   map[*Rule]map[string]place // those of some values, of valid rules
	placesIn map[*condition.Condition]func(line, column int) place
}

// read reads the document. Labels, rules and tests come last, wherever they are, because
// they need the zone and the account, and rules need the labels.
func (r *reader) read(root ast.Node) {
	var err error
	if r.language, err = condition.NewLanguage(); err != nil {
		r.errorf(place{1, 1}, "this is a bug in usher: report it", "%v", err)
		return
	}
	var rules, tests, labels ast.Node
	given := r.entries(root, "a rule file", map[string]func(ast.Node){
		"account":  r.account,
		"timezone": r.timezone,
		"labels":   func(n ast.Node) { labels = n },
		"rules":    func(n ast.Node) { rules = n },
		"tests":    func(n ast.Node) { tests = n },
	})
	if given == nil {
		return
	}
	r.require(given, place{1, 1},
		required{"account", "write account: SANDBOX1, the advertiser's code"},
		required{"timezone", "write timezone: Europe/London, the account's"},
		required{"rules", "write rules: and a list"})
	if r.set.Zone == nil {
		r.set.Zone = time.UTC // the error has been added
	}
	if labels != nil {
		r.labels(labels)
	}
	if rules != nil {
		r.items(rules, "rules", r.rule)
		r.lintTogether()
		r.lintNumbers()
		r.lintLabels()
		if len(r.set.Rules) > maxRules {
			r.errorf(placeOf(rules), "split it into several files", "the file has %d rules; %d are allowed", len(r.set.Rules), maxRules)
		}
	}
	if tests != nil {
		r.items(tests, "tests", r.test)
	}
}

// required is a key that a mapping must have.
type required struct{ key, hint string }

// require adds an error for each key that is missing.
func (r *reader) require(given map[string]place, at place, keys ...required) {
	for _, k := range keys {
		if _, ok := given[k.key]; !ok {
			r.errorf(at, k.hint, "key %q is missing", k.key)
		}
	}
}

// codeForm is the form of the codes of advertisers and campaigns.
var codeForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9-]+$`) })

// account reads an advertiser's code.
func (r *reader) account(n ast.Node) {
	code, ok := r.text(n, "account")
	switch {
	case !ok:
		return
	case !codeForm().MatchString(code):
		r.errorf(placeOf(n), "write the advertiser's code, which has letters, digits and hyphens, such as SANDBOX1", "%q is not an advertiser's code", code)
		return
	case code != strings.ToUpper(code):
		r.warnf(placeOf(n), "write "+strings.ToUpper(code)+" if the platform does", "the account's code has lower-case letters, and the codes of campaigns begin with it letter by letter")
	}
	r.set.Account = code
}

// sorted returns a map's keys in order.
func sorted[V any](m map[string]V) []string { return slices.SortedFunc(maps.Keys(m), cmp.Compare) }
