package rules

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml/ast"

	"usher"
	"usher/internal/rules/condition"
	"usher/internal/rules/document"
)

// MaxRules is the number of rules of the largest rule file.
const MaxRules = 1000

//go:embed rules.schema.json
var schema []byte

// Schema returns the JSON Schema of rule files, for editors. Load is stricter: it
// checks conditions, zones and patterns as well.
func Schema() []byte { return schema }

// nameForm is the form of the names of files and rules, which are part of job ids.
// It is compiled on first use, so that other commands start without it.
var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// NameOf returns the name of a rule file in rules.evaluate: its file name without
// folder and extension.
func NameOf(filename string) string {
	base := filename[strings.LastIndexAny(filename, `/\`)+1:]
	return strings.TrimSuffix(strings.TrimSuffix(base, ".yml"), ".yaml")
}

// Load reads a rule file with the given path, which has no targets; see LoadWith.
func Load(filename string, data []byte) (*Set, []Problem) { return LoadWith(filename, data, nil) }

// LoadAnnounced reads a rule file that a worker has announced.
func LoadAnnounced(f *usher.RuleFile) (*Set, []Problem) {
	return LoadWith(f.Path, []byte(f.Text), func(string) ([]byte, error) { return []byte(f.Targets), nil })
}

// LoadWith reads a rule file with the given path, and the table of its targets by readTable, which
// gets the table's path. It returns all errors and warnings in the order of the file, then those of
// the table, and no set if there is an error.
func LoadWith(filename string, data []byte, readTable func(path string) ([]byte, error)) (*Set, []Problem) {
	f := &file{document.NewFile(filename, data)}
	f.Hints = document.Hints{Key: keyHint, Mapping: mappingHint}
	set := &Set{Name: NameOf(filename), File: filename, Version: fmt.Sprintf("%x", sha256.Sum256(data))[:16]}
	if !nameForm().MatchString(set.Name) {
		f.Errorf(document.At(1, 1), "name the file by up to 64 letters, digits, - and _, such as budgets.yaml", "the file's name %q cannot be part of a job id", set.Name)
	}
	var ofTable []Problem
	if root := f.Parse(data, "a rule file", "account:, timezone: and rules:"); root != nil {
		r := &reader{file: f, set: set, readTable: readTable, places: map[*Rule]map[string]document.Place{}, placesIn: map[*condition.Condition]func(line, column int) document.Place{}, formerlyAt: map[*Rule]document.Place{}}
		r.read(root)
		ofTable = r.table.problems
	}
	document.Sort(f.Problems)
	f.Problems = append(f.Problems, ofTable...)
	if Errors(f.Problems) {
		return nil, f.Problems
	}
	return set, f.Problems
}

// reader reads a set from a file.
type reader struct {
	*file
	set      *Set
	places   map[*Rule]map[string]document.Place // those of some values, of valid rules
	placesIn map[*condition.Condition]func(line, column int) document.Place

	formerlyAt map[*Rule]document.Place

	readTable func(path string) ([]byte, error) // nil: there is none
	table     tableReading
}

// read reads the document. Labels, targets, rules and tests come last, wherever they are, because
// they need the zone and the account, and rules need the labels and the targets.
func (r *reader) read(root ast.Node) {
	var rules, tests, labels, targets ast.Node
	given := r.Entries(root, "a rule file", map[string]func(ast.Node){
		"account":  r.account,
		"timezone": func(n ast.Node) { r.set.Zone = r.Zone(n, "timezone") },
		"labels":   func(n ast.Node) { labels = n },
		"targets":  func(n ast.Node) { targets = n },
		"rules":    func(n ast.Node) { rules = n },
		"tests":    func(n ast.Node) { tests = n },
	})
	if given == nil {
		return
	}
	r.Require(given, document.At(1, 1),
		document.Required{Key: "account", Hint: "write account: SANDBOX1, the advertiser's code"},
		document.Required{Key: "timezone", Hint: "write timezone: Europe/London, the account's"},
		document.Required{Key: "rules", Hint: "write rules: and a list"})
	if r.set.Zone == nil {
		r.set.Zone = time.UTC // the error has been added
	}
	if labels != nil {
		r.labels(labels)
	}
	if targets != nil {
		r.targets(targets)
	}
	if rules != nil {
		r.Items(rules, "rules", r.rule)
		r.checkTargets()
		r.lintTogether()
		r.lintFormerly()
		r.lintNumbers()
		r.lintLabels()
		if len(r.set.Rules) > MaxRules {
			r.Errorf(document.PlaceOf(rules), "split it into several files", "the file has %d rules; %d are allowed", len(r.set.Rules), MaxRules)
		}
	}
	if tests != nil {
		r.Items(tests, "tests", r.test)
	}
}

// codeForm is the form of the codes of advertisers and campaigns.
var codeForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9-]+$`) })

// account reads an advertiser's code.
func (r *reader) account(n ast.Node) {
	code, ok := r.Text(n, "account")
	switch {
	case !ok:
		return
	case !codeForm().MatchString(code):
		r.Errorf(document.PlaceOf(n), "write the advertiser's code, which has letters, digits and hyphens, such as SANDBOX1", "%q is not an advertiser's code", code)
		return
	case code != strings.ToUpper(code):
		r.Warnf(document.PlaceOf(n), "write "+strings.ToUpper(code)+" if the platform does", "the account's code has lower-case letters, and the codes of campaigns begin with it letter by letter")
	}
	r.set.Account = code
}

// Problem is an error or a warning about a rule file.
type Problem = document.Problem

// Errors reports whether one of the problems is an error.
func Errors(problems []Problem) bool { return document.Errors(problems) }

// file is a rule file while it is read, and the problems found so far.
type file struct{ *document.File }
