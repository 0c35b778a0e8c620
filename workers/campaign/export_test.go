package campaign

// Mentions reports whether a text contains a creative's code.
func Mentions(text, code string) bool { return mentions(text, code) }

// States returns the names of the states, in order.
func States() []string {
	var names []string
	for _, s := range steps {
		names = append(names, s.name)
	}
	return names
}
