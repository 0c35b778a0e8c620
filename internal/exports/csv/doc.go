// Package csv reads a column of CSV.
package csv
