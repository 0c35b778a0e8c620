package feeds

import (
	"usher/hashing"
	"usher/internal/exports/places"
)

// Check compares feeds of several files with each other and with the allowed places, which may be nil:
// then the places are not checked.
func Check(all []*Feed, allowed *places.Allowed) []Problem {
	problems := append(Overlaps(all), Cycles(all)...)
	first := map[string]*Feed{} // by name
	for _, f := range all {
		if other := first[f.Name]; other != nil {
			problems = append(problems, f.Problem("name", "rename one", "a feed of %s is called %s, too", other.File, f.Name))
		} else {
			first[f.Name] = f
		}
		if allowed == nil {
			continue
		}
		if !allowed.Covers(f.Watch) {
			problems = append(problems, f.Problem("watch", "allow the place in sources.allow, or watch another one; allowed are: "+allowed.String(), "watch %s is outside sources.allow", f.Shown))
		}
		if f.Move != nil && !allowed.Covers(*f.Move) {
			problems = append(problems, f.Problem("move", "allow the place in sources.allow, or move to another one; allowed are: "+allowed.String(), "move %s is outside sources.allow", hashing.MaskIDs(f.Move.String())))
		}
	}
	return problems
}
