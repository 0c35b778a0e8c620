// Package encoding tells the encodings of text apart, UTF-8 and UTF-16, and reads UTF-16 as
// UTF-8.
//
//	detect.go  the encoding by the first bytes, and what is not text
//	utf16.go   UTF-16 as UTF-8
package encoding
