package xlsx

import (
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"
)

// Opener opens a part of the workbook by its name in the zip archive. It returns nil if
// there is none.
type Opener func(name string) (io.ReadCloser, error)

// Book is an open workbook.
type Book struct {
	Sheets  []string // the names, in the workbook's order; at least one
	Hidden  []bool   // which of them are hidden
	Visible int      // the index of the first sheet that is not hidden; 0 if all are

	open    Opener
	parts   []string // of the sheets
	strings string   // the part of the shared strings
}

const maxSheets = 1000

// Open reads the list of sheets.
func Open(open Opener) (*Book, error) {
	b := &Book{open: open, Visible: -1}
	targets, err := b.targets()
	if err != nil {
		return nil, err
	}
	err = b.each("xl/workbook.xml", "sheet", func(tag *xml.StartElement) error {
		target := targets[relation(tag)]
		if !strings.Contains(strings.ToLower(target), "worksheet") && strings.Contains(strings.ToLower(target), "sheets/") {
			return nil // a sheet of a chart, a dialog or a macro
		}
		if target == "" || len(b.Sheets) == maxSheets {
			return ErrDamaged
		}
		state := attribute(tag, "state")
		hidden := state == "hidden" || state == "veryHidden"
		if b.Visible < 0 && !hidden {
			b.Visible = len(b.Sheets)
		}
		b.Hidden = append(b.Hidden, hidden)
		b.Sheets, b.parts = append(b.Sheets, attribute(tag, "name")), append(b.parts, target)
		return nil
	})
	if err == nil && len(b.Sheets) == 0 {
		err = ErrDamaged
	}
	b.Visible = max(b.Visible, 0)
	return b, err
}

// relation returns the id of a tag's relationship.
func relation(tag *xml.StartElement) string {
	for i := range tag.Attr {
		if a := &tag.Attr[i]; a.Name.Local == "id" && a.Name.Space != "" && a.Name.Space != "xmlns" {
			return a.Value
		}
	}
	return ""
}

// targets reads the parts of the workbook by the id of their relationship.
func (b *Book) targets() (map[string]string, error) {
	targets := map[string]string{}
	err := b.each("xl/_rels/workbook.xml.rels", "Relationship", func(tag *xml.StartElement) error {
		target := attribute(tag, "Target")
		if rest, absolute := strings.CutPrefix(target, "/"); absolute {
			target = rest
		} else {
			target = path.Join("xl", target)
		}
		if strings.HasSuffix(attribute(tag, "Type"), "/sharedStrings") {
			b.strings = target
		}
		if targets[attribute(tag, "Id")] = target; len(targets) > 10*maxSheets {
			return ErrLimit
		}
		return nil
	})
	return targets, err
}

// each calls do for each tag of a part that has the given name.
func (b *Book) each(name, local string, do func(*xml.StartElement) error) error {
	p, err := b.part(name)
	if err != nil {
		return err
	}
	defer p.close()
	for {
		token, err := p.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if tag, ok := token.(xml.StartElement); ok && tag.Name.Local == local {
			if err := do(&tag); err != nil {
				return err
			}
		}
	}
}

func (b *Book) part(name string) (*part, error) {
	file, err := b.open(name)
	if err != nil {
		return nil, err
	}
	if file == nil {
		return nil, ErrDamaged
	}
	return newPart(file), nil
}
