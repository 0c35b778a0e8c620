package campaign

// Mentions reports whether a text contains a creative's code.
func Mentions(text, code string) bool { return mentions(text, code) }
