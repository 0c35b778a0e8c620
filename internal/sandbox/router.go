package sandbox

import (
	"net/url"
	"slices"
	"strings"

	"usher/internal/sandbox/operations"
)

// router finds the route of a method and path.
type router []pathPattern

// pathPattern is a path of a route in parts, of which some are placeholders.
type pathPattern struct {
	route *operations.Route
	parts []string
}

// match is the result of find.
type match struct {
	route   *operations.Route // nil: the path is unknown, or does not allow the method
	values  map[string]string // of the placeholders
	allowed []string          // if route is nil: the methods that the path allows
}

func newRouter(routes []operations.Route) router {
	var r router
	for _, route := range routes {
		for _, path := range []string{route.Operation.Path, route.Operation.Shorter()} {
			if path != "" {
				r = append(r, pathPattern{&route, strings.Split(path, "/")})
			}
		}
	}
	return r
}

// find returns the route of a path. In the first part in which two patterns of a path
// differ, a literal takes precedence over a placeholder.
func (r router) find(method, escapedPath string) match {
	parts := strings.Split(escapedPath, "/")
	for i, part := range parts {
		value, err := url.PathUnescape(part)
		if err != nil || (value == "") != (i == 0) {
			return match{}
		}
		parts[i] = value
	}
	var best *pathPattern
	var allowed []string
	for i := range r {
		p := &r[i]
		if !p.matches(parts) {
			continue
		}
		allowed = append(allowed, p.route.Operation.Method)
		if p.route.Operation.Method == method && (best == nil || p.precedes(best)) {
			best = p
		}
	}
	if best == nil {
		slices.Sort(allowed)
		return match{allowed: slices.Compact(allowed)}
	}
	values := map[string]string{}
	for i, part := range best.parts {
		if isPlaceholder(part) {
			values[strings.Trim(part, "{}")] = parts[i]
		}
	}
	return match{route: best.route, values: values}
}

func (p *pathPattern) matches(parts []string) bool {
	return slices.EqualFunc(p.parts, parts, func(pattern, part string) bool { return isPlaceholder(pattern) || pattern == part })
}

// precedes reports whether p takes precedence over another pattern of the same path.
func (p *pathPattern) precedes(other *pathPattern) bool {
	for i, part := range p.parts {
		if placeholder := isPlaceholder(part); placeholder != isPlaceholder(other.parts[i]) {
			return !placeholder
		}
	}
	return false
}

func isPlaceholder(part string) bool { return strings.HasPrefix(part, "{") }
