// Package archive opens zip archives. It limits their number of files, the length of their names
// and what they expand to, refuses encrypted ones and documents that usher does not read, and has
// package zip compare the checksum of each file.
package archive
