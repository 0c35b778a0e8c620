package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// usherRoot returns the command usher with usher api only.
func usherRoot() *cobra.Command {
	root := &cobra.Command{Use: "usher", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(Command())
	return root
}

// startSandbox returns the URL of a new sandbox.
func startSandbox(t *testing.T) string {
	t.Helper()
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(box)
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	return server.URL
}

// runAPI runs a command line and returns what it wrote.
func runAPI(ctx context.Context, url, stdin string, words ...string) (out, errs string, err error) {
	var stdout, stderr bytes.Buffer
	root := usherRoot()
	root.SetArgs(append(words, "--platform", url))
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	err = root.ExecuteContext(ctx)
	return stdout.String(), stderr.String(), err
}

// exampleFiles are the files that a user of the examples has.
var exampleFiles = map[string]string{
	"digests.txt":         someDigest + ",ba06c008973b8a1bff6e087c6149227f",
	"user-ids.txt":        "user-1,user-2",
	"banner.png":          "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89",
	"password.txt":        "sandbox\n",
	"card-number.txt":     "4111111111111111\n",
	"card-cvv.txt":        "123\n",
	"cardholder-name.txt": "A N Other\n",
}

const someDigest = "f2d1311ca5c1ecb214c19a26e9ddbad0"

// TestExamplesRunAsPrinted runs the examples in the help of each operation, one after the
// other, against a sandbox of its own.
func TestExamplesRunAsPrinted(t *testing.T) { // it changes the working directory, as its examples name files
	t.Chdir(t.TempDir())
	for name, content := range exampleFiles {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shared := startSandbox(t)
	for _, op := range rtb.Operations() {
		if op.Name == "creatives.pull" {
			continue // its example fetches a file from the internet
		}
		area, verb, _ := strings.Cut(op.Name, ".")
		cmd, _, err := usherRoot().Find([]string{"api", area, verb})
		if err != nil {
			t.Fatal(err)
		}
		url := shared
		if op.Method != http.MethodGet || strings.Contains(cmd.Example, "\n") {
			url = startSandbox(t)
		}
		for line := range strings.Lines(cmd.Example) {
			if err := runLine(t.Context(), url, strings.TrimSpace(line)); err != nil {
				t.Errorf("%s: %v", strings.TrimSpace(line), err)
			}
		}
	}
}

// runLine runs a line as a shell does, if it has only words, quotes and one redirection.
func runLine(ctx context.Context, url, line string) error {
	words := shellWords(line)
	file := ""
	if n := len(words); n > 2 && words[n-2] == ">" {
		words, file = words[:n-2], words[n-1]
	}
	out, errs, err := runAPI(ctx, url, "", words[1:]...)
	if err != nil {
		return fmt.Errorf("%w: %s", err, errs)
	}
	if file != "" {
		return os.WriteFile(file, []byte(out), 0o600)
	}
	return nil
}

// shellWords splits a line at spaces outside single quotes.
func shellWords(line string) []string {
	var words []string
	word, quoted := "", false
	for _, r := range line + " " {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == ' ' && !quoted:
			if word != "" {
				words = append(words, word)
			}
			word = ""
		default:
			word += string(r)
		}
	}
	return words
}

// TestTemplatesAreComplete checks that a template has each field that a call can send, with
// the interface's words, and that required says what the sandbox requires: a body without a
// required field is refused, one without the others is accepted.
func TestTemplatesAreComplete(t *testing.T) {
	t.Parallel()
	for _, op := range rtb.Operations() {
		call := &apiCall{op: op, inputs: apiInputs(op)}
		if call.bodyField() == nil {
			continue
		}
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			area, verb, _ := strings.Cut(op.Name, ".")
			template, _, err := runAPI(t.Context(), "http://127.0.0.1:1", "", "api", area, verb, "--body-template")
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range call.inputs {
				if name := in.path[len(in.path)-1]; in.where == rtb.InBody && (!strings.Contains(template, `"`+name+`": `) || !strings.Contains(template, withoutRequired(in.about))) {
					t.Errorf("the template lacks %s, or its comment: %s\n%s", name, in.about, template)
				}
			}
		})
	}
}

// TestRequiredIsRequired sends the body of each template without one of its fields.
func TestRequiredIsRequired(t *testing.T) {
	t.Parallel()
	url := startSandbox(t)
	for _, op := range rtb.Operations() {
		call := &apiCall{op: op, inputs: apiInputs(op)}
		if call.bodyField() == nil || op.Name == "users.put" {
			continue // an existing user needs nothing
		}
		area, verb, _ := strings.Cut(op.Name, ".")
		template, _, err := runAPI(t.Context(), url, "", "api", area, verb, "--body-template")
		if err != nil {
			t.Fatal(err)
		}
		if op.Name == "ssp.put-adslot" {
			if err := runLine(t.Context(), url, preparations()[op.Name][0]); err != nil {
				t.Fatal(err)
			}
		}
		words := []string{"api", area, verb, "--body", "-"}
		for _, in := range call.pathInputs() {
			words = append(words, "--"+in.flag, call.exampleValue(in))
		}
		for _, in := range call.inputs {
			if in.where != rtb.InBody || in.secret || !strings.Contains(string(withoutComments([]byte(template))), `"`+in.path[0]+`"`) {
				continue
			}
			if op.Name == "campaigns.put" {
				if _, _, err := runAPI(t.Context(), url, "", "api", "campaigns", "lock", "SANDBOX1-new"); err != nil && !strings.Contains(err.Error(), "404") {
					t.Fatal(err)
				}
			}
			body := without(t, withoutComments([]byte(template)), in.path)
			_, _, err := runAPI(t.Context(), url, string(body), words...)
			if accepted := err == nil; accepted == in.required {
				t.Errorf("%s without %s: %v, but required is %v", op.Name, strings.Join(in.path, "."), err, in.required)
			}
		}
	}
}

// without returns an object without the field at path.
func without(t *testing.T, object json.RawMessage, path []string) json.RawMessage {
	t.Helper()
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(object, &fields); err != nil {
		t.Fatalf("%v: %s", err, object)
	}
	if len(path) == 1 {
		delete(fields, path[0])
	} else {
		fields[path[0]] = without(t, fields[path[0]], path[1:])
	}
	data, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
