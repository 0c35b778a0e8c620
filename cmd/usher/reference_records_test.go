package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"usher/hashing"
)

func recordsPage(t *testing.T) string {
	t.Helper()
	p := newPage("Records, events, letters, audit", `
The JSON that usher writes and prints: records (`+"`usher jobs show ID --json`"+`, `+"`usher jobs ls --json`"+`), events on `+"`usher.events.<job>`"+`, dead letters (`+"`usher dead ls --json`, `usher dead groups --json`"+`), the audit on `+"`usher.audit.<campaign>`"+`, and runs of rules (`+"`usher rules runs show RUN --json`"+`). Times are RFC 3339. Lists print `+"`[]`"+` if nothing matches.`)
	p.constants(t, "State", "States of a job", "A `failed` job is in the dead letters.")
	for _, name := range []string{
		"Record", "Consequence", "Tally", "Understood", "UnderstoodColumn", "UnderstoodWithheld", "Beside", "PartCount", "PartCrashes", "NumberOfIDs", "Warning", "Sample", "JobError", "WaitsFor", "Retry", "SlowSource", "Edit",
		"Receipt", "TargetReceipt", "ReceiptLine", "Event", "DeadLetter", "Later", "LetterGroup", "Audit", "Evaluation", "PartialApproval", "Decision", "BiddingChange", "Definitions", "Value", "Vote",
	} {
		p.structure(t, name)
	}
	p.linef("\n## Reasons of rows\n\nThe keys of `junk` and `invalid` in a tally. Those of `refused` are error codes of the platform.\n")
	p.table("reason", "")
	eachNode(t, ".", func(n ast.Node) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Type != nil || len(spec.Values) != 1 {
			return
		}
		if value, _ := literal(spec.Values[0]); slices.Contains(reasons(), value) {
			p.row(code(value), oneLine(spec.Doc, spec.Comment))
		}
	})
	p.constants(t, "WarningCode", "Codes of warnings", "Of a job, and of a run of rules. The platform's warnings have its own codes. [How an export is read](exports.md#types-of-ids) says more of those of exports.")
	p.constants(t, "Action", "Actions of decisions", "")
	p.constants(t, "Guard", "Guards of decisions", "Why a decision is not carried out.")
	p.constants(t, "EvaluationState", "States of a run of rules", "")
	return p.String()
}

// reasons are the keys of a tally's reasons.
func reasons() (keys []string) {
	for r := hashing.None + 1; r < hashing.Withheld; r++ {
		keys = append(keys, r.String())
	}
	return keys
}

// constants adds a section with the constants of a type.
func (p *page) constants(t *testing.T, typeName, title, about string) {
	t.Helper()
	p.linef("\n## %s\n", title)
	if about != "" {
		p.linef("%s\n", about)
	}
	p.table("word", "")
	values, comments := constants(t, typeName)
	for i, value := range values {
		p.row(code(value), comments[i])
	}
}

// structure adds a section with the fields of a struct of package usher.
func (p *page) structure(t *testing.T, name string) {
	t.Helper()
	found := false
	eachNode(t, ".", func(n ast.Node) {
		declared, ok := n.(*ast.GenDecl)
		if !ok || declared.Tok != token.TYPE || len(declared.Specs) != 1 {
			return
		}
		spec, ok := declared.Specs[0].(*ast.TypeSpec)
		if !ok || spec.Name.Name != name {
			return
		}
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			return
		}
		found = true
		p.linef("\n## %s\n\n%s\n", name, oneLine(declared.Doc))
		p.table("field", "type", "")
		for _, field := range fields.Fields.List {
			if field.Tag == nil {
				continue
			}
			tag, _ := strconv.Unquote(field.Tag.Value)
			key, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
			if key != "" && key != "-" {
				p.row(code(key), jsonType(printed(field.Type)), oneLine(field.Doc, field.Comment))
			}
		}
	})
	if !found {
		t.Errorf("package usher has no struct %s", name)
	}
}

// jsonType returns the JSON type of a Go type.
func jsonType(goType string) string {
	goType = strings.TrimPrefix(goType, "*")
	switch {
	case strings.HasPrefix(goType, "[]"):
		return "list of " + jsonType(goType[2:])
	case strings.HasPrefix(goType, "["):
		return "list of numbers"
	case strings.HasPrefix(goType, "map["):
		return "object"
	case goType == "time.Time":
		return "time"
	case goType == "Counts":
		return "object of numbers"
	case goType == "bool":
		return "boolean"
	case goType == "json.RawMessage":
		return "any"
	case strings.Contains(goType, "int") || strings.Contains(goType, "float"):
		return "number"
	case slices.Contains([]string{"Kind", "State", "Class", "Action", "Guard", "Cause", "Notice", "Outcome", "EvaluationState", "BiddingField", "Skip", "Format", "WarningCode"}, goType):
		return "string"
	}
	if goType == "string" {
		return goType
	}
	return fmt.Sprintf("[%s](#%s)", goType, strings.ToLower(goType))
}
