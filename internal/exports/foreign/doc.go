// Package foreign refuses files of formats that usher does not read, by their first bytes, and
// says what to write instead.
package foreign
