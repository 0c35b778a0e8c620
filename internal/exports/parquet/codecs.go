package parquet

import (
	"bytes"
	"errors"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Codecs of pages of Parquet. 3 is LZO, which nobody writes; 5 is an LZ4 that
// writers frame in different ways, and that LZ4_RAW stands for since.
const (
	codecNone   = 0
	codecSnappy = 1
	codecGzip   = 2
	codecBrotli = 4
	codecZstd   = 6
	codecLZ4Raw = 7
)

// codecs decompress pages. Each is made when it is needed first.
type codecs struct {
	gzip   *gzip.Reader
	brotli *brotli.Reader
	zstd   *zstd.Decoder
}

func (c *codecs) close() {
	if c.zstd != nil {
		c.zstd.Close()
	}
}

// errSize says that a page does not come to the size that it was said to have.
var errSize = errors.New("another size than was said")

// fill fills room with what data comes to, which is exactly as long. known is
// false for a codec that is not read.
func (c *codecs) fill(room, data []byte, codec int32) (known bool, err error) {
	var n int
	switch codec {
	case codecSnappy:
		if n, err = snappy.DecodedLen(data); n == len(room) && err == nil {
			_, err = snappy.Decode(room, data)
		}
	case codecLZ4Raw:
		if n, err = lz4.UncompressBlock(data, room); len(room) == 0 {
			n, err = 0, nil // a block of nothing has no room to point at
		}
	case codecZstd:
		n, err = c.unzstd(room, data)
	case codecGzip:
		n, err = c.gunzip(room, data)
	case codecBrotli:
		n, err = c.unbrotli(room, data)
	default:
		return false, nil
	}
	if err == nil && n != len(room) {
		err = errSize
	}
	return true, err
}

func (c *codecs) unzstd(room, data []byte) (n int, err error) {
	if c.zstd == nil {
		if c.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxPage), zstd.WithDecodeAllCapLimit(true)); err != nil {
			return 0, err
		}
	}
	page, err := c.zstd.DecodeAll(data, room[:0])
	return len(page), err
}

func (c *codecs) gunzip(room, data []byte) (n int, err error) {
	if c.gzip == nil {
		c.gzip, err = gzip.NewReader(bytes.NewReader(data))
	} else {
		err = c.gzip.Reset(bytes.NewReader(data))
	}
	if err != nil {
		return 0, err
	}
	return fillFrom(c.gzip, room)
}

func (c *codecs) unbrotli(room, data []byte) (n int, err error) {
	if c.brotli == nil {
		c.brotli = brotli.NewReader(bytes.NewReader(data))
	} else if err := c.brotli.Reset(bytes.NewReader(data)); err != nil {
		return 0, err
	}
	return fillFrom(c.brotli, room)
}

// fillFrom fills room, and finds that there is no more.
func fillFrom(in io.Reader, room []byte) (n int, err error) {
	if n, err = io.ReadFull(in, room); err != nil && len(room) > 0 {
		return n, err
	}
	var more [1]byte
	switch k, err := io.ReadFull(in, more[:]); {
	case k > 0:
		return n + k, nil
	case !errors.Is(err, io.EOF):
		return n, err
	}
	return n, nil
}
