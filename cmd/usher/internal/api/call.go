package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/rtb"
)

// run calls the operation and prints its response.
func (c *apiCall) run(cmd *cobra.Command, args []string) error {
	cfg, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return err
	}
	if err := c.takeArguments(cmd, args); err != nil {
		return err
	}
	login := connect.NewLogin(cmd, cfg)
	c.useLogin(login)
	if err := c.checkRequired(cmd); err != nil {
		return err
	}
	if err := c.checkChart(); err != nil {
		return err
	}
	if err := c.checkHTTPS(login.Base); err != nil {
		return err
	}
	if err := c.readSecrets(cmd, cfg, os.LookupEnv); err != nil {
		return err
	}
	op, in, closeFiles, err := c.assemble(cmd)
	if err != nil {
		return err
	}
	defer closeFiles()
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	data := json.RawMessage("{}")
	client, err := login.Client(cfg)
	if err != nil {
		return err
	}
	if err := c.check(client, in); err != nil {
		return c.explain(ctx, err, login)
	}
	warnings, err := client.Call(ctx, op, in, &data)
	if err != nil {
		return c.explain(ctx, err, login)
	}
	for _, w := range warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s: %s\n", w.Code, c.hide(w.Description))
	}
	return c.print(cmd, data)
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
func (c *apiCall) checkRequired(cmd *cobra.Command) error {
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
	switch len(words) {
	case 0:
		return nil
	case 1:
		return command.Usagef("%s is missing: %s", words[0], strings.TrimSpace(strings.SplitN(cmd.Example, "\n", 2)[0]))
	}
	return command.Usagef("%s are missing: %s", strings.Join(words, ", "), strings.TrimSpace(strings.SplitN(cmd.Example, "\n", 2)[0]))
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
	if user, ok := reflect.TypeAssert[*rtb.SegmentUser](value.Addr()); ok && user.SegmentType == rtb.TypeAndroidID {
		user.SegmentType = rtb.PathAndroidID
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
// does this by itself for typed bodies. A body that does not fit the record is left to
// the platform.
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
		if json.Unmarshal(given.Field(i).Bytes(), typed.Field(i).Addr().Interface()) != nil {
			typed.SetZero()
			break
		}
	}
	return client.Check(c.op, typed.Interface())
}

// fill sets the input's field of In.
func (in *apiInput) fill(into reflect.Value) error {
	if into.Kind() == reflect.String {
		into.SetString(in.texts[0])
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

// explain returns the error of a call with all of the platform's messages and a hint.
func (c *apiCall) explain(ctx context.Context, err error, login connect.Login) error {
	if ctx.Err() != nil {
		return errors.New("interrupted: it is not known whether the platform carried out the call")
	}
	text := err.Error()
	var fault *rtb.Fault
	if errors.As(err, &fault) && len(fault.Errors) > 1 {
		text = strings.TrimSuffix(text, fmt.Sprintf(" (and %d more)", len(fault.Errors)-1))
		for _, e := range fault.Errors[1:] {
			text += fmt.Sprintf("\n       %s: %s", e.Code, e.Description)
		}
	}
	var input *rtb.InputError
	if errors.As(err, &input) {
		return command.Usagef("%s", c.hide(text))
	}
	return errors.New(c.hide(text) + login.Hint(err))
}
