package schema

import (
	"fmt"
	"slices"

	"usher"
	"usher/hashing"
)

// deviceIDs returns an issue for each text of a valid job that must be stored as it is
// and looks like a device id. Names of the platform's objects, files and jobs may look
// like one.
func deviceIDs(document any) []Issue {
	job, _ := document.(map[string]any)
	var issues []Issue
	check := func(pointer string, value any, advice string) {
		if text, ok := value.(string); ok && hashing.MaskIDs(text) != text {
			issues = append(issues, Issue{Pointer: pointer, Message: "looks like a device id, which may not be stored: " + advice})
		}
	}
	source, _ := job["source"].(map[string]any)
	check("/source/column", source["column"], "give the column's number")
	check("/source/typeColumn", source["typeColumn"], "give the column's number")
	check("/source/skip", source["skip"], "give a number of lines")
	check("/source/sheet", source["sheet"], "rename the sheet")
	checkAll := func(pointer string, values any, advice string) {
		list, _ := values.([]any)
		for i, value := range list {
			check(fmt.Sprintf("%s/%d", pointer, i), value, advice)
		}
	}
	checkAll("/source/only", source["only"], "give the column's number, and values that are no ids")
	checkAll("/source/disregard", source["disregard"], "give the column's number")
	holdout, _ := job["holdout"].(map[string]any)
	check("/holdout/key", holdout["key"], "give the key another name")
	check("/rules", job["rules"], "give the name of a configured rule file")
	check("/rule", job["rule"], "give the name of a rule of the file")
	metrics, _ := job["metrics"].(map[string]any)
	values, _ := metrics["values"].(map[string]any)
	for name := range values {
		check("/metrics/values", name, "give the name of a metric")
	}
	return slices.Compact(issues) // equal for all metrics
}

// wrongIDs returns an issue for each id of a device.forget that is none. Messages do not have
// the value.
func wrongIDs(document any) []Issue {
	job, _ := document.(map[string]any)
	ids, _ := job["ids"].([]any)
	var issues []Issue
	for i, id := range ids {
		text, _ := id.(string)
		why := ""
		if job["input"] == string(usher.InputMD5) {
			if _, err := hashing.DecodeForms(text); err != nil {
				why = err.Error()
			}
		} else if _, reason := hashing.Forms([]byte(text)); reason != hashing.None {
			why = fmt.Sprintf("is no device id (%s)", reason)
		}
		if why == "" {
			continue
		}
		issues = append(issues, Issue{Pointer: fmt.Sprintf("/ids/%d", i), Message: why})
		if len(issues) == maxIssues {
			break
		}
	}
	return issues
}
