// Package ndjson reads the values at a path of newline-delimited JSON.
package ndjson
