package presence_test

import (
	"context"
	"fmt"

	"usher/queues/lanes"
	"usher/queues/presence"
	"usher/queues/queuetest"
)

// A worker says who it is when it is asked.
func ExamplePresence_Workers() {
	q, stop := queuetest.Open()
	defer stop()
	leave, err := q.AnswerPresence(func() presence.Answer {
		return presence.Answer{Worker: "box-1", Version: "1.0.0", Slots: map[lanes.Lane]int{lanes.Campaign: 4}}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer leave()
	workers, err := q.Presence().Workers(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range workers {
		fmt.Println(w.Worker, w.Version, w.Slots[lanes.Campaign])
	}
	// Output:
	// box-1 1.0.0 4
}
