package names

// Ranks of names.
const (
	RankUnknown = iota // any other text
	RankWeak           // a name of a column, but perhaps not of device ids
	RankTelling        // contains a usual name
	RankUsual          // a usual name of a column of device ids
)

// RankOf returns how well a header names a column of device ids.
func RankOf(header string) int {
	m := MeaningOf(header)
	switch {
	case m.IsDevice() && m.Whole && m.Digest == DigestNone:
		return RankUsual
	case m.IsDevice() && len(header) <= 64:
		return RankTelling
	case m.Sense != SenseNone && m.Whole:
		return RankWeak
	}
	return RankUnknown
}
