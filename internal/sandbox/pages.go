package sandbox

import (
	"fmt"
	"net/http"
	"strings"

	"usher/internal/rtb"
)

// isPage reports whether a request is for one of the pages for people and tools. They are
// not part of the platform's interface and need no login.
func isPage(r *http.Request) bool {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	return reads && (r.URL.Path == "/" || r.URL.Path == "/openapi.yaml")
}

// servePage answers with the OpenAPI document, or with the list of operations.
func (s *Sandbox) servePage(w http.ResponseWriter, r *http.Request) {
	contentType, body := "application/yaml; charset=utf-8", rtb.OpenAPI()
	if r.URL.Path == "/" {
		contentType, body = "text/plain; charset=utf-8", s.operationsPage("http://"+r.Host)
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(body) // an error means that the caller has disconnected
}

// operationsPage returns the list of operations as text. It shows the password only if it is
// the default.
func (s *Sandbox) operationsPage(base string) []byte {
	password := "sandbox"
	if s.o.Password != password {
		password = "PASSWORD"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `Sandbox of the platform

%s/openapi.yaml  the operations with their fields
%s/sandbox/      the journal, faults and other controls

Log in, then call anything with the token:
  curl '%s/v3/oauth/accessToken?username=%s&password=%s&advertiser=%s'
  curl -H "Authorization: Bearer $TOKEN" %s/v3/segments
`, base, base, base, s.o.Username, password, s.o.Advertiser, base)
	area := ""
	for _, op := range rtb.Operations() {
		of, verb, _ := strings.Cut(op.Name, ".")
		if of != area {
			area = of
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%-6s %s\n       %s: usher api %s %s\n", op.Method, op.Path, op.Summary, area, verb)
	}
	return []byte(b.String())
}
