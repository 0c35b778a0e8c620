package records_test

import (
	"fmt"

	"usher"
	"usher/queues/records"
)

func ExampleTargetIn() {
	fmt.Println(records.TargetIn(usher.SegmentAdd, []byte(`{"id":"crm-17","segment":"4"}`)))
	fmt.Println(records.TargetIn(usher.TargetClear, []byte(`{"campaign":"SANDBOX1-spring"}`)))
	// Output:
	// segment 4
	// target SANDBOX1-spring
}
