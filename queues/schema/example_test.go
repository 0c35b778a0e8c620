package schema_test

import (
	"fmt"

	"usher"
	"usher/queues/schema"
)

func ExampleSchemas_Validate() {
	issues := schema.Load().Validate(usher.SegmentAdd, []byte(`{"segment":"17","profile":"idfa"}`))
	fmt.Println(schema.Describe(issues))
	// Output: /source is required
}

func ExamplePointer() {
	fmt.Println(schema.Pointer([]string{"source", "ids", "3"}))
	// Output: /source/ids/3
}
