package operations

import (
	"hash/fnv"
	"net/url"
	"strings"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
	"usher/internal/sandbox/metadata"
)

func (s *State) sites(c *Call, in rtb.CategoryPath) (rtb.SitesAnswer, error) {
	category, err := findCategory(in.CategoryID)
	if err != nil {
		return rtb.SitesAnswer{}, err
	}
	return rtb.SitesAnswer{Sites: sitesOf(category, c.Now)}, nil
}

func (s *State) site(c *Call, in rtb.SitePath) (rtb.SiteAnswer, error) {
	category, err := findCategory(in.CategoryID)
	if err != nil {
		return rtb.SiteAnswer{}, err
	}
	host := siteHost(in.Site)
	for _, site := range sitesOf(category, c.Now) {
		if site.Site == host {
			return rtb.SiteAnswer{Site: site}, nil
		}
	}
	return rtb.SiteAnswer{}, envelope.Unknown("site", in.Site)
}

// sitesOf returns the publishers' sites of a category. A sub-category has the sites of its
// parent, with other weights. Weights and visits are generated.
func sitesOf(category rtb.Category, now time.Time) []rtb.Site {
	top := category.ID
	if category.ParentID != 0 {
		top = category.ParentID
	}
	list := []rtb.Site{}
	for site := range metadata.Sites() {
		if site.Category != top {
			continue
		}
		h := mix(site.Domain, category.Name)
		list = append(list, rtb.Site{
			ID: site.ID, Site: site.Domain, Weight: float64(h%100+1) / 100, Visits: rtb.Count(10_000 + h/100%990_000),
			LastVisit: formatTime(now.Add(-time.Duration(h%3600) * time.Second)),
		})
	}
	return list
}

// siteHost returns the host of a site, which may be given as a URL.
func siteHost(site string) string {
	if !strings.Contains(site, "://") {
		site = "http://" + site
	}
	u, err := url.Parse(site)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// mix returns a hash of texts, from which figures are generated. It is the same in every
// run.
func mix(texts ...string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(texts, "\n"))) // never fails
	sum := h.Sum64()
	sum ^= sum >> 33 // so that texts with different last letters have very different hashes
	sum *= 0xff51afd7ed558ccd
	sum ^= sum >> 33
	return sum
}
