package sandbox

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"usher/internal/rtb"
)

// route is an operation and what does it.
type route struct {
	op  rtb.Operation
	run func(w *world, c *call, in any) (any, error)
}

// on joins an operation and its function. Sandbox.mu is held while it runs.
func on[In, Out any](op rtb.Op[In, Out], f func(w *world, c *call, in In) (Out, error)) route {
	return route{op.Operation, func(w *world, c *call, in any) (any, error) {
		typed, ok := in.(In)
		if !ok {
			return nil, fmt.Errorf("run %s: in is a %T: this is a bug in the sandbox", op.Name, in)
		}
		return f(w, c, typed)
	}}
}

// router finds the route of a method and path. A literal segment wins over a
// placeholder, from the left.
type router struct{ root node }

type node struct {
	literal     map[string]*node
	placeholder *node
	methods     map[string]*ending
}

// ending is a route and the names of the placeholders on the way to it.
type ending struct {
	route route
	names []string
}

func newRouter(routes []route) *router {
	r := &router{}
	for _, route := range routes {
		r.add(route)
	}
	return r
}

func (r *router) add(route route) {
	r.addPath(route, route.op.Path)
	if shorter := route.op.Shorter(); shorter != "" {
		r.addPath(route, shorter)
	}
}

func (r *router) addPath(route route, path string) {
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
	at.methods[route.op.Method] = end
}

// find returns the route and the values of its placeholders. Where the path is
// known but not with this method, allowed says with which.
func (r *router) find(method, escapedPath string) (found *route, values map[string]string, allowed []string) {
	var parts []string
	for part := range strings.SplitSeq(strings.TrimPrefix(escapedPath, "/"), "/") {
		value, err := url.PathUnescape(part)
		if err != nil || value == "" {
			return nil, nil, nil
		}
		parts = append(parts, value)
	}
	end, texts, allowed := r.root.find(method, parts, nil)
	if end == nil {
		slices.Sort(allowed)
		return nil, nil, slices.Compact(allowed)
	}
	values = map[string]string{}
	for i, name := range end.names {
		values[name] = texts[i]
	}
	return &end.route, values, nil
}

func (n *node) find(method string, parts, texts []string) (*ending, []string, []string) {
	if len(parts) == 0 {
		if end := n.methods[method]; end != nil {
			return end, texts, nil
		}
		var allowed []string
		for m := range n.methods {
			allowed = append(allowed, m)
		}
		return nil, nil, allowed
	}
	var allowed []string
	if next := n.literal[parts[0]]; next != nil {
		end, found, methods := next.find(method, parts[1:], texts)
		if end != nil {
			return end, found, nil
		}
		allowed = methods
	}
	if n.placeholder != nil {
		end, found, methods := n.placeholder.find(method, parts[1:], append(slices.Clip(texts), parts[0]))
		if end != nil {
			return end, found, nil
		}
		allowed = append(allowed, methods...)
	}
	return nil, nil, allowed
}
