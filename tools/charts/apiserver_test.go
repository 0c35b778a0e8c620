package charts_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// resources are the paths of the kinds that the chart creates, up to the name of the namespace
// and behind it. Kinds of other projects are missing: their definitions are not installed.
var resources = map[string][2]string{
	"ConfigMap": {"/api/v1", "configmaps"}, "Secret": {"/api/v1", "secrets"}, "Service": {"/api/v1", "services"}, "ServiceAccount": {"/api/v1", "serviceaccounts"}, "Pod": {"/api/v1", "pods"},
	"Deployment": {"/apis/apps/v1", "deployments"}, "Job": {"/apis/batch/v1", "jobs"}, "PodDisruptionBudget": {"/apis/policy/v1", "poddisruptionbudgets"},
	"Ingress": {"/apis/networking.k8s.io/v1", "ingresses"}, "NetworkPolicy": {"/apis/networking.k8s.io/v1", "networkpolicies"},
}

// foreign are those kinds.
var foreign = map[string]bool{"PodMonitor": true, "PrometheusRule": true, "ScaledObject": true}

// TestAPIServer applies what the chart renders to a Kubernetes API server, which checks and
// completes it: first as a dry run, then twice, of which the second time must change nothing.
// .ci/kubernetes builds the server.
func TestAPIServer(t *testing.T) {
	program := os.Getenv("USHER_TEST_KUBE_APISERVER")
	if program == "" {
		t.Skip("USHER_TEST_KUBE_APISERVER names no server: run .ci/kubernetes")
	}
	cluster := startCluster(t, program)
	cluster.must(t, http.MethodPost, "/apis/scheduling.k8s.io/v1/priorityclasses", `{"metadata": {"name": "high"}, "value": 1000}`) // of values/everything.yaml
	onEachFile(t, func(t *testing.T, values map[string]any) {
		all, err := render(values, cluster.config)
		if err != nil {
			t.Fatal(err)
		}
		space := "usher-" + strings.ToLower(filepath.Base(t.Name()))
		cluster.must(t, http.MethodPost, "/api/v1/namespaces", fmt.Sprintf(`{"metadata": {"name": %q}}`, space))
		applied := 0
		for _, m := range all {
			if foreign[m.Kind] {
				continue
			}
			at, ok := resources[m.Kind]
			if !ok {
				t.Errorf("add the kind %s to the test", m.Kind)
				continue
			}
			path := fmt.Sprintf("%s/namespaces/%s/%s/%s?fieldManager=helm&fieldValidation=Strict", at[0], space, at[1], m.Metadata.Name)
			cluster.must(t, http.MethodPatch, path+"&dryRun=All", m.text)
			first := cluster.must(t, http.MethodPatch, path, m.text)
			if second := cluster.must(t, http.MethodPatch, path, m.text); first.Metadata.ResourceVersion == "" || second.Metadata.ResourceVersion != first.Metadata.ResourceVersion {
				t.Errorf("%s %s: applied again, it has the version %q instead of %q", m.Kind, m.Metadata.Name, second.Metadata.ResourceVersion, first.Metadata.ResourceVersion)
			}
			applied++
		}
		if applied < 4 {
			t.Errorf("only %d objects were applied", applied)
		}
	})
}

// cluster is a Kubernetes API server without nodes and controllers.
type cluster struct {
	config *rest.Config
	client *http.Client
}

// object is what the test reads of an object.
type object struct {
	Metadata struct {
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
}

// startCluster starts etcd and an API server on loopback, and waits until it is ready.
func startCluster(t *testing.T, program string) *cluster {
	t.Helper()
	dir, token := t.TempDir(), "administrator"
	if err := os.WriteFile(filepath.Join(dir, "tokens"), []byte(token+",admin,admin,system:masters\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(dir, "key.pem")
	if out, err := exec.CommandContext(t.Context(), "openssl", "genrsa", "-out", key, "2048").CombinedOutput(); err != nil {
		t.Fatalf("openssl: %v\n%s", err, out)
	}
	etcd, peers, port := freeAddress(t), freeAddress(t), freeAddress(t)
	startServer(t, dir, "etcd", "--data-dir", filepath.Join(dir, "etcd"), "--listen-client-urls", "http://"+etcd, "--advertise-client-urls", "http://"+etcd, "--listen-peer-urls", "http://"+peers, "--unsafe-no-fsync")
	startServer(t, dir, program, "--etcd-servers", "http://"+etcd, "--bind-address", "127.0.0.1", "--secure-port", port[strings.LastIndexByte(port, ':')+1:],
		"--cert-dir", filepath.Join(dir, "certs"), "--service-cluster-ip-range", "10.96.0.0/16", "--service-account-issuer", "https://kubernetes.default.svc",
		"--service-account-key-file", key, "--service-account-signing-key-file", key, "--token-auth-file", filepath.Join(dir, "tokens"), "--authorization-mode", "RBAC",
		"--disable-admission-plugins", "ServiceAccount") // no controller creates the accounts of namespaces
	c := &cluster{
		config: &rest.Config{Host: "https://" + port, BearerToken: token, TLSClientConfig: rest.TLSClientConfig{Insecure: true}},
		client: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}, //nolint:gosec // on this machine, with a certificate that it has just made
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		if status, body, err := c.do(ctx, http.MethodGet, "/readyz", ""); err == nil && status == http.StatusOK && string(body) == "ok" {
			return c
		}
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(dir, filepath.Base(program)+".log"))
			t.Fatalf("the API server is not ready:\n%s", log[max(0, len(log)-4000):])
		case <-tick.C:
		}
	}
}

// startServer starts a server that ends with the test.
func startServer(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	log, err := os.Create(filepath.Join(dir, filepath.Base(program)+".log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...) //nolint:gosec // the environment names the program
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: on Debian, apt-get install etcd-server", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = log.Close()
	})
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

func (c *cluster) do(ctx context.Context, method, path, body string) (status int, response []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, c.config.Host+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.config.BearerToken)
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/apply-patch+yaml")
	}
	r, err := c.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = r.Body.Close() }()
	response, err = io.ReadAll(io.LimitReader(r.Body, 4<<20))
	if warning := r.Header.Get("Warning"); warning != "" {
		response = append([]byte("warning: "+warning+"\n"), response...)
	}
	return r.StatusCode, response, err
}

// must makes a request that the server must accept without a warning.
func (c *cluster) must(t *testing.T, method, path, body string) (o object) {
	t.Helper()
	status, response, err := c.do(t.Context(), method, path, body)
	if err != nil {
		t.Fatal(err)
	}
	if status >= http.StatusMultipleChoices || bytes.HasPrefix(response, []byte("warning: ")) {
		t.Fatalf("%s %s: %d\n%s\n%s", method, path, status, response, body)
	}
	if err := json.Unmarshal(response, &o); err != nil {
		t.Fatal(err)
	}
	return o
}
