package expression

import "strings"

// rankOf is the beginning of a rank.
const rankOf = "rank("

// SplitName returns the prefix of a metric, such as previous., rank( or over("last 14
// days")., and its name without it.
func SplitName(name string) (prefix, bare string) {
	if metric, isRank := strings.CutPrefix(name, rankOf); isRank {
		return rankOf, strings.TrimSuffix(metric, ")")
	}
	at := strings.LastIndexByte(name, '.') + 1
	return name[:at], name[at:]
}
