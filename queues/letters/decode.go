package letters

import (
	"bytes"
	"encoding/json"
	"strconv"

	"usher"
)

// Grouping and filtering read millions of letters, and encoding/json would take
// most of that time. scanner decodes the form that usher writes, without looking
// into the job. Any other form is left to encoding/json.

// interned holds one copy of texts that many letters share. A nil map holds none.
type interned map[string]string

const maxInterned = 1000

func (t interned) of(text []byte) string {
	if s, known := t[string(text)]; known {
		return s
	}
	s := string(text)
	if t != nil && len(t) < maxInterned {
		t[s] = s
	}
	return s
}

// decodeJSON decodes a letter's JSON and reports whether it could.
func decodeJSON(data []byte, d *usher.DeadLetter, common interned) bool {
	s := scanner{data: data, common: common}
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

// scanner reads JSON without white space from left to right. Its methods report
// whether the expected text was there.
type scanner struct {
	data   []byte
	at     int
	common interned
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

// field reads the value of a field of a letter.
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
		kind, ok = s.shared()
		d.Kind = usher.Kind(kind)
	case "target":
		d.Target, ok = s.shared()
	case "class":
		var class string
		class, ok = s.shared()
		d.Class = usher.Class(class)
	case "message":
		d.Message, ok = s.text()
	case "hint":
		d.Hint, ok = s.shared()
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

// literal reads a string with its quotes. plain reports whether the text can be
// used as it is, without unescaping.
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
			plain = false // encoding/json checks it
		}
	}
	return nil, false, false
}

// plain reads a string without escapes.
func (s *scanner) plain() ([]byte, bool) {
	text, plain, ok := s.literal()
	if !ok || !plain {
		return nil, false
	}
	return text[1 : len(text)-1], true
}

// text reads any string.
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

// shared reads a string that many letters share.
func (s *scanner) shared() (string, bool) {
	start := s.at
	if text, ok := s.plain(); ok {
		return s.common.of(text), true
	}
	s.at = start
	return s.text()
}

// number reads an integer of up to nine digits.
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

// object reads a JSON object without decoding it, by its braces.
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
