package sandbox

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"usher/internal/sandbox"
)

func TestSandboxServesUntilStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := sandboxServer{listen: "127.0.0.1:0", options: sandbox.Options{Data: t.TempDir()}}
	urls, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- s.serve(ctx, func(url string) { urls <- url }) }()
	url := <-urls
	answer, err := http.Get(url + "/sandbox/")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(body), "journal") {
		t.Errorf("%s/sandbox/: %s %.100s %v", url, answer.Status, body, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("serve: %v", err)
	}
}

func TestSandboxStartErrors(t *testing.T) {
	t.Parallel()
	taken := sandboxServer{listen: "127.0.0.1:0"}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	urls, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- taken.serve(ctx, func(url string) { urls <- url }) }()
	second := sandboxServer{listen: strings.TrimPrefix(<-urls, "http://")}
	if err := second.serve(ctx, func(string) { t.Error("two sandboxes at one address") }); err == nil || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("at an address that is in use: %v", err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("serve: %v", err)
	}
}
