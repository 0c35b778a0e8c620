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

// Compressions of pages. 3 is LZO, which no current writer uses. 5 is an LZ4 that writers
// frame in different ways; LZ4_RAW has replaced it.
const (
	codecNone   = 0
	codecSnappy = 1
	codecGzip   = 2
	codecBrotli = 4
	codecZstd   = 6
	codecLZ4Raw = 7
)

// otherCodecs are the names of compressions that are not read.
var otherCodecs = map[int64]string{3: "LZO", 5: "LZ4 in Hadoop's framing"}

// codecs decompress pages. Each decompressor is made when it is first needed.
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

// errSize says that a page does not have the size that its header claims.
var errSize = errors.New("the page has another size than its header claims")

// decompress decompresses data, whose result must fill out exactly. known is false
// for a compression that is not read.
func (c *codecs) decompress(out, data []byte, codec int32) (known bool, err error) {
	var n int
	switch codec {
	case codecSnappy:
		if n, err = snappy.DecodedLen(data); n == len(out) && err == nil {
			_, err = snappy.Decode(out, data)
		}
	case codecLZ4Raw:
		if n, err = lz4.UncompressBlock(data, out); len(out) == 0 {
			n, err = 0, nil // UncompressBlock fails if there is no room at all
		}
	case codecZstd:
		n, err = c.unzstd(out, data)
	case codecGzip:
		n, err = c.gunzip(out, data)
	case codecBrotli:
		n, err = c.unbrotli(out, data)
	default:
		return false, nil
	}
	if err == nil && n != len(out) {
		err = errSize
	}
	return true, err
}

func (c *codecs) unzstd(out, data []byte) (n int, err error) {
	if c.zstd == nil {
		c.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(maxPage), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return 0, err
		}
	}
	page, err := c.zstd.DecodeAll(data, out[:0])
	return len(page), err
}

func (c *codecs) gunzip(out, data []byte) (n int, err error) {
	if c.gzip == nil {
		c.gzip, err = gzip.NewReader(bytes.NewReader(data))
	} else {
		err = c.gzip.Reset(bytes.NewReader(data))
	}
	if err != nil {
		return 0, err
	}
	return fill(c.gzip, out)
}

func (c *codecs) unbrotli(out, data []byte) (n int, err error) {
	if c.brotli == nil {
		c.brotli = brotli.NewReader(bytes.NewReader(data))
	} else if err := c.brotli.Reset(bytes.NewReader(data)); err != nil {
		return 0, err
	}
	return fill(c.brotli, out)
}

// fill reads all of in into out. It returns a larger number if in has more.
func fill(in io.Reader, out []byte) (n int, err error) {
	if n, err = io.ReadFull(in, out); err != nil && len(out) > 0 {
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
