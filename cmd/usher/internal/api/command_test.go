package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"usher/internal/rtb"
	"usher/internal/rtb/samples"
)

// TestEveryOperationIsACommand calls each operation from the command line with the values
// of its sample, once with --body and once with flags for the fields of the body. The
// request must be that of the sample, and --json must print the data of the sample.
func TestEveryOperationIsACommand(t *testing.T) {
	t.Parallel()
	for _, op := range rtb.Operations() {
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			sample := samples.Read(t, op.Name)
			for _, byFlags := range []bool{false, true} {
				args, complete := sampleArgs(t, op, sample, byFlags)
				if !complete {
					continue // the sample has a field for which there is no flag
				}
				url, requests := recordAPI(t, op, sample.Answer)
				var out, errs bytes.Buffer
				args = append(args, "--json", "--platform", url)
				root := &cobra.Command{Use: "usher"}
				root.AddCommand(Command())
				root.SetArgs(args)
				root.SetIn(strings.NewReader(""))
				root.SetOut(&out)
				root.SetErr(&errs)
				if err := root.ExecuteContext(t.Context()); err != nil {
					t.Fatalf("usher %s: %v: %s", strings.Join(args, " "), err, errs.String())
				}
				compareAPIRequest(t, sample, <-requests)
				var answer struct {
					Data json.RawMessage `json:"data"`
				}
				if err := json.Unmarshal(sample.Answer, &answer); err != nil {
					t.Fatal(err)
				}
				want := answer.Data
				if want == nil {
					want = json.RawMessage("{}")
				}
				compareValues(t, "printed", out.Bytes(), want)
			}
		})
	}
}

// apiRequest is a request with its body.
type apiRequest struct {
	*http.Request
	body []byte
}

// recordAPI starts a platform that issues a token and responds to every other request with
// answer. It returns the platform's URL and the operation's requests.
func recordAPI(t *testing.T, op rtb.Operation, answer []byte) (string, <-chan apiRequest) {
	t.Helper()
	requests := make(chan apiRequest, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == rtb.AuthToken.Path && !op.Open {
			_, _ = io.WriteString(w, `{"status":"success","data":{"accessToken":"token"}}`)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		requests <- apiRequest{r.Clone(context.WithoutCancel(r.Context())), body}
		_, _ = w.Write(answer)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

// sampleArgs returns the command line that makes the request of a sample. complete is false
// if there is no flag for a field of the body.
func sampleArgs(t *testing.T, op rtb.Operation, sample samples.Sample, byFlags bool) (args []string, complete bool) {
	t.Helper()
	args = append([]string{"api"}, strings.SplitN(op.Name, ".", 2)...)
	call := &apiCall{op: op, inputs: apiInputs(op)}
	path := strings.Split(sample.Request.Path, "/")
	given := map[string]json.RawMessage{}
	if len(sample.Request.JSON) > 0 {
		given = leaves(t, sample.Request.JSON)
	}
	for _, in := range call.inputs {
		name := in.path[len(in.path)-1]
		switch in.where {
		case rtb.InPath:
			for i, part := range strings.Split(op.Path, "/") {
				if part == "{"+name+"}" && i < len(path) {
					args = append(args, "--"+in.flag, path[i])
					delete(given, name) // the path's flag fills the body's field
				}
			}
		case rtb.InQuery:
			args = append(args, valueArgs(t, in, sample.Request.Query[name])...)
		case rtb.InForm:
			args = append(args, valueArgs(t, in, sample.Request.Form[name])...)
		case rtb.InFile:
			args = append(args, "--"+in.flag, writeTemporary(t, sample.Request.File.Content))
		case rtb.InBody:
			key := strings.Join(in.path, ".")
			if value, found := given[key]; found && byFlags {
				args = append(args, bodyArgs(t, in, value)...)
			}
			delete(given, key)
		}
	}
	if byFlags {
		return args, len(given) == 0
	}
	if call.bodyField() != nil {
		args = append(args, "--body", "@"+writeTemporary(t, string(sample.Request.JSON)))
	}
	return args, true
}

func valueArgs(t *testing.T, in *apiInput, value string) []string {
	t.Helper()
	switch {
	case value == "":
		return nil
	case in.secret:
		return []string{"--" + in.flag + "-file", writeTemporary(t, value+"\n")}
	}
	return []string{"--" + in.flag + "=" + value}
}

func bodyArgs(t *testing.T, in *apiInput, value json.RawMessage) []string {
	t.Helper()
	if !in.list {
		if in.kind == jsonInput {
			return []string{"--" + in.flag, string(value)}
		}
		return valueArgs(t, in, cell(value))
	}
	var items []json.RawMessage
	if err := json.Unmarshal(value, &items); err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, item := range items {
		args = append(args, "--"+in.flag, cell(item))
	}
	return args
}

// leaves returns the fields of a body, including those of nested objects, by dotted name.
func leaves(t *testing.T, body json.RawMessage) map[string]json.RawMessage {
	t.Helper()
	found := map[string]json.RawMessage{}
	fields, err := flatten(body, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fields {
		found[f.name] = f.value
	}
	return found
}

func writeTemporary(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func compareAPIRequest(t *testing.T, sample samples.Sample, got apiRequest) {
	t.Helper()
	want := sample.Request
	if got.Method != want.Method || got.URL.Path != want.Path {
		t.Errorf("sent %s %s, want %s %s", got.Method, got.URL.Path, want.Method, want.Path)
	}
	if diff := cmp.Diff(queryOf(want.Query), got.URL.Query()); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
	mediaType, parameters, _ := mime.ParseMediaType(got.Header.Get("Content-Type"))
	if mediaType != want.ContentType {
		t.Errorf("sent Content-Type %s, want %s", mediaType, want.ContentType)
	}
	switch mediaType {
	case "application/json":
		compareValues(t, "sent", got.body, want.JSON)
	case "application/x-www-form-urlencoded":
		form, err := url.ParseQuery(string(got.body))
		if diff := cmp.Diff(queryOf(want.Form), form); diff != "" || err != nil {
			t.Errorf("form (-want +got):\n%s %v", diff, err)
		}
	case "multipart/form-data":
		part, err := multipart.NewReader(bytes.NewReader(got.body), parameters["boundary"]).NextPart()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err != nil || part.FormName() != want.File.Field || string(content) != want.File.Content {
			t.Errorf("sent file %s %q: %v", part.FormName(), content, err)
		}
	}
}

func queryOf(m map[string]string) url.Values {
	values := url.Values{}
	for name, value := range m {
		values.Set(name, value)
	}
	return values
}

func compareValues(t *testing.T, what string, got, want []byte) {
	t.Helper()
	var a, b any
	for text, into := range map[*[]byte]*any{&want: &a, &got: &b} {
		if err := json.Unmarshal(*text, into); err != nil {
			t.Fatalf("%s %s: %v", what, *text, err)
		}
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
