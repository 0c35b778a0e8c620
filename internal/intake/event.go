package intake

import (
	"net/http"
	"net/url"
	"strings"

	"usher/queues/message"
	"usher/queues/schema"
)

// eventHeader returns the headers of a job in the form of package message. A job may be a
// CloudEvent 1.0 in either HTTP mode: in binary mode the body is the job, and the event's
// attributes are ce- headers; in structured mode the body is an envelope, which package
// message unwraps.
func eventHeader(h http.Header) (map[string][]string, error) {
	for name := range h {
		if len(name) >= 6 && strings.EqualFold(name[:6], "usher-") {
			return nil, invalid(schema.Issue{Message: message.RefusedHeader})
		}
	}
	if version := h.Get("Ce-Specversion"); version != "" && attribute(version) != "1.0" {
		return nil, invalid(schema.Issue{Message: "the CloudEvent's specversion (header ce-specversion) is not 1.0"})
	}
	header := map[string][]string{}
	if id := h.Get("Ce-Id"); id != "" {
		header[message.HeaderEventID] = []string{attribute(id)}
	}
	for _, name := range []string{"Ce-Traceparent", "Traceparent"} {
		if trace := h.Get(name); trace != "" {
			header[message.HeaderTrace] = []string{attribute(trace)}
		}
	}
	if kind := h.Get("Content-Type"); kind != "" {
		header[message.HeaderContentType] = []string{kind}
	}
	return header, nil
}

// attribute decodes the value of an attribute as the HTTP binding of CloudEvents asks
// for: quotes around it are removed, and it is percent-decoded once.
func attribute(value string) string {
	if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
		var b strings.Builder
		escaped := false
		for _, c := range []byte(value[1 : len(value)-1]) {
			if escaped = c == '\\' && !escaped; !escaped {
				b.WriteByte(c)
			}
		}
		value = b.String()
	}
	if decoded, err := url.PathUnescape(value); err == nil {
		return decoded
	}
	return value
}
