package sandbox

import (
	"fmt"
	"html"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"usher/internal/rtb"
)

// isPage reports whether a request is for one of the pages for people and tools. They are
// not part of the platform's interface and need no login.
func isPage(r *http.Request) bool {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	return reads && (r.URL.Path == "/" || r.URL.Path == "/openapi.yaml")
}

// servePage answers with the OpenAPI document, or with the list of operations.
func (s *Sandbox) servePage(w http.ResponseWriter, r *http.Request) {
	contentType, body := "application/yaml; charset=utf-8", rtb.OpenAPI()
	if r.URL.Path == "/" {
		contentType, body = "text/html; charset=utf-8", s.operationsPage(r.Host)
	}
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	header.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(body) //nolint:gosec // the host is escaped; an error means that the caller has disconnected
}

const pageStyle = `
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
code,pre{font:14px/1.45 ui-monospace,monospace}
pre{background:#f4f4f6;padding:.7rem;overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:.5rem 0}
td,th{text-align:left;vertical-align:top;padding:.25rem .7rem .25rem 0;border-bottom:1px solid #ddd}
summary{cursor:pointer;padding:.3rem 0}
summary b{display:inline-block;width:4.2rem}
details>div{margin:0 0 1rem 1.2rem}
nav a{margin-right:.8rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181a1b}pre{background:#26292b}td,th{border-color:#444}a{color:#8ab4f8}}
`

// operationsPage returns the operations as HTML. It does not use html/template, because the
// linker would then keep all dead code of the program.
func (s *Sandbox) operationsPage(host string) []byte {
	p := &page{docs: rtb.ReadDocs(), base: "http://" + host}
	p.write(`<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>usher sandbox</title><style>` + pageStyle + "</style>\n")
	p.write("<h1>Sandbox of the platform</h1>\n")
	operations := rtb.Operations()
	p.text("p", fmt.Sprintf("%d operations, with state. Answers are {status: success, data}, {status: fail, data: {errors}} or {status: error, message, code}.", len(operations)))
	p.write(`<p><a href="/openapi.yaml">openapi.yaml</a> · <a href="/sandbox/">journal, faults and other controls</a></p>` + "\n")
	p.text("p", "Log in, then call anything with the token:")
	p.text("pre", s.loginExample(p.base))
	p.write("<nav>")
	areas := areasOf(operations)
	for _, area := range areas {
		p.write(`<a href="#` + html.EscapeString(area) + `">` + html.EscapeString(area) + "</a>")
	}
	p.write("</nav>\n")
	for _, area := range areas {
		p.area(area, operations)
	}
	return []byte(p.b.String())
}

// areasOf returns the distinct areas, the first words of the operations' names.
func areasOf(operations []rtb.Operation) []string {
	var areas []string
	for _, op := range operations {
		if area, _, _ := strings.Cut(op.Name, "."); !slices.Contains(areas, area) {
			areas = append(areas, area)
		}
	}
	return areas
}

// loginExample shows the password only if it is the default.
func (s *Sandbox) loginExample(base string) string {
	password := "sandbox"
	if s.o.Password != password {
		password = "PASSWORD"
	}
	return fmt.Sprintf("curl '%s/v3/oauth/accessToken?username=%s&password=%s&advertiser=%s'\nTOKEN=…\ncurl -H \"Authorization: Bearer $TOKEN\" %s/v3/segments",
		base, s.o.Username, password, s.o.Advertiser, base)
}

// page builds the HTML.
type page struct {
	b    strings.Builder
	docs rtb.Docs
	base string
}

// write adds HTML.
func (p *page) write(markup string) { p.b.WriteString(markup) }

// text adds an element with escaped text.
func (p *page) text(element, text string) {
	p.write("<" + element + ">" + html.EscapeString(text) + "</" + element + ">\n")
}

func (p *page) area(area string, operations []rtb.Operation) {
	p.write(`<h2 id="` + html.EscapeString(area) + `">` + html.EscapeString(area) + "</h2>\n")
	for _, op := range operations {
		if name, _, _ := strings.Cut(op.Name, "."); name == area {
			p.operation(op)
		}
	}
}

func (p *page) operation(op rtb.Operation) {
	p.write(`<details id="` + html.EscapeString(op.Name) + `"><summary><b>` + op.Method + "</b> <code>" + html.EscapeString(op.Path) + "</code> – " +
		html.EscapeString(op.Summary) + "</summary><div>\n")
	for paragraph := range strings.SplitSeq(p.docs.Operation(op), "\n\n") {
		if paragraph != "" && paragraph != op.Summary {
			p.text("p", paragraph)
		}
	}
	p.fields(op)
	p.text("pre", p.curl(op))
	if op.Out.NumField() > 0 {
		p.text("p", "200, data:")
		p.text("pre", skeleton(op.Out, func(recordField) bool { return true }))
	}
	p.text("p", "usher api "+strings.Replace(op.Name, ".", " ", 1))
	p.write("</div></details>\n")
}

// fields adds the table of the operation's fields.
func (p *page) fields(op rtb.Operation) {
	if len(op.Fields) == 0 {
		return
	}
	p.write("<table><tr><th>field<th>in<th>required<th></tr>\n")
	for _, f := range op.Fields {
		if f.Where == rtb.InBody {
			p.record(f.Type, "")
			continue
		}
		p.row(f.Name, string(f.Where), !f.Optional, p.docs.Field(op.In, op.In.Field(f.Index).Name))
	}
	p.write("</table>\n")
}

// record adds a row for each field of a body. prefix is the path to the record.
func (p *page) record(t reflect.Type, prefix string) {
	for _, field := range fieldsOf(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		p.row(prefix+name, "body", options == "", p.docs.Field(field.record, field.Name))
		inner := field.Type
		suffix := "."
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			if inner.Kind() == reflect.Slice {
				suffix = "[]."
			}
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct {
			p.record(inner, prefix+name+suffix)
		}
	}
}

func (p *page) row(name, where string, required bool, about string) {
	word := ""
	if required {
		word = "yes"
	}
	p.write("<tr><td><code>" + html.EscapeString(name) + "</code><td>" + where + "<td>" + word + "<td>" + html.EscapeString(about) + "</tr>\n")
}

// curl returns the operation as a command line.
func (p *page) curl(op rtb.Operation) string {
	line, target := "curl -X "+op.Method, p.base+op.Path
	if op.Method == http.MethodGet {
		line = "curl"
	}
	if !op.Open {
		line += ` -H "Authorization: Bearer $TOKEN"`
	}
	separator := "?"
	for _, f := range op.Fields {
		switch f.Where {
		case rtb.InPath:
		case rtb.InQuery:
			target += separator + f.Name + "=…"
			separator = "&"
		case rtb.InForm:
			line += " --data-urlencode " + f.Name + "=…"
		case rtb.InFile:
			line += " -F " + f.Name + "=@FILE"
		case rtb.InBody:
			line += " -H 'Content-Type: application/json' -d '" + skeleton(f.Type, p.settable) + "'"
		}
	}
	return line + " '" + target + "'"
}

// settable reports whether a caller may send a field, by its documentation.
func (p *page) settable(field recordField) bool {
	about := p.docs.Field(field.record, field.Name)
	return !strings.HasPrefix(about, "read only") && !strings.HasPrefix(about, "generated")
}
