// Package lanes is usher lanes: list, pause and resume lanes.
package lanes
