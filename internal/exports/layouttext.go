package exports

import "usher"

// layoutText finds the header of a plain list. Only a known name is a header, since
// anything else may be a row.
func (h *head) layoutText(src *usher.Source, plan *usher.Plan) error {
	if declared(src.TypeColumn) != "" {
		return h.Broken("remove source.typeColumn, or set source.format to csv", "it is a plain list, which has no column of types")
	}
	lines := h.lines(1)
	if len(lines) == 0 {
		return nil
	}
	first := headerText(lines[0])
	if !looksLikeID(lines[0]) && (nameRank(first) > nameUnknown || sameName(first, src.Column)) {
		plan.Header = first
	}
	switch wanted := declared(src.Column); {
	case wanted == "", wanted == "1", sameName(first, src.Column):
		return nil
	}
	return h.noColumn("column", "1, since the export is a plain list")
}
