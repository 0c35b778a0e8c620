package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/internal/rtb"
)

// apiBodyLimit limits the bytes of JSON read from a file or stdin.
const apiBodyLimit = 8 << 20

// readJSON reads the JSON value of a flag: JSON, @FILE, or - for stdin unless stdin is
// nil.
func readJSON(flag, text string, stdin io.Reader) (json.RawMessage, error) {
	var data []byte
	var err error
	from := flag
	switch {
	case text == "-" && stdin != nil:
		data, err = io.ReadAll(io.LimitReader(stdin, apiBodyLimit+1))
		from = "stdin"
	case strings.HasPrefix(text, "@"):
		from = text[1:]
		data, err = readFileLimited(from)
	default:
		data = []byte(text)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", flag, err)
	case len(data) > apiBodyLimit:
		return nil, fmt.Errorf("read %s: %s has more than %d MB", flag, from, apiBodyLimit>>20)
	}
	data = bytes.TrimSpace(withoutComments(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, new(json.RawMessage)); errors.As(err, &syntax) {
		return nil, command.Usagef("read %s: %s is not JSON: byte %d: %w", flag, from, syntax.Offset, err)
	}
	return data, nil
}

func readFileLimited(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // opened for reading
	return io.ReadAll(io.LimitReader(file, apiBodyLimit+1))
}

// makeBody returns the JSON body: --body as given, with the fields of other flags
// added.
func (c *apiCall) makeBody(cmd *cobra.Command) (json.RawMessage, error) {
	object := json.RawMessage("{}")
	if c.body != "" {
		var err error
		if object, err = c.readBody(cmd); err != nil {
			return nil, err
		}
	}
	for _, in := range c.inputs {
		if in.where != rtb.InBody || !in.set {
			continue
		}
		value, err := in.value()
		if err != nil {
			return nil, err
		}
		if object, err = insert(object, in.path, value); err != nil {
			return nil, fmt.Errorf("add --%s to the body: %w", in.flag, err)
		}
	}
	object, err := c.repeatPath(object)
	if err != nil {
		return nil, err
	}
	warnings, err := checkShape(object, c.bodyField().Type)
	for _, w := range warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", w)
	}
	return object, err
}

// readBody returns the object of --body. It may have comments, as a template has, and be
// what a read printed with --json.
func (c *apiCall) readBody(cmd *cobra.Command) (json.RawMessage, error) {
	object, err := readJSON("--body", c.body, cmd.InOrStdin())
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(object, []byte("{")) {
		return nil, command.Usagef("--body must be a JSON object: {…}")
	}
	if object, err = c.unwrap(object); err != nil {
		return nil, err
	}
	return object, c.checkSecrets(object)
}

// repeatPath adds the fields of the body that repeat parameters of the path, such as an
// adslot's publisherId.
func (c *apiCall) repeatPath(object json.RawMessage) (json.RawMessage, error) {
	for name, in := range c.repeated() {
		var present map[string]json.RawMessage
		if err := json.Unmarshal(object, &present); err != nil {
			return nil, fmt.Errorf("read body: %w", err)
		}
		if _, found := present[name]; found {
			continue
		}
		value, err := json.Marshal(in.String())
		if err != nil {
			return nil, err
		}
		if object, err = insert(object, []string{name}, value); err != nil {
			return nil, err
		}
	}
	return object, nil
}

// repeated returns the parameters of the path that are also fields of the body.
func (c *apiCall) repeated() map[string]*apiInput {
	body := c.bodyField()
	found := map[string]*apiInput{}
	for _, in := range c.pathInputs() {
		for i := range body.Type.NumField() {
			name := jsonName(body.Type.Field(i))
			if name == in.path[0] && in.set {
				found[name] = in
			}
		}
	}
	return found
}

// insert returns the object with value at path. All other fields are kept.
func insert(object json.RawMessage, path []string, value json.RawMessage) (json.RawMessage, error) {
	if len(path) == 0 {
		return value, nil
	}
	name, fields := path[0], map[string]json.RawMessage{}
	if len(object) > 0 && string(object) != "null" {
		if err := json.Unmarshal(object, &fields); err != nil {
			return nil, fmt.Errorf("the value that contains %s is not an object", name)
		}
	}
	inner, err := insert(fields[name], path[1:], value)
	if err != nil {
		return nil, err
	}
	fields[name] = inner
	return json.Marshal(fields)
}

// checkSecrets refuses secrets in a body that is given on the command line, and hides
// those in a file.
func (c *apiCall) checkSecrets(object json.RawMessage) error {
	var present map[string]json.RawMessage
	if err := json.Unmarshal(object, &present); err != nil {
		return command.Usagef("--body cannot be read: %w", err)
	}
	onCommandLine := c.body != "-" && !strings.HasPrefix(c.body, "@")
	for _, in := range c.inputs {
		name := in.path[len(in.path)-1]
		value, found := present[name]
		switch {
		case !found || !in.secret || in.where != rtb.InBody:
		case onCommandLine:
			return command.Usagef("%s must not be given on the command line: use --body @FILE or -, or --%s-file", name, kebab(name))
		default:
			c.secrets = append(c.secrets, cell(value))
		}
	}
	return nil
}

// withoutComments replaces comments (// and /* */) and commas before a closing bracket by
// spaces, so that a template can be used as it is printed, and lines of it can be turned
// into comments. The positions of all other bytes stay the same.
func withoutComments(text []byte) []byte {
	out := bytes.Clone(text)
	comma := -1 // the position of a comma after which no value has begun
	for i := 0; i < len(out); {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			i = endOfString(out, i)
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			i = blankComment(out, i)
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		default:
			if (c == '}' || c == ']') && comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
			if c == ',' {
				comma = i
			}
			i++
		}
	}
	return out
}

// endOfString returns the position behind the string that begins at i.
func endOfString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// blankComment overwrites the comment that begins at i and returns the position behind it.
func blankComment(text []byte, i int) int {
	end := len(text)
	if text[i+1] == '*' {
		if at := bytes.Index(text[i+2:], []byte("*/")); at >= 0 {
			end = i + 2 + at + 2
		}
	} else if at := bytes.IndexByte(text[i:], '\n'); at >= 0 {
		end = i + at
	}
	for ; i < end; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
	return end
}

// unwrap returns the record in the data of a read, {"segment": {…}}, without the fields that
// only the platform sets, and any other object unchanged. A campaign keeps all fields,
// because an update must send the full definition that was read.
func (c *apiCall) unwrap(object json.RawMessage) (json.RawMessage, error) {
	fields, err := readObject(object)
	if err != nil {
		return nil, err
	}
	fields = slices.DeleteFunc(fields, func(f member) bool { return f.name == "warnings" })
	body := c.bodyField().Type
	if len(fields) != 1 || fields[0].value[0] != '{' {
		return object, nil
	}
	read := c.readType(fields[0].name)
	if _, known := fieldNamed(body, fields[0].name); known || read == nil {
		return object, nil
	}
	object = fields[0].value
	if body == reflect.TypeFor[rtb.Campaign]() {
		return object, nil
	}
	record := map[string]json.RawMessage{}
	if err := json.Unmarshal(object, &record); err != nil {
		return nil, err
	}
	for field := range read.Fields() {
		name := jsonName(field)
		if written, known := fieldNamed(body, name); !known || readOnly(written.Tag.Get("help")) {
			delete(record, name)
		}
	}
	return json.Marshal(record)
}

// readType returns the record that a read of the same area returns under name, if it is the
// record that the operation writes, and otherwise nil.
func (c *apiCall) readType(name string) reflect.Type {
	area, _, _ := strings.Cut(c.op.Name, ".")
	for _, op := range rtb.Operations() {
		if op.Method != http.MethodGet || !strings.HasPrefix(op.Name, area+".") || op.Out.NumField() != 1 {
			continue
		}
		field := op.Out.Field(0)
		if field.Tag.Get("json") == name && field.Type.Kind() == reflect.Struct && strings.HasPrefix(c.bodyField().Type.Name(), field.Type.Name()) {
			return field.Type
		}
	}
	return nil
}
