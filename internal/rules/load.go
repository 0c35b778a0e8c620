package rules

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"cel.dev/cel-go/cel"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
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
	set := &Set{Name: NameOf(filename), File: filename}
	if !nameForm().MatchString(set.Name) {
		f.errorf(place{1, 1}, "name the file by up to 64 letters, digits, - and _, such as budgets.yaml", "the file's name %q cannot be part of a job id", set.Name)
	}
	if len(data) > maxFile {
		f.errorf(place{1, 1}, "split it into several files", "the file has %d bytes; %d are allowed", len(data), maxFile)
	} else if root := f.parse(data); root != nil {
		r := &reader{file: f, set: set}
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

// yamlError adds an error of the YAML parser.
func (f *file) yamlError(err error) {
	at, message := place{1, 1}, err.Error()
	var positioned interface {
		error
		GetToken() *token.Token
		GetMessage() string
	}
	if errors.As(err, &positioned) {
		message = positioned.GetMessage()
		if t := positioned.GetToken(); t != nil {
			at = place{t.Position.Line, t.Position.Column}
		}
	}
	f.errorf(at, "indent with spaces, equally for lines of one block; put quotes around text that begins with : # or *", "the file is not valid YAML: %s", message)
}

// reader reads a set from a file.
type reader struct {
	*file
	set *Set
	env *cel.Env
}

// read reads the document. Rules and tests come last, wherever they are, because
// they need the zone and the account.
func (r *reader) read(root ast.Node) {
	var err error
	if r.env, err = language(); err != nil {
		r.errorf(place{1, 1}, "this is a bug in usher: report it", "%v", err)
		return
	}
	var rules, tests ast.Node
	given := r.entries(root, "a rule file", map[string]func(ast.Node){
		"account":  func(n ast.Node) { r.set.Account, _ = r.text(n, "account") },
		"timezone": r.timezone,
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
	if rules != nil {
		r.items(rules, "rules", r.rule)
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

// timezone reads an IANA zone. It refuses Local, which depends on the machine.
func (r *reader) timezone(n ast.Node) {
	name, ok := r.text(n, "timezone")
	if !ok {
		return
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		r.errorf(placeOf(n), suggest(name, commonZones(), "write an IANA zone: Europe/London, America/New_York, Asia/Tokyo, UTC"), "unknown time zone %q", name)
		return
	}
	r.set.Zone = zone
}

// commonZones returns the zones that are suggested for a misspelt one.
func commonZones() []string {
	return strings.Fields(`UTC Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi America/Bogota America/Chicago America/Denver
		America/Los_Angeles America/Mexico_City America/New_York America/Phoenix America/Sao_Paulo America/Toronto Asia/Bangkok Asia/Dubai
		Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo
		Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Brussels Europe/Copenhagen
		Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Kyiv Europe/Lisbon Europe/London Europe/Madrid Europe/Oslo Europe/Paris
		Europe/Prague Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu`)
}

// globs reads patterns of campaign codes.
func (r *reader) globs(n ast.Node, what string) []string {
	var list []string
	r.items(n, what, func(item ast.Node) {
		glob, ok := r.text(item, "a pattern of "+what)
		if !ok {
			return
		}
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			r.errorf(placeOf(item), `write a code, or a pattern with * and ?, such as "SANDBOX1-*"`, "%q is not a pattern", glob)
			return
		}
		list = append(list, glob)
	})
	if len(list) == 0 {
		r.errorf(placeOf(n), `write ["*"] for all campaigns`, "%s is empty", what)
	}
	return list
}

// sorted returns a map's keys in order.
func sorted[V any](m map[string]V) []string { return slices.SortedFunc(maps.Keys(m), cmp.Compare) }
