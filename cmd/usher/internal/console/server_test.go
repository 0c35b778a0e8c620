package console

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher/cmd/usher/internal/config"
	"usher/internal/console"
)

func TestConsoleOptions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  map[string]any
		link bool
		says string // text of the error; "none": nobody can log in
	}{
		"nobody":               {nil, false, "none"},
		"a link":               {nil, true, ""},
		"no such file":         {map[string]any{"console.users": "no-such-file"}, false, "console.users"},
		"a proxy, no network":  {map[string]any{"console.proxy_header": "X-User"}, false, "console.proxies is empty"},
		"a proxy":              {map[string]any{"console.proxy_header": "X-User", "console.proxies": []string{"10.0.0.5/32"}}, false, ""},
		"a proxy, known users": {map[string]any{"console.proxy_header": "X-User", "console.proxies": []string{"10.0.0.5/32"}, "console.proxy_role": "none"}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg, err := config.Defaults()
			if err != nil {
				t.Fatal(err)
			}
			for key, value := range c.set {
				if err := cfg.Set(key, value); err != nil {
					t.Fatal(err)
				}
			}
			o, err := consoleOptions(cfg, c.link)
			switch {
			case c.says == "none" && (o != nil || err != nil):
				t.Errorf("options %v, %v", o, err)
			case c.says == "" && (o == nil || err != nil):
				t.Errorf("options %v, %v", o, err)
			case c.says != "" && c.says != "none" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("error %v", err)
			}
		})
	}
}

// The console reads the line that passwd prints.
func TestPasswd(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "users")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	cmd := consolePasswd()
	cmd.SetArgs([]string{"ada", "--role", "operator"})
	cmd.SetIn(strings.NewReader("a long password\n"))
	cmd.SetOut(file)
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	line, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(line), "ada:operator:$2") || strings.Contains(string(line), "a long password") {
		t.Errorf("line %q, %v", line, err)
	}
	if _, err := console.OpenUsers(path); err != nil {
		t.Error(err)
	}
}
