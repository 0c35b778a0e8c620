package demo

import (
	"fmt"
	"io"
	"os"
	"strings"

	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// page prints the demo: headings, wrapped text and code. Without a terminal it is plain
// text.
type page struct {
	out, errs io.Writer
	headings  int
	err       error // the first error; nothing is printed after it
}

// pageWidth is the maximum length of a line of text.
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

// textf prints text, wrapped at words.
func (p *page) textf(format string, args ...any) {
	p.print(strings.Join(terminal.Wrap(fmt.Sprintf(format, args...), pageWidth), "\n") + "\n")
}

// fact prints a name and its value.
func (p *page) fact(name, text string) {
	const indent = 12
	lines := terminal.Wrap(readable.Printable(text), pageWidth-indent)
	p.print(fmt.Sprintf("  %-*s%s\n", indent-2, name, strings.Join(lines, "\n"+strings.Repeat(" ", indent))))
}

// codef prints a line of code.
func (p *page) codef(format string, args ...any) {
	p.print("  " + fmt.Sprintf(format, args...) + "\n")
}

// table prints what write writes.
func (p *page) table(write func(io.Writer) error) {
	if p.err == nil {
		p.err = write(p.out)
	}
}
