package sandbox

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"usher/internal/sandbox/operations"
)

// router finds the route of a method and path. In each segment of a path, a literal takes
// precedence over a placeholder.
type router struct{ root node }

type node struct {
	literal     map[string]*node
	placeholder *node
	methods     map[string]*ending
}

// ending is a route and the names of the placeholders in its path.
type ending struct {
	route operations.Route
	names []string
}

// match is the result of find.
type match struct {
	route   *operations.Route // nil: the path is unknown, or does not allow the method
	values  map[string]string // of the placeholders
	allowed []string          // if route is nil: the methods that the path allows
}

func newRouter(routes []operations.Route) *router {
	r := &router{}
	for _, route := range routes {
		r.add(route, route.Operation.Path)
		if shorter := route.Operation.Shorter(); shorter != "" {
			r.add(route, shorter)
		}
	}
	return r
}

func (r *router) add(route operations.Route, path string) {
	at, end := &r.root, &ending{route: route}
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if strings.HasPrefix(part, "{") {
			end.names = append(end.names, strings.Trim(part, "{}"))
			if at.placeholder == nil {
				at.placeholder = &node{}
			}
			at = at.placeholder
			continue
		}
		if at.literal == nil {
			at.literal = map[string]*node{}
		}
		if at.literal[part] == nil {
			at.literal[part] = &node{}
		}
		at = at.literal[part]
	}
	if at.methods == nil {
		at.methods = map[string]*ending{}
	}
	at.methods[route.Operation.Method] = end
}

func (r *router) find(method, escapedPath string) match {
	var parts []string
	for part := range strings.SplitSeq(strings.TrimPrefix(escapedPath, "/"), "/") {
		value, err := url.PathUnescape(part)
		if err != nil || value == "" {
			return match{}
		}
		parts = append(parts, value)
	}
	var allowed []string
	end, texts := r.root.find(method, parts, nil, &allowed)
	if end == nil {
		slices.Sort(allowed)
		return match{allowed: slices.Compact(allowed)}
	}
	values := map[string]string{}
	for i, name := range end.names {
		values[name] = texts[i]
	}
	return match{route: &end.route, values: values}
}

// find returns the ending of a path and the values of its placeholders. It adds
// the methods of all endings of the path to allowed.
func (n *node) find(method string, parts, values []string, allowed *[]string) (*ending, []string) {
	if len(parts) == 0 {
		*allowed = slices.AppendSeq(*allowed, maps.Keys(n.methods))
		return n.methods[method], values
	}
	if next := n.literal[parts[0]]; next != nil {
		if end, found := next.find(method, parts[1:], values, allowed); end != nil {
			return end, found
		}
	}
	if n.placeholder == nil {
		return nil, nil
	}
	return n.placeholder.find(method, parts[1:], append(slices.Clip(values), parts[0]), allowed)
}
