package operations

import (
	"fmt"
	"strconv"

	"usher/internal/rtb"
)

func (s *State) pushCreative(c *Call, _ rtb.CreativePush) (rtb.Upload, error) {
	return s.storeCreative(c)
}

func (s *State) pullCreative(c *Call, _ rtb.CreativePull) (rtb.Upload, error) {
	return s.storeCreative(c)
}

// storeCreative gives the file of a creative an id. The location is not served.
func (s *State) storeCreative(c *Call) (rtb.Upload, error) {
	number, counted := s.next("asset")
	id := strconv.FormatInt(number, 10)
	row := asset{Advertiser: c.Advertiser, Format: c.Creative.Format, Bytes: c.Creative.Bytes, At: c.Now}
	location := fmt.Sprintf("https://cdn.example.com/%s/%s.%s", c.Advertiser, id, row.Format)
	return rtb.Upload{ID: id, Location: location}, s.store.Commit(counted, s.assets.Put(id, row))
}
