package ndjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"usher/internal/exports/ndjson"
)

// elements returns the elements of a JSON array, and the values of concatenated objects.
func elements(text string) (out []string, ok bool) {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var value json.RawMessage
		err := d.Decode(&value)
		if errors.Is(err, io.EOF) {
			return out, true
		}
		if err != nil {
			return nil, false
		}
		var array []json.RawMessage
		switch {
		case value[0] == '{':
			out = append(out, string(value))
		case string(value) == "null", json.Unmarshal(value, &array) != nil:
			return nil, false // nor is a string or a number
		}
		for _, e := range array {
			if e[0] != '{' && e[0] != '[' {
				e = slices.Concat([]byte("["), e, []byte("]"))
			}
			out = append(out, string(e))
		}
	}
}

// readDocument reads all records, and the error after them.
func readDocument(in io.Reader, most int) ([]string, error) {
	var records []string
	d := ndjson.NewDocument(in, "test", most, false)
	for {
		record, err := d.Next()
		if err != nil {
			return records, err
		}
		records = append(records, string(record))
	}
}

// FuzzDocument compares with encoding/json, a byte at a time and many.
func FuzzDocument(f *testing.F) {
	for _, seed := range []string{
		`[{"a":"}]\"{["}, {"b":[1,{"c":[]}]},["x"],"y",-1.5e3,null]`, "{\n\"a\":\n1}\n{\"a\":2} {}", "[]", " [ ] [{}]\n", "\ufeff[{}]", "[{},]", "[{} {}]", "{", "[{\"a\":\"\n\"}]", "[1,2", "x", "{}]", "\x1e{}\n", "null",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		whole, err := readDocument(strings.NewReader(text), 1<<20)
		single, singleErr := readDocument(iotest.OneByteReader(strings.NewReader(text)), 1<<20)
		if !slices.Equal(whole, single) || (err == io.EOF) != (singleErr == io.EOF) { //nolint:errorlint // io.EOF is returned as it is
			t.Errorf("at once: %q, %v\na byte at a time: %q, %v", whole, err, single, singleErr)
		}
		plain := strings.TrimPrefix(text, "\ufeff")
		if want, ok := elements(plain); ok && (!slices.Equal(whole, want) || !errors.Is(err, io.EOF)) {
			t.Errorf("read %q, %v\nwant %q", whole, err, want)
		}
		for _, record := range whole {
			if !strings.Contains(text, strings.Trim(record, "[]")) {
				t.Errorf("%q is not in the text", record)
			}
		}
	})
}

// TestLongRecord checks that a record that is too long takes no memory.
func TestLongRecord(t *testing.T) {
	t.Parallel()
	const most = 1000
	long := strings.Repeat(`{"a":[`, 10_000) + `"]"` + strings.Repeat("]}", 10_000)
	records, err := readDocument(strings.NewReader("[{},"+long+`,{"b":1}]`), most)
	if !errors.Is(err, io.EOF) || !slices.Equal(records, []string{"{}", "", `{"b":1}`}) {
		t.Errorf("%d records, %v", len(records), err)
	}
	exact := `"` + strings.Repeat("x", most-2) + `"`
	if records := ndjson.Records([]byte("["+exact+"]"), 1); len(records) != 1 || !bytes.Contains(records[0], []byte(exact)) {
		t.Errorf("%d records", len(records))
	}
}
