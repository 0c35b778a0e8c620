package lanes_test

import (
	"fmt"

	"usher/queues/lanes"
)

func ExampleAll() {
	fmt.Println(lanes.All())
	// Output: [audience bulk campaign rules]
}
