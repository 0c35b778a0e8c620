package main

import (
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/google/uuid"
	parquetgo "github.com/parquet-go/parquet-go"
)

// arrowParquet writes Parquet by Arrow. Options: a codec; plain (no dictionaries), v2
// (data pages of version 2), list, uuid, fixed.
func arrowParquet(rows []Row, output string, options []string) error {
	kind := arrow.DataType(arrow.BinaryTypes.String)
	switch {
	case has(options, "list"):
		kind = arrow.ListOf(arrow.BinaryTypes.String)
	case has(options, "uuid"):
		kind = extensions.NewUUIDType()
	case has(options, "fixed"):
		kind = &arrow.FixedSizeBinaryType{ByteWidth: 16}
	case has(options, "large"):
		kind = arrow.BinaryTypes.LargeString
	}
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "customer", Type: arrow.PrimitiveTypes.Int32},
		{Name: "note", Type: arrow.BinaryTypes.String},
		{Name: "idfa", Type: kind, Nullable: true},
		{Name: "country", Type: arrow.BinaryTypes.String},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for _, r := range rows {
		b.Field(0).(*array.Int32Builder).Append(r.Customer)
		b.Field(1).(*array.StringBuilder).Append(r.Note)
		appendID(b.Field(2), r)
		b.Field(3).(*array.StringBuilder).Append(r.Country)
	}
	codecs := map[string]compress.Compression{
		"snappy": compress.Codecs.Snappy, "gzip": compress.Codecs.Gzip, "zstd": compress.Codecs.Zstd,
		"brotli": compress.Codecs.Brotli, "lz4raw": compress.Codecs.Lz4Raw,
	}
	properties := []parquet.WriterProperty{parquet.WithCompression(codecs[options[0]]), parquet.WithDictionaryDefault(!has(options, "plain")), parquet.WithMaxRowGroupLength(20)}
	if has(options, "v2") {
		properties = append(properties, parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithVersion(parquet.V2_LATEST))
	}
	f, err := os.Create(output)
	if err != nil {
		return err
	}
	w, err := pqarrow.NewFileWriter(schema, f, parquet.NewWriterProperties(properties...), pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	if err := w.Write(b.NewRecordBatch()); err != nil {
		return err
	}
	return w.Close()
}

func appendID(to array.Builder, r Row) {
	if list, ok := to.(*array.ListBuilder); ok {
		list.Append(true)
		for _, id := range r.IDs {
			list.ValueBuilder().(*array.StringBuilder).Append(id)
		}
		return
	}
	if r.ID == nil {
		to.AppendNull()
		return
	}
	switch to := to.(type) {
	case *array.StringBuilder:
		to.Append(*r.ID)
	case *array.LargeStringBuilder:
		to.Append(*r.ID)
	case *extensions.UUIDBuilder:
		to.Append(uuid.MustParse(*r.ID))
	case *array.FixedSizeBinaryBuilder:
		id := uuid.MustParse(*r.ID)
		to.Append(id[:])
	}
}

// parquetGo writes Parquet by parquet-go. Options: a codec; list.
func parquetGo(rows []Row, output string, options []string) error {
	codecs := map[string]parquetgo.WriterOption{
		"none": parquetgo.Compression(&parquetgo.Uncompressed), "snappy": parquetgo.Compression(&parquetgo.Snappy),
		"gzip": parquetgo.Compression(&parquetgo.Gzip), "zstd": parquetgo.Compression(&parquetgo.Zstd),
		"lz4raw": parquetgo.Compression(&parquetgo.Lz4Raw), "brotli": parquetgo.Compression(&parquetgo.Brotli),
	}
	if has(options, "list") {
		type row struct {
			Customer int32    `parquet:"customer"`
			IDs      []string `parquet:"idfas,list"`
		}
		out := make([]row, len(rows))
		for i, r := range rows {
			out[i] = row{r.Customer, r.IDs}
		}
		return parquetgo.WriteFile(output, out, codecs[options[0]])
	}
	type device struct {
		ID *string `parquet:"idfa,optional,dict"`
		OS string  `parquet:"os,dict"`
	}
	type row struct {
		Customer int32  `parquet:"customer,delta"`
		Note     string `parquet:"note"`
		Device   device `parquet:"device"`
		Country  string `parquet:"country,dict"`
	}
	out := make([]row, len(rows))
	for i, r := range rows {
		out[i] = row{r.Customer, r.Note, device{r.ID, "ios"}, r.Country}
	}
	return parquetgo.WriteFile(output, out, codecs[options[0]])
}
