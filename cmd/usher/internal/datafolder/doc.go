// Package datafolder locks a data folder, so that only one process uses it.
package datafolder
