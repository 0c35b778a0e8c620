package api

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/internal/rtb"
)

// run calls the operation and prints its response.
func (c *apiCall) run(cmd *cobra.Command, args []string) error {
	if c.template {
		return c.writeTemplate(cmd.OutOrStdout())
	}
	cfg, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return err
	}
	if err := c.takeArguments(cmd, args); err != nil {
		return err
	}
	login := connect.NewLogin(cmd, cfg)
	c.useLogin(login)
	if err := c.checkRequired(); err != nil {
		return err
	}
	if err := c.checkOutput(); err != nil {
		return err
	}
	if err := c.checkHTTPS(login.Base); err != nil {
		return err
	}
	if err := c.readSecrets(cmd, cfg, os.LookupEnv); err != nil {
		return err
	}
	return c.call(cmd, cfg, login)
}

// call sends the request and prints the response or explains the error.
func (c *apiCall) call(cmd *cobra.Command, cfg config.Config, login connect.Login) error {
	op, in, closeFiles, err := c.assemble(cmd)
	if err != nil {
		return err
	}
	defer closeFiles()
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	sent := false
	client, err := login.Observed(cfg, func(o rtb.Outcome) { sent = sent || o.Op == op.Name })
	if err != nil {
		return err
	}
	data := json.RawMessage("{}")
	if err = c.check(client, in); err == nil {
		_, err = client.Call(ctx, op, in, &data)
	}
	if err != nil {
		f := failure{call: c, login: login, err: err, interrupted: ctx.Err() != nil, sent: sent, in: in}
		return f.report(cmd)
	}
	c.printWarnings(cmd, data)
	return c.print(cmd, data)
}

// printWarnings prints the warnings in the data of a success, with the platform's words.
func (c *apiCall) printWarnings(cmd *cobra.Command, data json.RawMessage) {
	var list struct {
		Warnings []usher.Warning `json:"warnings"`
	}
	_ = json.Unmarshal(data, &list) // the client has judged the data
	for _, w := range list.Warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s: %s\n", readable.Printable(string(w.Code)), c.hide(readable.Printable(w.Description)))
	}
}

// takeArguments sets the parameters of the path from the arguments.
func (c *apiCall) takeArguments(cmd *cobra.Command, args []string) error {
	for i, in := range c.pathInputs()[:len(args)] {
		if in.set {
			return command.Usagef("%s was given both as an argument and as --%s: %s", in.argumentName(), in.flag, cmd.UseLine())
		}
		if err := in.Set(args[i]); err != nil {
			return command.Usagef("argument %s: %w", in.argumentName(), err)
		}
	}
	return nil
}

// checkRequired returns an error that names all missing inputs. The fields of --body
// are checked by the platform.
func (c *apiCall) checkRequired() error {
	var words []string
	for _, in := range c.inputs {
		switch {
		case !in.required || in.set || in.secret || in.where == rtb.InBody && c.body != "":
		case in.where == rtb.InPath:
			words = append(words, in.argumentName())
		default:
			words = append(words, "--"+in.flag)
		}
	}
	if c.body == "" {
		words = append(words, c.missingGroups()...)
	}
	lines := c.exampleLines()
	example := lines[min(len(preparations()[c.op.Name]), len(lines)-1)]
	switch len(words) {
	case 0:
		return nil
	case 1:
		return command.Usagef("%s is missing: %s", words[0], example)
	}
	return command.Usagef("%s are missing: %s", strings.Join(words, ", "), example)
}

// missingGroups returns the required objects of the body of which no field was given, as
// --bidding-settings.*.
func (c *apiCall) missingGroups() []string {
	var missing []string
	for _, in := range c.inputs {
		if in.group == "" || slices.ContainsFunc(c.inputs, func(other *apiInput) bool { return other.group == in.group && other.set }) {
			continue
		}
		if word := "one of --" + kebab(in.group) + ".*"; !slices.Contains(missing, word) {
			missing = append(missing, word)
		}
	}
	return missing
}

// checkHTTPS refuses to send card numbers without TLS, as the interface demands.
func (c *apiCall) checkHTTPS(base string) error {
	for _, in := range c.inputs {
		if in.path[0] != "cardNumber" {
			continue
		}
		if !rtb.Confidential(base) {
			return command.Usagef("card numbers are sent only over HTTPS: use a platform.url (--platform) that begins with https://")
		}
	}
	return nil
}

// assemble builds the operation's In from the inputs. The body is raw JSON in it, so
// that it is sent as given: without added zero values, and with fields that the records
// do not know.
func (c *apiCall) assemble(cmd *cobra.Command) (op rtb.Operation, in any, closeFiles func(), err error) {
	if op = c.op; c.bodyField() != nil {
		op = withRawBody(op)
	}
	value := reflect.New(op.In).Elem()
	files, err := c.fillInputs(value)
	if err == nil {
		err = c.fillBody(cmd, value)
	}
	closeFiles = func() {
		for _, file := range files {
			_ = file.Close() // opened for reading
		}
	}
	if err != nil {
		closeFiles()
		return op, nil, nil, err
	}
	switch in := value.Addr().Interface().(type) { // the platform's names of one type
	case *rtb.SegmentUser:
		if in.SegmentType == rtb.TypeAndroidID {
			in.SegmentType = rtb.PathAndroidID
		}
	case *rtb.SegmentTypePath:
		if in.SegmentType == rtb.PathAndroidID {
			in.SegmentType = rtb.TypeAndroidID
		}
	}
	return op, value.Interface(), closeFiles, nil
}

// fillInputs sets the fields of In except the body, and returns the files that it opened,
// also after an error.
func (c *apiCall) fillInputs(value reflect.Value) (files []*os.File, err error) {
	for _, input := range c.inputs {
		field := value.Field(input.index)
		switch {
		case !input.set || input.where == rtb.InBody:
		case input.where == rtb.InFile:
			file, content, err := openUpload(input)
			if err != nil {
				return files, err
			}
			files = append(files, file)
			field.Set(reflect.ValueOf(content))
		default:
			if err := input.fill(field); err != nil {
				return files, err
			}
		}
	}
	return files, nil
}

// fillBody sets the body of In, if the operation has one.
func (c *apiCall) fillBody(cmd *cobra.Command, value reflect.Value) error {
	field := c.bodyField()
	if field == nil {
		return nil
	}
	body, err := c.makeBody(cmd)
	if err != nil {
		return err
	}
	value.Field(field.Index).SetBytes(body)
	return nil
}

// check checks the result of assemble against the rules of the interface. The client
// does this by itself for typed bodies. checkShape has accepted the body, so it fits the
// record.
func (c *apiCall) check(client *rtb.Client, in any) error {
	body := c.bodyField()
	if body == nil {
		return nil
	}
	given, typed := reflect.ValueOf(in), reflect.New(c.op.In).Elem()
	for i := range typed.NumField() {
		if i != body.Index {
			typed.Field(i).Set(given.Field(i))
			continue
		}
		if err := json.Unmarshal(given.Field(i).Bytes(), typed.Field(i).Addr().Interface()); err != nil {
			return fmt.Errorf("decode the body: %w", err)
		}
	}
	return client.Check(c.op, typed.Interface())
}

// fill sets the input's field of In.
func (in *apiInput) fill(into reflect.Value) error {
	if into.Kind() == reflect.String {
		into.SetString(strings.Join(in.texts, ","))
		return nil
	}
	value, err := in.value()
	if err == nil {
		err = json.Unmarshal(value, into.Addr().Interface())
	}
	if err != nil {
		return command.Usagef("flag --%s: %w", in.flag, err)
	}
	return nil
}

// withRawBody returns the operation with a raw JSON body.
func withRawBody(op rtb.Operation) rtb.Operation {
	var fields []reflect.StructField
	for i := range op.In.NumField() {
		field := op.In.Field(i)
		if _, isBody := field.Tag.Lookup(string(rtb.InBody)); isBody {
			field.Type = reflect.TypeFor[json.RawMessage]()
		}
		field.Anonymous = false
		fields = append(fields, field)
	}
	op.In = reflect.StructOf(fields)
	return op
}

// openUpload opens the file named by an upload's flag.
func openUpload(in *apiInput) (*os.File, rtb.File, error) {
	path := in.texts[0]
	info, err := os.Stat(path)
	if err != nil {
		var reason *fs.PathError
		if errors.As(err, &reason) {
			err = reason.Err
		}
		return nil, rtb.File{}, fmt.Errorf("read --%s %s: %w", in.flag, path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, rtb.File{}, command.Usagef("--%s takes a regular file: %s is not one", in.flag, path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, rtb.File{}, fmt.Errorf("read --%s: %w", in.flag, err)
	}
	if in.digests {
		err = checkDigests(io.NewSectionReader(file, 0, info.Size()))
	}
	if err != nil {
		_ = file.Close() // opened for reading
		return nil, rtb.File{}, command.Usagef("read --%s %s: %w", in.flag, path, err)
	}
	return file, rtb.File{Name: filepath.Base(path), Content: file, Size: info.Size()}, nil
}

// useLogin sets the inputs of the login operation to the configured login.
func (c *apiCall) useLogin(login connect.Login) {
	if !c.op.Open {
		return
	}
	known := map[string]string{"username": login.Username, "advertiser": login.Advertiser}
	for _, in := range c.inputs {
		if text := known[in.path[0]]; text != "" && !in.set {
			in.texts, in.set = []string{text}, true
		}
	}
}

// checkDigests checks that an upload contains only digests, so that raw device ids are
// not sent by mistake. Its errors give the number of an item, never its value.
func checkDigests(r io.Reader) error {
	items := bufio.NewReaderSize(r, 64<<10)
	for number := int64(1); ; number++ {
		item, err := items.ReadSlice(',')
		end := errors.Is(err, io.EOF)
		if err != nil && !end && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		item = bytes.TrimSpace(bytes.TrimSuffix(item, []byte(",")))
		if end && len(item) == 0 && number > 1 {
			return nil // a trailing comma is allowed
		}
		if !isHexMD5(item) {
			return fmt.Errorf("item %d is not an MD5 of 32 hex characters; items are separated by commas; nothing was sent: "+
				"usher submit hashes and uploads raw ids, and usher hash < ids.txt | paste -sd, - writes such a file", number)
		}
		if end {
			return nil
		}
	}
}

func isHexMD5(text []byte) bool {
	notHex := func(c rune) bool { return (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') }
	return len(text) == 32 && bytes.IndexFunc(text, notHex) < 0
}
