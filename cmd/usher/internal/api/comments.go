package api

import "bytes"

// withoutComments replaces comments (// and /* */) and commas before a closing bracket by
// spaces, so that a template can be used as it is printed, and lines of it can be turned
// into comments. The positions of all other bytes stay the same.
func withoutComments(text []byte) []byte {
	out := bytes.Clone(text)
	comma := -1 // the position of a comma after which no value has begun
	for i := 0; i < len(out); {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			i = endOfString(out, i)
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			i = blankComment(out, i)
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		default:
			if (c == '}' || c == ']') && comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
			if c == ',' {
				comma = i
			}
			i++
		}
	}
	return out
}

// endOfString returns the position behind the string that begins at i.
func endOfString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// blankComment overwrites the comment that begins at i and returns the position behind it.
func blankComment(text []byte, i int) int {
	end := len(text)
	if text[i+1] == '*' {
		if at := bytes.Index(text[i+2:], []byte("*/")); at >= 0 {
			end = i + 2 + at + 2
		}
	} else if at := bytes.IndexByte(text[i:], '\n'); at >= 0 {
		end = i + at
	}
	for ; i < end; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
	return end
}
