package usher

// RowType is what an export says of a row's id, in a column of its own.
type RowType uint8

// The types of rows. An operating system may have several types of ids.
const (
	RowOther   RowType = iota // nothing, or nothing that usher knows
	RowIOS                    // an IDFA
	RowAndroid                // an AAID or an ANDROID_ID
	RowAAID
	RowAndroidID

	RowTypes // how many there are
)

// Fits reports whether a row of type t may hold an id of this type.
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

// IDType is the type of ids that rows of type t have where nothing else is said,
// "" for RowOther.
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
