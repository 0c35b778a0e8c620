package workers_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"usher"
	"usher/queues/audit"
	"usher/queues/letters"
	"usher/workers/internal/workertest"
)

const (
	traceID     = "4bf92f3577b34da6a3ce929d0e0e4736"
	traceparent = "00-" + traceID + "-00f067aa0ba902b7-01"
)

// A publisher's trace includes the job, its parts, the calls of the platform and
// the dead letter. The trace of a replay links to it.
func TestTraces(t *testing.T) {
	t.Parallel()
	p := workertest.NewQueue(t)
	spans := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	t.Cleanup(func() { _ = provider.Shutdown(context.Background()) })
	p.Worker.Tracer = provider.Tracer("test")
	_, stop := p.Start()
	msg := nats.NewMsg("usher.jobs.segment.add")
	msg.Data = []byte(`{"id":"lost","segment":"77","profile":"idfa","source":{"ids":["6D92078A-8246-4BA4-AE5B-76104861E7DC"]}}`)
	msg.Header.Set("traceparent", traceparent)
	if _, err := p.JS.PublishMsg(t.Context(), msg); err != nil {
		t.Fatal(err)
	}
	p.Until("lost", usher.Failed)
	p.Publish(usher.SegmentAdd, `{"id":"plain","segment":"1","profile":"idfa","source":{"ids":["6D92078A-8246-4BA4-AE5B-76104861E7DC"]}}`)
	p.Until("plain", usher.Done)
	plan, err := letters.New(p.Jobs).PlanReplay(t.Context(), letters.Filter{}, letters.ReplayOptions{})
	if err != nil || plan.Sample[0].Trace != traceID {
		t.Fatalf("the plan is %+v, %v", plan, err)
	}
	if _, err := letters.New(p.Jobs).Replay(t.Context(), &plan, letters.ReplayOptions{Act: audit.Act{Actor: "test"}}); err != nil {
		t.Fatal(err)
	}
	p.Until("lost", usher.Failed)
	stop()

	inTrace := map[string]int{} // spans of the publisher's trace, by name
	linked, others := 0, 0
	for _, s := range spans.GetSpans() {
		if text := fmt.Sprint(s.Name, s.Attributes, s.Status, s.Events); strings.Contains(strings.ToUpper(text), "6D92078A") {
			t.Errorf("a span names a device: %s", text)
		}
		if s.SpanContext.TraceID().String() == traceID {
			inTrace[s.Name]++
			continue
		}
		others++
		for _, link := range s.Links {
			if link.SpanContext.TraceID().String() == traceID && s.Name == string(usher.SegmentAdd) {
				linked++
			}
		}
	}
	if inTrace["segment.add"] != 1 || inTrace["segments.get"] != 1 {
		t.Errorf("the publisher's trace has %v", inTrace)
	}
	if linked != 1 || others < 4 {
		t.Errorf("%d linked, %d others", linked, others)
	}
}
