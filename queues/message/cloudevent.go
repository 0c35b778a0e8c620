package message

import (
	"encoding/json"
	"errors"
	"mime"
	"strings"

	"github.com/nats-io/nats.go"
)

// A job may come as a CloudEvent, in either mode of the CloudEvents NATS protocol
// binding 1.0. In binary mode the body is the job and the attributes are ce-
// headers. In structured mode the header content-type is structuredEvent, and the
// body is an envelope around the job.
const (
	HeaderContentType = "content-type" // in any case
	structuredEvent   = "application/cloudevents+json"
	batchedEvents     = "application/cloudevents-batch+json"
)

// envelope is an event in structured mode, with the attributes that a job needs.
type envelope struct {
	SpecVersion string          `json:"specversion"`
	ID          string          `json:"id"`
	Trace       string          `json:"traceparent"` // the distributed tracing extension
	ContentType string          `json:"datacontenttype"`
	Data        json.RawMessage `json:"data"`
	Base64      []byte          `json:"data_base64"`
}

// Unwrap returns the job in an event in structured mode, and the envelope's attributes
// as headers. It returns any other message unchanged.
func Unwrap(header nats.Header, body []byte) (job []byte, of nats.Header, err error) {
	content := ContentType(header)
	if content == "" {
		return body, header, nil
	}
	kind, _, _ := mime.ParseMediaType(content)
	switch kind {
	case structuredEvent:
	case batchedEvents:
		return nil, nil, errors.New("the message is a batch of CloudEvents: publish one event a message")
	default:
		return body, header, nil
	}
	var e envelope
	if json.Unmarshal(body, &e) != nil {
		return nil, nil, errors.New("the message says that it is a CloudEvent, and its body is not one in JSON")
	}
	inner, _, _ := mime.ParseMediaType(e.ContentType)
	switch {
	case e.SpecVersion != "1.0":
		return nil, nil, errors.New("the CloudEvent's specversion is not 1.0")
	case e.ID == "":
		return nil, nil, errors.New("the CloudEvent has no id")
	case inner != "" && inner != "application/json" && !strings.HasSuffix(inner, "+json"):
		return nil, nil, errors.New("the CloudEvent's datacontenttype is not application/json")
	case len(e.Data) == 0 && len(e.Base64) == 0:
		return nil, nil, errors.New("the CloudEvent has no data: the job belongs there")
	}
	if job = e.Data; len(job) == 0 {
		job = e.Base64
	}
	of = nats.Header{}
	for name, values := range header {
		if !strings.EqualFold(name, HeaderContentType) {
			of[name] = values
		}
	}
	of.Set(HeaderEventID, e.ID)
	if e.Trace != "" && of.Get(HeaderTrace) == "" {
		of.Set(HeaderTrace, e.Trace)
	}
	return job, of, nil
}

// ContentType returns the message's content type. Header names may have any case.
func ContentType(header nats.Header) string {
	for name, values := range header {
		if strings.EqualFold(name, HeaderContentType) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}
