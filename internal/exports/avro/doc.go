// Package avro reads an Avro object container file as NDJSON.
//
//	reader.go   Reader: the records of a file as lines
//	schema.go   the paths of the values that records may have, by the schema
//	windows.go  Windows: records from several places of a file
//
// Blocks and depths are limited, so that memory does not grow with what a file claims.
package avro
