package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"usher/cmd/usher/internal/command"
	"usher/internal/rtb"
)

// apiInput is an input of an operation: a flag, and for parameters of the path also an
// argument.
type apiInput struct {
	flag     string   // segment-id, margins.media-margin
	path     []string // field names in the interface, outermost first
	where    rtb.Where
	index    int // index of the field in In; for fields of the body, the index of the body
	kind     inputKind
	list     bool // may be given several times
	required bool
	secret   bool   // not accepted on the command line
	digests  bool   // a file of MD5 digests, separated by commas
	joined   bool   // a list that the request has as one text, separated by commas
	group    string // the required object of the body that the field belongs to
	about    string
	preset   string // the key of the configuration with the default

	texts []string // the values as given
	set   bool
}

// inputKind is the form of a value.
type inputKind string

const (
	textInput   inputKind = "text"
	numberInput inputKind = "number"
	boolInput   inputKind = "true or false"
	jsonInput   inputKind = "JSON"
	fileInput   inputKind = "file"
)

// apiInputs returns an operation's inputs: its fields and the writable fields of its
// body.
func apiInputs(op rtb.Operation) []*apiInput {
	var list []*apiInput
	for _, f := range op.Fields {
		if f.Where == rtb.InBody {
			list = append(list, bodyInputs(f, f.Type, nil, true)...)
			continue
		}
		in := &apiInput{
			flag: kebab(f.Name), path: []string{f.Name}, where: f.Where, index: f.Index,
			required: !f.Optional, about: op.In.Field(f.Index).Tag.Get("help"),
		}
		in.kind, in.list = kindOf(f.Type)
		if f.Where == rtb.InFile {
			in.kind, in.list, in.digests = fileInput, false, f.Digest
		}
		in.secret = f.Secret
		if f.Where == rtb.InQuery && strings.Contains(in.about, "separated by commas") {
			in.list, in.joined = true, true
		}
		if op.Open {
			in.preset = map[string]string{"username": "platform.username", "advertiser": "platform.advertiser"}[f.Name]
			in.required = in.required && in.preset == ""
		}
		list = append(list, in)
	}
	return slices.DeleteFunc(list, func(in *apiInput) bool {
		return in.where == rtb.InBody && slices.ContainsFunc(list, func(other *apiInput) bool {
			return other.where == rtb.InPath && other.flag == in.flag // one flag sets both
		})
	})
}

// bodyInputs returns the fields of a body's record, including those of nested records.
func bodyInputs(f rtb.Field, t reflect.Type, above []string, required bool) []*apiInput {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var list []*apiInput
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			list = append(list, bodyInputs(f, field.Type, above, required)...)
			continue
		}
		name := jsonName(field)
		about := field.Tag.Get("help")
		if name == "" || name == "-" || readOnly(about) {
			continue
		}
		path := append(slices.Clone(above), name)
		needed := required && isNeeded(field, about)
		kind, isList := kindOf(field.Type)
		if kind == "" {
			list = append(list, inGroup(bodyInputs(f, field.Type, path, needed), field, name)...)
			continue
		}
		_, secret := field.Tag.Lookup("secret")
		var words []string
		for _, part := range path {
			words = append(words, kebab(part))
		}
		list = append(list, &apiInput{
			flag: strings.Join(words, "."), path: path, where: rtb.InBody, index: f.Index, kind: kind, list: isList,
			required: needed, secret: secret, about: about,
		})
	}
	return list
}

// isRequired reports whether a call must send a field although a read may lack it.
func isRequired(field reflect.StructField) bool {
	return field.Tag.Get("required") == "true"
}

// inGroup marks the inputs of a record in a body that a call must send.
func inGroup(list []*apiInput, record reflect.StructField, name string) []*apiInput {
	for _, in := range list {
		if isRequired(record) {
			in.group = name
		}
	}
	return list
}

// isNeeded reports whether a call must send a field if it sends the record that has it.
func isNeeded(field reflect.StructField, about string) bool {
	_, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	return options == "" && field.Tag.Get("required") != "false" && (field.Type.Kind() != reflect.Pointer || withoutRequired(about) != about)
}

// withoutRequired returns a comment without its first word, if that says that the field is
// required.
func withoutRequired(about string) string {
	if about == "required" {
		return ""
	}
	return strings.TrimPrefix(about, "required; ")
}

// readOnly reports whether only the platform sets a field.
func readOnly(about string) bool {
	return strings.HasPrefix(about, "read only") || strings.HasPrefix(about, "generated") || strings.HasPrefix(about, "returned only")
}

// kindOf returns the kind of a field of type t and whether it is a list. The kind of a
// record is "": its fields are separate inputs.
func kindOf(t reflect.Type) (kind inputKind, list bool) {
	if t == reflect.TypeFor[json.RawMessage]() {
		return jsonInput, false
	}
	switch t.Kind() { // the records have no other kinds
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Struct:
		return "", false
	case reflect.Slice:
		kind, list = kindOf(t.Elem())
		if kind == "" {
			kind = jsonInput // records in a list are given as JSON
		}
		return kind, !list
	case reflect.Bool:
		return boolInput, false
	case reflect.String:
		return textInput, false
	case reflect.Int, reflect.Int64, reflect.Float64:
		return numberInput, false
	}
	return jsonInput, false
}

// kebab converts a name of the interface to that of a flag: mediaMargin → media-margin.
func kebab(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		lowerBefore := i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]))
		lowerBehind := i > 0 && i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])
		if unicode.IsUpper(r) && (lowerBefore || lowerBehind) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func normalizeFlag(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(kebab(name))
}

// argumentName returns the input's name as an argument: SEGMENT-ID.
func (in *apiInput) argumentName() string { return strings.ToUpper(in.flag) }

// addFlag adds the input's flag to the command.
func (in *apiInput) addFlag(cmd *cobra.Command) {
	if in.secret {
		in.addSecretFlags(cmd)
		return
	}
	var about []string
	if in.required && in.where != rtb.InPath {
		about = append(about, "required")
	}
	if in.group != "" {
		about = append(about, "one of --"+kebab(in.group)+".* is required")
	}
	if words := withoutRequired(in.about); words != "" {
		about = append(about, words)
	}
	if in.preset != "" {
		about = append(about, "default: the configured "+in.preset)
	}
	if in.list {
		about = append(about, "repeatable")
	}
	cmd.Flags().Var(in, in.flag, strings.Join(about, "; "))
	if in.kind == boolInput {
		cmd.Flags().Lookup(in.flag).NoOptDefVal = "true"
	}
}

func (in *apiInput) String() string { return strings.Join(in.texts, ",") }

// Type returns the type shown in the help.
func (in *apiInput) Type() string {
	switch in.kind {
	case boolInput:
		return "bool"
	case textInput:
		return "string"
	case jsonInput:
		return "JSON|@FILE"
	case numberInput, fileInput:
	}
	return string(in.kind)
}

// Set sets the value. For a list it appends a value, or several separated by commas.
func (in *apiInput) Set(text string) error {
	texts := []string{text}
	if in.list && in.kind != jsonInput {
		texts = strings.Split(text, ",")
	}
	for i, text := range texts {
		texts[i] = strings.TrimSpace(text)
		if in.kind == textInput && !in.list {
			texts[i] = text
		}
		if err := in.check(texts[i]); err != nil {
			return err
		}
	}
	if !in.list {
		in.texts = nil
	}
	in.texts, in.set = append(in.texts, texts...), true
	return nil
}

func (in *apiInput) check(text string) error {
	switch in.kind {
	case numberInput:
		if !json.Valid([]byte(text)) || strings.Trim(text, "-0123456789.eE+") != "" {
			return errors.New("must be a number, such as 12 or 2.5")
		}
	case boolInput:
		return command.CheckWord(text, []string{"true", "false"})
	case jsonInput:
		if !strings.HasPrefix(text, "@") && !json.Valid([]byte(text)) {
			return errors.New("must be JSON, or @ and the name of a JSON file")
		}
	case textInput, fileInput:
	}
	return nil
}

// value returns the value as JSON.
func (in *apiInput) value() (json.RawMessage, error) {
	var items []json.RawMessage
	for _, text := range in.texts {
		item, err := in.item(text)
		if err != nil {
			return nil, err
		}
		if in.list && bytes.HasPrefix(item, []byte("[")) { // the whole list was given as JSON
			var several []json.RawMessage
			if err := json.Unmarshal(item, &several); err != nil {
				return nil, fmt.Errorf("read --%s: %w", in.flag, err)
			}
			items = append(items, several...)
			continue
		}
		items = append(items, item)
	}
	if !in.list {
		return items[0], nil
	}
	return json.Marshal(items)
}

func (in *apiInput) item(text string) (json.RawMessage, error) {
	switch in.kind {
	case numberInput, boolInput:
		return json.RawMessage(text), nil
	case jsonInput:
		return readJSON("--"+in.flag, text, nil)
	case textInput, fileInput:
	}
	return json.Marshal(text)
}
