// Package lanes implements usher lanes: list, pause and resume lanes.
package lanes
