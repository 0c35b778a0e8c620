package terminal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"usher/internal/readable"
)

// WriteJSON writes v as indented JSON, in which bidirectional controls are escaped.
func WriteJSON(w io.Writer, v any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	if _, err := io.WriteString(w, readable.Unbidi(text.String())); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	return nil
}

// An Array writes a JSON array element by element, because there may be millions.
type Array struct {
	out   *bufio.Writer
	lines bool // each element is on one line; otherwise they are indented as by WriteJSON
	any   bool // an element was written
}

// NewArray returns an array that is written to w. lines puts each element on one line.
func NewArray(w io.Writer, lines bool) *Array {
	return &Array{out: bufio.NewWriterSize(w, 1<<16), lines: lines}
}

// Add writes an element.
func (a *Array) Add(v any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if !a.lines {
		encoder.SetIndent("  ", "  ")
	}
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	before := ",\n  "
	if !a.any {
		a.any, before = true, "[\n  "
	}
	fmt.Fprint(a.out, before) // Write returns the error as well
	_, err := a.out.WriteString(readable.Unbidi(strings.TrimRight(text.String(), "\n")))
	return err
}

// Close ends the array. Without it, the array is not valid JSON, so that no program takes one that
// an error has cut short for the whole.
func (a *Array) Close() error {
	end := "\n]\n"
	if !a.any {
		end = "[]\n"
	}
	fmt.Fprint(a.out, end) // Flush returns the error as well
	return a.Flush()
}

// Flush writes what is buffered.
func (a *Array) Flush() error {
	if err := a.out.Flush(); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	return nil
}
