package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/internal/rtb"
)

// failure is the end of a call without a success.
type failure struct {
	call        *apiCall
	login       connect.Login
	err         error
	interrupted bool
	sent        bool // the request was sent, at least in part
	in          any  // the input of the operation
}

// report prints the failed envelope, if --json is given, and returns the error for the
// terminal: the platform's words, what to do, and what may have happened.
func (f *failure) report(cmd *cobra.Command) error {
	var fault *rtb.Fault
	text := f.err.Error()
	if errors.As(f.err, &fault) {
		text = strings.Replace(text, fault.Error(), fault.Whole(), 1)
		if body := fault.Body(); f.call.json && body != nil {
			if err := printJSON(cmd.OutOrStdout(), []byte(f.call.hide(string(body)))); err != nil {
				return err
			}
		}
	}
	text = f.call.hide(text)
	var input *rtb.InputError
	var later *usher.RetryAfter
	switch {
	case f.interrupted:
		text = "interrupted"
		if !f.sent {
			text += " before the request was sent"
		}
	case errors.As(f.err, &input):
		return command.Usagef("%s", text)
	case errors.As(f.err, &later):
		text += fmt.Sprintf("; the platform takes calls again in %s, at %s", readable.Duration(later.After), readable.Time(time.Now().Add(later.After)))
	default:
		text += f.login.Hint(f.err)
	}
	return errors.New(text + f.call.inDoubt(f.err, f.sent, f.body()))
}

// body returns the JSON that was sent, if any.
func (f *failure) body() json.RawMessage {
	field := f.call.bodyField()
	if field == nil {
		return nil
	}
	return bytes.TrimSpace(reflect.ValueOf(f.in).Field(field.Index).Bytes())
}
