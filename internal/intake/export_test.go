package intake

// Holds reports whether a token is in the file.
func (t *Tokens) Holds(token string) (bool, error) {
	g, err := t.find(token)
	return g != nil, err
}
