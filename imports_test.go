package usher_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// row says what a package may import beside the standard library.
type row struct {
	ours    []string // packages of this module, below usher/; "" is the root
	outside []string // other modules, with everything below them
}

// everyone may use the client APIs of tracing and metrics, too.
var everyone = []string{
	"go.opentelemetry.io/otel",
	"github.com/prometheus/client_golang/prometheus",
}

// rows are the table of who may import whom: imports point to the root, and
// only the command knows everybody. A package that is not here fails the test:
// give it its row first.
var rows = map[string]row{
	"":        {},
	"hashing": {ours: []string{""}, outside: []string{"golang.org/x/sys", "github.com/klauspost/cpuid"}},
	"internal/exports": {
		ours: []string{
			"", "internal/exports/places", "internal/exports/rows", "internal/exports/csv", "internal/exports/ndjson", "internal/exports/parquet",
		},
		outside: []string{"github.com/klauspost/compress"},
	},
	"internal/exports/places": {ours: []string{""}, outside: []string{
		"gocloud.dev",
		// What gocloud's As hands out, to pin an object's state.
		"cloud.google.com/go/storage", "github.com/Azure/azure-sdk-for-go/sdk", "github.com/aws/aws-sdk-go-v2/service/s3",
	}},
	"internal/exports/rows":   {ours: []string{"", "internal/exports/places"}},
	"internal/exports/csv":    {ours: []string{"", "internal/exports/places", "internal/exports/rows"}, outside: []string{"golang.org/x/sys/cpu"}},
	"internal/exports/ndjson": {ours: []string{"", "internal/exports/rows"}},
	"internal/exports/parquet": {ours: []string{"internal/exports/places"}, outside: []string{
		"github.com/klauspost/compress", "github.com/andybalholm/brotli", "github.com/pierrec/lz4",
	}},
	"pipeline":       {ours: []string{"", "hashing"}, outside: []string{"github.com/cenkalti/backoff/v4"}},
	"internal/rules": {ours: []string{""}, outside: []string{"cel.dev", "github.com/goccy/go-yaml"}},
	"internal/rtb":   {ours: []string{""}},
	"queues/store": {
		ours:    []string{""},
		outside: []string{"github.com/nats-io/nats.go"},
	},
	"queues/schema": {
		ours:    []string{""},
		outside: []string{"github.com/santhosh-tekuri/jsonschema/v6"},
	},
	"queues": {
		ours:    []string{"", "queues/schema", "queues/store"},
		outside: []string{"github.com/nats-io/nats.go"},
	},
	"internal/fleet":    {ours: []string{""}, outside: []string{"github.com/redis/go-redis/v9", "golang.org/x/time/rate"}},
	"workers":           {ours: []string{"", "pipeline", "internal/exports", "internal/rules", "internal/rtb"}},
	"internal/platform": {ours: []string{"", "internal/rtb"}, outside: []string{"github.com/cenkalti/backoff/v4"}},
	"internal/sandbox": {ours: []string{
		"internal/rtb", "internal/sandbox/envelope", "internal/sandbox/files", "internal/sandbox/operations", "internal/sandbox/store",
	}},
	"internal/sandbox/envelope": {},
	"internal/sandbox/files":    {ours: []string{"hashing", "internal/rtb", "internal/sandbox/envelope", "internal/sandbox/store"}},
	"internal/sandbox/metadata": {ours: []string{"internal/rtb"}},
	"internal/sandbox/operations": {
		ours: []string{
			"hashing", "internal/rtb", "internal/sandbox/envelope", "internal/sandbox/files", "internal/sandbox/metadata", "internal/sandbox/store",
		},
		outside: []string{"golang.org/x/net"},
	},
	"internal/sandbox/store": {ours: []string{"hashing"}},
	"internal/console":       {ours: []string{"", "internal/rules"}, outside: []string{"golang.org/x/crypto/bcrypt"}},
	"internal/bench":         {},
	"cmd/usher": {
		ours: []string{
			"", "hashing", "internal/exports", "internal/exports/places", "pipeline", "internal/rules", "internal/rtb", "queues", "queues/schema",
			"internal/fleet", "internal/platform", "workers", "internal/sandbox", "internal/console",
		},
		outside: []string{
			"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/knadh/koanf",
			"github.com/nats-io/nats-server/v2", "github.com/alicebob/miniredis/v2",
			// What a terminal sees: progress, tables, whether it is one.
			"github.com/vbauerster/mpb/v8", "github.com/jedib0t/go-pretty/v6", "github.com/mattn/go-isatty",
			// The pace of a replay, as asked for on the command line.
			"golang.org/x/time/rate",
			// A password typed without being shown.
			"golang.org/x/term",
			// Exporters of metrics and traces.
			"github.com/prometheus/client_golang",
			// The connections themselves, which the wiring opens and hands on;
			// what goes over them is queues' and fleet's business alone.
			"github.com/nats-io/nats.go", "github.com/redis/go-redis/v9",
		},
	},
}

// fault says what is wrong when pkg imports path; empty for nothing.
func fault(pkg, path string) string {
	first, _, _ := strings.Cut(path, "/")
	r, known := rows[pkg]
	switch {
	case !known:
		return "usher/" + pkg + " has no row in the table of imports_test.go"
	case path == "usher" || first == "usher":
		if !slices.Contains(r.ours, strings.TrimPrefix(strings.TrimPrefix(path, "usher"), "/")) {
			return "usher/" + pkg + " may not import " + path
		}
	case strings.Contains(first, "."):
		below := func(module string) bool { return path == module || strings.HasPrefix(path, module+"/") }
		if !slices.ContainsFunc(r.outside, below) && !slices.ContainsFunc(everyone, below) {
			return "usher/" + pkg + " may not import " + path
		}
	}
	return ""
}

// sources calls see with every non-test file of the module, of all build tags.
func sources(t *testing.T, see func(pkg, file string, tree *ast.File)) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && path != ".":
			if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return fs.SkipDir // a module of its own
			}
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
		default:
			tree, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			pkg := filepath.ToSlash(filepath.Dir(path))
			see(strings.TrimPrefix(pkg, "."), path, tree)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	seen := 0
	sources(t, func(pkg, file string, tree *ast.File) {
		seen++
		if _, known := rows[pkg]; !known {
			t.Errorf("%s: %s", file, fault(pkg, "fmt"))
			return
		}
		for _, spec := range tree.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if f := fault(pkg, path); f != "" {
				t.Errorf("%s: %s", file, f)
			}
		}
	})
	if seen == 0 {
		t.Error("no file was seen")
	}
}

// TestSandboxIsNoClient holds the sandbox to rtb's records and operations: with
// rtb's client in it, the two could agree on a mistake.
func TestSandboxIsNoClient(t *testing.T) {
	t.Parallel()
	sources(t, func(pkg, file string, tree *ast.File) {
		if pkg != "internal/sandbox" && !strings.HasPrefix(pkg, "internal/sandbox/") {
			return
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "rtb" && (s.Sel.Name == "Client" || s.Sel.Name == "NewClient") {
					t.Errorf("%s uses rtb.%s", file, s.Sel.Name)
				}
			}
			return true
		})
	})
}

func TestImportFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pkg, path string
		fault     bool
	}{
		"std":                     {"hashing", "crypto/md5", false},
		"root":                    {"hashing", "usher", false},
		"tracing":                 {"hashing", "go.opentelemetry.io/otel/trace", false},
		"listed":                  {"queues", "github.com/nats-io/nats.go/jetstream", false},
		"unlisted":                {"hashing", "github.com/nats-io/nats.go", true},
		"like a listed one":       {"queues", "github.com/nats-io/nats.gorgeous", true},
		"neighbour":               {"queues", "usher/workers", true},
		"upwards":                 {"", "usher/hashing", true},
		"package without a row":   {"util", "fmt", true},
		"below one that may be":   {"workers", "usher/internal/rtb/gen", true},
		"sandbox in the platform": {"internal/rtb", "usher/internal/sandbox", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if f := fault(c.pkg, c.path); (f != "") != c.fault {
				t.Errorf("usher/%s importing %s: %q", c.pkg, c.path, f)
			}
		})
	}
}
