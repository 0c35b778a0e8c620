package terminal

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Confirm asks a question on errs and reports whether the answer read from in is
// yes. The end of input means no, and Confirm says so: the command may run without a terminal.
func Confirm(in io.Reader, errs io.Writer, question string) bool {
	fmt.Fprintf(errs, "%s [y/N] ", question)
	answer, err := bufio.NewReader(io.LimitReader(in, 1<<10)).ReadString('\n')
	if err != nil && answer == "" {
		fmt.Fprintln(errs, "no answer, so nothing is done; --yes does not ask")
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
