// Package samples has a request and its answer for each operation of the platform, for
// tests of the client, the sandbox and the commands. The samples were written by hand from
// the interface document, independently of rtb.
package samples

import (
	"embed"
	"encoding/json"
	"testing"
)

// Sample is a request and its answer.
type Sample struct {
	Request struct {
		Method      string            `json:"method"`
		Path        string            `json:"path"`
		Query       map[string]string `json:"query"`
		ContentType string            `json:"contentType"`
		JSON        json.RawMessage   `json:"json"`
		Form        map[string]string `json:"form"`
		File        struct {
			Field   string `json:"field"`
			Content string `json:"content"`
		} `json:"file"`
	} `json:"request"`
	In     json.RawMessage `json:"in"`     // the input of rtb's operation, without the file
	Answer json.RawMessage `json:"answer"` // the body of the response
}

//go:embed testdata/*.json
var files embed.FS

// Read returns the sample of an operation, such as segments.upload.
func Read(t testing.TB, operation string) Sample {
	t.Helper()
	text, err := files.ReadFile("testdata/" + operation + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var s Sample
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s
}
