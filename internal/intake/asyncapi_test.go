package intake_test

import (
	"testing"

	"usher/queues/schema"
)

// asyncAPI returns the AsyncAPI document of the subjects that publishers use.
func asyncAPI(t *testing.T, schemas *schema.Schemas) object {
	t.Helper()
	var channels, all, messages object
	for _, kind := range publishedKinds() {
		name := string(kind)
		messages = append(messages, field{name, object{
			{"name", name}, {"contentType", "application/json"},
			{"headers", object{{"type", "object"}, {"properties", object{
				{"Nats-Msg-Id", object{{"type", "string"}, {"description", "The job's id, unless the job or ce-id has one."}}},
				{"ce-id", object{{"type", "string"}, {"description", "The job's id, unless the job has one."}}},
				{"traceparent", object{{"type", "string"}, {"description", "W3C trace context."}}},
			}}}},
			{"payload", reference(name)},
			{"examples", []object{{{"payload", example(t, schemas, name)}}}},
		}})
		message := object{{name, object{{"$ref", "#/components/messages/" + name}}}}
		channels = append(channels,
			field{"jobs." + name, object{{"address", "usher.jobs." + name}, {"messages", message}}},
			field{"submit." + name, object{{"address", "usher.submit." + name}, {"messages", message}}},
		)
		all = append(all,
			field{"publish." + name, object{
				{"action", "receive"}, {"channel", object{{"$ref", "#/channels/jobs." + name}}},
				{"summary", "Publish a job to JetStream, which answers with a PubAck. An invalid job becomes a dead letter."},
			}},
			field{"submit." + name, object{
				{"action", "receive"}, {"channel", object{{"$ref", "#/channels/submit." + name}}},
				{"summary", "Request that a job is validated and published. Of inline ids only digests are stored."},
				{"reply", object{{"address", object{{"location", "$message.header#/reply"}}}, {"channel", object{{"$ref", "#/channels/answers"}}}}},
			}},
		)
	}
	channels = append(channels, field{"answers", object{
		{"address", nil}, {"messages", object{{"answer", object{{"$ref", "#/components/messages/answer"}}}}},
	}})
	messages = append(messages, field{"answer", object{
		{"name", "answer"}, {"contentType", "application/json"}, {"payload", reference("Answer")},
	}})
	text := object{{"type", "string"}}
	return object{
		{"asyncapi", "3.0.0"},
		{"info", object{
			{"title", "usher: jobs over NATS"},
			{"version", "v1"},
			{"description", "Generated from the JSON Schemas of jobs by usher's package internal/intake; do not edit. A namespace in the configuration prefixes all subjects."},
		}},
		{"defaultContentType", "application/json"},
		{"servers", object{{"nats", object{{"host", "127.0.0.1:4222"}, {"protocol", "nats"}}}}},
		{"channels", channels},
		{"operations", all},
		{"components", object{
			{"messages", messages},
			{"schemas", append(object{{"Answer", object{
				{"type", "object"}, {"description", "The job's id, or the issues of a job that was not published."}, {"properties", object{
					{"id", reference("id")}, {"ended", endedSchema()},
					{"errors", object{{"type", "array"}, {"items", object{
						{"type", "object"}, {"required", []string{"pointer", "message"}}, {"properties", object{{"pointer", text}, {"message", text}}},
					}}}},
				}},
			}}}, components(t, schemas)...)},
		}},
	}
}
