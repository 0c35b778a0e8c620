package condition

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, a number, a text in quotes or a sign of a condition.
type token struct {
	kind  kind
	text  string // as written; of a text, what is between the quotes
	start int    // in the source, in bytes
	end   int
	// line and column are its place, from 1 and from 0.
	line, column int
}

// kind is the kind of a token.
type kind int

const (
	endToken    kind = iota // behind the last one
	wordToken               // a name, or true and false
	numberToken             // also with separators of thousands or a decimal comma, which conditions do not have
	textToken               // in plain quotes
	quoteToken              // in typographic quotes
	spaceToken              // a space that is not a plain one
	signToken
)

// is reports whether the token is a sign.
func (t token) is(sign string) bool { return t.kind == signToken && t.text == sign }

// isWord reports whether the token is one of some words in lower case, in whatever case it is
// written.
func (t token) isWord(words ...string) bool {
	return t.kind == wordToken && slices.Contains(words, strings.ToLower(t.text))
}

// The signs of more than one byte: those of conditions, and those of other languages.
var (
	longSigns   = []string{"===", "=/=", "==", "<=", ">=", "!=", "&&", "||", "=>", "=<", "<>", "=!", "**"}
	openQuotes  = "“”„‟‘’‚«»`"
	closeQuotes = openQuotes
)

// tokenize splits a condition into tokens. The last one is an endToken. A comment begins with
// // and ends with its line.
func tokenize(source string) []token {
	var list []token
	line, lineStart := 1, 0
	for at := 0; ; {
		rest := source[at:]
		skipped := len(rest) - len(strings.TrimLeft(rest, " \t\r\n\f"))
		if strings.HasPrefix(rest, "//") {
			if skipped = strings.IndexByte(rest, '\n'); skipped < 0 {
				skipped = len(rest)
			}
		}
		if skipped > 0 {
			if breaks := strings.Count(rest[:skipped], "\n"); breaks > 0 {
				line += breaks
				lineStart = at + strings.LastIndexByte(rest[:skipped], '\n') + 1
			}
			at += skipped
			continue
		}
		t := token{kind: endToken}
		if rest != "" {
			t = readToken(rest)
		}
		length := t.end
		t.start, t.end, t.line, t.column = at, at+length, line, utf8.RuneCountInString(source[lineStart:at])
		list = append(list, t)
		if t.kind == endToken {
			return list
		}
		at += length
	}
}

// readToken returns the first token of a text. Its end is its length.
func readToken(text string) token {
	first, size := utf8.DecodeRuneInString(text)
	switch {
	case isDigit(text[0]), text[0] == '.' && len(text) > 1 && isDigit(text[1]):
		n := numberLength(text)
		return token{kind: numberToken, text: text[:n], end: n}
	case text[0] == '_' || first < unicode.MaxASCII && unicode.IsLetter(first):
		n := len(text) - len(strings.TrimLeftFunc(text, isWordRune))
		return token{kind: wordToken, text: text[:n], end: n}
	case first == '"' || first == '\'':
		return quoted(textToken, text, size, string(first))
	case strings.ContainsRune(openQuotes, first):
		return quoted(quoteToken, text, size, closeQuotes)
	case first > unicode.MaxASCII && (unicode.IsSpace(first) || unicode.Is(unicode.Cf, first)):
		n := len(text) - len(strings.TrimLeftFunc(text, func(r rune) bool { return r > unicode.MaxASCII && (unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)) }))
		return token{kind: spaceToken, text: text[:n], end: n}
	}
	for _, sign := range longSigns {
		if strings.HasPrefix(text, sign) {
			return token{kind: signToken, text: sign, end: len(sign)}
		}
	}
	return token{kind: signToken, text: text[:size], end: size}
}

// quoted returns a text in quotes, the first of which has a size. The closing one may be
// missing.
func quoted(k kind, text string, size int, closing string) token {
	n := strings.IndexAny(text[size:], closing)
	if n < 0 {
		return token{kind: k, text: text[size:], end: len(text)}
	}
	_, last := utf8.DecodeRuneInString(text[size+n:])
	return token{kind: k, text: text[size : size+n], end: size + n + last}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordRune(r rune) bool {
	return r == '_' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// digits returns the number of digits at the beginning of a text.
func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// numberLength returns the length of the number at the beginning of a text, with its
// separators of thousands, its decimals and its exponent.
func numberLength(text string) int {
	length := digits(text)
	for length < len(text) {
		separator, size := utf8.DecodeRuneInString(text[length:])
		group := digits(text[length+size:])
		isGroup := group == 3 && length > 0 && digits(text) <= 3 && strings.ContainsRune("_'’ \u00a0\u202f", separator)
		if group == 0 || separator != '.' && separator != ',' && !isGroup {
			break
		}
		length += size + group
	}
	if exponent := strings.TrimLeft(text[length:], "eE"); len(text)-length-len(exponent) == 1 {
		unsigned := strings.TrimPrefix(strings.TrimPrefix(exponent, "+"), "-")
		if n := digits(unsigned); n > 0 && len(exponent)-len(unsigned) <= 1 {
			length = len(text) - len(unsigned) + n
		}
	}
	return length
}

// isPlain reports whether a number is written as in conditions: digits, at most one point and
// an exponent.
func isPlain(number string) bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(number), "e")
	return strings.Trim(mantissa, "0123456789.") == "" && strings.Count(mantissa, ".") <= 1
}
