package rtb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"usher"
)

const (
	codeUnauthorized = "AUTH001"
	codeForbidden    = "AUTH003"
)

// envelope is the body of every answer.
type envelope struct {
	Status  string          `json:"status"` // success, fail, error
	Data    json.RawMessage `json:"data"`
	Message string          `json:"message"`
	Code    string          `json:"code"`
}

// notes are the warnings and errors in the data of an answer.
type notes struct {
	Warnings []note `json:"warnings"`
	Errors   []note `json:"errors"`
}

type note struct {
	Code        string `json:"code"`
	Description string `json:"description"`
}

// judge decides whether an answer is a success. If so, it decodes the data into out and
// returns the warnings; otherwise it returns one of the errors in the package comment.
func judge(op Operation, m *message, a answer, out any) ([]usher.Warning, error) {
	var e envelope
	decodeErr := json.Unmarshal(a.body, &e)
	if a.status/100 == 2 {
		if decodeErr != nil || a.cut {
			return nil, unreadable(op, m, a, "its body is not the JSON of an answer")
		}
		if strings.EqualFold(e.Status, "success") {
			return accept(op, m, a, e, out)
		}
	}
	fault := &Fault{Op: op.Name, Method: op.Method, Path: m.shown, Status: a.status}
	fault.fill(e, a)
	switch {
	case a.status == http.StatusNotFound && !isOfPlatform(a.body):
		return nil, unreadable(op, m, a, "its body is not the JSON of an answer: a gateway has sent it, or the platform's URL is wrong")
	case a.status/100 != 2:
		return nil, verdict(a.status, a.header, fault)
	case strings.EqualFold(e.Status, "fail"):
		return nil, verdict(http.StatusBadRequest, a.header, fault)
	case strings.EqualFold(e.Status, "error"):
		return nil, verdict(statusOfCode(e.Code), a.header, fault)
	}
	return nil, unreadable(op, m, a, "its body has an unknown status")
}

// isOfPlatform reports whether the body of a 404 may be the platform's. The interface does not show
// it, and so it may be empty, or an object of any form, but not the page or text of a gateway, which
// knows of no id whether the platform has it.
func isOfPlatform(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) == 0 || body[0] == '{' && json.Valid(body)
}

// statusOfCode returns the HTTP status that belongs to an error code.
func statusOfCode(code string) int {
	switch code {
	case codeUnauthorized:
		return http.StatusUnauthorized
	case codeForbidden:
		return http.StatusForbidden
	}
	return http.StatusBadRequest
}

// accept decodes the data of a success.
func accept(op Operation, m *message, a answer, e envelope, out any) ([]usher.Warning, error) {
	if missing := missingKey(op.Out, e.Data); missing != "" {
		return nil, unreadable(op, m, a, "its data lacks "+missing)
	}
	if len(e.Data) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(e.Data, out); err != nil {
		return nil, unreadable(op, m, a, typeRule(err))
	}
	var n notes
	if err := json.Unmarshal(e.Data, &n); err != nil {
		return nil, unreadable(op, m, a, "its warnings are not a list of {code, description}")
	}
	return warningsOf(n.Warnings, a.secrets), nil
}

// missingKey returns the first required key of out that data lacks, or "". A key is
// required unless its tag has omitempty or omitzero. An answer without its result is not
// a success.
func missingKey(out reflect.Type, data json.RawMessage) string {
	if out.NumField() == 0 {
		return ""
	}
	var present map[string]json.RawMessage
	_ = json.Unmarshal(data, &present) // anything but an object has no keys
	for i := range out.NumField() {
		name, options, _ := strings.Cut(out.Field(i).Tag.Get("json"), ",")
		value, found := present[name]
		if options == "" && (!found || string(value) == "null") {
			return name
		}
	}
	return ""
}

// typeRule describes an error of decoding data: the field that has a wrong type, without
// its value.
func typeRule(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s is a %s", wrong.Field, strings.Fields(wrong.Value)[0])
	}
	return "its data does not have the form of the operation's answer"
}

// unreadable returns the error of an answer that cannot be read, for example because it
// came from a proxy or is cut off. Such an answer is never taken for a success.
func unreadable(op Operation, m *message, a answer, why string) error {
	fault := &Fault{Op: op.Name, Method: op.Method, Path: m.shown, Status: a.status, Code: httpCode(a.status), Message: why, sent: &sent{a.body, a.hidden}}
	return &usher.Unavailable{Err: fault}
}

// fill sets the code and the platform's texts.
func (f *Fault) fill(e envelope, a answer) {
	f.sent = &sent{a.body, a.hidden}
	var n notes
	_ = json.Unmarshal(e.Data, &n) // the texts are optional
	f.Errors = warningsOf(n.Errors, a.secrets)
	f.Message = clean(e.Message, a.secrets)
	f.Code = clean(e.Code, a.secrets)
	if f.Code == "" && len(f.Errors) > 0 {
		f.Code = string(f.Errors[0].Code)
	}
	if f.Code == "" {
		f.Code = httpCode(a.status)
	}
}

// warningsOf returns notes as warnings, without secrets, digests and device ids.
func warningsOf(list []note, secrets []string) []usher.Warning {
	var warnings []usher.Warning
	for _, w := range list {
		warnings = append(warnings, usher.Warning{Code: usher.WarningCode(clean(w.Code, secrets)), Description: clean(w.Description, secrets), Count: 1})
	}
	return warnings
}

func httpCode(status int) string { return "HTTP" + strconv.Itoa(status) }

// verdict returns the error that a status means.
func verdict(status int, header http.Header, f *Fault) error {
	switch {
	case status == http.StatusUnauthorized:
		return fmt.Errorf("%w: %w", usher.ErrUnauthorized, f)
	case status == http.StatusForbidden:
		return permanent(usher.Forbidden, f.Code, "ask the platform to give this user access to the advertiser", f)
	case status == http.StatusNotFound:
		return permanent(usher.NotFound, f.Code, "check the id or code, and that it belongs to this advertiser", f)
	case status == http.StatusRequestEntityTooLarge:
		return permanent(usher.Refused, usher.CodeTooLarge, "the body is too large for the platform: make the batches smaller", f)
	case status == http.StatusTooManyRequests:
		return &usher.RetryAfter{After: retryAfter(header), Why: "the platform's rate limit", Err: f}
	case status == http.StatusRequestTimeout || status == http.StatusTooEarly:
		return f // retried, since only this request failed; not Unavailable, since the platform answers
	case status == http.StatusServiceUnavailable && header.Get("Retry-After") != "":
		return &usher.RetryAfter{After: retryAfter(header), Why: "the platform sent Retry-After", Err: &usher.Unavailable{Err: f}}
	case status == http.StatusBadRequest:
		return permanent(usher.Refused, f.Code, "the platform refused the request: see its message", f)
	case status/100 == 4:
		return permanent(usher.Refused, httpCode(status), "the platform refused the request: see its message", f)
	}
	// 5xx; and 3xx, because a redirect would send the token to another host.
	return &usher.Unavailable{Err: f}
}

// IsDown reports whether err says that the platform as a whole is down: no
// connection, no response in time, or a 5xx.
func IsDown(err error) bool {
	var down *usher.Unavailable
	return errors.As(err, &down) || errors.Is(err, context.DeadlineExceeded)
}

// HowDown says of a call that IsDown whether the platform answers, and how.
func HowDown(err error) string {
	var fault *Fault
	switch {
	case !errors.As(err, &fault):
		return "does not respond"
	case fault.Status/100 == 2 || fault.Status == http.StatusNotFound:
		return "answers with what is not an answer of the platform"
	}
	return fmt.Sprintf("answers with status %d", fault.Status)
}

func permanent(class usher.Class, code, hint string, err error) error {
	return &usher.Permanent{Class: class, Code: code, Hint: hint, Err: err}
}

// The default of an answer without a valid Retry-After, and the longest one that is
// obeyed.
const (
	defaultRetryAfter = time.Second
	maxRetryAfter     = time.Hour
)

// retryAfter reads the header Retry-After, a number of seconds or an HTTP date. It compares
// such a date with the header Date, because both are times of the platform's clock.
func retryAfter(header http.Header) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	var after time.Duration
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
		after = time.Duration(min(seconds, maxRetryAfter.Seconds()) * float64(time.Second))
	} else if at, err := http.ParseTime(value); err == nil {
		after = at.Sub(cmp.Or(dateOf(header), time.Now()))
	}
	if after <= 0 {
		return defaultRetryAfter
	}
	return min(after, maxRetryAfter)
}

// dateOf returns the header Date of an answer, or the zero time.
func dateOf(header http.Header) time.Time {
	at, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return time.Time{}
	}
	return at
}
