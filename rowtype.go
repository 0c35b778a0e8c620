package usher

// RowType is the type of a row's id as given by a column of the export.
type RowType uint8

// The types of rows. An operating system may have several types of ids.
const (
	RowOther   RowType = iota // empty or unknown
	RowIOS                    // an IDFA
	RowAndroid                // an AAID or an ANDROID_ID
	RowAAID
	RowAndroidID

	RowTypes // number of types
)

// Fits reports whether a row of type t may hold an id of type i.
func (i IDType) Fits(t RowType) bool {
	switch t {
	case RowIOS:
		return i == IDFA
	case RowAndroid:
		return i == AAID || i == AndroidID
	case RowAAID:
		return i == AAID
	case RowAndroidID:
		return i == AndroidID
	default:
		return false
	}
}

// IDType returns the default type of ids in rows of type t, or "" for RowOther.
func (t RowType) IDType() IDType {
	switch t {
	case RowIOS:
		return IDFA
	case RowAndroid, RowAAID:
		return AAID
	case RowAndroidID:
		return AndroidID
	default:
		return ""
	}
}
