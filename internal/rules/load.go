package rules

import (
	"cmp"
	"errors"
	"fmt"
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

// maxFile and maxRules bound what is read of a rule file.
const (
	maxFile  = 1 << 20
	maxRules = 1000
)

// word is what a file's and a rule's name are made of: they stand in job ids. It
// is compiled once, by whoever needs it first: not by every command's start.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// NameOf is what rules.evaluate calls a rule file: its name without folder and
// ending.
func NameOf(filename string) string {
	base := filename[strings.LastIndexAny(filename, `/\`)+1:]
	return strings.TrimSuffix(strings.TrimSuffix(base, ".yml"), ".yaml")
}

// Load reads a rule file, of which filename is where it lies. It returns all that
// is wrong or doubtful, in the order of the file, and no set where there is an
// error.
func Load(filename string, data []byte) (*Set, []Problem) {
	f := &file{name: filename}
	f.lines = strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	set := &Set{Name: NameOf(filename), File: filename}
	if !word().MatchString(set.Name) {
		f.wrongf(place{1, 1}, "name the file by up to 64 letters, digits, - and _, such as budgets.yaml", "the file's name %q cannot stand in job ids", set.Name)
	}
	if len(data) > maxFile {
		f.wrongf(place{1, 1}, "make several files of it", "it has %d bytes; %d are allowed", len(data), maxFile)
	} else if root := f.parse(data); root != nil {
		r := &reader{file: f, set: set}
		r.read(root)
	}
	inOrder(f.problems)
	if Errors(f.problems) {
		return nil, f.problems
	}
	return set, f.problems
}

// parse is the file's one document.
func (f *file) parse(data []byte) ast.Node {
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
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
		f.wrongf(at, "indent by spaces, alike for what belongs together; put quotes around text with : # or * in front", "this is no YAML: %s", message)
		return nil
	}
	var documents []ast.Node
	for _, document := range tree.Docs {
		if document.Body != nil {
			documents = append(documents, document.Body)
		}
	}
	if len(documents) != 1 {
		f.wrongf(place{1, 1}, "write account:, timezone: and rules:", "a rule file is one document, and this has %d", len(documents))
		return nil
	}
	return documents[0]
}

// reader reads a set from a file.
type reader struct {
	*file
	set *Set
	env *cel.Env
}

// read reads what stands at the top. The zone comes first, wherever it stands,
// because schedules need it.
func (r *reader) read(root ast.Node) {
	var err error
	if r.env, err = language(); err != nil {
		r.wrongf(place{1, 1}, "this is a bug in usher: report it", "%v", err)
		return
	}
	var rules, tests ast.Node
	there := r.entries(root, "a rule file", map[string]func(ast.Node){
		"account":  func(n ast.Node) { r.set.Account, _ = r.text(n, "account") },
		"timezone": r.timezone,
		"rules":    func(n ast.Node) { rules = n },
		"tests":    func(n ast.Node) { tests = n },
	})
	if there == nil {
		return
	}
	for _, required := range []struct{ key, example string }{
		{"account", "account: SANDBOX1, the advertiser's code"}, {"timezone", "timezone: Europe/London, the account's"}, {"rules", "rules: and a list"},
	} {
		if _, ok := there[required.key]; !ok {
			r.wrongf(place{1, 1}, "write "+required.example, "key %q is missing", required.key)
		}
	}
	if r.set.Zone == nil {
		r.set.Zone = time.UTC // to go on with; it was said
	}
	if rules != nil {
		r.items(rules, "rules", r.oneRule)
		if len(r.set.Rules) > maxRules {
			r.wrongf(placeOf(rules), "make several files of it", "there are %d rules; %d are allowed", len(r.set.Rules), maxRules)
		}
	}
	if tests != nil {
		r.items(tests, "tests", r.oneTest)
	}
}

// timezone reads an IANA zone. Local is none: it depends on the machine.
func (r *reader) timezone(n ast.Node) {
	name, ok := r.text(n, "timezone")
	if !ok {
		return
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		hint := "write an IANA zone: Europe/London, America/New_York, Asia/Tokyo, UTC"
		if near := nearest(name, commonZones()); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		r.wrongf(placeOf(n), hint, "there is no time zone %q", name)
		return
	}
	r.set.Zone = zone
}

// commonZones are suggested when one is misspelt.
func commonZones() []string {
	return strings.Fields(`UTC Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi America/Bogota America/Chicago America/Denver
		America/Los_Angeles America/Mexico_City America/New_York America/Phoenix America/Sao_Paulo America/Toronto Asia/Bangkok Asia/Dubai
		Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo
		Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Brussels Europe/Copenhagen
		Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Kyiv Europe/Lisbon Europe/London Europe/Madrid Europe/Oslo Europe/Paris
		Europe/Prague Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu`)
}

// globs reads patterns of codes.
func (r *reader) globs(n ast.Node, what string) []string {
	var list []string
	r.items(n, what, func(item ast.Node) {
		glob, ok := r.text(item, "a pattern of "+what)
		if !ok {
			return
		}
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			r.wrongf(placeOf(item), `write a code, or a pattern with * and ?, such as "SANDBOX1-*"`, "%q is no pattern", glob)
			return
		}
		list = append(list, glob)
	})
	if len(list) == 0 {
		r.wrongf(placeOf(n), `write ["*"] for all campaigns`, "%s names nothing", what)
	}
	return list
}

// sorted are a map's keys in order.
func sorted[V any](m map[string]V) []string { return slices.SortedFunc(maps.Keys(m), cmp.Compare) }
