// Package hash is usher hash: device ids on stdin, digests on stdout.
package hash
