package intake

// Holds reports whether a token is in the file.
func (t *Tokens) Holds(token string) (bool, error) {
	g, err := t.find(token)
	return g != nil, err
}

// Routes returns the names of all routes.
func Routes() (names []string) {
	for _, r := range new(Intake).routes() {
		names = append(names, r.name())
	}
	return names
}
