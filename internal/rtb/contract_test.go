package rtb_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/google/go-cmp/cmp"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rtb/samples"
)

// inputOf returns the sample's input.
func inputOf(t *testing.T, s samples.Sample, op rtb.Operation) any {
	t.Helper()
	in := reflect.New(op.In)
	if err := json.Unmarshal(s.In, in.Interface()); err != nil {
		t.Fatal(err)
	}
	for _, f := range op.Fields {
		if f.Where == rtb.InFile {
			content := s.Request.File.Content
			in.Elem().Field(f.Index).Set(reflect.ValueOf(rtb.File{Content: strings.NewReader(content), Size: int64(len(content))}))
		}
	}
	return in.Elem().Interface()
}

// received is a request that a server received.
type received struct {
	request *http.Request
	body    []byte
}

// record starts a server that gives every request the same answer, and returns its
// URL and the requests.
func record(t *testing.T, answer []byte) (string, <-chan received) {
	t.Helper()
	requests := make(chan received, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		requests <- received{r, body}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

// tokens always returns the same token.
type tokens string

func (t tokens) Token(context.Context) (string, error)         { return string(t), nil }
func (t tokens) Renew(context.Context, string) (string, error) { return string(t), nil }

// TestSamples compares the client and the OpenAPI document with the samples.
func TestSamples(t *testing.T) {
	t.Parallel()
	router := openAPIRouter(t)
	for _, op := range rtb.Operations() {
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			s := samples.Read(t, op.Name)
			base, requests := record(t, s.Answer)
			c := rtb.New(rtb.Options{BaseURL: base, Advertiser: "SANDBOX1", Tokens: tokens("secret-token")})
			out := reflect.New(op.Out)
			if _, err := c.Call(t.Context(), op, inputOf(t, s, op), out.Interface()); err != nil {
				t.Fatal(err)
			}
			got := <-requests
			compareRequest(t, op, s, got)
			compareAnswer(t, s, out.Interface())
			validate(t, router, s, got)
		})
	}
}

func compareRequest(t *testing.T, op rtb.Operation, s samples.Sample, got received) {
	t.Helper()
	if got.request.Method != s.Request.Method || got.request.URL.Path != s.Request.Path {
		t.Errorf("sent %s %s, want %s %s", got.request.Method, got.request.URL.Path, s.Request.Method, s.Request.Path)
	}
	if want := values(s.Request.Query).Encode(); got.request.URL.RawQuery != want {
		t.Errorf("sent query %s, want %s", got.request.URL.RawQuery, want)
	}
	if authorization := got.request.Header.Get("Authorization"); (authorization == "Bearer secret-token") == op.Open {
		t.Errorf("sent Authorization %q", authorization)
	}
	contentType := got.request.Header.Get("Content-Type")
	if mediaType, _, _ := strings.Cut(contentType, ";"); mediaType != s.Request.ContentType {
		t.Errorf("sent Content-Type %q, want %q", contentType, s.Request.ContentType)
	}
	if got.request.ContentLength != int64(len(got.body)) {
		t.Errorf("sent Content-Length %d for %d bytes", got.request.ContentLength, len(got.body))
	}
	switch s.Request.ContentType {
	case "application/json":
		compareJSON(t, "body", got.body, s.Request.JSON)
	case "application/x-www-form-urlencoded":
		if want := values(s.Request.Form).Encode(); string(got.body) != want {
			t.Errorf("sent form %s, want %s", got.body, want)
		}
	case "multipart/form-data":
		_, boundary, _ := strings.Cut(contentType, "boundary=")
		part, err := multipart.NewReader(bytes.NewReader(got.body), boundary).NextPart()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err != nil || part.FormName() != s.Request.File.Field || part.FileName() == "" || string(content) != s.Request.File.Content {
			t.Errorf("sent file %s %s %q: %v", part.FormName(), part.FileName(), content, err)
		}
	}
}

// compareAnswer checks that decoding lost nothing of the answer's data.
func compareAnswer(t *testing.T, s samples.Sample, out any) {
	t.Helper()
	var answer struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(s.Answer, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Data == nil {
		answer.Data = json.RawMessage("{}")
	}
	read, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	compareJSON(t, "answer", read, answer.Data)
}

func compareJSON(t *testing.T, what string, got, want []byte) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal(got, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, a); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func values(m map[string]string) url.Values {
	v := url.Values{}
	for key, value := range m {
		v.Set(key, value)
	}
	return v
}

func openAPIRouter(t *testing.T) routers.Router {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	router, err := legacy.NewRouter(document)
	if err != nil {
		t.Fatal(err)
	}
	return router
}

// validate validates the request and the sample's answer by the OpenAPI document.
func validate(t *testing.T, router routers.Router, s samples.Sample, got received) {
	t.Helper()
	request := got.request.Clone(t.Context())
	request.URL.Host, request.URL.Scheme = "", ""
	request.Body = io.NopCloser(bytes.NewReader(got.body))
	route, parameters, err := router.FindRoute(request)
	if err != nil {
		t.Fatal(err)
	}
	input := &openapi3filter.RequestValidationInput{
		Request: request, PathParams: parameters, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	if err := openapi3filter.ValidateRequest(t.Context(), input); err != nil {
		t.Error(err)
	}
	err = openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: http.StatusOK,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(s.Answer)),
	})
	if err != nil {
		t.Error(err)
	}
}

// errorOf returns the error of an operation.
func errorOf[Out any](_ Out, _ []usher.Warning, err error) error { return err }
