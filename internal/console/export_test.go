package console

import "usher"

// TargetOf returns the target that the console shows for a job.
func TargetOf(r *usher.Record) string { return targetOf(r) }

// Route is a row of the table of routes.
type Route struct {
	Method, Path string
	Role         Role
}

// Routes returns the table of routes.
func (c *Console) Routes() []Route {
	var all []Route
	for _, r := range c.routes {
		all = append(all, Route{r.method, r.path, r.role})
	}
	return all
}
