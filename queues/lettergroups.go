package queues

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"usher"
)

// cause is what the letters of a group have in common.
type cause struct {
	class         usher.Class
	kind          usher.Kind
	target, shape string
}

func causeOf(l *usher.DeadLetter) cause { return cause{l.Class, l.Kind, l.Target, shapeOf(l.Message)} }

// name names the cause's group in a few characters, the same ones every time.
func (c cause) name() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{string(c.class), string(c.kind), c.target, c.shape}, "\x00")))
	return hex.EncodeToString(sum[:4])
}

func groupOf(l *usher.DeadLetter) string { return causeOf(l).name() }

// maxGroups bounds how many groups are told apart: more are no help to anybody.
// Further causes are counted under one name a class and kind.
const maxGroups = 10_000

// letterGroups counts letters by cause.
type letterGroups struct {
	groups map[cause]*usher.LetterGroup
}

func (g *letterGroups) add(l *usher.DeadLetter) {
	if g.groups == nil {
		g.groups = map[cause]*usher.LetterGroup{}
	}
	c := causeOf(l)
	group := g.groups[c]
	if group == nil && len(g.groups) >= maxGroups {
		c = cause{class: l.Class, kind: l.Kind, shape: "further causes, not counted one by one"}
		group = g.groups[c]
		if group == nil {
			group = &usher.LetterGroup{Class: c.class, Kind: c.kind, Message: c.shape}
		}
	}
	if group == nil {
		group = &usher.LetterGroup{Group: c.name(), Class: l.Class, Kind: l.Kind, Target: l.Target, Message: l.Message}
	}
	if group.Count == 0 {
		group.First, group.Last = l.At, l.At
		if l.ID != nil {
			group.Sample = *l.ID
		}
		g.groups[c] = group
	}
	if group.Message != l.Message {
		group.Message = c.shape
	}
	group.Count++
	if l.At.Before(group.First) {
		group.First = l.At
	}
	if l.At.After(group.Last) {
		group.Last = l.At
	}
}

// list are the groups, largest first.
func (g *letterGroups) list() []usher.LetterGroup {
	list := make([]usher.LetterGroup, 0, len(g.groups))
	for _, group := range g.groups {
		list = append(list, *group)
	}
	slices.SortFunc(list, func(a, b usher.LetterGroup) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.First.Compare(b.First), cmp.Compare(a.Group, b.Group))
	})
	return list
}

// shapeOf is a message with # for every word that is a number or an id, so
// that the same complaint about two files has one shape. Codes such as E10059,
// AUTH001 and UTF-8, and answers of HTTP such as 503, say what is wrong and stay.
func shapeOf(message string) string {
	if !strings.ContainsAny(message, "0123456789") {
		return message
	}
	var b strings.Builder
	b.Grow(len(message))
	for rest, before := message, ""; rest != ""; {
		n := wordLength(rest)
		if n == 0 {
			_, size := utf8.DecodeRuneInString(rest)
			b.WriteString(rest[:size])
			rest = rest[size:]
			continue
		}
		word := strings.TrimRight(rest[:n], ".-")
		if word == "" {
			word = rest[:n]
		}
		if !strings.ContainsAny(word, "0123456789") || isCode(word) || isStatus(before, word) {
			b.WriteString(word)
		} else {
			b.WriteByte('#')
		}
		before, rest = word, rest[len(word):]
	}
	return b.String()
}

// wordLength is how many bytes of s are one word.
func wordLength(s string) int {
	for i, c := range s {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '_' && c != '.' && c != '*' {
			return i
		}
	}
	return len(s)
}

// isCode reports whether a word is a code: a few capitals, then a few digits.
func isCode(word string) bool {
	letters := strings.TrimRight(word, "0123456789")
	digits := len(word) - len(letters)
	capitals := strings.TrimSuffix(letters, "-")
	return digits > 0 && digits <= 5 && capitals != "" && len(capitals) <= 6 && strings.Trim(capitals, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// isStatus reports whether a word is an answer's HTTP status.
func isStatus(before, word string) bool {
	return len(word) == 3 && strings.Trim(word, "0123456789") == "" && (before == "answered" || before == "HTTP" || before == "status")
}
