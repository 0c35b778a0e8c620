package intake

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"usher"
	"usher/internal/exports"
	"usher/internal/outcomes"
	stored "usher/queues/outcomes"
	"usher/queues/schema"
)

// outcomesTime is how long numbers may take to be stored.
const outcomesTime = 30 * time.Second

// outcomesRequest is a body with rows. Other bodies are files.
type outcomesRequest struct {
	Advertiser string            `json:"advertiser,omitempty"`
	Complete   bool              `json:"complete,omitempty"`
	KnownAt    time.Time         `json:"knownAt,omitzero"`
	Rows       []json.RawMessage `json:"rows"`
}

// putOutcomes stores numbers from outside. What it cannot store is in the answer.
func (in *Intake) putOutcomes(c call) (answer, error) {
	if !c.grant.allowsOutcomes() {
		return answer{}, refuse(http.StatusForbidden, "this token is not for outcomes: `usher intake token NAME --kind outcomes` creates one that is")
	}
	if err := onlyQueries(c.URL, "advertiser", "complete", "knownAt"); err != nil {
		return answer{}, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), outcomesTime)
	defer cancel()
	o, table, err := readOutcomes(ctx, c)
	if err != nil {
		return answer{}, err
	}
	if o.Account == "" {
		o.Account = in.Advertiser
	}
	if err := in.permit(c.grant, o.Account); err != nil {
		return answer{}, err
	}
	if o.Known.After(in.Now().Add(time.Minute)) {
		return answer{}, invalidOutcomes("/knownAt", errors.New("nothing is known in the future"))
	}
	report, err := in.Outcomes(ctx, table, o)
	if errors.Is(err, outcomes.ErrTable) {
		return answer{}, invalidOutcomes("", err)
	}
	if err != nil {
		return answer{}, unavailable(err, "it is not known whether all numbers were stored: send them again")
	}
	return answer{status: http.StatusOK, body: report}, nil
}

// invalidOutcomes is the response to numbers that cannot be read.
func invalidOutcomes(pointer string, err error) *problem {
	p := refuse(http.StatusBadRequest, "the outcomes are not valid: %v", err)
	p.Errors = []schema.Issue{{Pointer: pointer, Message: err.Error()}}
	return p
}

// readOutcomes reads a body: an object with rows, or a file with the rest in the query.
func readOutcomes(ctx context.Context, c call) (o outcomes.Options, table *exports.Table, err error) {
	query := c.URL.Query()
	o.Account = query.Get("advertiser")
	if text := query.Get("complete"); text != "" {
		if o.Complete, err = strconv.ParseBool(text); err != nil {
			return o, nil, refuse(http.StatusBadRequest, "complete is true or false")
		}
	}
	if text := query.Get("knownAt"); text != "" {
		if o.Known, err = time.Parse(time.RFC3339, text); err != nil {
			return o, nil, refuse(http.StatusBadRequest, "knownAt is a time of RFC 3339, such as 2026-03-02T06:00:00Z")
		}
	}
	body, source := c.body, &usher.Source{}
	if request, is, err := requestOf(body); err != nil {
		return o, nil, err
	} else if is {
		if request.Advertiser != "" {
			o.Account = request.Advertiser
		}
		o.Complete = o.Complete || request.Complete
		if !request.KnownAt.IsZero() {
			o.Known = request.KnownAt
		}
		body, source.Format = nil, "ndjson"
		for _, row := range request.Rows {
			var line bytes.Buffer
			if err := json.Compact(&line, row); err != nil {
				return o, nil, invalidOutcomes("/rows", err)
			}
			body = append(append(body, line.Bytes()...), '\n')
		}
	}
	table, err = exports.New(nil, exports.Options{}).TableOf(ctx, "the body", body, source, outcomes.Wanted()...)
	if err != nil {
		return o, nil, invalidOutcomes("", err)
	}
	return o, table, nil
}

// requestOf reads a body that is an object with rows, and reports whether it is one.
func requestOf(body []byte) (request outcomesRequest, is bool, err error) {
	trimmed := bytes.TrimSpace(body)
	var fields map[string]json.RawMessage
	isObject := len(trimmed) > 0 && trimmed[0] == '{' && json.Unmarshal(trimmed, &fields) == nil
	if !isObject || fields["rows"] == nil {
		return request, false, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(trimmed))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&request); err != nil {
		return request, true, invalidOutcomes("", fmt.Errorf("the body has advertiser, complete, knownAt and rows: %w", err))
	}
	return request, true, nil
}

// Outcomes stores the numbers of a table; see cmd/usher.
type Outcomes func(ctx context.Context, table *exports.Table, o outcomes.Options) (stored.Report, error)
