package charts_test

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program returns the file that an environment variable names.
func program(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		t.Fatalf("set %s, or run make charts", variable)
	}
	return path
}

// servers are NATS with the users of deploy/nats.conf, Redis and usher's sandbox of the
// platform. All take connections with and without TLS.
type servers struct {
	addresses map[string]string // by the addresses in the values
	secrets   objects
	client    *http.Client // trusts the certificate
}

// startServers starts the servers that the values name.
func startServers(t *testing.T) *servers {
	t.Helper()
	usher := program(t, "USHER_TEST_PROGRAM")
	sandbox := start(t, nil, usher, "sandbox", "--listen", "127.0.0.1:0")
	platform := regexp.MustCompile(`http://[0-9.]+:[0-9]+`).FindString(sandbox.wait(t, "http://"))
	proxy := newPlatformProxy(t, platform)
	certificate, key := pemOf(t, proxy)
	folder := t.TempDir()
	write(t, folder, "cert.pem", certificate)
	write(t, folder, "key.pem", key)

	config, err := os.ReadFile("../../deploy/nats.conf")
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, "nats.conf", strings.Replace(string(config), `"/data"`, fmt.Sprintf("%q", filepath.Join(folder, "data")), 1)+
		fmt.Sprintf("\ntls {cert_file: %q, key_file: %q}\nallow_non_tls: true\n", filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")))
	passwordFile, err := os.ReadFile("../../deploy/nats-passwords.conf")
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, "nats-passwords.conf", string(passwordFile))
	nats := freePort(t)
	var passwords []string
	for _, role := range []string{"admin", "worker", "ops", "publisher"} {
		passwords = append(passwords, fmt.Sprintf("USHER_NATS_%s_PASSWORD=%s", strings.ToUpper(role), role))
	}
	start(t, passwords, program(t, "USHER_TEST_NATS_SERVER"), "-c", filepath.Join(folder, "nats.conf"), "-a", "127.0.0.1", "-p", nats, "-m", freePort(t)).
		wait(t, "Server is ready")
	redis, redisTLS := freePort(t), freePort(t)
	start(t, nil, "redis-server", "--bind", "127.0.0.1", "--port", redis, "--tls-port", redisTLS, "--save", "", "--dir", folder, "--tls-auth-clients", "no",
		"--tls-cert-file", filepath.Join(folder, "cert.pem"), "--tls-key-file", filepath.Join(folder, "key.pem"), "--tls-ca-cert-file", filepath.Join(folder, "cert.pem")).
		wait(t, "Ready to accept connections")

	s := &servers{client: proxy.Client(), addresses: map[string]string{
		"nats:4222": "127.0.0.1:" + nats, "rediss://redis:6379": "rediss://127.0.0.1:" + redisTLS, "redis://redis:6379": "redis://127.0.0.1:" + redis,
		"http://platform:8480": platform, "https://platform.example.com": proxy.URL,
		"0.0.0.0:8470": "127.0.0.1:0", "0.0.0.0:8460": "127.0.0.1:0",
	}}
	s.secrets = newObjects(t, usher, certificate, key)
	return s
}

// newObjects returns the Secrets and ConfigMaps that the values name.
func newObjects(t *testing.T, usher, certificate, key string) objects {
	t.Helper()
	line := func(args ...string) string {
		cmd := exec.Command(usher, args...)
		cmd.Stdin = strings.NewReader("a long password\n")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("usher %v: %v", args, err)
		}
		return string(out)
	}
	tokens := filepath.Join(t.TempDir(), "tokens")
	line("intake", "token", "crm", "--file", tokens)
	token, err := os.ReadFile(tokens)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := os.ReadFile("../../deploy/rules/budgets.yaml")
	if err != nil {
		t.Fatal(err)
	}
	login := func(scheme, user string) map[string]string {
		return map[string]string{"USHER_NATS_URL": fmt.Sprintf("%s://%s:%s@nats:4222", scheme, user, user), "USHER_PLATFORM_PASSWORD": "sandbox", "USHER_PLATFORM_USERNAME": "sandbox"}
	}
	return objects{
		"Secret/usher":           login("nats", "worker"),
		"Secret/usher-tls":       login("tls", "worker"),
		"Secret/usher-both":      login("nats", "admin"),
		"Secret/usher-admin":     {"USHER_NATS_URL": "nats://admin:admin@nats:4222"},
		"Secret/usher-admin-tls": {"USHER_NATS_URL": "tls://admin:admin@nats:4222"},
		"Secret/usher-nats":      {"USHER_NATS_URL": "nats://worker:worker@nats:4222"},
		"Secret/redis":           {"url": "redis://redis:6379/0"},
		"Secret/platform":        {"password": "sandbox\n"},
		"Secret/console-users":   {"users": line("console", "passwd", "ada", "--role", "operator")},
		"Secret/usher-tokens":    {"tokens": string(token)},
		"Secret/certificate":     {"ca.crt": certificate, "tls.crt": certificate, "tls.key": key},
		"ConfigMap/region":       {"AWS_REGION": "eu-central-1", "USHER_PLATFORM_USERNAME": "sandbox"},
		"ConfigMap/lists":        {"optouts": "d41d8cd98f00b204e9800998ecf8427e\n"},
		"ConfigMap/our-rules":    {"budgets.yaml": string(rules)},
		"ConfigMap/our-feeds":    {"none.yaml": "feeds: []\n"},
	}
}

// objects returns the Secrets and ConfigMaps that exist before the chart is installed.
func (s *servers) objects() objects {
	all := objects{}
	for name, data := range s.secrets {
		all[name] = data
	}
	return all
}

// run runs a pod until it ends, and returns what it prints.
func (s *servers) run(t *testing.T, p pod) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program(t, "USHER_TEST_PROGRAM"), p.args...)
	cmd.Dir, cmd.Env = t.TempDir(), p.environment(s.addresses)
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "has no effect") {
		t.Errorf("usher %v: %v\n%s", p.args, err, out)
	}
	return string(out)
}

// migrate declares the streams, as an administrator does without the Job.
func (s *servers) migrate(t *testing.T) {
	t.Helper()
	s.run(t, pod{args: []string{"migrate"}, variables: s.secrets["Secret/usher-admin"]})
}

// runUntilReady runs a worker until the probes of its pod would succeed.
func (s *servers) runUntilReady(t *testing.T, p pod) {
	t.Helper()
	worker := start(t, p.environment(s.addresses), program(t, "USHER_TEST_PROGRAM"), p.args...)
	var line struct {
		Console string `json:"console"`
	}
	if err := json.Unmarshal([]byte(worker.wait(t, `"the worker runs"`)), &line); err != nil {
		t.Fatal(err)
	}
	for _, probe := range []string{"/healthz", "/readyz"} {
		s.awaitOK(t, line.Console+probe)
	}
	worker.stop(t)
	if strings.Contains(worker.output.String(), "has no effect") {
		t.Errorf("usher does not know a variable:\n%s", &worker.output)
	}
}

// awaitOK requests a URL until it is answered with 200.
func (s *servers) awaitOK(t *testing.T, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for answer := ""; ; {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := s.client.Do(request)
		if err == nil {
			body, _ := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return
			}
			answer = response.Status + ": " + string(body)
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s: %v, %s", url, err, answer)
		case <-tick.C:
		}
	}
}

// newPlatformProxy starts a server with a certificate before the platform.
func newPlatformProxy(t *testing.T, platform string) *httptest.Server {
	t.Helper()
	target, err := url.Parse(platform)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewTLSServer(httputil.NewSingleHostReverseProxy(target))
	t.Cleanup(server.Close)
	return server
}

// pemOf returns the certificate of a server and its key.
func pemOf(t *testing.T, server *httptest.Server) (certificate, key string) {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(server.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// freePort returns a port that nothing listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// process is a process that runs until the test ends.
type process struct {
	cmd    *exec.Cmd
	lines  chan string
	output strings.Builder // complete when lines is closed
}

// start starts a process with only the given variables.
func start(t *testing.T, env []string, name string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(name, args...), lines: make(chan string, 10_000)}
	p.cmd.Env, p.cmd.Dir = append([]string{}, env...), t.TempDir()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout, p.cmd.Stderr = w, w
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	go func() {
		defer close(p.lines)
		for scan := bufio.NewScanner(r); scan.Scan(); {
			p.output.WriteString(scan.Text() + "\n")
			p.lines <- scan.Text()
		}
	}()
	t.Cleanup(func() {
		if p.cmd.ProcessState == nil {
			_ = p.cmd.Process.Kill()
			_ = p.cmd.Wait()
		}
	})
	return p
}

// wait returns the first line that contains a text.
func (p *process) wait(t *testing.T, text string) string {
	t.Helper()
	timeout := time.After(2 * time.Minute)
	for {
		select {
		case line, open := <-p.lines:
			if !open {
				t.Fatalf("%v ended without %q:\n%s", p.cmd.Args, text, &p.output)
			}
			if strings.Contains(line, text) {
				return line
			}
		case <-timeout:
			t.Fatalf("%v does not print %q", p.cmd.Args, text)
		}
	}
}

// stop terminates the process, which must end without an error.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := p.cmd.Wait()
	for range p.lines {
	}
	if err != nil {
		t.Errorf("%v: %v\n%s", p.cmd.Args, err, &p.output)
	}
}
