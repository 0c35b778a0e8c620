package config

import (
	"strings"
	"testing"
)

func TestLoginsAreHidden(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"nats://user:secret@host:4222":             "nats://user:xxxxx@host:4222",
		"nats://secret@host":                       "nats://xxxxx@host", // a token
		"nats://u:secret@a:1, nats://u:secret@b:2": "nats://u:xxxxx@a:1,nats://u:xxxxx@b:2",
		"host:4222":                     "host:4222",
		"a:4222,b:4222":                 "a:4222,b:4222",
		"127.0.0.1:4222":                "127.0.0.1:4222",
		"redis://u:secret@127.0.0.1:1/": "redis://u:xxxxx@127.0.0.1:1/",
		"redis://:secret@host/0":        "redis://:xxxxx@host/0",
		"nats://u:secret@host:port":     "(a URL that cannot be read)",
		"u:secret@127.0.0.1:4222":       "u:xxxxx@127.0.0.1:4222",
		"https://platform.example/api":  "https://platform.example/api",
		"redis+sentinel://u:secret@s:1?addr=s:2&sentinel_password=secret": "redis+sentinel://u:xxxxx@s:1?addr=s%3A2&sentinel_password=xxxxx",
	} {
		if got := HideLogin(raw); got != want || strings.Contains(got, "secret") {
			t.Errorf("%s is shown as %s, want %s", raw, got, want)
		}
	}
}
