// Package rows cuts text into lines and writes cells as the rows of blocks.
package rows
