package main

import (
	"os"

	"github.com/scritchley/orc"
	"github.com/xuri/excelize/v2"
)

// orcFile writes ORC.
func orcFile(rows []Row, output string, _ []string) error {
	f, err := os.Create(output)
	if err != nil {
		return err
	}
	schema, err := orc.ParseSchema("struct<customer:int,idfa:string>")
	if err != nil {
		return err
	}
	w, err := orc.NewWriter(f, orc.SetSchema(schema))
	if err != nil {
		return err
	}
	for _, r := range rows {
		id := ""
		if r.ID != nil {
			id = *r.ID
		}
		if err := w.Write(int64(r.Customer), id); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Close()
}

// excelizeBook writes a workbook. With the option stream it is written row by row.
func excelizeBook(rows []Row, output string, options []string) error {
	book := excelize.NewFile()
	lines := [][]any{{"customer", "note", "idfa", "country"}}
	for _, r := range rows {
		var id any
		if r.ID != nil {
			id = *r.ID
		}
		lines = append(lines, []any{r.Customer, r.Note, id, r.Country})
	}
	if has(options, "stream") {
		w, err := book.NewStreamWriter("Sheet1")
		if err != nil {
			return err
		}
		for i, line := range lines {
			cell, err := excelize.CoordinatesToCellName(1, i+1)
			if err != nil {
				return err
			}
			if err := w.SetRow(cell, line); err != nil {
				return err
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
		return book.SaveAs(output)
	}
	for i, line := range lines {
		cell, err := excelize.CoordinatesToCellName(1, i+1)
		if err != nil {
			return err
		}
		if err := book.SetSheetRow("Sheet1", cell, &line); err != nil {
			return err
		}
	}
	return book.SaveAs(output)
}
