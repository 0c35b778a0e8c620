package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// page is what the demo shows: headings, sentences, lines to be read as they
// are. Off a terminal it is plain text.
type page struct {
	out, errs io.Writer
	headings  int
	err       error // the first of printing; nothing is printed after it
}

// pageWidth is how long a line of a sentence gets.
const pageWidth = 78

func (p *page) print(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.out, text)
	}
}

func (p *page) heading(title string) {
	p.headings++
	title = fmt.Sprintf("%d. %s", p.headings, title)
	if onTerminal(p.out) && os.Getenv("NO_COLOR") == "" {
		title = "\x1b[1m" + title + "\x1b[0m"
	}
	if p.headings > 1 {
		title = "\n" + title
	}
	p.print(title + "\n")
}

// say prints sentences, broken at words.
func (p *page) say(format string, args ...any) {
	line := 0
	for _, word := range strings.Fields(fmt.Sprintf(format, args...)) {
		size := utf8.RuneCountInString(word)
		switch {
		case line == 0:
		case line+1+size > pageWidth:
			p.print("\n")
			line = 0
		default:
			p.print(" ")
			line++
		}
		p.print(word)
		line += size
	}
	p.print("\n")
}

// code prints a line as it is.
func (p *page) code(format string, args ...any) {
	p.print("  " + fmt.Sprintf(format, args...) + "\n")
}

// table prints a table, or whatever else writes itself.
func (p *page) table(write func(io.Writer) error) {
	if p.err == nil {
		p.err = write(p.out)
	}
}
