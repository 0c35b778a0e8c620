// Command naivehash is the usher hash that one would write first, with the
// standard library and nothing else: a program of its own, so that it starts as
// quickly as such a one does. It counts nothing and drops nothing.
package main

import (
	"bufio"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if err := hash(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func hash(in io.Reader, out io.Writer) error {
	lines, w := bufio.NewScanner(in), bufio.NewWriter(out)
	for lines.Scan() {
		sum := md5.Sum([]byte(strings.ToUpper(strings.TrimSpace(lines.Text()))))
		fmt.Fprintln(w, hex.EncodeToString(sum[:]))
	}
	return errors.Join(lines.Err(), w.Flush())
}
