package sandbox

import (
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"usher/internal/rtb"
)

// privateDomain is a top-level private domain, one level below a public suffix,
// in lower-case ASCII.
func privateDomain(domain string) (string, error) {
	ascii, err := hostname(domain)
	if err != nil {
		return "", invalid("domain", "must be a domain such as example.co.uk")
	}
	suffix, listed := publicsuffix.PublicSuffix(ascii)
	top, err := publicsuffix.EffectiveTLDPlusOne(ascii)
	switch {
	case err != nil || !listed && !strings.Contains(suffix, "."):
		return "", invalid("domain", "must lie below a public suffix such as com or co.uk")
	case top != ascii:
		return "", invalid("domain", "must be a top-level private domain and no sub-domain: "+top)
	}
	return ascii, nil
}

func blockKey(advertiser, domain string) string { return advertiser + "/" + domain }

func (w *world) blocklist(c *call, in rtb.AdvertiserPath) (rtb.BlocklistAnswer, error) {
	_, err := w.ownAdvertiser(c, in.AdvertiserCode)
	list := []string{}
	for _, row := range w.blocked.rows {
		if row.Advertiser == in.AdvertiserCode {
			list = append(list, row.Domain)
		}
	}
	slices.Sort(list)
	return rtb.BlocklistAnswer{Blocklist: list}, err
}

func (w *world) blockDomain(c *call, in rtb.BlockedPath) (rtb.Nothing, error) {
	domain, err := w.blockable(c, in)
	if err != nil {
		return rtb.Nothing{}, err
	}
	row := blockedDomain{in.AdvertiserCode, domain}
	return rtb.Nothing{}, w.commit(nil, w.blocked.put(blockKey(in.AdvertiserCode, domain), row))
}

func (w *world) unblockDomain(c *call, in rtb.BlockedPath) (rtb.Nothing, error) {
	domain, err := w.blockable(c, in)
	if err != nil {
		return rtb.Nothing{}, err
	}
	key := blockKey(in.AdvertiserCode, domain)
	if !w.blocked.has(key) {
		return rtb.Nothing{}, unknown("blocked domain", domain)
	}
	return rtb.Nothing{}, w.commit(nil, w.blocked.drop(key))
}

func (w *world) blockable(c *call, in rtb.BlockedPath) (string, error) {
	if _, err := w.ownAdvertiser(c, in.AdvertiserCode); err != nil {
		return "", err
	}
	return privateDomain(in.Domain)
}
