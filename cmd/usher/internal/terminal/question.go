package terminal

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Confirm asks a question on errs and reports whether the answer read from in is
// yes. The end of input means no.
func Confirm(in io.Reader, errs io.Writer, question string) bool {
	fmt.Fprintf(errs, "%s [y/N] ", question)
	answer, err := bufio.NewReader(io.LimitReader(in, 1<<10)).ReadString('\n')
	if err != nil && answer == "" {
		fmt.Fprintln(errs)
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
