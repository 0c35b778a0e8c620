package jobs

import (
	"strings"
	"testing"

	"usher"
	"usher/cmd/usher/internal/terminal"
)

func TestUnderstoodIsPrinted(t *testing.T) {
	t.Parallel()
	for want, u := range map[string]usher.Understood{
		"format  text, utf-8, 1 part\n" +
			"ids in  every line, no header\n": {
			Format: "text", Encoding: "utf-8", Compression: "none", Column: usher.UnderstoodColumn{Number: 1}, Files: 1,
		},
		"format  text, utf-16le, gzip, 1 part\n" +
			"ids in  every line, below \"idfa\"\n": {
			Format: "text", Encoding: "utf-16le", Compression: "gzip", Header: true, Column: usher.UnderstoodColumn{Name: "idfa", Number: 1}, Files: 1,
		},
		"format       csv, delimiter \"\\x01\", utf-8, zip, 3 files, 1 part\n" +
			"quotes       double, escape backslash\n" +
			"skipped      the first 2 lines\n" +
			"ids in       column 2, \"Geräte-ID\": it is a known name\n" +
			"type column  os\n": {
			Format: "csv", Encoding: "utf-8", Compression: "zip", Delimiter: "\x01", Quote: "double", Escape: "backslash", Skip: usher.Skip{Lines: 2},
			Header: true, Column: usher.UnderstoodColumn{Name: "Geräte-ID", Number: 2, Why: "it is a known name"}, TypeColumn: "os", Files: 3,
		},
		"format   csv, delimiter \",\", utf-8, 1 part\n" +
			"quotes   none, escape double\n" +
			"skipped  lines that begin with \"#\"\n" +
			"ids in   column 2, no header\n": {
			Format: "csv", Encoding: "utf-8", Compression: "none", Delimiter: ",", Quote: "none", Escape: "double", Skip: usher.Skip{Prefix: "#"},
			Column: usher.UnderstoodColumn{Number: 2}, Files: 1,
		},
		"format  parquet, 1 part\n" +
			"ids in  path device.idfa\n": {
			Format: "parquet", Encoding: "utf-8", Compression: "none", Column: usher.UnderstoodColumn{Name: "device.idfa", Number: 4}, Files: 1,
		},
	} {
		var facts terminal.Table
		AddUnderstood(&facts, &u, "1 part")
		var out strings.Builder
		if err := facts.Write(&out); err != nil || out.String() != want {
			t.Errorf("printed %v\n%swant\n%s", err, out.String(), want)
		}
	}
}
