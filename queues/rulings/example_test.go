package rulings_test

import (
	"context"
	"fmt"
	"log"

	"usher/queues"
	"usher/queues/rulings"
)

// Print why a creative was paused.
func ExampleRulings_Story() {
	var q *queues.Queue // of queues.Open
	story, err := rulings.New(q, nil).Story(context.Background(), "spring-1")
	if err != nil {
		log.Fatal(err)
	}
	if story.Owner != nil {
		fmt.Println("paused by rule", story.Owner.Rule)
	}
	for _, p := range story.Pages {
		fmt.Println(p.At, p.Outcome)
	}
}
