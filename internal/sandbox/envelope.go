package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// The codes of our own. The interface names AUTH001, AUTH003, E10059 and
// EPMT004 only; for an HTTP status without a code of its own it is E10nnn.
const (
	codeInvalid     = "E10001" // a field is missing or breaks a rule
	codeMalformed   = "E10002" // the body or its Content-Type cannot be read
	codeNotLocked   = "E10060" // needs the campaign's lock
	codeLockedByOne = "E10061" // another login holds the lock
	codeTaken       = "E10062" // a creative's code belongs to another campaign
	codeOwned       = "E10063" // an id belongs to another account
	codeStatus      = "E10059" // a creative's status cannot be changed so
	codeNoToken     = "AUTH001"
	codeNoRight     = "AUTH003"
)

// note is an entry of data.errors or data.warnings.
type note struct {
	Code        string `json:"code"`
	Description string `json:"description"`
}

// failure is an answer that is no success: with notes a validation failure
// (400, status fail), else status error with message and code.
type failure struct {
	status     int
	message    string
	code       string // empty: E10nnn of the status
	notes      []note
	retryAfter int    // seconds; 0: none
	allow      string // for 405
	cause      error  // for the log
}

func (f failure) Error() string { return f.message }
func (f failure) Unwrap() error { return f.cause }

// invalid is a 400 that names the field.
func invalid(field, rule string) error {
	return failure{status: http.StatusBadRequest, notes: []note{{codeInvalid, field + ": " + rule}}}
}

// malformed is a 400 about the body as a whole.
func malformed(format string, args ...any) error {
	return failure{status: http.StatusBadRequest, notes: []note{{codeMalformed, fmt.Sprintf(format, args...)}}}
}

// wrapMalformed is malformed for a body that could not be read to its end.
func wrapMalformed(cause error, description string) error {
	return failure{status: http.StatusBadRequest, notes: []note{{codeMalformed, description}}, cause: cause}
}

// refused is a 400 with a code of its own.
func refused(code, format string, args ...any) error {
	return failure{status: http.StatusBadRequest, notes: []note{{code, fmt.Sprintf(format, args...)}}}
}

func unknown(what, name string) error {
	return failure{status: http.StatusNotFound, message: fmt.Sprintf("%s %s is unknown", what, name)}
}

func unauthenticated() error {
	return failure{status: http.StatusUnauthorized, code: codeNoToken, message: "Authentication is required through the Authorization header"}
}

func forbidden() error {
	return failure{status: http.StatusForbidden, code: codeNoRight, message: "Authorization failed"}
}

// firstCode is the code by which the failure is known.
func (f failure) firstCode() string {
	switch {
	case len(f.notes) > 0:
		return f.notes[0].Code
	case f.code != "":
		return f.code
	}
	return "E10" + strconv.Itoa(f.status)
}

// body is the failure's envelope.
func (f failure) body() []byte {
	if len(f.notes) > 0 {
		return mustJSON(struct {
			Status string `json:"status"` // first, where people look
			Data   any    `json:"data"`
		}{"fail", map[string]any{"errors": f.notes}})
	}
	return mustJSON(struct {
		Status  string `json:"status"`
		Message string `json:"message"`
		Code    string `json:"code"`
	}{"error", f.message, f.firstCode()})
}

// success is the envelope around an operation's Out and its warnings.
func success(out any, warnings []note) []byte {
	data := map[string]json.RawMessage{}
	_ = json.Unmarshal(mustJSON(out), &data) // every Out is an object
	if len(warnings) > 0 {
		data["warnings"] = mustJSON(warnings)
	}
	answer := struct {
		Status string                     `json:"status"`
		Data   map[string]json.RawMessage `json:"data,omitempty"`
	}{"success", data}
	return mustJSON(answer)
}

// mustJSON writes what cannot fail: our own records.
func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("sandbox: write %T as JSON: %v", v, err))
	}
	return text
}
