package readable

import (
	"math"
	"testing"
	"time"
)

func TestNumbersForPeople(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for got, want := range map[string]string{
		Number(0):                                 "0",
		Number(999):                               "999",
		Number(1000):                              "1,000",
		Number(-1234567):                          "-1,234,567",
		Number(-123):                              "-123",
		Number(math.MaxInt64):                     "9,223,372,036,854,775,807",
		Count(1, "row"):                           "1 row",
		Count(1200, "row"):                        "1,200 rows",
		Bytes(1):                                  "1 byte",
		Bytes(999):                                "999 bytes",
		Bytes(33_000_000):                         "33.0 MB",
		Bytes(5_000_000_000_000_000):              "5000.0 TB",
		Duration(1500 * time.Millisecond):         "1.5s",
		Duration(59 * time.Second):                "59s",
		Duration(125 * time.Second):               "2m5s",
		Duration(25*time.Hour + 5*time.Minute):    "25h5m",
		Duration(48*time.Hour - time.Minute):      "47h59m",
		Duration(48 * time.Hour):                  "2d0h",
		Duration(50 * time.Hour):                  "2d2h",
		Ago(time.Time{}, time.Now()):              "–",
		Ago(noon, noon.Add(999*time.Millisecond)): "0s ago",
		Ago(noon, noon.Add(119*time.Second)):      "1m ago",
		Ago(noon, noon.Add(47*time.Hour)):         "47h ago",
		Ago(noon, noon.Add(49*time.Hour)):         "2d ago",
		Ago(noon, noon.Add(-3*time.Hour)):         "in 3h",
		Apart(123.0868, 123.0869)(123.0868):       "123.0868",
		Apart(123.0868, 123)(123.0868):            "123.09",
		Apart(700.41, 700.41)(700.41):             "700.41",
		Apart(0.1, 0.1+1e-16)(0.1):                "0.1",
		Apart(1e-300, 0)(1e-300):                  "1e-300",
		Apart(math.NaN(), 1, math.Inf(1))(1):      "1",
		Line("a\n b\tc", 10):                      "a b c",
		Line("äöüß", 3):                           "äö…",
		Printable("\x1b[2Jgone\u202e"):            " [2Jgone\\u202e",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
