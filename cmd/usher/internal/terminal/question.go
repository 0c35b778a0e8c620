package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrNoAnswer reports that the input ended instead of an answer: the command may run without a
// terminal.
var ErrNoAnswer = errors.New("no answer, so nothing is done; --yes does not ask")

// Confirm asks a question on errs and reports whether the answer read from in is yes.
func Confirm(in io.Reader, errs io.Writer, question string) (bool, error) {
	fmt.Fprintf(errs, "%s [y/N] ", question)
	answer, err := bufio.NewReader(io.LimitReader(in, 1<<10)).ReadString('\n')
	if err != nil && answer == "" {
		fmt.Fprintln(errs)
		return false, ErrNoAnswer
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}
