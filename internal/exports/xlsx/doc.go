// Package xlsx reads a sheet of an .xlsx workbook as CSV text, in bounded memory.
//
//	book.go     Book: the sheets of a workbook
//	sheet.go    the rows of a sheet
//	strings.go  the workbook's shared strings, read beside the sheet
//	text.go     Text: a sheet as CSV
//	marks.go    what the texts of cells are, without the texts
//	part.go     a part's XML, token by token
//
// A cell is text as the file has it: numbers and dates are not formatted, and a formula
// has its last value. A workbook keeps the texts of its cells in a list of shared
// strings. Writers add a text to that list where a cell has it first, so the list is
// read beside the sheet; only texts that cells need later again are kept. Of texts in columns
// that are not read, two bits can be kept.
package xlsx
