// Package rows turns the text of an export into blocks of rows: one value a line,
// in a recycled buffer. The packages csv and ndjson and the readers of package
// exports write their rows with it.
//
//	lines.go      Lines cuts a stream at line ends and drops lines that are too long
//	text.go       Text reads a plain list, which needs no further splitting
//	space.go      spaces, blank lines and byte order marks
//	cell.go       AppendCell writes a cell as one row, or as one row for each id in it
//	list.go       AppendList finds the elements of a list of ids
//	listlines.go  the lines of a plain list that are lists of ids
//	incomplete.go ShortestID tells whether the last id of a file was cut off
//	idcounter.go  IDCounter counts the ids in rows that cannot be parsed
//	rowtype.go    TypeCache reads the type of a row's id from a cell
//	typechecks.go TypeChecks counts rows of another type than the wanted one
//	shape.go      what looks like an id, by its length and digits
//	moved.go      Moved counts records that have their id elsewhere
//	gaps.go       Gaps counts records without an id that have one elsewhere
//	block.go      Block and Pool: the blocks and their buffers
package rows
