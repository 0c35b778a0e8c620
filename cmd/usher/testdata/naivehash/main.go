// Command naivehash is a straightforward usher hash that uses only the standard library. It
// is a separate program, so that its startup time is realistic. It counts nothing and drops
// nothing.
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
