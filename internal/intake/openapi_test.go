package intake_test

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"usher"
	"usher/internal/intake"
	"usher/queues/schema"
)

// about describes the statuses of responses.
func about() map[int]string {
	return map[int]string{
		http.StatusOK:                    "Done",
		http.StatusAccepted:              "JetStream has the job",
		http.StatusBadRequest:            "The request is not valid; errors has the place and the rule of each issue",
		http.StatusUnauthorized:          "No known token",
		http.StatusForbidden:             "The token does not name the job's kind or advertiser, or the job is another one's",
		http.StatusNotFound:              "There is no such kind, job or schema",
		http.StatusMethodNotAllowed:      "The path does not take this method",
		http.StatusRequestTimeout:        "The body came too slowly",
		http.StatusConflict:              "The id is on record with another body, or the job has ended already",
		http.StatusRequestEntityTooLarge: "The body has more than 64 MiB, or the job more than a message of NATS may have",
		http.StatusTooManyRequests:       "The token's rate is used up: try again after Retry-After",
		http.StatusServiceUnavailable:    "NATS is away, or its stream of jobs is full: try again after Retry-After, with the same id",
	}
}

// operation describes a route.
type operation struct {
	id, summary, success string // success is the component of the response
	status               int
	errors               []int
}

// operations describes all routes by their names.
func operations() map[string]operation {
	always := []int{http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusServiceUnavailable}
	with := func(statuses ...int) []int { return append(statuses, always...) }
	return map[string]operation{
		"POST /v1/jobs/{kind}": {"submit", "Submit a job", "Accepted", http.StatusAccepted, with(http.StatusBadRequest, http.StatusForbidden,
			http.StatusRequestTimeout, http.StatusConflict, http.StatusRequestEntityTooLarge)},
		"GET /v1/jobs":      {"list", "List the jobs that the token may read, newest first", "Jobs", http.StatusOK, with(http.StatusBadRequest, http.StatusNotFound)},
		"GET /v1/jobs/{id}": {"show", "Show the record of a job", "Record", http.StatusOK, with(http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound)},
		"POST /v1/jobs/{id}/cancel": {"cancel", "Cancel a job and show its record", "Record", http.StatusOK, with(http.StatusBadRequest, http.StatusForbidden,
			http.StatusNotFound, http.StatusRequestTimeout, http.StatusConflict, http.StatusRequestEntityTooLarge)},
		"POST /v1/outcomes": {"outcomes", "Store numbers from outside, such as installs", "Outcomes", http.StatusOK, with(http.StatusBadRequest, http.StatusForbidden,
			http.StatusRequestTimeout, http.StatusRequestEntityTooLarge)},
		"GET /v1/schemas/{kind}": {"schema", "Show the JSON Schema of a kind of job", "", http.StatusOK, with(http.StatusNotFound)},
	}
}

// openAPI returns the OpenAPI document of all routes. The job of each kind has a path of its
// own.
func openAPI(t *testing.T, schemas *schema.Schemas) object {
	t.Helper()
	var paths object
	described := operations()
	add := func(path, method string, o object) {
		for i := range paths {
			if paths[i].name == path {
				methods, _ := paths[i].value.(object)
				methods = append(methods, field{method, o})
				paths[i].value = methods
				return
			}
		}
		paths = append(paths, field{path, object{{method, o}}})
	}
	for _, name := range intake.Routes() {
		d, known := described[name]
		if !known {
			t.Fatalf("route %s has no description", name)
		}
		delete(described, name)
		method, path, _ := strings.Cut(name, " ")
		if d.id != "submit" {
			add(path, strings.ToLower(method), operationObject(d, d.id, path, d.summary, nil))
			continue
		}
		for _, kind := range publishedKinds() {
			body := object{{"required", true}, {"content", object{
				{"application/json", object{{"schema", reference(string(kind))}, {"example", example(t, schemas, string(kind))}}},
				{"application/cloudevents+json", object{{"schema", eventSchema(string(kind))}}},
			}}}
			text, _ := schemas.Text(kind)
			whole, _ := ordered(t, text).(object)
			summary, _ := whole.get("description").(string)
			add(strings.Replace(path, "{kind}", string(kind), 1), strings.ToLower(method), operationObject(d, d.id+"-"+string(kind), "", summary, body))
		}
	}
	if len(described) > 0 {
		t.Errorf("there are no routes %v", described)
	}
	return object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", "usher: jobs over HTTP"},
			{"description", "Generated from the JSON Schemas of jobs and the routes of usher's package internal/intake; do not edit."},
			{"version", "v1"},
		}},
		{"servers", []object{{{"url", "http://127.0.0.1:8460"}}}},
		{"security", []object{{{"token", []string{}}}}},
		{"paths", paths},
		{"components", object{
			{"securitySchemes", object{{"token", object{{"type", "http"}, {"scheme", "bearer"}, {"description", "A token that `usher intake token` has printed."}}}}},
			{"headers", object{{"RetryAfter", object{{"description", "When to try again, in seconds."}, {"schema", object{{"type", "integer"}, {"minimum", 1}}}}}}},
			{"responses", responses()},
			{"schemas", append(object{
				{"Accepted", object{{"type", "object"}, {"required", []string{"id"}}, {"additionalProperties", false}, {"properties", object{{"id", reference("id")}, {"ended", endedSchema()}}}}},
				{"Record", typeSchema(reflect.TypeFor[usher.Record]())},
				{"Jobs", object{{"type", "object"}, {"required", []string{"jobs", "next"}}, {"properties", object{
					{"jobs", object{{"type", "array"}, {"items", reference("Record")}}}, {"next", object{{"type", "string"}}},
				}}}},
				{"Outcomes", object{{"type", "object"}, {"required", []string{"account", "stored", "restated", "unchanged", "refused"}}, {"properties", object{
					{"account", object{{"type", "string"}}}, {"knownAt", object{{"type", "string"}, {"format", "date-time"}}}, {"complete", object{{"type", "boolean"}}},
					{"names", object{{"type", "array"}, {"items", object{{"type", "string"}}}}}, {"rows", object{{"type", "integer"}}},
					{"stored", object{{"type", "integer"}}}, {"restated", object{{"type", "integer"}}}, {"unchanged", object{{"type", "integer"}}},
					{"refused", object{{"type", "array"}, {"items", object{{"type", "object"}, {"required", []string{"row", "why"}}}}}},
				}}}},
				{"Problem", problemSchema()},
			}, components(t, schemas)...)},
		}},
	}
}

func operationObject(d operation, id, path, summary string, body object) object {
	o := object{{"operationId", id}, {"summary", summary}}
	for _, parameter := range []struct{ name, component string }{{"id", "id"}, {"kind", ""}} {
		if strings.Contains(path, "{"+parameter.name+"}") {
			of := object{{"type", "string"}}
			if parameter.component != "" {
				of = reference(parameter.component)
			}
			o = append(o, field{"parameters", []object{{{"name", parameter.name}, {"in", "path"}, {"required", true}, {"schema", of}}}})
		}
	}
	if query := queries(d.id); query != nil {
		o = withParameters(o, query)
	}
	if d.id == "cancel" {
		body = object{{"required", false}, {"content", object{{"application/json", object{{"schema", object{
			{"type", "object"}, {"additionalProperties", false}, {"properties", object{{"reason", object{{"type", "string"}, {"maxLength", 1000}}}}},
		}}}}}}}
	}
	if d.id == "outcomes" {
		body = object{{"required", true}, {"content", object{
			{"application/json", object{{"schema", outcomesSchema()}}}, {"text/csv", object{{"schema", object{{"type", "string"}}}}},
		}}}
	}
	if body != nil {
		o = append(o, field{"requestBody", body})
	}
	content := object{{"application/schema+json", object{{"schema", object{{"type", "object"}}}}}}
	if d.success != "" {
		content = object{{"application/json", object{{"schema", reference(d.success)}}}}
	}
	success := object{{"description", about()[d.status]}}
	if d.status == http.StatusAccepted {
		success = append(success, field{"headers", object{{"Location", object{{"description", "The path of the job."}, {"schema", object{{"type", "string"}}}}}}})
	}
	list := object{{strconv.Itoa(d.status), append(success, field{"content", content})}}
	for _, status := range d.errors {
		list = append(list, field{strconv.Itoa(status), object{{"$ref", "#/components/responses/" + strconv.Itoa(status)}}})
	}
	return append(o, field{"responses", list})
}

// queries describes the parameters in the query of an operation.
func queries(id string) []object {
	in := func(name, description string, schema object) object {
		return object{{"name", name}, {"in", "query"}, {"required", false}, {"description", description}, {"schema", schema}}
	}
	text := object{{"type", "string"}}
	switch id {
	case "show":
		return []object{in("wait", "Answer when the job has ended, or after this time: 30s, at most 60s.", text)}
	case "outcomes":
		return []object{
			in("advertiser", "Whose campaigns they are. Default: the configured one.", text),
			in("complete", "Campaigns without a row are 0 on the days of the body.", object{{"type", "boolean"}, {"default", false}}),
			in("knownAt", "When the numbers became known. Default: now.", object{{"type", "string"}, {"format", "date-time"}}),
		}
	case "list":
		list := object{{"type", "array"}, {"items", text}}
		return []object{
			in("state", "Only jobs in these states.", list), in("kind", "Only jobs of these kinds.", list),
			in("limit", "Jobs of a page.", object{{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}, {"default", 100}}),
			in("cursor", "The next of the page before.", text),
		}
	}
	return nil
}

// outcomesSchema describes a body with rows. The body may also be a file.
func outcomesSchema() object {
	text := object{{"type", "string"}}
	return object{
		{"type", "object"}, {"required", []string{"rows"}}, {"additionalProperties", false},
		{"properties", object{
			{"advertiser", text}, {"complete", object{{"type", "boolean"}}}, {"knownAt", object{{"type", "string"}, {"format", "date-time"}}},
			{"rows", object{{"type", "array"}, {"items", object{
				{"type", "object"}, {"required", []string{"date", "campaign"}},
				{"properties", object{{"date", object{{"type", "string"}, {"format", "date"}}}, {"campaign", text}, {"creative", text}}},
				{"additionalProperties", object{{"type", []string{"number", "null"}}}},
			}}}},
		}},
	}
}

// withParameters adds parameters to those of an operation.
func withParameters(o object, more []object) object {
	for i := range o {
		if list, is := o[i].value.([]object); is && o[i].name == "parameters" {
			o[i].value = slices.Concat(list, more)
			return o
		}
	}
	return append(o, field{"parameters", more})
}

// responses returns the error responses by status.
func responses() (list object) {
	for status := http.StatusBadRequest; status < 600; status++ {
		text, used := about()[status]
		if !used {
			continue
		}
		response := object{{"description", text}}
		switch status {
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			response = append(response, field{"headers", object{{"Retry-After", object{{"$ref", "#/components/headers/RetryAfter"}}}}})
		case http.StatusUnauthorized:
			response = append(response, field{"headers", object{{"WWW-Authenticate", object{{"schema", object{{"type", "string"}}}}}}})
		}
		list = append(list, field{strconv.Itoa(status), append(response, field{"content", object{{"application/problem+json", object{{"schema", reference("Problem")}}}}})})
	}
	return list
}

func reference(component string) object { return object{{"$ref", "#/components/schemas/" + component}} }

// eventSchema describes a CloudEvent 1.0 around a job.
func eventSchema(kind string) object {
	text := object{{"type", "string"}, {"minLength", 1}}
	return object{
		{"type", "object"}, {"required", []string{"specversion", "id", "source", "type"}},
		{"properties", object{
			{"specversion", object{{"const", "1.0"}}}, {"id", text}, {"source", text}, {"type", text},
			{"datacontenttype", object{{"type", "string"}}}, {"data", reference(kind)}, {"data_base64", object{{"type", "string"}}},
		}},
	}
}

// endedSchema describes the state in which a job that was submitted again has ended.
func endedSchema() object {
	return object{{"enum", []usher.State{usher.Done, usher.Failed, usher.Cancelled}}, {"description", "The job was submitted before and has ended in this state: nothing will run."}}
}

// problemSchema describes problem details of RFC 9457.
func problemSchema() object {
	text := object{{"type", "string"}}
	return object{
		{"type", "object"}, {"required", []string{"type", "title", "status", "detail"}},
		{"properties", object{
			{"type", text}, {"title", text}, {"status", object{{"type", "integer"}}}, {"detail", text},
			{"errors", object{{"type", "array"}, {"items", object{
				{"type", "object"}, {"required", []string{"pointer", "message"}}, {"properties", object{{"pointer", text}, {"message", text}}},
			}}}},
		}},
	}
}
