package api

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// checkDigests checks that an upload contains only digests, so that raw device ids are
// not sent by mistake. Its errors give the number of an item, never its value.
func checkDigests(r io.Reader) error {
	items := bufio.NewReaderSize(r, 64<<10)
	for number := int64(1); ; number++ {
		item, err := items.ReadSlice(',')
		end := errors.Is(err, io.EOF)
		if err != nil && !end && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		item = bytes.TrimSpace(bytes.TrimSuffix(item, []byte(",")))
		if end && len(item) == 0 && number > 1 {
			return nil // a trailing comma is allowed
		}
		if !isHexMD5(item) {
			return fmt.Errorf("item %d is not an MD5 of 32 hex characters; items are separated by commas; nothing was sent: "+
				"usher submit hashes and uploads raw ids, and usher hash < ids.txt | paste -sd, - writes such a file", number)
		}
		if end {
			return nil
		}
	}
}

func isHexMD5(text []byte) bool {
	notHex := func(c rune) bool { return (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') }
	return len(text) == 32 && bytes.IndexFunc(text, notHex) < 0
}
