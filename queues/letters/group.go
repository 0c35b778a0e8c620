package letters

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"usher"
	"usher/queues/lanes"
)

// cause is what the letters of a group share.
type cause struct {
	class         usher.Class
	kind          usher.Kind
	target, shape string
}

func causeOf(l *usher.DeadLetter) cause { return cause{l.Class, l.Kind, l.Target, shapeOf(l.Message)} }

// name returns the short, stable name of the cause's group.
func (c cause) name() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{string(c.class), string(c.kind), c.target, c.shape}, "\x00")))
	return hex.EncodeToString(sum[:4])
}

// maxGroups bounds the number of groups. Letters of further causes are counted in
// one group for each class and kind.
const maxGroups = 10_000

// recentStep is the time that each number of LetterGroup.Recent covers.
const recentStep = 5 * time.Minute

// groups counts letters by cause.
type groups struct {
	now     time.Time
	byCause map[cause]*usher.LetterGroup
}

func (g *groups) add(l *usher.DeadLetter) {
	group := g.of(l)
	if group.Group != "" && !l.At.Before(group.Last) {
		group.Message, group.Hint = l.Message, l.Hint
		if l.ID != nil {
			group.Sample = *l.ID
		}
	}
	if l.Later != nil {
		if group.Later == nil || group.Later.Needless {
			group.Later = l.Later
		}
		if l.Later.Needless {
			group.Needless++
		} else {
			group.Superseded++
		}
	}
	if group.Count++; group.TargetName != l.TargetName { // of another advertiser
		group.TargetName = ""
	}
	if l.At.Before(group.First) {
		group.First = l.At
	}
	if l.At.After(group.Last) {
		group.Last = l.At
	}
	// A letter from the future is one of the last five minutes: clocks differ.
	if ago := int(max(g.now.Sub(l.At), 0) / recentStep); ago < len(group.Recent) {
		group.Recent[len(group.Recent)-1-ago]++
	}
}

// of returns the group of a letter.
func (g *groups) of(l *usher.DeadLetter) *usher.LetterGroup {
	if g.byCause == nil {
		g.byCause = map[cause]*usher.LetterGroup{}
	}
	c := causeOf(l)
	if group := g.byCause[c]; group != nil {
		return group
	}
	group := &usher.LetterGroup{Group: c.name(), Class: l.Class, Kind: l.Kind, Target: l.Target, TargetName: l.TargetName}
	if len(g.byCause) >= maxGroups {
		c = cause{class: l.Class, kind: l.Kind, shape: "further causes, not counted one by one"}
		if group := g.byCause[c]; group != nil {
			return group
		}
		group = &usher.LetterGroup{Class: c.class, Kind: c.kind, Message: c.shape}
	}
	group.First, group.Last = l.At, l.At
	if l.ID != nil {
		group.Sample = *l.ID
	}
	g.byCause[c] = group
	return group
}

// list returns the groups, ranked by what their jobs do, then the oldest first.
func (g *groups) list() []usher.LetterGroup {
	list := make([]usher.LetterGroup, 0, len(g.byCause))
	for _, group := range g.byCause {
		list = append(list, *group)
	}
	slices.SortFunc(list, func(a, b usher.LetterGroup) int {
		return cmp.Or(cmp.Compare(rank(a.Kind), rank(b.Kind)), a.First.Compare(b.First), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Group, b.Group))
	})
	return list
}

// rank ranks kinds by what it costs that their jobs have failed. A pause that has failed costs money until
// somebody acts, and after a removal that has failed, people are addressed who said no, however many
// uploads have failed.
func rank(k usher.Kind) int {
	switch {
	case k == usher.CampaignPause:
		return 0
	case lanes.Of(k) == lanes.Campaign:
		return 1
	case k == usher.DeviceForget || k == usher.SegmentRemove:
		return 2
	case lanes.Of(k) == lanes.Rules:
		return 3
	case k.Exclusive(): // it makes a whole audience anew
		return 4
	}
	return 5
}

// shapeOf replaces each word of a message that is a number or an id by #, so that
// the same error on two files has one shape. Codes such as E10059, AUTH001 and
// UTF-8 and HTTP statuses such as 503 stay, because they say what is wrong.
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

// wordLength returns the length of the word at the start of s, in bytes.
func wordLength(s string) int {
	for i, c := range s {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '_' && c != '.' && c != '*' {
			return i
		}
	}
	return len(s)
}

// isCode reports whether a word is a code: a few capital letters, then a few digits.
func isCode(word string) bool {
	letters := strings.TrimRight(word, "0123456789")
	digits := len(word) - len(letters)
	capitals := strings.TrimSuffix(letters, "-")
	return digits > 0 && digits <= 5 && capitals != "" && len(capitals) <= 6 && strings.Trim(capitals, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// isStatus reports whether a word is an HTTP status, by the word before it.
func isStatus(before, word string) bool {
	return len(word) == 3 && strings.Trim(word, "0123456789") == "" && (before == "answered" || before == "HTTP" || before == "status")
}
