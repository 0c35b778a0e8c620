// Package parquet reads a column of ids, and one of their types, of a Parquet
// file.
package parquet
