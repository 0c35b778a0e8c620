package demo

import (
	"fmt"
	"io"
	"os"
	"strings"

	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
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
	if terminal.IsTerminal(p.out) && os.Getenv("NO_COLOR") == "" {
		title = "\x1b[1m" + title + "\x1b[0m"
	}
	if p.headings > 1 {
		title = "\n" + title
	}
	p.print(title + "\n")
}

// sayf prints sentences, broken at words.
func (p *page) sayf(format string, args ...any) {
	p.print(strings.Join(terminal.Wrap(fmt.Sprintf(format, args...), pageWidth), "\n") + "\n")
}

// fact prints a name and what there is to say of it.
func (p *page) fact(name, text string) {
	const indent = 12
	lines := terminal.Wrap(readable.Printable(text), pageWidth-indent)
	p.print(fmt.Sprintf("  %-*s%s\n", indent-2, name, strings.Join(lines, "\n"+strings.Repeat(" ", indent))))
}

// codef prints a line as it is.
func (p *page) codef(format string, args ...any) {
	p.print("  " + fmt.Sprintf(format, args...) + "\n")
}

// table prints a table, or whatever else writes itself.
func (p *page) table(write func(io.Writer) error) {
	if p.err == nil {
		p.err = write(p.out)
	}
}
