package connect

import (
	"math/rand/v2"
	"testing"
)

// A refusal is found between messages, however the stream is cut, and text in messages is none.
func TestProtocolScanner(t *testing.T) {
	t.Parallel()
	const before = "INFO {\"max_payload\":10}\r\nPING\r\nMSG a 1 7\r\n-ERR 'x\r\nHMSG a 1 reply 12 20\r\nNATS/1.0\r\n\r\n\r\n-ERR 'y\r\n" +
		"-ERR 'Permissions Violation for Publish to \"a\"'\r\n+OK\r\n"
	for _, c := range []struct{ stream, refusal string }{
		{before + "-ERR 'Maximum Payload Violation'\r\n", "Maximum Payload Violation"},
		{before + "-ERR 'Authorization Violation'\r\n", ""},
		{before + "-ERR 'Maximum Control Line Exceeded'\r\nPING\r\n", "Maximum Control Line Exceeded"},
		{before, ""},
	} {
		for range 200 {
			var s protocolScanner
			passed, refusal := "", ""
			for rest := c.stream; rest != "" && refusal == ""; {
				piece := rest[:1+rand.IntN(len(rest))]
				rest = rest[len(piece):]
				var n int
				n, refusal = s.scan([]byte(piece))
				passed += piece[:n]
			}
			if refusal != c.refusal || len(passed) < len(before) || c.refusal == "" && passed != c.stream {
				t.Fatalf("found %q after %q", refusal, passed)
			}
		}
	}
}
