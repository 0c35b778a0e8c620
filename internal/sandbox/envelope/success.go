package envelope

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
)

// Success returns the JSON of a success: out, which must be an object, with the
// warnings.
func Success(out any, warnings []Note) []byte {
	data := map[string]json.RawMessage{}
	_ = json.Unmarshal(JSON(out), &data) // out is an object
	if len(warnings) > 0 {
		data["warnings"] = JSON(warnings)
	}
	return JSON(struct {
		Status string                     `json:"status"`
		Data   map[string]json.RawMessage `json:"data,omitempty"`
	}{"success", data})
}

// Listing is a success whose data is one list under Key. Its records are created while it
// is written, because the longest list has more than a hundred thousand.
type Listing struct {
	Key     string
	Records iter.Seq[any]
}

// Write writes the listing and the warnings.
func (l Listing) Write(to io.Writer, warnings []Note) error {
	b := bufio.NewWriterSize(to, 32<<10)
	fmt.Fprintf(b, `{"status":"success","data":{%q:[`, l.Key)
	comma := ""
	for record := range l.Records {
		fmt.Fprint(b, comma)
		if _, err := b.Write(JSON(record)); err != nil {
			return err // the caller has disconnected
		}
		comma = ","
	}
	fmt.Fprint(b, "]")
	if len(warnings) > 0 {
		fmt.Fprintf(b, `,"warnings":%s`, JSON(warnings))
	}
	fmt.Fprint(b, "}}")
	return b.Flush()
}

// JSON returns the JSON of one of the sandbox's own records, whose encoding cannot fail.
func JSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("sandbox: write %T as JSON: %v", v, err))
	}
	return text
}
