package console

// Route is a row of the table, for the test that holds all of them.
type Route struct {
	Method, Path string
	Role         Role
}

// Table is the API as it is served.
func (c *Console) Table() []Route {
	var all []Route
	for _, r := range c.routes {
		all = append(all, Route{r.method, r.path, r.role})
	}
	return all
}
