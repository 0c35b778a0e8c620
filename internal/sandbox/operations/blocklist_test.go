package operations

import "testing"

// FuzzPrivateDomain checks that a domain that is accepted for a blocklist is
// accepted again in its normalized form, and that no domain below it is.
func FuzzPrivateDomain(f *testing.F) {
	for _, domain := range []string{"example.co.uk", "EXAMPLE.com", "bücher.de", "a.b.c", "..", "xn--", "[::1]", "1.2.3.4", "ß.de"} {
		f.Add(domain)
	}
	f.Fuzz(func(t *testing.T, text string) {
		domain, err := privateDomain(text)
		if err != nil {
			return
		}
		if again, err := privateDomain(domain); err != nil || again != domain {
			t.Errorf("%q became %q, and that %q: %v", text, domain, again, err)
		}
		if below, err := privateDomain("www." + domain); err == nil {
			t.Errorf("%q is accepted, and so is %q below it", domain, below)
		}
	})
}
