// Package names says what the names of columns tell of their values: which of them hold
// device ids, of which type, and which hold other kinds of ids.
//
//	meaning.go   Meaning: the kind of ids and of digests that a name promises
//	known.go     the names that attribution, analytics and CRM products give their columns,
//	             with a source for each product
//	words.go     the words of a name; its canonical spelling
//	rank.go      how well a name fits a column of device ids
//	rowtypes.go  names of columns of operating systems and of types of ids
//	header.go    cells of a header: their text, and whether a cell may be one
//	states.go    words for states, which columns of flags have as values
package names
