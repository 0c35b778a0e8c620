package readable_test

import (
	"fmt"
	"time"

	"usher/internal/readable"
)

func Example() {
	fmt.Println(readable.Count(1234567, "row"))
	fmt.Println(readable.Bytes(12_300_000))
	fmt.Println(readable.Duration(2*time.Hour + 5*time.Minute + 9*time.Second))
	fmt.Println(readable.Line("the first line\nand the second", 20))
	// Output:
	// 1,234,567 rows
	// 12.3 MB
	// 2h5m
	// the first line and …
}
