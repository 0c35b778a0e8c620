// Package files reads the files that a request carries or names: lists of ids,
// and creatives.
//
//	list.go      IDs: the multipart file of an upload
//	items.go     the ids in it, read strictly and at speed
//	creative.go  Creative: a creative's file, whose format is judged by its content
//	fetch.go     a creative's file from another address
package files
