package exports_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/lz4"
	"github.com/parquet-go/parquet-go/format"

	"usher"
	"usher/internal/exports"
)

// hadoopLZ4 is the deprecated codec LZ4 of Parquet: blocks of LZ4, each with its sizes before it,
// as Hadoop writes them.
type hadoopLZ4 struct{ lz4.Codec }

func (c *hadoopLZ4) String() string                            { return "LZ4" }
func (c *hadoopLZ4) CompressionCodec() format.CompressionCodec { return format.Lz4 }

func (c *hadoopLZ4) Encode(dst, src []byte) ([]byte, error) {
	block, err := c.Codec.Encode(nil, src)
	dst = binary.BigEndian.AppendUint32(dst[:0], uint32(len(src)))
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(block)))
	return append(dst, block...), err
}

// Parquet with Hadoop's LZ4 is refused, whether its column is chosen by its name or its values.
func TestParquetOfHadoopLZ4(t *testing.T) {
	t.Parallel()
	type named struct {
		ID string `parquet:"idfa"`
	}
	type unnamed struct {
		N  string `parquet:"n"`
		ID string `parquet:"x"`
	}
	for name, data := range map[string]string{
		"by its name":   parquetOf(t, []named{{id1}, {id3}}, 9, parquet.Compression(&hadoopLZ4{})),
		"by its values": parquetOf(t, []unnamed{{"a", id1}, {"b", id3}}, 9, parquet.Compression(&hadoopLZ4{})),
	} {
		o, src := export(t, data, exports.Options{})
		_, _, err := read(t, o, src, 0)
		if class(err) != usher.SourceBroken {
			t.Fatalf("%s: %v", name, err)
		}
		p := permanent(t, err)
		if !strings.Contains(p.Error(), "LZ4 in Hadoop's framing") || !strings.Contains(p.Hint, "LZ4_RAW") || !strings.Contains(p.Hint, "snappy") {
			t.Errorf("%s: %v, hint %q", name, p, p.Hint)
		}
	}
}
