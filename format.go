package usher

// Format is the syntax of an export.
type Format string

// The formats of exports.
const (
	FormatText    Format = "text"    // a list: a line is a row, or a list of ids
	FormatCSV     Format = "csv"     // records whose cells a delimiter separates
	FormatNDJSON  Format = "ndjson"  // an object in each line
	FormatJSON    Format = "json"    // an array of objects
	FormatParquet Format = "parquet" // Apache Parquet
	FormatAvro    Format = "avro"    // an Avro object container file
	FormatXLSX    Format = "xlsx"    // a workbook of Office Open XML
)

// IsBinary reports whether a format is told by its first bytes, and has its own encoding and compression.
func (f Format) IsBinary() bool { return f == FormatParquet || f == FormatAvro || f == FormatXLSX }

// HasPaths reports whether its rows are objects, whose values have paths. Those of Parquet have paths, too,
// but are read as columns.
func (f Format) HasPaths() bool { return f == FormatNDJSON || f == FormatJSON || f == FormatAvro }

// HasNumbers reports whether its columns have numbers, and a header that may be missing.
func (f Format) HasNumbers() bool { return f == FormatCSV || f == FormatXLSX }
