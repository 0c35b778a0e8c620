package operations

import (
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
)

// privateDomain returns a top-level private domain, which is one level below a
// public suffix, in lower-case ASCII.
func privateDomain(domain string) (string, error) {
	ascii, err := hostname(domain)
	if err != nil {
		return "", envelope.Invalid("domain", "must be a domain such as example.co.uk")
	}
	suffix, listed := publicsuffix.PublicSuffix(ascii)
	top, err := publicsuffix.EffectiveTLDPlusOne(ascii)
	switch {
	case err != nil || !listed && !strings.Contains(suffix, "."):
		return "", envelope.Invalid("domain", "must lie below a public suffix such as com or co.uk")
	case top != ascii:
		return "", envelope.Invalid("domain", "must be a top-level private domain, not a sub-domain: use "+top)
	}
	return ascii, nil
}

func blockKey(advertiser, domain string) string { return advertiser + "/" + domain }

func (s *State) blocklist(c *Call, in rtb.AdvertiserPath) (rtb.BlocklistAnswer, error) {
	_, err := s.findAdvertiser(c, in.AdvertiserCode)
	list := []string{}
	for _, row := range s.blocked.All() {
		if row.Advertiser == in.AdvertiserCode {
			list = append(list, row.Domain)
		}
	}
	slices.Sort(list)
	return rtb.BlocklistAnswer{Blocklist: list}, err
}

func (s *State) blockDomain(c *Call, in rtb.BlockedPath) (rtb.Nothing, error) {
	domain, err := s.blockable(c, in)
	if err != nil {
		return rtb.Nothing{}, err
	}
	row := blockedDomain{in.AdvertiserCode, domain}
	return rtb.Nothing{}, s.store.Commit(s.blocked.Put(blockKey(in.AdvertiserCode, domain), row))
}

func (s *State) unblockDomain(c *Call, in rtb.BlockedPath) (rtb.Nothing, error) {
	domain, err := s.blockable(c, in)
	if err != nil {
		return rtb.Nothing{}, err
	}
	key := blockKey(in.AdvertiserCode, domain)
	if !s.blocked.Has(key) {
		return rtb.Nothing{}, envelope.Unknown("blocked domain", domain)
	}
	return rtb.Nothing{}, s.store.Commit(s.blocked.Drop(key))
}

// blockable checks the advertiser and returns the normalized domain.
func (s *State) blockable(c *Call, in rtb.BlockedPath) (string, error) {
	if _, err := s.findAdvertiser(c, in.AdvertiserCode); err != nil {
		return "", err
	}
	return privateDomain(in.Domain)
}
