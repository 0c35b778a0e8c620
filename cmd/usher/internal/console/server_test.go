package console

import (
	"strings"
	"testing"

	"usher/cmd/usher/internal/config"
)

// Nobody logs in without TLS from another machine, unless that is said.
func TestConsoleOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	for address, says := range map[string]struct{ loopback, anywhere bool }{
		"127.0.0.1:8470": {true, true}, "localhost:0": {true, true}, "[::1]:8470": {true, true},
		"0.0.0.0:8470": {false, true}, ":8470": {false, true}, "10.0.0.1:8470": {false, true}, "usher.example:8470": {false, true},
	} {
		for word, want := range map[string]bool{"loopback": says.loopback, "anywhere": says.anywhere} {
			c, err := config.Defaults()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Set("console.plain_http", word); err != nil {
				t.Fatal(err)
			}
			if err := mayBePlain(c, address); (err == nil) != want {
				t.Errorf("%s with console.plain_http %s: %v", address, word, err)
			}
		}
	}
}

func TestConsoleOptions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  map[string]any
		link bool
		says string // of the error; "none" where nobody can log in
	}{
		"nobody":                {nil, false, "none"},
		"a link":                {nil, true, ""},
		"no such file":          {map[string]any{"console.users": "no-such-file"}, false, "console.users"},
		"a proxy from nowhere":  {map[string]any{"console.proxy_header": "X-User"}, false, "console.proxies is empty"},
		"a proxy":               {map[string]any{"console.proxy_header": "X-User", "console.proxies": []string{"10.0.0.5/32"}}, false, ""},
		"a proxy of known ones": {map[string]any{"console.proxy_header": "X-User", "console.proxies": []string{"10.0.0.5/32"}, "console.proxy_role": "none"}, false, ""},
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
