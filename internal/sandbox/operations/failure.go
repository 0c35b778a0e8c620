package operations

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"usher/hashing"
)

// The codes of failures. The interface document defines only AUTH001, AUTH003, E10059 and
// EPMT004; the sandbox defines the others. A failure without a code has the code E10
// followed by its HTTP status.
const (
	CodeInvalid       = "E10001" // a field is missing or violates a rule
	CodeMalformed     = "E10002" // the body or its Content-Type cannot be read
	CodeStatus        = "E10059" // this change of a creative's status is not allowed
	CodeNotLocked     = "E10060" // the campaign must be locked
	CodeLockedByOther = "E10061" // another login holds the lock
	CodeCodeTaken     = "E10062" // a creative's code belongs to another campaign
	CodeIDTaken       = "E10063" // an id of the supply side belongs to another account
	CodeNoMembers     = "E10069" // the sandbox stores fingerprints and no members
	CodeNoToken       = "AUTH001"
	CodeNoRight       = "AUTH003"
)

// Note is an entry of data.errors or data.warnings.
type Note struct {
	Code        string `json:"code"`
	Description string `json:"description"`
}

// Failure is an answer that is not a success. A failure with notes has the status fail and
// is a validation failure (400). Any other failure has the status error, a message and a
// code.
type Failure struct {
	Status     int
	Message    string
	Code       string // "": E10 and the status
	Notes      []Note
	RetryAfter int      // seconds; 0: none
	Allow      []string // the methods of a 405
	Cause      error    // for the log
}

func (f Failure) Error() string { return f.Message }
func (f Failure) Unwrap() error { return f.Cause }

// Invalid is a 400 that names a field and the rule that the field violates.
func Invalid(field, rule string) error { return Refused(CodeInvalid, "%s: %s", field, rule) }

// Malformed is a 400 for a body that cannot be read.
func Malformed(format string, args ...any) error { return Refused(CodeMalformed, format, args...) }

// Truncated is a 400 for a body that could not be read to its end.
func Truncated(cause error, description string) error {
	return Failure{Status: http.StatusBadRequest, Notes: []Note{{CodeMalformed, description}}, Cause: cause}
}

// Refused is a 400 with a code.
func Refused(code, format string, args ...any) error {
	return Failure{Status: http.StatusBadRequest, Notes: []Note{{code, fmt.Sprintf(format, args...)}}}
}

// Unknown is a 404 for a record that does not exist.
func Unknown(kind, name string) error {
	return Failure{Status: http.StatusNotFound, Message: fmt.Sprintf("%s %s is unknown", kind, name)}
}

// TooLarge is a 413.
func TooLarge(format string, args ...any) error {
	return Failure{Status: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf(format, args...)}
}

// Unauthenticated is the 401 for a request without a valid token.
func Unauthenticated() error {
	return Failure{Status: http.StatusUnauthorized, Code: CodeNoToken, Message: "Authentication is required through the Authorization header"}
}

// Forbidden is a 403.
func Forbidden() error {
	return Failure{Status: http.StatusForbidden, Code: CodeNoRight, Message: "Authorization failed"}
}

// FailureOf returns the Failure in err, and a 500 for any other error.
func FailureOf(err error) Failure {
	var f Failure
	if !errors.As(err, &f) {
		f = Failure{Status: http.StatusInternalServerError, Message: "the sandbox could not write its state"}
	}
	return f
}

// FirstCode returns the code of the failure, or that of its first note.
func (f Failure) FirstCode() string {
	switch {
	case len(f.Notes) > 0:
		return f.Notes[0].Code
	case f.Code != "":
		return f.Code
	}
	return "E10" + strconv.Itoa(f.Status)
}

// ParseJSON decodes a body, or the field of a body with the given name, into a value. Its
// errors are Failures, which name the field that has a wrong type.
func ParseJSON(text []byte, name string, into any) error {
	err := json.Unmarshal(text, into)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return Malformed("the body is not JSON: byte %d: %s", syntax.Offset, syntax.Error())
	case errors.As(err, &wrong) && name+wrong.Field != "":
		field := strings.Trim(name+"."+wrong.Field, ".")
		return Invalid(field, fmt.Sprintf("must be %s, not %s", jsonType(wrong.Type), strings.Fields(wrong.Value)[0]))
	}
	return Malformed("the body must be a JSON object")
}

// ParseDigest reads 32 hex characters of either case.
func ParseDigest(text []byte) (d hashing.Digest, ok bool) {
	if len(text) != hashing.HexLen {
		return d, false
	}
	_, err := hex.Decode(d[:], text)
	return d, err == nil
}

// jsonType names a Go type in the terms of JSON.
func jsonType(t reflect.Type) string {
	switch t.Kind() { // the records have no others
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Int64:
		return "a whole number"
	}
	return "a number"
}
