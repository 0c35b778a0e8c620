// Package rows turns the text of an export into blocks of rows: one value a line,
// in a recycled buffer. The packages csv and ndjson and the readers of package
// exports write their rows with it.
//
//	lines.go      Lines cuts a stream at line ends and drops lines that are too long
//	text.go       Text reads a plain list; some of its lines may be lists of ids
//	cell.go       AppendCell writes a cell as one row, or as one row for each id in it;
//	              spaces, blank lines and byte order marks
//	list.go       AppendList finds the elements of a list of ids
//	incomplete.go ShortestID tells whether the last id of a file was cut off
//	types.go      TypeCache reads the type of a row's id from a cell
//	recent.go     recent remembers what was made of the last few cells
//	checks.go     Checks looks at columns beside that of the ids in every row, and counts the row,
//	              withholds it, or refuses the export
//	shape.go      what looks like an id, by its length and digits; IDCounter counts the ids in
//	              rows that cannot be parsed
//	gaps.go       Gaps counts records without an id that have one elsewhere; Moved: records
//	              that have their id elsewhere
//	block.go      Block and Pool: the blocks and their buffers
package rows
