package main

import (
	"os"

	"github.com/google/uuid"
	"github.com/hamba/avro/v2/ocf"
	"github.com/linkedin/goavro/v2"
)

// avroSchema is a schema with the given type of the column idfa.
func avroSchema(id string) string {
	return `{"type": "record", "name": "Contact", "namespace": "crm", "fields": [
		{"name": "customer", "type": "int"},
		{"name": "note", "type": ["null", "string"], "default": null},
		{"name": "idfa", "type": ` + id + `},
		{"name": "country", "type": {"type": "enum", "name": "Country", "symbols": ["DE", "FR", "US", "JP", "BR"]}}]}`
}

// hambaAvro writes Avro by hamba/avro. Options: a codec; then the type: list, nested,
// uuid, fixed or string.
func hambaAvro(rows []Row, output string, options []string) error {
	f, err := os.Create(output)
	if err != nil {
		return err
	}
	kind := "union"
	if len(options) > 1 {
		kind = options[1]
	}
	schema := avroSchema(map[string]string{
		"union":  `["null", "string"]`,
		"list":   `{"type": "array", "items": "string"}`,
		"nested": `{"type": "record", "name": "Device", "fields": [{"name": "os", "type": "string"}, {"name": "ids", "type": {"type": "record", "name": "Ids", "fields": [{"name": "idfa", "type": ["null", "string"]}]}}]}`,
		"uuid":   `["null", {"type": "string", "logicalType": "uuid"}]`,
		"fixed":  `["null", {"type": "fixed", "name": "UUID", "size": 16, "logicalType": "uuid"}]`,
		"bytes":  `["null", "bytes"]`,
		"map":    `{"type": "map", "values": ["null", "string"]}`,
	}[kind])
	w, err := ocf.NewEncoder(schema, f, ocf.WithCodec(ocf.CodecName(options[0])), ocf.WithBlockLength(16), ocf.WithSyncBlock([16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}))
	if err != nil {
		return err
	}
	for _, r := range rows {
		record := map[string]any{"customer": r.Customer, "note": r.Note, "country": r.Country, "idfa": hambaID(kind, r)}
		if err := w.Encode(record); err != nil {
			return err
		}
	}
	return w.Close()
}

func hambaID(kind string, r Row) any {
	switch {
	case kind == "list":
		return r.IDs
	case kind == "nested":
		return map[string]any{"os": "ios", "ids": map[string]any{"idfa": union("string", r.ID)}}
	case kind == "map":
		return map[string]any{"idfa": union("string", r.ID), "model": map[string]any{"string": "iPhone"}}
	case r.ID == nil:
		return nil
	case kind == "fixed":
		return map[string]any{"crm.UUID": [16]byte(uuid.MustParse(*r.ID))}
	case kind == "bytes":
		return map[string]any{"bytes": []byte(*r.ID)}
	case kind == "uuid":
		return map[string]any{"string.uuid": *r.ID}
	}
	return union("string", r.ID)
}

func union(name string, value *string) any {
	if value == nil {
		return nil
	}
	return map[string]any{name: *value}
}

// goAvro writes Avro by goavro, with the option as codec.
func goAvro(rows []Row, output string, options []string) error {
	f, err := os.Create(output)
	if err != nil {
		return err
	}
	w, err := goavro.NewOCFWriter(goavro.OCFConfig{W: f, Schema: avroSchema(`["null", "string"]`), CompressionName: options[0]})
	if err != nil {
		return err
	}
	for _, r := range rows {
		record := map[string]any{"customer": r.Customer, "note": union("string", &r.Note), "country": r.Country, "idfa": union("string", r.ID)}
		if err := w.Append([]any{record}); err != nil {
			return err
		}
	}
	return f.Close()
}
