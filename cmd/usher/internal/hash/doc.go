// Package hash implements usher hash: it reads device ids from stdin and writes their
// digests to stdout.
package hash
