// Package places opens the files of an export where they lie: in allowed
// directories, on https servers and in buckets.
package places
