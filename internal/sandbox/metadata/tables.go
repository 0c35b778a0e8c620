package metadata

import (
	"bufio"
	"embed"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/therootcompany/xz"

	"usher/internal/rtb"
)

// dictionary is the size of the dictionary with which make.mjs compresses tables, in bytes.
const dictionary = 2 << 20

// tables has files with one record per line, whose fields are separated by tabs. The large
// files are compressed.
//
//go:embed *.tsv *.tsv.xz
var tables embed.FS

// lines yields the fields of each line of a table. It has one line in memory at a time.
func lines(name string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		if err := readLines(name, yield); err != nil {
			panic(fmt.Sprintf("sandbox: read table %s: %v", name, err)) // embedded, and a test reads it completely
		}
	}
}

func readLines(name string, yield func([]string) bool) error {
	file, err := tables.Open(name)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // in memory
	var text io.Reader = file
	if strings.HasSuffix(name, ".xz") {
		if text, err = xz.NewReader(file, dictionary); err != nil {
			return err
		}
	}
	scanner := bufio.NewScanner(text)
	for scanner.Scan() {
		if !yield(strings.Split(scanner.Text(), "\t")) {
			return nil
		}
	}
	return scanner.Err()
}

// records yields a record for each line of a table.
func records[Record any](name string, parse func(line []string) Record) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for line := range lines(name) {
			if !yield(parse(line)) {
				return
			}
		}
	}
}

// First returns the first record of a list that matches, and reports whether there is one.
func First[Record any](list iter.Seq[Record], match func(Record) bool) (Record, bool) {
	for record := range list {
		if match(record) {
			return record, true
		}
	}
	var none Record
	return none, false
}

// number parses a number in a table. An empty field is 0.
func number(text string) rtb.Count {
	n, _ := strconv.ParseInt(text, 10, 64) // a test reads all numbers of the tables
	return rtb.Count(n)
}
