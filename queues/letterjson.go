package queues

import (
	"bytes"
	"encoding/json"
	"strconv"

	"usher"
)

// Letters are read by the million, to be grouped and filtered, and encoding/json
// takes most of that time. scanLetter reads what we write ourselves, without
// looking into the job; whatever else it meets is encoding/json's.

// glossary is texts that many letters have, each kept once; nil keeps none.
type glossary map[string]string

// maxWords bounds them.
const maxWords = 1000

func (w glossary) of(text []byte) string {
	if s, known := w[string(text)]; known {
		return s
	}
	s := string(text)
	if w != nil && len(w) < maxWords {
		w[s] = s
	}
	return s
}

// decodeLetter reads a letter's JSON.
func decodeLetter(data []byte, d *usher.DeadLetter, w glossary) bool {
	s := scanner{data: data, words: w}
	if s.letter(d) {
		return true
	}
	*d = usher.DeadLetter{}
	if json.Unmarshal(data, d) != nil {
		return false
	}
	if string(d.Job) == "null" {
		d.Job = nil
	}
	return true
}

// scanner reads JSON without spaces in it from left to right. Its methods report
// whether there was what they read.
type scanner struct {
	data  []byte
	at    int
	words glossary
}

func (s *scanner) letter(d *usher.DeadLetter) bool {
	if !s.byte('{') {
		return false
	}
	for {
		key, ok := s.plain()
		if !ok || !s.byte(':') || !s.field(string(key), d) {
			return false
		}
		if s.byte(',') {
			continue
		}
		return s.byte('}') && s.at == len(s.data)
	}
}

// field reads the value of a letter's field.
func (s *scanner) field(key string, d *usher.DeadLetter) (ok bool) {
	switch key {
	case "seq":
		_, ok = s.number()
	case "id":
		if d.ID, ok = nil, s.word("null"); !ok {
			var id string
			id, ok = s.text()
			d.ID = &id
		}
	case "run":
		d.Run, ok = s.number()
	case "kind":
		var kind string
		kind, ok = s.common()
		d.Kind = usher.Kind(kind)
	case "target":
		d.Target, ok = s.common()
	case "class":
		var class string
		class, ok = s.common()
		d.Class = usher.Class(class)
	case "message":
		d.Message, ok = s.text()
	case "hint":
		d.Hint, ok = s.common()
	case "attempts":
		d.Attempts, ok = s.number()
	case "crashes":
		d.Crashes, ok = s.number()
	case "at":
		var at []byte
		at, ok = s.plain()
		ok = ok && d.At.UnmarshalText(at) == nil
	case "job":
		if d.Job, ok = nil, s.word("null"); !ok {
			d.Job, ok = s.object()
		}
	}
	return ok
}

func (s *scanner) byte(c byte) bool {
	if s.at < len(s.data) && s.data[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) word(w string) bool {
	if bytes.HasPrefix(s.data[s.at:], []byte(w)) {
		s.at += len(w)
		return true
	}
	return false
}

// literal is a string with its quotes; plain says that nothing in it is escaped.
func (s *scanner) literal() (text []byte, plain, ok bool) {
	start := s.at
	if !s.byte('"') {
		return nil, false, false
	}
	plain = true
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; {
		case c == '"':
			s.at++
			return s.data[start:s.at], plain, true
		case c == '\\':
			plain = false
			s.at++
		case c < ' ', c >= 0x80:
			plain = false // encoding/json judges it
		}
	}
	return nil, false, false
}

// plain is a string's text where nothing in it is escaped.
func (s *scanner) plain() ([]byte, bool) {
	text, plain, ok := s.literal()
	if !ok || !plain {
		return nil, false
	}
	return text[1 : len(text)-1], true
}

// text is any string's.
func (s *scanner) text() (string, bool) {
	literal, plain, ok := s.literal()
	if !ok {
		return "", false
	}
	if plain {
		return string(literal[1 : len(literal)-1]), true
	}
	var text string
	err := json.Unmarshal(literal, &text)
	return text, err == nil
}

// common is a string's that other letters have, too.
func (s *scanner) common() (string, bool) {
	start := s.at
	if text, ok := s.plain(); ok {
		return s.words.of(text), true
	}
	s.at = start
	return s.text()
}

// number is a whole one of up to nine digits.
func (s *scanner) number() (int, bool) {
	start := s.at
	for s.at < len(s.data) && '0' <= s.data[s.at] && s.data[s.at] <= '9' {
		s.at++
	}
	digits := s.data[start:s.at]
	if len(digits) == 0 || len(digits) > 9 || digits[0] == '0' && len(digits) > 1 {
		return 0, false
	}
	n, err := strconv.Atoi(string(digits))
	return n, err == nil
}

// object is a JSON object as it stands, found by its braces.
func (s *scanner) object() (json.RawMessage, bool) {
	start, depth := s.at, 0
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case '"':
			if _, _, ok := s.literal(); !ok {
				return nil, false
			}
			continue
		case '{':
			depth++
		case '}':
			depth--
		}
		s.at++
		if depth == 0 {
			return s.data[start:s.at:s.at], s.data[start] == '{'
		}
	}
	return nil, false
}
