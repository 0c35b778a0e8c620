package records

import (
	"fmt"
	"strings"

	"usher"
	"usher/internal/readable"
)

// EditText formats an edit in one line.
func EditText(e *usher.Edit) string {
	text := fmt.Sprintf("after run %d by %s at %s: %s", e.Run, e.By, readable.Time(e.At), strings.Join(e.Fields, ", "))
	if e.Reason != "" {
		text += "; reason: " + e.Reason
	}
	return text
}
