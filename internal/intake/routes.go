package intake

import (
	"net/http"
	"slices"
	"strings"
)

// handler serves a request that has passed all checks.
type handler func(c call) (answer, error)

// call is a request of the owner of a token.
type call struct {
	*http.Request
	grant *grant
	body  []byte
}

// answer is the response to a call.
type answer struct {
	status      int
	contentType string // default application/json
	body        any
	job         string // its id, for the log
	location    string // the path of what was made; "": nothing
}

// route is one operation of the API.
type route struct {
	method, path string
	hasBody      bool
	waits        bool // it may wait for a job, and takes no slot meanwhile
	handle       handler
}

// name is the route's pattern, and its label in metrics.
func (r route) name() string { return strings.TrimSpace(r.method + " " + r.path) }

// shape is the pattern with which other methods of the path are matched. Paths that differ
// only in the name of their wildcard have the same.
func (r route) shape() string {
	return strings.ReplaceAll(r.path, "{kind}", "{id}")
}

// routes returns the whole API. The mux and the OpenAPI document are built from this
// table.
func (in *Intake) routes() []route {
	return []route{
		{method: http.MethodGet, path: "/v1/jobs", handle: in.list},
		{method: http.MethodPost, path: "/v1/jobs/{kind}", hasBody: true, handle: in.submit},
		{method: http.MethodGet, path: "/v1/jobs/{id}", waits: true, handle: in.show},
		{method: http.MethodPost, path: "/v1/jobs/{id}/cancel", hasBody: true, handle: in.cancel},
		{method: http.MethodPost, path: "/v1/outcomes", hasBody: true, handle: in.putOutcomes},
		{method: http.MethodGet, path: "/v1/schemas/{kind}", handle: in.schema},
	}
}

// other is the label of requests that no route takes.
const other = "other"

// otherMethods is the route of a path's methods that are not accepted.
func otherMethods(allowed []string) route {
	slices.Sort(allowed)
	list := strings.Join(allowed, ", ")
	return route{path: other, handle: func(call) (answer, error) {
		return answer{}, refuse(http.StatusMethodNotAllowed, "this path takes %s", list).with("Allow", list)
	}}
}

// otherPaths is the route of unknown paths.
func otherPaths() route {
	return route{path: other, handle: func(call) (answer, error) {
		return answer{}, refuse(http.StatusNotFound, "there is nothing at this path: jobs are at /v1/jobs/KIND, their schemas at /v1/schemas/KIND")
	}}
}
