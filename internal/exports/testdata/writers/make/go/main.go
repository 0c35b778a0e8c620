// Command writers writes exports by Go libraries: writers TOOL INPUT OUTPUT. INPUT is a
// JSON array of rows {customer, note, id, country, ids}. TOOL has options behind colons.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// Row is a row of a table. An export has its id or its ids.
type Row struct {
	Customer int32    `json:"customer"`
	Note     string   `json:"note"`
	ID       *string  `json:"id"`
	Country  string   `json:"country"`
	IDs      []string `json:"ids"`
}

type write func(rows []Row, output string, options []string) error

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	tools := map[string]write{
		"arrow": arrowParquet, "parquet-go": parquetGo,
		"hamba": hambaAvro, "goavro": goAvro, "orc": orcFile, "excelize": excelizeBook,
	}
	if len(args) == 2 && args[0] == "version" {
		return version(args[1])
	}
	if len(args) != 3 {
		return fmt.Errorf("usage: writers TOOL INPUT OUTPUT, or writers version MODULE")
	}
	options := strings.Split(args[0], ":")
	data, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	var rows []Row
	if err := json.Unmarshal(data, &rows); err != nil {
		return fmt.Errorf("read %s: %w", args[1], err)
	}
	tool, found := tools[options[0]]
	if !found {
		return fmt.Errorf("unknown tool %s", options[0])
	}
	return tool(rows, args[2], options[1:])
}

func version(module string) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return fmt.Errorf("no build information")
	}
	for _, m := range info.Deps {
		if m.Path == module {
			fmt.Println(strings.TrimPrefix(m.Version, "v"))
			return nil
		}
	}
	return fmt.Errorf("no module %s", module)
}

func has(options []string, name string) bool { return slices.Contains(options, name) }
