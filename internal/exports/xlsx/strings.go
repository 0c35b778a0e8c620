package xlsx

import (
	"encoding/xml"
	"errors"
	"io"
	"math/bits"
	"slices"
)

const (
	maxStrings = 1 << 24 // shared strings of a workbook
	maxKept    = 8 << 20 // bytes of the shared strings that are kept
)

// needed are the shared strings that cells need again after a later one was read.
type needed struct {
	words []uint64
	last  int // the highest index so far; -1: none
}

// add notes that the next cell has a shared string.
func (n *needed) add(index int) error {
	if index >= maxStrings {
		return ErrLimit
	}
	if index >= n.last {
		n.last = index
		return nil
	}
	for index/64 >= len(n.words) {
		n.words = append(n.words, make([]uint64, len(n.words)+1024)...)
	}
	n.words[index/64] |= 1 << (index % 64)
	return nil
}

// addCells notes the shared strings of the cells of wanted columns, of all columns if wanted is nil.
func (n *needed) addCells(cells []cell, wanted []int) error {
	for i := range cells {
		if c := &cells[i]; c.shared >= 0 && (wanted == nil || slices.Contains(wanted, c.column)) {
			if err := n.add(c.shared); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n *needed) has(index int) bool {
	return index/64 < len(n.words) && n.words[index/64]&(1<<(index%64)) != 0
}

// sharedStrings reads the list of shared strings from its beginning.
type sharedStrings struct {
	part   *part
	needed *needed
	read   int // strings that were read
	last   string

	kept  []byte
	ends  []uint32 // in kept, of the needed strings that were read
	ranks []uint32 // needed strings before each word of needed
}

func newSharedStrings(p *part, n *needed) *sharedStrings {
	s := &sharedStrings{part: p, needed: n, ranks: make([]uint32, len(n.words))}
	rank := 0
	for i, word := range n.words {
		s.ranks[i] = uint32(rank)
		rank += bits.OnesCount64(word)
	}
	return s
}

// at returns the string of an index: a later one than all before, or one that is needed.
func (s *sharedStrings) at(index int) (string, error) {
	if index < s.read-1 {
		return s.keptAt(index)
	}
	for s.read <= index {
		if err := s.next(); err != nil {
			return "", noEOF(err)
		}
	}
	return s.last, nil
}

func (s *sharedStrings) keptAt(index int) (string, error) {
	if !s.needed.has(index) {
		return "", ErrDamaged
	}
	word := index / 64
	rank := int(s.ranks[word]) + bits.OnesCount64(s.needed.words[word]&(1<<(index%64)-1))
	from := uint32(0)
	if rank > 0 {
		from = s.ends[rank-1]
	}
	return string(s.kept[from:s.ends[rank]]), nil
}

// next reads the next string, and keeps it if it is needed.
func (s *sharedStrings) next() error {
	for {
		token, err := s.part.next()
		if err != nil {
			return err
		}
		if tag, ok := token.(xml.StartElement); ok && tag.Name.Local == "si" {
			break
		}
	}
	text, err := s.part.text("si", "t")
	if err != nil {
		return noEOF(err)
	}
	if s.needed.has(s.read) {
		s.kept = append(s.kept, text...)
		s.ends = append(s.ends, uint32(len(s.kept)))
		if len(s.kept)+4*len(s.ends) > maxKept {
			return ErrStrings
		}
	}
	s.last = text
	s.read++
	return nil
}

// finish reads the list to its end, where its checksum is.
func (s *sharedStrings) finish() error {
	for {
		_, err := s.part.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// ErrStrings says that a workbook has more shared strings out of order than are kept.
var ErrStrings = errors.New("the workbook has too many shared strings that are not in the order of its rows")
