package xlsx

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
)

// cell is a cell that has a value.
type cell struct {
	column int // from 0
	shared int // the index of a shared string; -1: text is the value
	text   string
}

// sheet reads the rows of a sheet.
type sheet struct {
	part  *part
	row   int // the number of the last row, from 1
	cells []cell

	filled, hidden int // rows with values, and those of them that are hidden

	formulas []int       // columns of the last row with a formula whose value the file does not have, not even as an empty text
	unknown  map[int]int // by column, cells of all rows with a formula whose value the file does not have, or is an empty text
}

// next reads the next row into cells. It returns io.EOF after the last row.
func (s *sheet) next() error {
	for {
		token, err := s.part.next()
		if err != nil {
			return err // io.EOF: the document's end
		}
		if tag, ok := token.(xml.StartElement); ok && tag.Name.Local == "row" {
			if err := s.begin(attribute(&tag, "r")); err != nil {
				return err
			}
			hidden := attribute(&tag, "hidden")
			err := noEOF(s.readRow())
			if len(s.cells) > 0 {
				s.filled++
				if hidden == "1" || hidden == "true" {
					s.hidden++
				}
			}
			return err
		}
	}
}

// noEOF returns ErrDamaged for a document that ends within an element.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return ErrDamaged
	}
	return err
}

// begin begins the row of a number, "" for the next one.
func (s *sheet) begin(number string) error {
	row := s.row + 1
	if number != "" {
		n, err := strconv.Atoi(number)
		if err != nil || n < row || n > maxRows {
			return ErrDamaged
		}
		row = n
	}
	if row > maxRows {
		return ErrLimit
	}
	s.row, s.cells, s.formulas = row, s.cells[:0], s.formulas[:0]
	return nil
}

func (s *sheet) readRow() error {
	for column := 0; ; {
		token, err := s.part.next()
		if err != nil {
			return err
		}
		switch tag := token.(type) {
		case xml.EndElement:
			if tag.Name.Local == "row" {
				return nil
			}
		case xml.StartElement:
			if tag.Name.Local != "c" {
				continue
			}
			if column, err = nextColumn(column, attribute(&tag, "r")); err != nil {
				return err
			}
			if err := s.readCell(column, attribute(&tag, "t")); err != nil {
				return err
			}
			column++
		}
	}
}

// nextColumn returns the column of a cell: that of its reference, which must not lie
// before column, or column if it has none.
func nextColumn(column int, reference string) (int, error) {
	if reference != "" {
		at := columnOf(reference)
		if at < column {
			return 0, ErrDamaged
		}
		column = at
	}
	if column >= maxColumns {
		return 0, ErrLimit
	}
	return column, nil
}

// columnOf returns the column of a reference such as AB12, from 0; -1 if it is none.
func columnOf(reference string) int {
	column := 0
	for _, c := range reference {
		if c < 'A' || c > 'Z' {
			break
		}
		if column = 26*column + int(c-'A') + 1; column > maxColumns {
			return column
		}
	}
	return column - 1
}

// noteFormula notes a formula without a value. An empty text as its value is what Excel has calculated, or what
// SheetJS, which calculates nothing, writes for any formula.
func (s *sheet) noteFormula(column int, isText bool) {
	if s.unknown == nil {
		s.unknown = map[int]int{}
	}
	s.unknown[column]++
	if !isText {
		s.formulas = append(s.formulas, column)
	}
}

// readCell reads a cell to its end.
func (s *sheet) readCell(column int, kind string) error {
	text, err := s.part.text("c", "v", "t")
	if err == nil && text == "" && s.part.formula {
		s.noteFormula(column, kind == "str" && s.part.valued)
	}
	if err != nil || text == "" {
		return err
	}
	c := cell{column: column, shared: -1, text: text}
	switch kind {
	case "s":
		if c.shared, err = strconv.Atoi(text); err != nil || c.shared < 0 {
			return ErrDamaged
		}
	case "b": // Excel writes 0 and 1, and reads words as well, as other programs write them
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "0", "false":
			c.text = "FALSE"
		case "1", "true":
			c.text = "TRUE"
		}
	}
	s.cells = append(s.cells, c)
	return nil
}

// text reads to the end of an element, and returns the text of the elements of the given
// names in it, without phonetic guides.
func (p *part) text(element string, names ...string) (string, error) {
	text, wanted, guides := "", false, 0
	p.formula, p.valued = false, false
	for {
		token, err := p.next()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			wanted = t.Name.Local == names[0] || t.Name.Local == names[len(names)-1]
			switch t.Name.Local {
			case "rPh":
				guides++
			case "f":
				p.formula = true
			case "v":
				p.valued = true
			}
		case xml.EndElement:
			wanted = false
			switch t.Name.Local {
			case element:
				return unescape(text), nil
			case "rPh":
				guides--
			}
		case xml.CharData:
			if wanted && guides == 0 {
				text += string(t)
			}
			if len(text) > maxToken {
				return "", ErrLimit
			}
		}
	}
}
