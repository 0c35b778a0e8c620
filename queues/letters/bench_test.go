package letters_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/audit"
	"usher/queues/letters"
	"usher/queues/queuetest"
)

// letterCount is the number of letters that the benchmarks read.
const letterCount = 1_000_000

// BenchmarkLetters measures what operators do with a million dead letters: group all,
// show a page, filter, replay.
func BenchmarkLetters(b *testing.B) {
	broker := queuetest.New(b)
	q := broker.Queue(b)
	fill(b, broker, letterCount)
	b.Run("groups", func(b *testing.B) {
		for b.Loop() {
			if groups, err := letters.New(q).Groups(b.Context(), letters.Filter{}); err != nil || len(groups) < 12 {
				b.Fatalf("%d groups, %v", len(groups), err)
			}
		}
	})
	for name, f := range map[string]letters.Filter{
		"first page": {Limit: 100},
		"later page": {Limit: 100, After: letterCount * 9 / 10},
		"class":      {Limit: 100, Class: usher.SourceBroken},
		"since":      {Limit: 100, Since: time.Now().Add(time.Hour)},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := letters.New(q).List(b.Context(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("plan of 100000", func(b *testing.B) {
		for b.Loop() {
			plan, err := letters.New(q).PlanReplay(b.Context(), letters.Filter{Limit: 100_000}, letters.ReplayOptions{})
			if err != nil || plan.Count != 100_000 {
				b.Fatalf("%d planned, %v", plan.Count, err)
			}
		}
	})
	b.Run("replay of 100000", func(b *testing.B) {
		for b.Loop() {
			plan := letters.ReplayPlan{Survey: letters.Survey{Filter: letters.Filter{Limit: 100_000}}}
			report, err := letters.New(q).Replay(b.Context(), &plan, letters.ReplayOptions{Act: audit.Act{Actor: "bench"}})
			if err != nil || report.Replayed != 100_000 || report.Left != 0 {
				b.Fatalf("%+v, %v", report, err)
			}
		}
	})
	b.Run("one job", func(b *testing.B) {
		for b.Loop() {
			if found, err := letters.New(q).List(b.Context(), letters.Filter{ID: "job-777777"}); err != nil || len(found) != 1 {
				b.Fatalf("%d letters, %v", len(found), err)
			}
		}
	})
}

// fill publishes letters as workers would: of three classes, each with its own file.
func fill(tb testing.TB, b *queuetest.Broker, n int) {
	tb.Helper()
	js, err := jetstream.New(b.Conn, jetstream.WithPublishAsyncMaxPending(4000))
	if err != nil {
		tb.Fatal(err)
	}
	causes := []usher.Class{usher.NotFound, usher.SourceMissing, usher.Exhausted}
	for i := range n {
		class := causes[i%3]
		letter := fmt.Sprintf(`{"seq":0,"id":"job-%d","run":1,"kind":"segment.add","target":"segment %d","class":%q,`+
			`"message":"open file:///exports/crm-%08d.csv: no such file","hint":"publish the job after its file is complete",`+
			`"attempts":8,"crashes":0,"at":"2026-11-21T10:00:00.123456789Z","job":{"id":"job-%d","segment":"%d","profile":"idfa",`+
			`"source":{"url":"file:///exports/crm-%08d.csv"}}}`, i, i%4, class, i, i, i%4, i)
		if _, err := js.PublishAsync("usher.dead.segment.add."+string(class), []byte(letter), jetstream.WithStallWait(time.Minute)); err != nil {
			tb.Fatal(err)
		}
	}
	select {
	case <-js.PublishAsyncComplete():
	case <-time.After(5 * time.Minute):
		tb.Fatal("the letters are not stored")
	}
}
