package api

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// checkDigests reads a file that is about to be uploaded: raw device ids must
// not leave this machine by mistake. It names an item by its place and never by
// what it holds.
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
			return nil // one comma at the end is well
		}
		if !isHexMD5(item) {
			return fmt.Errorf("item %d is not an MD5 of 32 hex characters; they are delimited by commas and nothing was sent: "+
				"usher submit uploads raw ids as digests, usher hash < ids.txt | paste -sd, - makes such a file", number)
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
