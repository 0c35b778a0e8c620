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

// row lists what a package may import, other than the standard library.
type row struct {
	ours    []string // packages of this module, relative to usher/; "" is the root package
	outside []string // other modules with all of their packages
}

// allowedEverywhere are the client APIs of tracing and metrics.
var allowedEverywhere = []string{
	"go.opentelemetry.io/otel",
	"github.com/prometheus/client_golang/prometheus",
}

// rows is the table of allowed imports: imports point to the root package, and only
// cmd/usher may import everything. The test fails for a package without a row.
var rows = map[string]row{
	"":        {},
	"hashing": {ours: []string{""}, outside: []string{"golang.org/x/sys", "github.com/klauspost/cpuid"}},
	"internal/exports": {
		ours: []string{
			"", "hashing", "internal/exports/places", "internal/exports/unpack", "internal/exports/rows", "internal/exports/names", "internal/exports/choose", "internal/exports/watch", "internal/exports/layout",
			"internal/exports/csv", "internal/exports/ndjson", "internal/exports/avro", "internal/exports/parquet", "internal/exports/xlsx",
		},
	},
	"internal/exports/memory": {ours: []string{"", "internal/exports/choose", "internal/readable"}},
	"internal/exports/memory/memorytest": { // for tests
		ours: []string{""}, outside: []string{"github.com/klauspost/compress/zstd", "github.com/parquet-go/parquet-go", "github.com/twmb/avro"},
	},
	"internal/exports/names":  {ours: []string{"", "hashing", "internal/exports/rows"}},
	"internal/exports/choose": {ours: []string{"", "hashing", "internal/exports/names", "internal/exports/ndjson", "internal/exports/places", "internal/exports/rows"}},
	"internal/exports/layout": {ours: []string{
		"", "hashing", "internal/exports/choose", "internal/exports/names", "internal/exports/places", "internal/exports/rows", "internal/exports/unpack",
		"internal/exports/avro", "internal/exports/csv", "internal/exports/ndjson", "internal/exports/parquet",
	}},
	"internal/exports/watch": {ours: []string{
		"", "hashing", "internal/exports/choose", "internal/exports/names", "internal/exports/places", "internal/exports/rows",
		"internal/exports/csv", "internal/exports/ndjson", "internal/exports/parquet", "internal/exports/xlsx",
	}},
	"internal/exports/avro": {
		ours:    []string{"", "internal/exports/places", "internal/exports/unpack"},
		outside: []string{"github.com/twmb/avro"},
	},
	"internal/exports/unpack": {ours: []string{"hashing", "internal/exports/places", "internal/exports/rows"}, outside: []string{
		"github.com/klauspost/compress", "github.com/therootcompany/xz", "github.com/pierrec/lz4",
	}},
	"internal/filelock":       {},
	"internal/exports/places": {ours: []string{"", "hashing", "internal/filelock"}, outside: []string{"gocloud.dev"}},
	"internal/exports/places/cloud": {outside: []string{
		"gocloud.dev",
		// The types that gocloud's As returns, which are used to pin an object's version.
		"cloud.google.com/go/storage", "github.com/Azure/azure-sdk-for-go/sdk", "github.com/aws/aws-sdk-go-v2/service/s3",
	}},
	"internal/exports/rows":   {ours: []string{"", "hashing", "internal/exports/places"}},
	"internal/exports/csv":    {ours: []string{"", "hashing", "internal/exports/places", "internal/exports/rows"}, outside: []string{"golang.org/x/sys/cpu"}},
	"internal/exports/ndjson": {ours: []string{"", "internal/exports/places", "internal/exports/rows"}},
	"internal/exports/xlsx":   {},
	"internal/exports/parquet": {ours: []string{"internal/exports/places"}, outside: []string{
		"github.com/klauspost/compress", "github.com/andybalholm/brotli", "github.com/pierrec/lz4",
	}},
	"pipeline": {ours: []string{"", "hashing"}, outside: []string{"github.com/cenkalti/backoff/v4"}},
	"internal/rules": {
		ours: []string{
			"", inRules + "analysis", inRules + "calendar", inRules + "condition", inRules + "document", inRules + "expression", inRules + "figures", inRules + "targets",
			"internal/readable",
		},
		outside: []string{"github.com/goccy/go-yaml"},
	},
	inRules + "analysis":   {ours: []string{inRules + "condition", inRules + "expression", inRules + "figures", "internal/readable"}},
	inRules + "backtest":   {ours: []string{"", "internal/rules", inRules + "calendar", inRules + "figures"}},
	inRules + "calendar":   {ours: []string{"internal/readable"}},
	inRules + "condition":  {ours: []string{inRules + "expression", inRules + "figures", "internal/readable"}},
	inRules + "document":   {ours: []string{"internal/readable"}, outside: []string{"github.com/goccy/go-yaml"}},
	inRules + "expression": {ours: []string{"", inRules + "calendar", inRules + "figures", inRules + "targets", "internal/readable"}},
	inRules + "targets":    {},
	inRules + "figures":    {ours: []string{inRules + "calendar", "internal/readable"}},
	"internal/outcomes":    {ours: []string{"", "hashing", "internal/exports", "internal/readable", inRules + "calendar", inRules + "condition", inRules + "figures"}},
	"internal/rtb":         {ours: []string{""}},
	"internal/rtb/samples": {}, // for tests
	"queues/store": {
		ours:    []string{""},
		outside: []string{"github.com/nats-io/nats.go", "github.com/cenkalti/backoff/v4"},
	},
	"queues/schema": {
		ours:    []string{"", "hashing", "internal/readable"},
		outside: []string{"github.com/santhosh-tekuri/jsonschema/v6"},
	},
	"queues/audit":    {ours: []string{"", "hashing", "queues/store"}, outside: []string{"github.com/nats-io/nats.go"}},
	"queues/settings": {ours: []string{"", "queues/audit", "queues/store"}},
	"queues/lanes":    {ours: []string{"", "queues/audit", "queues/settings", "queues/store"}, outside: []string{"github.com/nats-io/nats.go"}},
	"queues/message":  {ours: []string{"", "hashing", "queues/schema", "queues/store"}, outside: []string{"github.com/nats-io/nats.go"}},
	"queues/records":  {ours: []string{"", "queues/message", "queues/store"}, outside: []string{"github.com/nats-io/nats.go"}},
	"queues/presence": {ours: []string{"", "internal/readable", "queues/lanes", "queues/store"}, outside: []string{"github.com/nats-io/nats.go"}},
	"queues/status":   {ours: []string{"", "queues/lanes", "queues/message", "queues/names", "queues/presence", "queues/records", "queues/store", "queues/targets"}, outside: []string{"github.com/nats-io/nats.go"}},
	"queues/backups":  {ours: []string{"", "internal/scrape", "queues/store"}, outside: []string{"github.com/nats-io/nats.go", "gocloud.dev"}},
	"queues/names":    {ours: []string{"", "queues/store"}},
	"queues/heads":    {ours: []string{"internal/ledger", "internal/scrape", "queues/store"}},
	"internal/scrape": {},
	"internal/ledger": {ours: []string{"", "hashing"}, outside: []string{"gocloud.dev"}},
	"queues/targets":  {ours: []string{"", "queues/message", "queues/records", "queues/store"}, outside: []string{"github.com/nats-io/nats.go"}},
	"queues": {
		ours: []string{
			"", "internal/readable", "internal/scrape", "queues/audit", "queues/backups", "queues/heads", "queues/lanes", "queues/message", "queues/names", "queues/presence", "queues/records", "queues/schema", "queues/settings", "queues/status", "queues/store", "queues/targets",
		},
		outside: []string{"github.com/nats-io/nats.go", "golang.org/x/sync/errgroup"},
	},
	"queues/letters": {
		ours:    []string{"", "internal/readable", "queues", "queues/audit", "queues/lanes", "queues/message", "queues/names", "queues/schema", "queues/status", "queues/store", "queues/targets"},
		outside: []string{"github.com/nats-io/nats.go", "golang.org/x/sync/errgroup"},
	},
	"queues/queuetest": { // for tests
		ours:    []string{"", "internal/natstest", "pipeline", "queues", "queues/audit", "queues/lanes", "queues/letters"},
		outside: []string{"github.com/nats-io/nats.go", "github.com/nats-io/nats-server/v2"},
	},
	"queues/decisions":   {ours: []string{"", "internal/readable", "internal/scrape", "queues", "queues/audit", "queues/settings", "queues/status", "queues/store"}, outside: []string{"golang.org/x/sync/errgroup"}},
	"queues/outcomes":    {ours: []string{"internal/outcomes", inRules + "figures", "queues", "queues/audit", "queues/store"}},
	"internal/fleet":     {ours: []string{""}, outside: []string{"github.com/redis/go-redis/v9", "golang.org/x/time/rate", "github.com/cenkalti/backoff/v4"}},
	"workers":            {ours: []string{"", "hashing", "pipeline", "internal/exports", "internal/exports/memory", "internal/ledger", "internal/readable", "internal/rtb"}},
	"workers/campaign":   {ours: []string{"", "workers", "internal/readable", "internal/rtb"}},
	"workers/evaluation": {ours: []string{"", "workers", "internal/rtb", "internal/rules", inRules + "calendar", inRules + "figures"}, outside: []string{"golang.org/x/sync/errgroup"}},
	"workers/internal/workertest": { // for tests
		ours: []string{
			"", "workers", "workers/campaign", "workers/evaluation", "internal/ledger", "pipeline", "queues", "queues/lanes", "queues/decisions",
			"internal/exports", "internal/exports/places", "internal/ledger", "internal/natstest", "internal/platform", "internal/rtb", "internal/rules", "internal/sandbox",
		},
		outside: []string{"github.com/nats-io/nats.go"},
	},
	"internal/azuretest": { // for tests
		outside: []string{"github.com/Azure/azure-sdk-for-go/sdk"},
	},
	"internal/natstest": { // for tests
		outside: []string{"github.com/nats-io/nats-server/v2", "github.com/nats-io/nats.go"},
	},
	"internal/platform":           {ours: []string{"", "internal/rtb"}, outside: []string{"github.com/cenkalti/backoff/v4"}},
	"internal/sandbox":            {ours: []string{"hashing", "internal/rtb", "internal/sandbox/operations", "internal/sandbox/store"}},
	"internal/sandbox/operations": {ours: []string{"hashing", "internal/rtb", "internal/sandbox/store"}, outside: []string{"golang.org/x/net"}},
	"internal/sandbox/store":      {ours: []string{"hashing"}},
	"internal/console": {
		ours: []string{"", "internal/feeds", "internal/ledger", "internal/readable", "internal/rules", inRules + "backtest", inRules + "figures", "queues", "queues/audit", "queues/backups", "queues/lanes", "queues/letters", "queues/names", "queues/presence", "queues/decisions", "queues/schema", "queues/settings", "queues/status", "queues/store"},
		// Compressed answers, password hashes, and the pace of a replay.
		outside: []string{"github.com/klauspost/compress/gzhttp", "golang.org/x/crypto/bcrypt", "golang.org/x/time/rate"},
	},
	"internal/intake": {
		ours:    []string{"", "internal/exports", "internal/outcomes", "internal/readable", "queues", "queues/audit", "queues/message", "queues/outcomes", "queues/records", "queues/schema", "queues/status"},
		outside: []string{"golang.org/x/net/netutil", "golang.org/x/time/rate"}, // limits
	},
	"internal/bench":              {},
	"internal/readable":           {},
	"internal/inspection":         {ours: []string{"", "hashing", "pipeline", "internal/exports", "internal/exports/parquet", "internal/exports/unpack", "internal/readable"}},
	"internal/alerts":             {ours: []string{"", "internal/feeds", "internal/ledger", "queues/heads", "queues", "queues/lanes", "queues/letters", "queues/presence", "queues/decisions", "queues/status", "queues/store", "internal/readable", inRules + "calendar"}, outside: []string{"github.com/cenkalti/backoff/v4"}},
	"internal/rules/differential": {}, // only tests, which run the command
	"internal/faults":             {}, // only tests, which run usher as it is deployed
	"internal/rules/files":        {ours: []string{"", "internal/rules", "internal/rules/document"}},
	"internal/feeds": {
		ours: []string{
			"", "hashing", "internal/exports", "internal/exports/memory", "internal/exports/places", "internal/inspection", "internal/readable", "internal/rtb", "internal/scrape", inRules + "calendar", inRules + "document",
			"queues", "queues/audit", "queues/schema", "queues/settings", "queues/store",
		},
		outside: []string{"github.com/goccy/go-yaml"},
	},

	// The command line: packages that all commands share, and one package for each group
	// of commands.
	inCommand + "command": {ours: []string{"", "queues", "queues/audit", "queues/schema", "internal/readable", inCommand + "terminal"}, outside: []string{
		"github.com/spf13/cobra", "github.com/spf13/pflag",
		"golang.org/x/time/rate", // the value of a flag
	}},
	inCommand + "terminal": {ours: []string{"", "internal/readable"}, outside: []string{
		"github.com/vbauerster/mpb/v8", "github.com/jedib0t/go-pretty/v6", "github.com/mattn/go-isatty", "golang.org/x/term",
	}},
	inCommand + "config": {ours: []string{"", inCommand + "command", "internal/exports/places", "internal/ledger", "internal/fleet", "internal/rtb", inRules + "calendar"}, outside: []string{
		"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/knadh/koanf",
	}},
	inCommand + "connect": {
		ours: []string{"", "hashing", "pipeline", "queues", "internal/exports", "internal/exports/places", "internal/exports/places/cloud", "internal/fleet", "internal/ledger", "internal/readable", "internal/rtb", "queues/heads", "queues/names", "queues/status", "queues/store", inCommand + "command", inCommand + "config", inCommand + "terminal"},
		// The clients of the connections that it opens.
		outside: []string{"github.com/spf13/cobra", "github.com/nats-io/nats.go", "golang.org/x/time/rate"},
	},
	inCommand + "shutdown":   {ours: []string{""}},
	inCommand + "datafolder": {ours: []string{"internal/filelock"}},
	inCommand + "embedded": {ours: []string{inCommand + "config", inCommand + "connect"}, outside: []string{
		"github.com/nats-io/nats-server/v2", "github.com/alicebob/miniredis/v2",
	}},
	inCommand + "review": {
		ours:    []string{"", "workers/evaluation", "internal/rtb", "internal/rules", inRules + "backtest", inRules + "figures", "queues", "queues/lanes", "queues/outcomes", "queues/presence", "queues/decisions", inCommand + "config", inCommand + "connect"},
		outside: []string{"github.com/spf13/cobra"},
	},
	inCommand + "account": {
		ours:    []string{"", "workers/evaluation", "internal/outcomes", "queues", "queues/outcomes", "internal/readable", "internal/rtb", "internal/rules", inRules + "backtest", inRules + "figures", inCommand + "config", inCommand + "connect"},
		outside: []string{"github.com/spf13/cobra"},
	},
	inCommand + "api":       commands([]string{"internal/rtb"}, "github.com/spf13/pflag", "golang.org/x/term"),
	inCommand + "bench":     commands([]string{"internal/fleet", "internal/sandbox", "queues/store", inCommand + "dev"}, "github.com/nats-io/nats.go"),
	inCommand + "audiences": commands([]string{"internal/feeds", "internal/ledger", "internal/rtb", inCommand + "jobs"}),
	inCommand + "backup":    commands([]string{"internal/ledger", "queues/backups", "queues/heads"}, "github.com/nats-io/nats.go"),
	inCommand + "console": commands(
		[]string{"queues/backups", "queues/heads", "workers", "internal/console", "internal/feeds", "internal/fleet", "internal/ledger", inCommand + "ledger", "internal/platform", "internal/rules", inRules + "backtest", "internal/rules/files", "internal/rtb", inCommand + "account", inCommand + "review"},
		"github.com/nats-io/nats.go", // for the readiness check
		"golang.org/x/term",
	),
	inCommand + "dead":     commands([]string{inCommand + "jobs"}, "golang.org/x/time/rate"), // the pace of a replay
	inCommand + "demo":     commands([]string{"internal/rtb", inCommand + "dev", inCommand + "jobs"}, "github.com/nats-io/nats.go"),
	inCommand + "dev":      commands([]string{"internal/exports/places", "internal/sandbox", inCommand + "datafolder", inCommand + "embedded", inCommand + "intake", inCommand + "shutdown"}),
	inCommand + "doctor":   commands([]string{"internal/exports/places", "internal/fleet", "internal/ledger", "internal/rtb", "queues/backups", "queues/outcomes", "queues/status", "queues/store"}, "github.com/nats-io/nats.go"),
	inCommand + "feeds":    commands([]string{"queues/names", inCommand + "jobs", "hashing", "internal/exports/places", "internal/feeds", "internal/rtb", inRules + "document"}),
	inCommand + "inspect":  commands([]string{"hashing", "internal/exports", "internal/exports/places", "internal/inspection", inCommand + "jobs", inCommand + "review"}),
	inCommand + "intake":   commands([]string{"internal/intake"}),
	inCommand + "jobs":     commands([]string{"hashing", "internal/ledger"}),
	inCommand + "ledger":   commands([]string{"hashing", "pipeline", "internal/exports", "internal/ledger", "internal/rtb", inCommand + "jobs"}),
	inCommand + "reload":   {ours: []string{"internal/console", inCommand + "config", inCommand + "connect"}, outside: []string{"github.com/fsnotify/fsnotify"}},
	inCommand + "rules":    commands([]string{"internal/rtb", "internal/rules", inRules + "backtest", inRules + "condition", inRules + "figures", inCommand + "account", inCommand + "jobs", inCommand + "review", inCommand + "settings"}),
	inCommand + "settings": commands([]string{"internal/fleet"}),
	inCommand + "sandbox":  commands([]string{"internal/sandbox", inCommand + "datafolder"}),
	inCommand + "starter":  commands([]string{inCommand + "doctor"}),
	inCommand + "outcomes": commands([]string{"internal/exports", "internal/outcomes", "internal/rtb", "queues/outcomes", "workers/evaluation"}),
	inCommand + "suppress": commands([]string{"hashing", "internal/ledger"}),
	inCommand + "submit":   commands([]string{"hashing", "internal/exports/places", "internal/inspection", inCommand + "jobs", inCommand + "review"}),

	"docs/examples": {}, // a publisher
	"cmd/usher": {
		ours: []string{
			"", "queues", "queues/backups", "queues/heads", "queues/lanes", "queues/letters", "queues/presence", "queues/decisions", "queues/outcomes", "queues/settings", "queues/status", "workers", "workers/campaign", "workers/evaluation", "pipeline", "internal/alerts", "internal/exports", "internal/exports/places", "internal/feeds", "internal/fleet", "internal/ledger", "internal/outcomes", "internal/platform", "internal/readable", "internal/rtb", "internal/rules/files",
			inCommand + "api", inCommand + "audiences", inCommand + "backup", inCommand + "bench", inCommand + "command", inCommand + "config", inCommand + "connect", inCommand + "console", inCommand + "dead",
			inCommand + "demo", inCommand + "dev", inCommand + "doctor", inCommand + "feeds", inCommand + "inspect", inCommand + "intake", inCommand + "jobs",
			inCommand + "ledger", inCommand + "outcomes", inCommand + "reload", inCommand + "rules", inCommand + "sandbox", inCommand + "settings",
			inCommand + "shutdown", inCommand + "starter", inCommand + "submit", inCommand + "suppress",
		},
		// The command, and exporters of metrics and traces.
		outside: []string{"github.com/spf13/cobra", "github.com/prometheus/client_golang"},
	},
}

// The folders of the command line's packages and of the packages of rules.
const (
	inCommand = "cmd/usher/internal/"
	inRules   = "internal/rules/"
)

// commands returns the row of a group of commands: the imports that all groups may have,
// and those given.
func commands(ours []string, outside ...string) row {
	return row{
		ours: append(ours, "", "queues", "queues/audit", "queues/lanes", "queues/letters", "queues/presence", "queues/decisions", "queues/schema", "queues/settings", "queues/status", "internal/readable",
			inCommand+"command", inCommand+"config", inCommand+"connect", inCommand+"terminal"),
		outside: append(outside, "github.com/spf13/cobra"),
	}
}

// fault returns why pkg may not import path, or "" if it may.
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
		if !slices.ContainsFunc(r.outside, below) && !slices.ContainsFunc(allowedEverywhere, below) {
			return "usher/" + pkg + " may not import " + path
		}
	}
	return ""
}

// eachSource calls visit with every non-test file of the module, for all build tags.
func eachSource(t *testing.T, visit func(pkg, file string, tree *ast.File)) {
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
				return fs.SkipDir // another module
			}
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
		default:
			tree, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			pkg := filepath.ToSlash(filepath.Dir(path))
			visit(strings.TrimPrefix(pkg, "."), path, tree)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	visited := 0
	eachSource(t, func(pkg, file string, tree *ast.File) {
		visited++
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
	if visited == 0 {
		t.Error("no file was visited")
	}
}

// TestSandboxUsesNoClient checks that the sandbox uses only the records and operations of
// rtb. If it used rtb's client, both could make the same mistake, and no test would fail.
func TestSandboxUsesNoClient(t *testing.T) {
	t.Parallel()
	eachSource(t, func(pkg, file string, tree *ast.File) {
		if pkg != "internal/sandbox" && !strings.HasPrefix(pkg, "internal/sandbox/") {
			return
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "rtb" && (s.Sel.Name == "Client" || s.Sel.Name == "New") {
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
		"below a listed one":      {"workers", "usher/internal/rtb/gen", true},
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
