package feeds

import "usher"

// Overlaps returns an error for each feed whose jobs change the target of another feed.
func Overlaps(all []*Feed) []Problem {
	var problems []Problem
	first := map[string]*Feed{} // by target
	for _, f := range all {
		if f.Kind == usher.DeviceForget {
			continue
		}
		target := f.Job.Advertiser + " " + f.Target()
		other, twice := first[target]
		if !twice {
			first[target] = f
			continue
		}
		problems = append(problems, f.Problem("target", "let one feed watch the exports of both, such as a folder of files, or give each a target of its own",
			"feeds %s and %s both change %s", other.Name, f.Name, f.Target()))
	}
	return problems
}
