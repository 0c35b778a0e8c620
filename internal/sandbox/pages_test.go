package sandbox_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// read requests a page as a browser does, without a token.
func (p *platform) read(method, path string) (*http.Response, string) {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, nil)
	must(p.t, err)
	response, err := http.DefaultClient.Do(request)
	must(p.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(p.t, err)
	return response, string(body)
}

func TestPageShowsEveryOperation(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{Username: "<script>", Password: "hunter2-secret"})
	response, body := p.read(http.MethodGet, "/")
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("the page is %s, %s", response.Status, response.Header.Get("Content-Type"))
	}
	for _, op := range rtb.Operations() {
		if !strings.Contains(body, op.Path+"\n") || !strings.Contains(body, "usher api "+strings.Replace(op.Name, ".", " ", 1)+"\n") {
			t.Errorf("%s is not on the page", op.Name)
		}
	}
	if strings.Contains(body, "hunter2") {
		t.Error("the page shows the password")
	}
}

func TestOpenAPIIsServed(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	_, body := p.read(http.MethodGet, "/openapi.yaml")
	document, err := openapi3.NewLoader().LoadFromData([]byte(body))
	must(t, err)
	for _, op := range rtb.Operations() {
		if item := document.Paths.Find(op.Path); item == nil || item.GetOperation(op.Method) == nil {
			t.Errorf("%s is not in openapi.yaml", op.Name)
		}
	}
	if response, body := p.read(http.MethodHead, "/openapi.yaml"); response.StatusCode != http.StatusOK || body != "" {
		t.Errorf("HEAD answered %s", response.Status)
	}
}

func TestPagesAreReadOnly(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	for _, path := range []string{"/", "/openapi.yaml", "/openapi.json"} {
		if response, body := p.read(http.MethodPost, path); response.StatusCode != http.StatusNotFound || !strings.Contains(body, `"status":"error"`) {
			t.Errorf("POST %s answered %s %s", path, response.Status, body)
		}
	}
}
