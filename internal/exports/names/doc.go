// Package names says what names of columns, paths and files mean, and what cells of a few words say.
// It knows no export: package choose asks it of the columns of a sample, and package watch of every
// row.
//
//	names.go    the names that attribution, analytics and CRM products give their columns, with a
//	            source for each product; names of columns of types; words for states
//	meaning.go  Meaning: the kind of ids and of digests that a name promises; the words of a name,
//	            its canonical spelling, and how well it fits
//	header.go   cells of a header: their text, and whether a cell may be one
//	says.go     names of columns and files that say no, in ten languages; what their cells answer,
//	            and which cells name another kind of id
//	states.go   states of several words, such as deleted by user
//	times.go    names of columns of times, and how times are written
//	turning.go  words of negation and refusal, beside which usher cannot tell what a name says
package names
